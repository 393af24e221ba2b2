"""The window in front, watched by the first backend that works here."""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from collectors.collector import Emit, Unavailable
from collectors.idle.presence import Presence
from collectors.wake import waking
from collectors.window import desktops
from collectors.window.backend import Backend, Connect, Window
from collectors.window.describer import Describer
from collectors.window.editors import Editor
from collectors.window.follow import Follower
from collectors.window.meetings import Meeting, is_meeting
from collectors.window.private import BeginsPrivate, PrivateWindows, what_is_not_told
from collectors.window.spans import BLIP, SOURCE, Spans

logger = logging.getLogger(__name__)

OWN_APP_ID = "desktop-memory"


@dataclass
class WindowCollector:
    """Tells which window was in front, from when to when, while somebody was there.

    `device` is this machine's id; `app_names`, `editors` and `meetings` are the data of resources/*.toml;
    `begins_private` knows a browser's new private tab by its title and program.
    `backend` is the name of what is watching now, `advice` what it cannot see, `tried` says why the
    others could not.
    """

    device: str
    presence: Presence = field(default_factory=Presence)
    app_names: Mapping[str, str] = field(default_factory=dict)
    editors: Sequence[Editor] = ()
    meetings: Sequence[Meeting] = ()
    begins_private: BeginsPrivate = lambda title, app: False
    clock: Callable[[], datetime] = lambda: datetime.now(UTC)
    connects: Sequence[tuple[str, Connect]] = field(default_factory=lambda: desktops.here())
    own_pid: int = field(default_factory=os.getpid)
    blip: timedelta = BLIP
    look_for_better: float = 300.0
    """Seconds after which a backend that cannot see everything is given up for a better one, if there is one."""

    def __post_init__(self) -> None:
        self.backend = ""
        self.advice = ""
        self.tried: dict[str, str] = {}
        self._chosen = 0
        self._private = PrivateWindows(self.begins_private)
        self._describer = Describer(
            app_names=self.app_names, editors=self.editors, private_windows=self._private
        )

    @property
    def source(self) -> str:
        return SOURCE

    def watch(self, emit: Emit, stop: threading.Event) -> None:
        self.tried = {}
        backend: Backend | None = self._connect(len(self.connects))
        spans = Spans(device=self.device, describe=self._describer.event, blip=self.blip)
        try:
            with waking(stop) as waker:
                follower = Follower(
                    spans, self.presence, emit, waker, clock=self.clock, is_meeting=self._is_meeting
                )
                with self.presence.heard_by(follower.hear):
                    while backend is not None:
                        backend = self._followed(follower, backend, stop)
        finally:
            self.backend = ""
            self.presence.engaged = False
            for event in spans.stop(self.clock()):
                emit(event)

    def _followed(self, follower: Follower, backend: Backend, stop: threading.Event) -> Backend | None:
        """Follow until the end (None), or until there is a better backend."""
        try:
            while not stop.is_set():
                follower.follow(
                    backend,
                    self._worth_telling,
                    stop,
                    seconds=self.look_for_better if backend.advice else None,
                )
                if not stop.is_set() and (better := self._better()) is not None:
                    return better
            return None
        finally:
            backend.close()

    def _connect(self, count: int) -> Backend:
        """The first of so many that works. Raises Unavailable, with what would help, when none does."""
        advice = ""
        for number, (name, connect) in enumerate(self.connects[:count]):
            try:
                backend = connect()
            except Unavailable as why:
                self.tried[name] = why.problem
                advice = advice or why.advice
                continue
            self.tried = {tried: why for tried, why in self.tried.items() if tried != name}
            self.backend, self._chosen = backend.name, number
            self.advice = f"{backend.advice} {advice}".strip() if backend.advice else what_is_not_told()
            logger.info("watching windows by %s", backend.name)
            return backend
        raise Unavailable("No window can be seen on this desktop.", advice)

    def _better(self) -> Backend | None:
        """A backend that comes before the present one and works by now: the desktop may have started after us."""
        try:
            return self._connect(self._chosen)
        except Unavailable:
            return None

    def _worth_telling(self, window: Window | None) -> Window | None:
        """The window, unless it says nothing or is our own."""
        if window is None or window.pid == self.own_pid or window.app_id.casefold() == OWN_APP_ID:
            return None
        app = self._describer.app(window)
        self._private.look(window, app)
        self.advice = self.advice or what_is_not_told(app)
        return None if window.nameless else window

    def _is_meeting(self, window: Window) -> bool:
        return is_meeting(window, self._describer.app(window), self.meetings)
