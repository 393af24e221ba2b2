"""Starts the screens: a display first, then the tray, then everything that takes longer to load."""

from __future__ import annotations

import gc
import time
from pathlib import Path

from PySide6.QtWidgets import QSystemTrayIcon

from desktop_memory.errors import BusyError
from desktop_memory.ipc.client import NotRunning, tell
from desktop_memory.owner import OwnerLock
from desktop_memory.ui import display
from desktop_memory.ui.application import application
from desktop_memory.ui.tray_icon import tray_icon

PATIENCE = 15.0
"""Seconds for another start that has the folder but does not answer yet."""


def run(folder: Path, *, background: bool = False, demo: bool = False, search: bool = False) -> int:
    """Open the app on this folder and stay until it is quit; a running one is raised instead.

    `background` begins in the tray, `search` with the popup. In a `demo` nothing of this computer is
    recorded. Raises KnownError when there is no display or the folder cannot be used.
    """
    display.check()
    show = "search" if search else "window"
    if raised(folder, show):
        return 0
    try:
        _probe(folder)
        return _stay(folder, show if search or not background else "", demo=demo)
    except BusyError:
        if raised(folder, show, PATIENCE):
            return 0
        raise


def raised(folder: Path, show: str, patience: float = 0.0) -> bool:
    """Whether the app that runs for this folder showed itself, within so many seconds."""
    end = time.monotonic() + patience
    while True:
        try:
            tell(folder, "show", show)
        except NotRunning:
            if time.monotonic() >= end:
                return False
            time.sleep(0.1)
        else:
            return True


def _probe(folder: Path) -> None:
    """Raises BusyError when another process has the folder: before an icon is shown that would go again."""
    lock = OwnerLock(folder)
    lock.acquire()
    lock.release()


def _stay(folder: Path, show: str, *, demo: bool) -> int:
    gc.disable()  # a tenth of the start, for what is loaded is no garbage; ui/garbage.py takes it from here
    qt = application()
    icon = None
    if QSystemTrayIcon.isSystemTrayAvailable():
        icon = QSystemTrayIcon(tray_icon("degraded"))
        icon.setToolTip("Desktop Memory")
        icon.show()
        qt.processEvents()
    # Imported only now: stores, numpy and all pages take longer than the icon should.
    from desktop_memory.ui.stay import stay

    return stay(qt, folder, icon, show, demo=demo)
