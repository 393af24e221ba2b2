"""What our extension does for us within GNOME Shell: take keys, set the clipboard, carry a menu.

See resources/gnome-extension/. GNOME lets no other program do these on Wayland, and shows no tray.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

from collectors.bus import Bus, Message, Refused, field
from collectors.collector import Unavailable
from desktop_memory.desktop.bus_thread import BusThread

SHELL = "org.gnome.Shell"
PATH = "/org/desktopmemory/Hands"
HANDS = "org.desktopmemory.Hands"

Entry = tuple[str, str]
"""What the menu tells when it is chosen, and what it says; both empty: a line."""


def connect() -> Bus:
    """A connection to a Shell that has our extension. Raises Unavailable where there is none."""
    if not os.environ.get("WAYLAND_DISPLAY"):
        raise Unavailable("On X11 there are simpler ways.")
    bus = Bus("session")
    try:
        if not bus.has_owner(SHELL):
            raise Unavailable("GNOME does not run here.")
        bus.call(SHELL, PATH, f"{HANDS}.Hello")
    except Refused as why:
        bus.close()
        raise Unavailable(
            "GNOME has not loaded Desktop Memory's extension.",
            "Install it: desktop-memory gnome install, then log out and in.",
        ) from why
    except Unavailable:
        bus.close()
        raise
    return bus


def copy(text: str) -> bool:
    """Let GNOME put this text on the clipboard; whether it did."""
    try:
        bus = connect()
    except Unavailable:
        return False
    try:
        bus.call(SHELL, PATH, f"{HANDS}.Copy", "s", text)
        return True
    except (Refused, Unavailable):
        return False
    finally:
        bus.close()


class Menu(BusThread):
    """A menu in GNOME's top bar; `chosen` is called, on a thread of its own, with what was chosen."""

    def __init__(self, chosen: Callable[[str], None]) -> None:
        """Raises Unavailable without the extension."""
        super().__init__(connect(), "gnome menu")
        self._chosen = chosen
        self._bus.listen(sender=SHELL, interface=HANDS, member="Chosen", path=PATH)
        self._thread.start()

    def show(self, status: str, state: str, entries: Sequence[Entry]) -> None:
        """Be this menu under a mark for this state. Raises KnownError when the Shell has gone."""
        self._ask(lambda: self._show(status, state, entries))

    def _show(self, status: str, state: str, entries: Sequence[Entry]) -> None:
        try:
            self._bus.call(SHELL, PATH, f"{HANDS}.Menu", "ssa(ss)", status, state, list(entries))
        except Refused:
            self._closing = True

    def _hear(self, message: Message) -> None:
        if field(message, "member") == "Chosen":
            self._chosen(str(message.body[0]))

    def _leave(self) -> None:
        """The extension takes the menu away when this connection ends."""
