"""Idle time on X11, by the MIT-SCREEN-SAVER extension.

See https://www.x.org/releases/X11R7.7/doc/scrnsaverproto/saver.html.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from Xlib.display import Display

from collectors import x11
from collectors.collector import Unavailable
from collectors.wake import Readable


def connect() -> XScreenSaver:
    """Raises Unavailable without an X server that counts all input, not that of X11 programs alone."""
    if os.environ.get("WAYLAND_DISPLAY") or os.environ.get("XDG_SESSION_TYPE") == "wayland":
        raise Unavailable("In a Wayland session the X server sees only some of the input.")
    display = x11.connect()
    if not display.has_extension("MIT-SCREEN-SAVER"):
        x11.close(display)
        raise Unavailable("The X server has no MIT-SCREEN-SAVER extension.")
    return XScreenSaver(display)


class XScreenSaver:
    """Asks the server; it has the time of the last input of any device."""

    name = "XScreenSaver"
    connections: Sequence[Readable] = ()

    def __init__(self, display: Display) -> None:
        self._display = display
        self._root = display.screen().root

    def idle(self) -> float:
        with x11.alive():
            return float(self._root.screensaver_query_info().idle) / 1000

    def close(self) -> None:
        x11.close(self._display)
