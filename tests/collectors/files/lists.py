"""Lists of recent documents, built byte by byte in the forms that Windows, macOS and KDE write."""

from __future__ import annotations

import plistlib
import sqlite3
import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from collectors.files.shortcut import HEADER

AUGUST = 1_786_615_200  # 13 August 2026, 10:00 UTC


def counted(text: str, *, wide: bool = True) -> bytes:
    raw = text.encode("utf-16-le" if wide else "cp1252")
    return struct.pack("<H", len(text)) + raw


def volume_info(path: str, *, wide: str = "", suffix: str = "") -> bytes:
    """LinkInfo of a file on this machine ([MS-SHLLINK] 2.3): its volume, then the path in one or two encodings."""
    header = 0x24 if wide else 0x1C
    volume = struct.pack("<4I", 0x11, 3, 0x1234_5678, 0x10) + b"\0"
    base_at = header + len(volume)
    base = path.encode("cp1252", "replace") + b"\0"
    suffix_at = base_at + len(base)
    rest = suffix.encode("cp1252") + b"\0"
    wide_at = suffix_at + len(rest)
    raw = (wide + "\0").encode("utf-16-le")
    more = struct.pack("<2I", wide_at, wide_at + len(raw)) if wide else b""
    tail = raw + "\0".encode("utf-16-le") if wide else b""
    size = wide_at + len(tail)
    fixed = struct.pack("<7I", size, header, 1, header, base_at, 0, suffix_at)
    return fixed + more + volume + base + rest + tail


def share_info(share: str, suffix: str) -> bytes:
    """LinkInfo of a file on another machine ([MS-SHLLINK] 2.3.2)."""
    name = share.encode("cp1252") + b"\0"
    network = struct.pack("<5I", 0x14 + len(name), 2, 0x14, 0, 0x20000) + name
    rest = suffix.encode("cp1252") + b"\0"
    suffix_at = 0x1C + len(network)
    fixed = struct.pack("<7I", suffix_at + len(rest), 0x1C, 2, 0, 0, 0x1C, suffix_at)
    return fixed + network + rest


def shortcut(info: bytes = b"", *, relative: str = "", attributes: int = 0x20, items: bytes = b"") -> bytes:
    """A shortcut whose strings are Unicode, with a description as Explorer may write one."""
    flags = 0x80 | 0x4 | (0x1 if items else 0) | (0x2 if info else 0) | (0x8 if relative else 0)
    header = (
        HEADER + struct.pack("<2I", flags, attributes) + bytes(24) + struct.pack("<3I", 1, 0, 1) + bytes(12)
    )
    assert len(header) == 76
    listed = struct.pack("<H", len(items)) + items if items else b""
    strings = counted("a description") + (counted(relative) if relative else b"")
    return header + listed + info + strings + struct.pack("<I", 0)


def bookmark(*parts: str) -> bytes:
    """A macOS bookmark with its path, the volume's path and a table of both."""
    body = bytearray(4)
    places = []
    for part in parts:
        places.append(len(body))
        raw = part.encode()
        body += struct.pack("<2I", len(raw), 0x0101) + raw + bytes(-len(raw) % 4)
    listed = len(body)
    body += struct.pack(f"<2I{len(places)}I", 4 * len(places), 0x0601, *places)
    volume = len(body)
    body += struct.pack("<2I", 1, 0x0101) + b"/\0\0\0"
    table = len(body)
    entries = struct.pack("<3I", 0x1004, listed, 0) + struct.pack("<3I", 0x2002, volume, 0)
    body += struct.pack("<5I", 12 + len(entries), 0xFFFFFFFE, 1, 0, 2) + entries
    body[:4] = struct.pack("<I", table)
    header = struct.pack("<4s3I", b"book", 48 + len(body), 0x10040000, 48) + bytes(32)
    return header + bytes(body)


def shared_list(bookmarks: Sequence[bytes]) -> bytes:
    """A list as LSSharedFileList writes it, archived by NSKeyedArchiver."""
    objects: list[Any] = ["$null"]

    def put(value: Any) -> plistlib.UID:
        objects.append(value)
        return plistlib.UID(len(objects) - 1)

    dict_class = put({"$classname": "NSDictionary", "$classes": ["NSDictionary", "NSObject"]})
    list_class = put({"$classname": "NSArray", "$classes": ["NSArray", "NSObject"]})

    def put_dict(content: dict[str, Any]) -> plistlib.UID:
        keys = [put(name) for name in content]
        return put({"$class": dict_class, "NS.keys": keys, "NS.objects": list(content.values())})

    items = [
        put_dict({"visibility": put(0), "Bookmark": put({"NS.data": raw}), "Name": put("a name")})
        for raw in bookmarks
    ]
    root = put_dict({"items": put({"$class": list_class, "NS.objects": items}), "properties": put_dict({})})
    archive = {
        "$version": 100_000,
        "$archiver": "NSKeyedArchiver",
        "$top": {"root": root},
        "$objects": objects,
    }
    return plistlib.dumps(archive, fmt=plistlib.FMT_BINARY)


ACTIVITIES = """CREATE TABLE ResourceEvent (usedActivity TEXT, initiatingAgent TEXT, targettedResource TEXT,
    start INTEGER, end INTEGER)"""


def activities(home: Path) -> sqlite3.Connection:
    """KDE's database of openings, in the schema of kactivitymanagerd 5.27."""
    path = home / ".local/share/kactivitymanagerd/resources/database"
    path.parent.mkdir(parents=True)
    database = sqlite3.connect(path, isolation_level=None)
    database.execute("PRAGMA synchronous = OFF")
    database.execute("PRAGMA journal_mode = WAL")
    database.execute(ACTIVITIES)
    return database
