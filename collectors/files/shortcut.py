"""What a Windows shortcut (.lnk) points to.

Format: [MS-SHLLINK], https://learn.microsoft.com/openspecs/windows_protocols/ms-shllink: a header, a list of shell
items (passed over here), LinkInfo with the target's path, and strings of which one is a relative path.
"""

from __future__ import annotations

import struct
import sys
from dataclasses import dataclass

HEADER = bytes.fromhex("4c000000 01140200 00000000 c0000000 00000046")
HEADER_SIZE = 0x4C
HAS_ITEMS, HAS_INFO, HAS_NAME, HAS_RELATIVE_PATH = 0x1, 0x2, 0x4, 0x8
IS_UNICODE, NO_INFO = 0x80, 0x100
IS_FOLDER = 0x10
ON_A_VOLUME, ON_THE_NETWORK = 0x1, 0x2
WITH_UNICODE, NET_WITH_UNICODE = 0x24, 0x14


@dataclass(frozen=True, kw_only=True, slots=True)
class Shortcut:
    """`path` is the target's, empty where only the way from the shortcut's own folder (`relative`) is known."""

    path: str
    relative: str
    is_folder: bool


def read_shortcut(data: bytes) -> Shortcut:
    """The shortcut in these bytes. Raises ValueError when they are none."""
    if not data.startswith(HEADER):
        raise ValueError("no shortcut")
    try:
        return _read(data)
    except struct.error as error:
        raise ValueError("a shortcut cut short") from error


def _read(data: bytes) -> Shortcut:
    flags, attributes = struct.unpack_from("<II", data, 20)
    at, path, relative = HEADER_SIZE, "", ""
    if flags & HAS_ITEMS:
        at += 2 + _short(data, at)
    if flags & HAS_INFO:
        size = _long(data, at)
        if not flags & NO_INFO:
            path = _target(data[at : at + size])
        at += size
    for wanted in (HAS_NAME, HAS_RELATIVE_PATH):
        if flags & wanted:
            relative, at = _string(data, at, wide=bool(flags & IS_UNICODE))
    return Shortcut(
        path=path,
        relative=relative if flags & HAS_RELATIVE_PATH else "",
        is_folder=bool(attributes & IS_FOLDER),
    )


def _target(info: bytes) -> str:
    """The path in a LinkInfo: on a volume, or on another machine's share."""
    _, header, flags, _, base, network, suffix = struct.unpack_from("<7I", info)
    wide = struct.unpack_from("<2I", info, 28) if header >= WITH_UNICODE else (0, 0)
    rest = _wide(info, wide[1]) if wide[1] else _narrow(info, suffix)
    if flags & ON_A_VOLUME:
        return (_wide(info, wide[0]) if wide[0] else _narrow(info, base)) + rest
    if flags & ON_THE_NETWORK:
        link = info[network:]
        name = _long(link, 8)
        share = _wide(link, _long(link, 20)) if name > NET_WITH_UNICODE else _narrow(link, name)
        return f"{share}\\{rest}" if rest else share
    return ""


def _string(data: bytes, at: int, *, wide: bool) -> tuple[str, int]:
    """The counted string at `at`, and where it ends."""
    size = _short(data, at) * (2 if wide else 1)
    raw = data[at + 2 : at + 2 + size]
    return (raw.decode("utf-16-le", "replace") if wide else _local(raw)), at + 2 + size


def _narrow(data: bytes, at: int) -> str:
    if not 0 < at < len(data):
        return ""
    return _local(data[at:].split(b"\0", 1)[0])


def _wide(data: bytes, at: int) -> str:
    if not 0 < at < len(data):
        return ""
    return data[at : at + 2 * ((len(data) - at) // 2)].decode("utf-16-le", "replace").split("\0", 1)[0]


def _local(raw: bytes) -> str:
    """Text in the system's own code page; this is elsewhere read as Western European."""
    return raw.decode("mbcs" if sys.platform == "win32" else "cp1252", "replace")


def _short(data: bytes, at: int) -> int:
    return int(struct.unpack_from("<H", data, at)[0])


def _long(data: bytes, at: int) -> int:
    return int(struct.unpack_from("<I", data, at)[0])
