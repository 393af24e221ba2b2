"""What Qt does not say to an X11 window manager: keep the popup out of task bars and pagers."""

from __future__ import annotations

import logging
import os
from contextlib import suppress
from typing import Any

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

logger = logging.getLogger(__name__)

_STATES = ("_NET_WM_STATE_SKIP_TASKBAR", "_NET_WM_STATE_SKIP_PAGER", "_NET_WM_STATE_ABOVE")
_connection: Any = None


def keep_out_of_taskbars(window: QWidget) -> None:
    """Before each time it is shown: a window manager forgets these states when a window is hidden.

    See https://specifications.freedesktop.org/wm-spec/latest/ar01s05.html#id-1.6.8.
    """
    if QGuiApplication.platformName() != "xcb":
        return
    with suppress(Exception):  # Xlib raises what it likes; the popup then has a task bar entry
        from Xlib import Xatom

        display = _display()
        atoms = [display.intern_atom(name) for name in _STATES]
        handle = display.create_resource_object("window", int(window.winId()))
        handle.change_property(display.intern_atom("_NET_WM_STATE"), Xatom.ATOM, 32, atoms)
        display.sync()


def close() -> None:
    """Give the connection back."""
    global _connection
    if _connection is not None:
        with suppress(Exception):
            _connection.close()
        _connection = None


def _display() -> Any:
    global _connection
    if _connection is None:
        from Xlib.display import Display

        _connection = Display(os.environ.get("DISPLAY"))
    return _connection
