"""The hotkey on Windows: RegisterHotKey, which sees this key alone and says when another program has it.

See https://learn.microsoft.com/en-us/windows/win32/api/winuser/nf-winuser-registerhotkey and, for the numbers of keys,
https://learn.microsoft.com/en-us/windows/win32/inputdev/virtual-key-codes.
"""

from __future__ import annotations

import ctypes
import itertools
import logging
import sys
import threading
from ctypes import wintypes
from typing import Any

from collectors.collector import Unavailable
from desktop_memory.desktop.errands import Errands
from desktop_memory.desktop.hotkey.backend import Pressed
from desktop_memory.desktop.hotkey.chord import Chord
from desktop_memory.errors import KnownError

logger = logging.getLogger(__name__)

_MODIFIERS = {"Alt": 0x1, "Ctrl": 0x2, "Shift": 0x4, "Super": 0x8}
_NO_REPEAT = 0x4000
_HOTKEY, _QUIT, _ERRAND = 0x0312, 0x0012, 0x8000
_KEYS = {
    "Backspace": 0x08, "Tab": 0x09, "Return": 0x0D, "Pause": 0x13, "Escape": 0x1B, "Space": 0x20, "PageUp": 0x21,
    "PageDown": 0x22, "End": 0x23, "Home": 0x24, "Left": 0x25, "Up": 0x26, "Right": 0x27, "Down": 0x28,
    "Print": 0x2C, "Insert": 0x2D, "Delete": 0x2E, "Menu": 0x5D,
}  # fmt: skip


def connect(pressed: Pressed) -> Windows:
    """Raises Unavailable elsewhere than on Windows."""
    if sys.platform != "win32":
        raise Unavailable("This is not Windows.")
    user = ctypes.WinDLL("user32")
    user.GetMessageW.argtypes = [ctypes.POINTER(wintypes.MSG), wintypes.HWND, wintypes.UINT, wintypes.UINT]
    user.PostThreadMessageW.argtypes = [wintypes.DWORD, wintypes.UINT, wintypes.WPARAM, wintypes.LPARAM]
    user.RegisterHotKey.argtypes = [wintypes.HWND, ctypes.c_int, wintypes.UINT, wintypes.UINT]
    user.UnregisterHotKey.argtypes = [wintypes.HWND, ctypes.c_int]
    user.VkKeyScanW.argtypes = [wintypes.WCHAR]
    return Windows(user, ctypes.WinDLL("kernel32"), pressed)


class Windows:
    """A thread that pumps messages: a hotkey belongs to the thread that asked for it."""

    name = "Windows"

    def __init__(self, user: Any, kernel: Any, pressed: Pressed) -> None:
        self._user, self._kernel = user, kernel
        self._pressed = pressed
        self._chord: Chord | None = None
        self._number = 0
        self._numbers = itertools.count(1)
        self._thread_id = 0
        self._errands = Errands(lambda: self._post(_ERRAND))
        self._started = threading.Event()
        self._thread = threading.Thread(target=self._run, name="hotkey", daemon=True)
        self._thread.start()
        self._started.wait(5)

    def bind(self, chord: Chord) -> None:
        self._errands.ask(lambda: self._take(chord), self._thread)

    def unbind(self) -> None:
        self._errands.ask(self._give_back, self._thread)

    def close(self) -> None:
        self._post(_QUIT)
        self._thread.join(timeout=5)

    def _post(self, message: int) -> None:
        self._user.PostThreadMessageW(self._thread_id, message, 0, 0)

    # on the thread

    def _run(self) -> None:
        message = wintypes.MSG()
        self._thread_id = self._kernel.GetCurrentThreadId()
        self._user.PeekMessageW(ctypes.byref(message), None, 0, 0, 0)  # makes the thread's queue
        self._started.set()
        try:
            while self._user.GetMessageW(ctypes.byref(message), None, 0, 0) > 0:
                if message.message == _HOTKEY and message.wParam == self._number:
                    self._call()
                self._errands.serve()
        finally:
            self._give_back()

    def _call(self) -> None:
        try:
            self._pressed()
        except Exception:
            logger.exception("what the hotkey starts failed")

    def _take(self, chord: Chord) -> None:
        if chord == self._chord:
            return
        key, mask = _key(chord, self._user), _NO_REPEAT
        for name in chord.modifiers:
            mask |= _MODIFIERS[name]
        number = next(self._numbers)
        if not self._user.RegisterHotKey(None, number, mask, key):
            raise KnownError(
                f"Another program has {chord}.", "Choose another key in Settings, or free it in that program."
            )
        self._give_back()
        self._chord, self._number = chord, number

    def _give_back(self) -> None:
        if self._number:
            self._user.UnregisterHotKey(None, self._number)
        self._chord, self._number = None, 0


def _key(chord: Chord, user: Any) -> int:
    """The virtual-key code. Characters other than letters and digits are where the present layout has them."""
    name = chord.key
    if name in _KEYS:
        return _KEYS[name]
    if name.startswith("F") and name[1:].isdigit():
        return 0x6F + int(name[1:])
    if name.isascii() and name.isalnum():
        return ord(name)
    found = int(user.VkKeyScanW(name)) & 0xFFFF
    if found == 0xFFFF:
        raise KnownError(f"This keyboard has no key {name!r}.", "Choose another key in Settings.")
    return found & 0xFF
