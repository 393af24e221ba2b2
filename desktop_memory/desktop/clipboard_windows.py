"""The Windows clipboard, kept out of its history and its cloud.

See https://learn.microsoft.com/en-us/windows/win32/dataxchg/clipboard-formats, "Cloud Clipboard and Clipboard
History formats".
"""

from __future__ import annotations

import ctypes
import time
from typing import Any

from desktop_memory.errors import KnownError

_UNICODE_TEXT = 13
_MOVABLE = 0x0002
_KEEP_LOCAL = (
    "ExcludeClipboardContentFromMonitorProcessing",
    "CanIncludeInClipboardHistory",
    "CanUploadToCloudClipboard",
)
"""Registered formats; the last two hold a DWORD, 0 for no."""


def put(text: str) -> None:
    """Replace what is on the clipboard. Raises KnownError when another program holds it open."""
    user, kernel = _libraries()
    if not _opened(user):
        raise KnownError("Another program holds the clipboard open.", "Try again in a moment.")
    try:
        user.EmptyClipboard()
        _set(
            user,
            kernel,
            _UNICODE_TEXT,
            text.replace("\r\n", "\n").replace("\n", "\r\n").encode("utf-16-le", "replace") + b"\0\0",
        )
        for name in _KEEP_LOCAL:
            _set(user, kernel, user.RegisterClipboardFormatW(name), b"\0\0\0\0")
    finally:
        user.CloseClipboard()


def _libraries() -> tuple[Any, Any]:
    user, kernel = ctypes.WinDLL("user32"), ctypes.WinDLL("kernel32")  # type: ignore[attr-defined,unused-ignore]
    kernel.GlobalAlloc.restype = kernel.GlobalLock.restype = ctypes.c_void_p
    kernel.GlobalAlloc.argtypes = [ctypes.c_uint, ctypes.c_size_t]
    kernel.GlobalLock.argtypes = kernel.GlobalUnlock.argtypes = [ctypes.c_void_p]
    user.OpenClipboard.argtypes = [ctypes.c_void_p]
    user.SetClipboardData.argtypes = [ctypes.c_uint, ctypes.c_void_p]
    user.SetClipboardData.restype = ctypes.c_void_p
    user.RegisterClipboardFormatW.argtypes = [ctypes.c_wchar_p]
    return user, kernel


def _opened(user: Any) -> bool:
    """Whether the clipboard is ours now; whoever has it usually lets go at once."""
    for _ in range(10):
        if user.OpenClipboard(None):
            return True
        time.sleep(0.05)
    return False


def _set(user: Any, kernel: Any, kind: int, data: bytes) -> None:
    memory = kernel.GlobalAlloc(_MOVABLE, len(data))
    place = kernel.GlobalLock(memory) if memory else None
    if not place:
        raise KnownError("Windows has no memory left for the clipboard.", "Close some programs.")
    ctypes.memmove(place, data, len(data))
    kernel.GlobalUnlock(memory)
    if not user.SetClipboardData(kind, memory):
        raise KnownError("The clipboard did not take the text.", "Try again in a moment.")
