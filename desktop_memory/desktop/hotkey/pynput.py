"""The hotkey by pynput, where the desktop has no better way: it cannot tell whether another program has it."""

from __future__ import annotations

import os
import sys
from typing import Any

from collectors.collector import Unavailable
from desktop_memory.desktop.hotkey.backend import Pressed
from desktop_memory.desktop.hotkey.chord import Chord
from desktop_memory.errors import KnownError

BEGINS_SECONDS = 0.3
_MODIFIERS = {"Ctrl": "<ctrl>", "Alt": "<alt>", "Shift": "<shift>", "Super": "<cmd>"}
_NAMES = {
    "Return": "enter",
    "Escape": "esc",
    "PageUp": "page_up",
    "PageDown": "page_down",
    "Print": "print_screen",
}


def connect(pressed: Pressed) -> Pynput:
    """Raises Unavailable where pynput is not installed or cannot see the keyboard."""
    if sys.platform.startswith("linux") and not os.environ.get("DISPLAY"):
        raise Unavailable("There is no X server here.")
    try:
        from pynput import keyboard  # connects to the desktop as it is imported, and fails in many ways
    except Exception as why:
        raise Unavailable(f"pynput cannot be loaded: {type(why).__name__}") from why
    return Pynput(keyboard, pressed)


class Pynput:
    """A listener that compares what is pressed with the chord; it keeps no key."""

    name = "pynput"

    def __init__(self, keyboard: Any, pressed: Pressed) -> None:
        self._keyboard = keyboard
        self._pressed = pressed
        self._listener: Any = None

    def bind(self, chord: Chord) -> None:
        try:
            listener = self._keyboard.GlobalHotKeys({written(chord): self._pressed})
            listener.start()
            listener.join(
                BEGINS_SECONDS
            )  # raises what ended it; wait() would wait for ever for one that died
            if not listener.is_alive():
                raise Unavailable("It ended at once.")
        except Exception as why:
            raise KnownError(f"{chord} cannot be taken here.", "Choose another key in Settings.") from why
        self.unbind()
        self._listener = listener

    def unbind(self) -> None:
        if self._listener is not None:
            self._listener.stop()
            self._listener = None

    def close(self) -> None:
        self.unbind()


def written(chord: Chord) -> str:
    """The chord in pynput's form: "<ctrl>+<alt>+z"."""
    key = chord.key.lower() if len(chord.key) == 1 else f"<{_NAMES.get(chord.key, chord.key.lower())}>"
    modifiers = [_MODIFIERS[name] for name in ("Ctrl", "Alt", "Shift", "Super") if name in chord.modifiers]
    return "+".join([*modifiers, key])
