"""Whether Qt will find a display. It aborts the process when it finds none, so this is asked first."""

from __future__ import annotations

import ctypes
import os
import sys
from contextlib import suppress

from desktop_memory.desktop.display import has_display
from desktop_memory.errors import KnownError

_XCB = {
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
}
"""What Qt's X11 plugin loads, and the Debian packages that bring it; any one missing aborts the process."""


def check() -> None:
    """Raises KnownError when there is no display, or what Qt needs to use it is missing."""
    if not has_display():
        raise KnownError(
            "There is no display to show a window on.",
            "Start it from a desktop, or use the commands: desktop-memory now, search, context --copy.",
        )
    if uses_x11() and (missing := missing_libraries()):
        raise KnownError(
            f"The window needs system libraries that are missing: {', '.join(missing)}.",
            f"Install them: sudo apt-get install {' '.join(missing)}",
        )


def uses_x11() -> bool:
    """Whether Qt will take its X11 plugin."""
    chosen = os.environ.get("QT_QPA_PLATFORM", "").split(":")[0]
    if chosen or sys.platform in ("win32", "darwin"):
        return chosen == "xcb"
    return not os.environ.get("WAYLAND_DISPLAY")


def missing_libraries() -> list[str]:
    """The Debian packages that Qt's X11 plugin lacks here."""
    return [package for name, package in _XCB.items() if not _loads(name)]


def composited() -> bool:
    """Whether translucent windows show what is behind them. On X11 only a compositing manager does that."""
    from PySide6.QtGui import QGuiApplication

    if QGuiApplication.platformName() != "xcb":
        return True
    with suppress(Exception):  # Xlib raises what it likes when a server goes away; square corners then
        from Xlib.display import Display

        connection = Display(os.environ.get("DISPLAY"))
        try:
            owner = connection.get_selection_owner(connection.intern_atom("_NET_WM_CM_S0"))
            return bool(owner)
        finally:
            connection.close()
    return False


def _loads(name: str) -> bool:
    with suppress(OSError):
        ctypes.CDLL(name)
        return True
    return False
