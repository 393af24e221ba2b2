"""Starts the screens: a display first, then the tray, then everything that takes longer to load."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from PySide6.QtWidgets import QSystemTrayIcon

from desktop_memory.ipc.client import NotRunning
from desktop_memory.ipc.remote import RemoteApp
from desktop_memory.ui import display
from desktop_memory.ui.application import application
from desktop_memory.ui.tray_icon import tray_icon


def run(folder: Path, *, background: bool = False, demo: bool = False, search: bool = False) -> int:
    """Open the app on this folder and stay until it is quit; a running one is raised instead.

    `background` begins in the tray, `search` with the popup. In a `demo` nothing of this computer is
    recorded. Raises KnownError when there is no display or the folder cannot be used.
    """
    display.check()
    with suppress(NotRunning):
        RemoteApp(folder).show("search" if search else "window")
        return 0
    qt = application()
    icon = None
    if QSystemTrayIcon.isSystemTrayAvailable():
        icon = QSystemTrayIcon(tray_icon("degraded"))
        icon.setToolTip("Desktop Memory")
        icon.show()
        qt.processEvents()
    # Imported only now: stores, numpy and all pages take longer than the icon should.
    from desktop_memory.ui.stay import stay

    return stay(qt, folder, icon, "search" if search else "" if background else "window", demo=demo)
