"""The window in front on Windows, told by WinEvent hooks; nothing is polled.

See https://learn.microsoft.com/en-us/windows/win32/api/winuser/nf-winuser-setwineventhook.
"""

from __future__ import annotations

import ctypes
import ntpath
import sys
import threading
from ctypes import wintypes
from typing import Any

from collectors.collector import Unavailable
from collectors.wake import Waker
from collectors.window.backend import Window, window

_FOREGROUND, _NAME_CHANGE = 0x0003, 0x800C
_OUT_OF_CONTEXT = 0x0000
_THE_WINDOW_ITSELF = 0
_QUERY_LIMITED_INFORMATION = 0x1000
_QUIT = 0x0012
_LONGEST = 1024
_FRAME_HOST = "applicationframehost"
"""Shows the windows of Store apps, which run in processes of their own."""


def connect() -> Windows:
    """Raises Unavailable elsewhere than on Windows."""
    if sys.platform != "win32":
        raise Unavailable("This is not Windows.")
    return Windows(*_libraries())


class Windows:
    """Hooks need a thread that pumps messages; it only sets a flag and wakes the watch."""

    name = "Windows"
    advice = ""

    def __init__(self, user: Any, kernel: Any) -> None:
        self._user, self._kernel = user, kernel
        self._changed = threading.Event()
        self._waker: Waker | None = None
        self._hooks: dict[int, int] = {}
        self._started = threading.Event()
        self._thread = threading.Thread(target=self._pump, name="windows hook", daemon=True)
        self._thread.start()
        self._started.wait(5)

    def front(self) -> Window | None:
        self._changed.clear()
        handle = self._user.GetForegroundWindow()
        if not handle:
            return None
        title = ctypes.create_unicode_buffer(_LONGEST)
        self._user.GetWindowTextW(handle, title, _LONGEST)
        pid = self._pid(handle)
        program = program_name(self._image(pid))
        if program.casefold() == _FRAME_HOST:
            inner = self._user.FindWindowExW(handle, None, "Windows.UI.Core.CoreWindow", None)
            if inner:
                pid = self._pid(inner)
                program = program_name(self._image(pid))
        return window(title.value, app_id=program, pid=pid, key=str(handle))

    def wait(self, waker: Waker, seconds: float | None) -> None:
        self._waker = waker
        if not self._changed.is_set():
            waker.wait(seconds)

    def close(self) -> None:
        self._user.PostThreadMessageW(self._thread_id, _QUIT, 0, 0)
        self._thread.join(timeout=5)

    def _pid(self, handle: int) -> int:
        pid = wintypes.DWORD()
        self._user.GetWindowThreadProcessId(handle, ctypes.byref(pid))
        return pid.value

    def _image(self, pid: int) -> str:
        """The path of the process's program; empty for one that we may not ask."""
        process = self._kernel.OpenProcess(_QUERY_LIMITED_INFORMATION, False, pid)
        if not process:
            return ""
        try:
            path, length = ctypes.create_unicode_buffer(_LONGEST), wintypes.DWORD(_LONGEST)
            found = self._kernel.QueryFullProcessImageNameW(process, 0, path, ctypes.byref(length))
            return path.value if found else ""
        finally:
            self._kernel.CloseHandle(process)

    # on the hook's thread

    def _pump(self) -> None:
        self._thread_id = self._kernel.GetCurrentThreadId()
        callback = _callback_type()(self._happened)  # Windows calls it: it must live as long as the hooks
        self._callback = callback
        self._hook(_FOREGROUND, 0, 0)
        self._follow_titles(self._user.GetForegroundWindow())
        self._started.set()
        message = wintypes.MSG()
        while self._user.GetMessageW(ctypes.byref(message), None, 0, 0) > 0:
            self._user.DispatchMessageW(ctypes.byref(message))
        for hook in self._hooks.values():
            self._user.UnhookWinEvent(hook)

    def _hook(self, event: int, pid: int, thread: int) -> None:
        if event in self._hooks:
            self._user.UnhookWinEvent(self._hooks.pop(event))
        hook = self._user.SetWinEventHook(event, event, None, self._callback, pid, thread, _OUT_OF_CONTEXT)
        if hook:
            self._hooks[event] = hook

    def _follow_titles(self, handle: int) -> None:
        """Names change all the time in all programs: hear those of the thread in front alone."""
        if handle:
            pid = wintypes.DWORD()
            thread = self._user.GetWindowThreadProcessId(handle, ctypes.byref(pid))
            self._hook(_NAME_CHANGE, pid.value, thread)

    def _happened(
        self, hook: Any, event: int, handle: int, what: int, child: int, thread: int, time: int
    ) -> None:
        if event == _FOREGROUND:
            self._follow_titles(handle)
        elif what != _THE_WINDOW_ITSELF or handle != self._user.GetForegroundWindow():
            return
        self._changed.set()
        if self._waker is not None:
            self._waker.wake()


def program_name(path: str) -> str:
    """ "C:\\Program Files\\Mozilla Firefox\\firefox.exe" → "firefox"."""
    name = ntpath.basename(path)
    return name[:-4] if name.lower().endswith(".exe") else name


def _callback_type() -> Any:
    """WINEVENTPROC."""
    make = ctypes.WINFUNCTYPE  # type: ignore[attr-defined,unused-ignore]
    return make(
        None, wintypes.HANDLE, wintypes.DWORD, wintypes.HWND, wintypes.LONG, wintypes.LONG, wintypes.DWORD,
        wintypes.DWORD,
    )  # fmt: skip


def _libraries() -> tuple[Any, Any]:
    user, kernel = ctypes.WinDLL("user32"), ctypes.WinDLL("kernel32")  # type: ignore[attr-defined,unused-ignore]
    user.GetForegroundWindow.restype = user.FindWindowExW.restype = wintypes.HWND
    user.FindWindowExW.argtypes = [wintypes.HWND, wintypes.HWND, wintypes.LPCWSTR, wintypes.LPCWSTR]
    user.GetWindowTextW.argtypes = [wintypes.HWND, wintypes.LPWSTR, ctypes.c_int]
    user.GetWindowThreadProcessId.argtypes = [wintypes.HWND, ctypes.POINTER(wintypes.DWORD)]
    user.SetWinEventHook.restype = wintypes.HANDLE
    user.SetWinEventHook.argtypes = [
        wintypes.DWORD, wintypes.DWORD, wintypes.HMODULE, ctypes.c_void_p, wintypes.DWORD, wintypes.DWORD,
        wintypes.DWORD,
    ]  # fmt: skip
    user.UnhookWinEvent.argtypes = [wintypes.HANDLE]
    user.GetMessageW.argtypes = [ctypes.POINTER(wintypes.MSG), wintypes.HWND, wintypes.UINT, wintypes.UINT]
    user.DispatchMessageW.argtypes = [ctypes.POINTER(wintypes.MSG)]
    user.PostThreadMessageW.argtypes = [wintypes.DWORD, wintypes.UINT, wintypes.WPARAM, wintypes.LPARAM]
    kernel.OpenProcess.restype = wintypes.HANDLE
    kernel.OpenProcess.argtypes = [wintypes.DWORD, wintypes.BOOL, wintypes.DWORD]
    kernel.QueryFullProcessImageNameW.argtypes = [
        wintypes.HANDLE, wintypes.DWORD, wintypes.LPWSTR, ctypes.POINTER(wintypes.DWORD),
    ]  # fmt: skip
    kernel.CloseHandle.argtypes = [wintypes.HANDLE]
    return user, kernel
