"""The window in front on GNOME, told by an extension of its Shell: ours, or focused-window-dbus.

GNOME lets no program ask; see resources/gnome-extension/ and https://github.com/flexagoon/focused-window-dbus.
"""

from __future__ import annotations

import json
import os
from typing import Any

from collectors.bus import Bus, Message, Refused
from collectors.collector import Unavailable
from collectors.wake import Waker
from collectors.window.backend import Window, window
from collectors.window.told import Told

_SHELL = "org.gnome.Shell"
_OURS = "org.desktopmemory.Front"
_OUR_PATH = "/org/desktopmemory/Front"
_OTHER = "org.gnome.shell.extensions.FocusedWindow"
_OTHER_PATH = "/org/gnome/shell/extensions/FocusedWindow"

_EVERY = 1.0
"""Seconds between two questions to focused-window-dbus, which does not tell of new titles."""

INSTALL = "Install Desktop Memory's extension for GNOME: desktop-memory gnome install, then log out and in."


def connect() -> Ours | Other:
    """Raises Unavailable where GNOME does not run, or runs without an extension that tells."""
    if not os.environ.get("WAYLAND_DISPLAY"):
        raise Unavailable("X11 tells more simply.")
    bus = Bus("session")
    try:
        if not bus.has_owner(_SHELL):
            raise Unavailable("GNOME does not run here.")
        for backend in (Ours, Other):
            try:
                return backend(bus)
            except Refused:
                continue
        raise Unavailable("GNOME does not say which window is in front.", INSTALL)
    except Unavailable:
        bus.close()
        raise


class Ours(Told):
    """Our extension tells of each change."""

    name = "GNOME extension"

    def __init__(self, bus: Bus) -> None:
        super().__init__(bus, desktop=_SHELL, member="Changed")
        bus.listen(interface=_OURS, member="Changed", path=_OUR_PATH)
        self._front = told(bus.call(_SHELL, _OUR_PATH, f"{_OURS}.Get"))

    def hear(self, message: Message) -> None:
        self._front = told(tuple(message.body))


class Other:
    """focused-window-dbus, asked once a second."""

    name = "focused-window-dbus"
    advice = f"Windows are looked at once a second only. {INSTALL}"

    def __init__(self, bus: Bus) -> None:
        self._bus = bus
        self._ask()

    def front(self) -> Window | None:
        try:
            return told_by_other(self._ask())
        except Refused as why:
            raise Unavailable("focused-window-dbus has ended.", INSTALL) from why

    def wait(self, waker: Waker, seconds: float | None) -> None:
        waker.wait(_EVERY if seconds is None else min(seconds, _EVERY))

    def close(self) -> None:
        self._bus.close()

    def _ask(self) -> str:
        for _ in self._bus.heard():
            pass  # it also tells of another program in front; that is asked for soon enough
        return str(self._bus.one(_SHELL, _OTHER_PATH, f"{_OTHER}.Get"))


def told(values: tuple[Any, ...]) -> Window | None:
    """The window of our extension's five values: title, class, the app's name, process, window; no window: empty."""
    if len(values) != 5 or not values[4]:
        return None
    title, app_id, app, pid, key = values
    return window(title, app_id=app_id, app=app, pid=pid, key=str(key))


def told_by_other(answer: str) -> Window | None:
    """The window of focused-window-dbus's JSON; no window: {}."""
    try:
        found = json.loads(answer)
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict) or not found.get("id"):
        return None
    return window(
        found.get("title"), app_id=found.get("wm_class"), pid=found.get("pid"), key=str(found["id"])
    )
