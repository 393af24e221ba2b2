"""What every screen is handed: the memory, threads to ask it on, the look, the clock, and a voice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from desktop_memory.encryption import Plan
from desktop_memory.settings import Settings
from desktop_memory.ui.background import Background
from desktop_memory.ui.bridge import Bridge
from desktop_memory.ui.clipboard import Put, Read
from desktop_memory.ui.long_work import LongWork
from desktop_memory.ui.notices import Notices
from desktop_memory.ui.ports import App, Clock, Memory
from desktop_memory.ui.theme import Theme

Rebind = Callable[[str, str, Callable[[], object], Callable[[Exception], object]], None]


@dataclass(kw_only=True)
class Desk:
    """Built once by `run`. Screens call the memory through `background` only."""

    memory: Memory
    app: App
    background: Background
    bridge: Bridge
    theme: Theme
    notices: Notices
    clock: Clock
    settings: Settings = field(default_factory=Settings)
    folder: Path | None = None
    """The data folder, where the settings are; None where there is none to write."""
    rebind: Rebind | None = None
    """Give the hotkey of this setting other keys; then one of the two callbacks follows."""
    switch_encryption: Callable[[Plan | None], None] | None = None
    """Close the screens, encrypt the memory by this plan or decrypt it, and open them again."""
    go_back_to: Callable[[Path], None] | None = None
    """Close the screens, put this backup in the memory's place, and open them again."""
    demo: bool = False
    """A made-up memory: nothing of this computer is recorded."""
    other_clipboard: Put | None = None
    """How to copy where Qt cannot; handed over by `run`."""
    read_clipboard: Read | None = None
    """How to read the clipboard where Qt cannot."""
    clear_clipboard: Put | None = None
    """How to empty it there, if it still holds this text."""
    work: LongWork = field(init=False)
    """What takes long and is told in the window's strip."""

    def __post_init__(self) -> None:
        self.work = LongWork(self.background, self.notices)
