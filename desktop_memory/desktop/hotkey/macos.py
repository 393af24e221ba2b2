"""The hotkey on macOS: Carbon's RegisterEventHotKey, which needs no consent and sees this key alone.

See CarbonEvents.h and HIToolbox/Events.h. Carbon calls back on the main thread while that runs an event loop, as Qt
does there; `bind` and `close` belong to that thread too.
"""

from __future__ import annotations

import ctypes
import itertools
import logging
import sys
from typing import Any

from collectors.collector import Unavailable
from desktop_memory.desktop.hotkey.backend import Pressed
from desktop_memory.desktop.hotkey.chord import Chord
from desktop_memory.errors import KnownError

logger = logging.getLogger(__name__)

_CARBON = "/System/Library/Frameworks/Carbon.framework/Carbon"
_MODIFIERS = {"Super": 1 << 8, "Shift": 1 << 9, "Alt": 1 << 11, "Ctrl": 1 << 12}
"""cmdKey, shiftKey, optionKey, controlKey."""
_SUCCESS = 0
_TAKEN = -9878
"""eventHotKeyExistsErr."""
_KEYBOARD = int.from_bytes(b"keyb", "big")
_PRESSED = 5
_SIGNATURE = int.from_bytes(b"DMem", "big")
_DIRECT_OBJECT = int.from_bytes(b"----", "big")
_HOT_KEY_ID = int.from_bytes(b"hkid", "big")
_NOT_HANDLED = -9874
"""eventNotHandledErr: the next handler is asked, which has another of our keys."""

_LETTERS = {
    "A": 0, "S": 1, "D": 2, "F": 3, "H": 4, "G": 5, "Z": 6, "X": 7, "C": 8, "V": 9, "B": 11, "Q": 12, "W": 13, "E": 14,
    "R": 15, "Y": 16, "T": 17, "1": 18, "2": 19, "3": 20, "4": 21, "6": 22, "5": 23, "=": 24, "9": 25, "7": 26,
    "-": 27, "8": 28, "0": 29, "]": 30, "O": 31, "U": 32, "[": 33, "I": 34, "P": 35, "L": 37, "J": 38, "'": 39,
    "K": 40, ";": 41, "\\": 42, ",": 43, "/": 44, "N": 45, "M": 46, ".": 47, "`": 50,
}  # fmt: skip
_KEYS = {
    **_LETTERS, "Return": 36, "Tab": 48, "Space": 49, "Backspace": 51, "Escape": 53, "F17": 64, "F18": 79, "F19": 80,
    "F20": 90, "F5": 96, "F6": 97, "F7": 98, "F3": 99, "F8": 100, "F9": 101, "F11": 103, "F13": 105, "F16": 106,
    "F14": 107, "F10": 109, "F12": 111, "F15": 113, "Home": 115, "PageUp": 116, "Delete": 117, "F4": 118, "End": 119,
    "F2": 120, "PageDown": 121, "F1": 122, "Left": 123, "Right": 124, "Down": 125, "Up": 126,
}  # fmt: skip
"""Virtual key codes of Events.h: places on an ANSI keyboard, whatever the layout writes on them."""


class _EventType(ctypes.Structure):
    """EventTypeSpec."""

    _fields_ = (("kind_class", ctypes.c_uint32), ("kind", ctypes.c_uint32))


class _HotKeyId(ctypes.Structure):
    """EventHotKeyID."""

    _fields_ = (("signature", ctypes.c_uint32), ("id", ctypes.c_uint32))


_numbers = itertools.count(1)
_Handler = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)


def connect(pressed: Pressed) -> Carbon:
    """Raises Unavailable elsewhere than on macOS."""
    if sys.platform != "darwin":
        raise Unavailable("This is not macOS.")
    return Carbon(ctypes.CDLL(_CARBON), pressed)


class Carbon:
    name = "Carbon"

    def __init__(self, carbon: Any, pressed: Pressed) -> None:
        self._carbon = carbon
        self._pressed = pressed
        self._number = next(_numbers)
        self._chord: Chord | None = None
        self._held: Any = None
        carbon.GetApplicationEventTarget.restype = ctypes.c_void_p
        self._target = carbon.GetApplicationEventTarget()
        self._handler = _Handler(self._happened)  # Carbon calls it: it must live as long as we do
        wanted, installed = _EventType(_KEYBOARD, _PRESSED), ctypes.c_void_p()
        error = carbon.InstallEventHandler(
            ctypes.c_void_p(self._target),
            self._handler,
            1,
            ctypes.byref(wanted),
            None,
            ctypes.byref(installed),
        )
        if error != _SUCCESS:
            raise Unavailable(f"macOS does not tell of keys: error {error}.")
        self._installed = installed

    def bind(self, chord: Chord) -> None:
        if chord == self._chord:
            return
        held, number = ctypes.c_void_p(), _HotKeyId(_SIGNATURE, self._number)
        error = self._carbon.RegisterEventHotKey(
            key_code(chord), modifiers(chord), number, ctypes.c_void_p(self._target), 0, ctypes.byref(held)
        )
        if error == _TAKEN:
            raise KnownError(
                f"Another program has {chord}.", "Choose another key in Settings, or free it in that program."
            )
        if error != _SUCCESS:
            raise KnownError(f"macOS did not give {chord}: error {error}.", "Choose another key in Settings.")
        self.unbind()
        self._held, self._chord = held, chord

    def unbind(self) -> None:
        if self._held is not None:
            self._carbon.UnregisterEventHotKey(self._held)
        self._held, self._chord = None, None

    def close(self) -> None:
        self.unbind()
        self._carbon.RemoveEventHandler(self._installed)

    def _happened(self, caller: Any, event: Any, data: Any) -> int:
        which = _HotKeyId()
        size = ctypes.sizeof(which)
        self._carbon.GetEventParameter(
            ctypes.c_void_p(event), _DIRECT_OBJECT, _HOT_KEY_ID, None, size, None, ctypes.byref(which)
        )
        if which.id != self._number:
            return _NOT_HANDLED
        try:
            self._pressed()
        except Exception:
            logger.exception("what the hotkey starts failed")
        return _SUCCESS


def key_code(chord: Chord) -> int:
    """The virtual key code. Raises KnownError for a key that a Mac's keyboard does not have."""
    if chord.key not in _KEYS:
        raise KnownError(f"This keyboard has no key {chord.key!r}.", "Choose another key in Settings.")
    return _KEYS[chord.key]


def modifiers(chord: Chord) -> int:
    """Carbon's mask of these modifiers."""
    mask = 0
    for name in chord.modifiers:
        mask |= _MODIFIERS[name]
    return mask
