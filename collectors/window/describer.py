"""Says what a window is to a person: the program's name, the file and project that an editor shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from collectors.event import EPOCH, Event
from collectors.window import apps
from collectors.window.backend import Window
from collectors.window.editors import Editor, read
from collectors.window.private import PrivateWindows, started_private
from collectors.window.spans import SOURCE


@dataclass(frozen=True, kw_only=True)
class Describer:
    """`app_names` and `editors` are the data of resources/*.toml."""

    app_names: Mapping[str, str] = field(default_factory=dict)
    editors: Sequence[Editor] = ()
    private_windows: PrivateWindows = field(default_factory=PrivateWindows)

    def app(self, window: Window) -> str:
        return apps.readable(window.app_id, self.app_names, window.app)

    def event(self, window: Window) -> Event:
        """The window as an event that still lacks its identity and its times."""
        app = self.app(window)
        edited = read(window, app, self.editors)
        details: dict[str, Any] = {"class": window.app_id, "pid": window.pid}
        return Event(
            identity="",
            kind="window",
            start=EPOCH,
            title=window.title,
            app=app,
            project=edited.project,
            files=edited.files,
            source=SOURCE,
            private=window in self.private_windows or started_private(window.pid),
            details={name: value for name, value in details.items() if value},
        )
