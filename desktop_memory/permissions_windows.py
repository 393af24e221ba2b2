"""Who may read a folder on Windows: its access list, by ctypes. Written against the documentation, not run.

See https://learn.microsoft.com/en-us/windows/win32/secauthz/security-descriptor-string-format for the lists as text,
GetNamedSecurityInfoW and SetNamedSecurityInfoW for reading and writing them. What lies in the folder inherits.
"""

from __future__ import annotations

import ctypes
import re
from pathlib import Path
from typing import Any

_FILE_OBJECT = 1
_DACL = 0x4
_PROTECTED_DACL = 0x8000_0000
_REVISION = 1
_QUERY, _TOKEN_USER = 0x8, 1

_TRUSTED = frozenset({"SY", "BA", "CO", "OW", "S-1-5-18", "S-1-5-32-544", "S-1-3-0", "S-1-3-4"})
"""The system, administrators, who reach everything anyway, and the owner under two names."""
_ENTRY = re.compile(r"\((\w+);[^;]*;[^;]*;[^;]*;[^;]*;([^;)]+)[^)]*\)")


def open_to_others(folder: Path) -> bool:
    """Whether the folder's list lets anybody in but its owner and the system."""
    return bool(others_in(_list_of(folder), _own_sid()))


def make_private(folder: Path) -> None:
    """Let only this user and the system in; nothing is inherited from above. Raises OSError."""
    _set_list(folder, private_list(_own_sid()))


def others_in(sddl: str, own_sid: str) -> list[str]:
    """Whom a list lets in beside its owner and the system. A missing list lets everybody in."""
    _, found, entries = sddl.partition("D:")
    if not found or "NO_ACCESS_CONTROL" in entries:
        return ["WD"]
    entries = entries.partition("S:")[0]
    allowed = [who for kind, who in _ENTRY.findall(entries) if kind in ("A", "XA", "OA")]
    return [who for who in allowed if who not in _TRUSTED and who != own_sid]


def private_list(own_sid: str) -> str:
    """Full access for the user and the system, inherited by files and folders, nothing from above."""
    return f"D:PAI(A;OICI;FA;;;{own_sid})(A;OICI;FA;;;SY)"


def _list_of(folder: Path) -> str:
    security, _ = _libraries()
    descriptor, text = ctypes.c_void_p(), ctypes.c_wchar_p()
    _check(
        security.GetNamedSecurityInfoW(
            str(folder), _FILE_OBJECT, _DACL, None, None, None, None, ctypes.byref(descriptor)
        )
    )
    try:
        _true(
            security.ConvertSecurityDescriptorToStringSecurityDescriptorW(
                descriptor, _REVISION, _DACL, ctypes.byref(text), None
            )
        )
        return _taken(text)
    finally:
        _free(descriptor)


def _set_list(folder: Path, sddl: str) -> None:
    security, _ = _libraries()
    descriptor, dacl = ctypes.c_void_p(), ctypes.c_void_p()
    present, defaulted = ctypes.c_int(), ctypes.c_int()
    _true(
        security.ConvertStringSecurityDescriptorToSecurityDescriptorW(
            sddl, _REVISION, ctypes.byref(descriptor), None
        )
    )
    try:
        _true(
            security.GetSecurityDescriptorDacl(
                descriptor, ctypes.byref(present), ctypes.byref(dacl), ctypes.byref(defaulted)
            )
        )
        _check(
            security.SetNamedSecurityInfoW(
                str(folder), _FILE_OBJECT, _DACL | _PROTECTED_DACL, None, None, dacl, None
            )
        )
    finally:
        _free(descriptor)


def _own_sid() -> str:
    security, kernel = _libraries()
    token, size, text = ctypes.c_void_p(), ctypes.c_ulong(), ctypes.c_wchar_p()
    _true(security.OpenProcessToken(kernel.GetCurrentProcess(), _QUERY, ctypes.byref(token)))
    try:
        security.GetTokenInformation(token, _TOKEN_USER, None, 0, ctypes.byref(size))
        user = ctypes.create_string_buffer(size.value)
        _true(security.GetTokenInformation(token, _TOKEN_USER, user, size, ctypes.byref(size)))
        sid = ctypes.c_void_p.from_buffer(user)  # TOKEN_USER begins with the pointer to the SID
        _true(security.ConvertSidToStringSidW(sid, ctypes.byref(text)))
        return _taken(text)
    finally:
        kernel.CloseHandle(token)


def _taken(text: ctypes.c_wchar_p) -> str:
    """The text that Windows allocated, freed."""
    value = text.value or ""
    _free(text)
    return value


def _free(pointer: Any) -> None:
    _libraries()[1].LocalFree(ctypes.cast(pointer, ctypes.c_void_p))


def _check(code: int) -> None:
    if code:
        raise OSError(code, "the access list cannot be read or written")


def _true(answer: int) -> None:
    if not answer:
        raise OSError(_libraries()[1].GetLastError(), "the access list cannot be read or written")


def _libraries() -> tuple[Any, Any]:
    security, kernel = ctypes.WinDLL("advapi32"), ctypes.WinDLL("kernel32")  # type: ignore[attr-defined,unused-ignore]
    kernel.GetCurrentProcess.restype = ctypes.c_void_p
    kernel.CloseHandle.argtypes = kernel.LocalFree.argtypes = [ctypes.c_void_p]
    security.OpenProcessToken.argtypes = [ctypes.c_void_p, ctypes.c_ulong, ctypes.c_void_p]
    security.GetTokenInformation.argtypes = [
        ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p, ctypes.c_ulong, ctypes.c_void_p
    ]  # fmt: skip
    security.SetNamedSecurityInfoW.argtypes = [
        ctypes.c_wchar_p, ctypes.c_int, ctypes.c_ulong, *[ctypes.c_void_p] * 4
    ]  # fmt: skip
    security.ConvertSecurityDescriptorToStringSecurityDescriptorW.argtypes = [
        ctypes.c_void_p, ctypes.c_ulong, ctypes.c_ulong, ctypes.c_void_p, ctypes.c_void_p
    ]  # fmt: skip
    return security, kernel
