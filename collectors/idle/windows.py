"""Idle time and lock on Windows.

See https://learn.microsoft.com/en-us/windows/win32/api/winuser/nf-winuser-getlastinputinfo and
https://learn.microsoft.com/en-us/windows/win32/api/winuser/nf-winuser-openinputdesktop.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterator, Sequence
from ctypes import wintypes
from typing import Any

from collectors.collector import Unavailable
from collectors.idle.backend import State
from collectors.wake import Readable

_SWITCH_DESKTOP = 0x0100


class _LastInput(ctypes.Structure):
    """LASTINPUTINFO."""

    _fields_ = (("size", ctypes.c_uint32), ("time", ctypes.c_uint32))


def connect() -> LastInput:
    """Raises Unavailable elsewhere than on Windows."""
    return LastInput(*_libraries())


def connect_locks() -> InputDesktop:
    """Raises Unavailable elsewhere than on Windows."""
    return InputDesktop(_libraries()[0])


class LastInput:
    name = "GetLastInputInfo"
    connections: Sequence[Readable] = ()

    def __init__(self, user: Any, kernel: Any) -> None:
        self._user, self._kernel = user, kernel

    def idle(self) -> float:
        last = _LastInput(size=ctypes.sizeof(_LastInput))
        self._user.GetLastInputInfo(ctypes.byref(last))
        return between(last.time, self._kernel.GetTickCount())

    def close(self) -> None:
        pass


class InputDesktop:
    """While the screen is locked (or asks for an administrator) the desktop with the input is not ours."""

    connections: Sequence[Readable] = ()

    def __init__(self, user: Any) -> None:
        self._user = user

    def states(self) -> Iterator[State]:
        desktop = self._user.OpenInputDesktop(0, False, _SWITCH_DESKTOP)
        if desktop:
            self._user.CloseDesktop(desktop)
        yield State(locked=not desktop)

    def close(self) -> None:
        pass


def between(last: int, now: int) -> float:
    """Seconds between two tick counts, which start again from 0 every 49.7 days."""
    return ((now - last) & 0xFFFF_FFFF) / 1000


def _libraries() -> tuple[Any, Any]:
    if sys.platform != "win32":
        raise Unavailable("This is not Windows.")
    user, kernel = ctypes.WinDLL("user32"), ctypes.WinDLL("kernel32")  # type: ignore[attr-defined,unused-ignore]
    kernel.GetTickCount.restype = wintypes.DWORD
    user.OpenInputDesktop.restype = wintypes.HANDLE
    user.CloseDesktop.argtypes = [wintypes.HANDLE]
    return user, kernel
