"""The window in front on X11, told by the window manager's _NET_ACTIVE_WINDOW; nothing is polled.

See "Extended Window Manager Hints", https://specifications.freedesktop.org/wm-spec/latest/.
"""

from __future__ import annotations

import os
import time
from typing import Any

from Xlib import X, Xatom, error
from Xlib.display import Display

from collectors import x11
from collectors.wake import Waker
from collectors.window.backend import Window, window
from collectors.window.titles import LIMIT

_WORDS = LIMIT
"""Four-byte words of a title that are fetched: enough for LIMIT characters of UTF-8."""
_OF_A_WINDOW = X.PropertyChangeMask | X.StructureNotifyMask
"""What is asked of the window in front: its title, and its end."""


def connect() -> X11:
    """Watch the X server that DISPLAY names. Raises Unavailable when there is none."""
    return X11(x11.connect())


class X11:
    """Asks for property changes of the root window and of the window in front, then sleeps in select."""

    name = "X11"

    def __init__(self, display: Display) -> None:
        self._display = display
        self._root = display.screen().root
        self._active_window = display.get_atom("_NET_ACTIVE_WINDOW")
        self._net_name = display.get_atom("_NET_WM_NAME")
        self._utf8 = display.get_atom("UTF8_STRING")
        self._pid = display.get_atom("_NET_WM_PID")
        self._watched: Any = None
        self.advice = _advice()
        with x11.alive():
            self._root.change_attributes(event_mask=X.PropertyChangeMask)

    def front(self) -> Window | None:
        with x11.alive():
            active = self._active()
            self._watch(active)
            if active is None:
                return None
            try:
                return self._window(active)
            except error.XError:
                self._watched = None  # closed; another window may get its number
                return None

    def wait(self, waker: Waker, seconds: float | None) -> None:
        until = None if seconds is None else time.monotonic() + seconds
        with x11.alive():
            # Answers read by front() may have brought events along, which select cannot see.
            while not self._news():
                self._display.flush()
                left = None if until is None else until - time.monotonic()
                if waker.wait(left, self._display) != "readable":
                    return

    def close(self) -> None:
        x11.close(self._display)

    def _news(self) -> bool:
        """Whether an event tells of another window in front or another title of it."""
        news = False
        while self._display.pending_events():
            event = self._display.next_event()
            if event.type == X.DestroyNotify and event.window == self._watched:
                # Some window managers go on naming it, and the server gives its number to another window.
                self._watched, news = None, True
            if event.type != X.PropertyNotify:
                continue
            if event.window == self._root:
                news |= event.atom == self._active_window
            else:
                news |= event.atom in (self._net_name, Xatom.WM_NAME, Xatom.WM_CLASS)
        return news

    def _active(self) -> Any:
        found = self._root.get_property(self._active_window, X.AnyPropertyType, 0, 1)
        if found is None or found.format != 32 or not len(found.value) or found.value[0] == X.NONE:
            return None
        return self._display.create_resource_object("window", found.value[0])

    def _watch(self, active: Any) -> None:
        """Ask for the property changes of this window, and of no other but the root."""
        if active == self._watched:
            return
        ignore = error.CatchError(error.BadWindow)
        if self._watched is not None and self._watched != self._root:
            self._watched.change_attributes(event_mask=X.NoEventMask, onerror=ignore)
        if active is not None and active != self._root:
            active.change_attributes(event_mask=_OF_A_WINDOW, onerror=ignore)
        self._watched = active

    def _window(self, active: Any) -> Window:
        instance, _, rest = self._text(active, Xatom.WM_CLASS).partition("\0")
        class_name = rest.partition("\0")[0] or instance
        pid = active.get_property(self._pid, Xatom.CARDINAL, 0, 1)
        return window(
            self._text(active, self._net_name) or self._text(active, Xatom.WM_NAME),
            app_id=class_name,
            pid=int(pid.value[0]) if pid is not None and pid.format == 32 and len(pid.value) else None,
            key=str(active.id),
        )

    def _text(self, active: Any, name: int) -> str:
        found = active.get_property(name, X.AnyPropertyType, 0, _WORDS)
        if found is None or found.format != 8:
            return ""
        raw = bytes(found.value) if not isinstance(found.value, str) else found.value.encode("latin-1")
        latin = found.property_type == Xatom.STRING
        # Many programs put UTF-8 into a property that says Latin-1.
        try:
            return raw.decode("utf-8")
        except UnicodeDecodeError:
            return raw.decode("latin-1" if latin else "utf-8", "replace")


def _advice() -> str:
    if os.environ.get("WAYLAND_DISPLAY") or os.environ.get("XDG_SESSION_TYPE") == "wayland":
        return "Only programs that use X11 are seen in this Wayland session."
    return ""
