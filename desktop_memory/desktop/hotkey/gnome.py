"""The hotkey on GNOME, by our extension of its Shell, which says when a key is taken."""

from __future__ import annotations

import contextlib
import logging

from collectors.bus import Bus, Message, Refused, field
from desktop_memory.desktop import gnome_hands
from desktop_memory.desktop.bus_thread import BusThread
from desktop_memory.desktop.gnome_hands import HANDS, PATH, SHELL
from desktop_memory.desktop.hotkey.backend import Deed, Pressed
from desktop_memory.desktop.hotkey.chord import Chord
from desktop_memory.desktop.hotkey.portal import KEYSYMS
from desktop_memory.errors import KnownError

logger = logging.getLogger(__name__)

_MODIFIERS = {"Ctrl": "<Control>", "Alt": "<Alt>", "Shift": "<Shift>", "Super": "<Super>"}


def connect(pressed: Pressed, deed: Deed) -> Gnome:
    """Raises Unavailable without GNOME or without the extension."""
    return Gnome(gnome_hands.connect(), pressed, deed)


class Gnome(BusThread):
    """The Shell gives the key back by itself when this connection ends."""

    name = "GNOME extension"

    def __init__(self, bus: Bus, pressed: Pressed, deed: Deed) -> None:
        super().__init__(bus, "hotkey")
        self._pressed = pressed
        self._deed = deed
        self._chord: Chord | None = None
        bus.listen(sender=SHELL, interface=HANDS, member="Pressed", path=PATH)
        self._thread.start()

    def bind(self, chord: Chord) -> None:
        if chord != self._chord:
            self._ask(lambda: self._take(chord))

    def unbind(self) -> None:
        self._ask(self._leave)

    def _take(self, chord: Chord) -> None:
        try:
            (taken,) = self._bus.call(SHELL, PATH, f"{HANDS}.Grab", "ss", self._deed.name, written(chord))
        except Refused as why:
            raise KnownError(f"GNOME did not give {chord}.", "Log out and in, then try again.") from why
        if not taken:
            raise KnownError(
                f"GNOME or another program has {chord}.", "Choose another key in Settings, or free it there."
            )
        self._chord = chord

    def _hear(self, message: Message) -> None:
        if field(message, "member") != "Pressed" or message.body[0] != self._deed.name:
            return
        try:
            self._pressed()
        except Exception:
            logger.exception("what the hotkey starts failed")

    def _leave(self) -> None:
        if self._chord is not None:
            self._chord = None
            with contextlib.suppress(Refused):
                self._bus.call(SHELL, PATH, f"{HANDS}.Ungrab", "s", self._deed.name)


def written(chord: Chord) -> str:
    """The chord as GTK writes it: "<Control><Alt>z"."""
    key = chord.key.lower() if len(chord.key) == 1 and chord.key.isalpha() else chord.key
    modifiers = "".join(
        _MODIFIERS[name] for name in ("Ctrl", "Alt", "Shift", "Super") if name in chord.modifiers
    )
    return modifiers + KEYSYMS.get(key, key)
