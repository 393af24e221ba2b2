"""The path in a macOS bookmark, the bytes by which macOS finds a file again.

Apple does not document the format; it is described at https://michaellynn.github.io/2015/10/24/apples-bookmarkdata-exposed/
and by the package mac_alias: a header, then a table that says where each property stands.
"""

from __future__ import annotations

import struct

MAGIC = b"book"
PATH = 0x1004
TEXT, LIST = 0x0101, 0x0601
TABLE = 0xFFFFFFFE
MOST_PARTS = 256


def read_bookmark(data: bytes) -> str:
    """The path that this bookmark names. Raises ValueError where it names none."""
    if not data.startswith(MAGIC):
        raise ValueError("no bookmark")
    try:
        (begin,) = struct.unpack_from("<I", data, 12)
        body = data[begin:]
        (table,) = struct.unpack_from("<I", body, 0)
        parts = [_text(body, at) for at in _numbers(body, _where(body, table))]
    except struct.error as error:
        raise ValueError("a bookmark cut short") from error
    if not parts or not all(parts):
        raise ValueError("a bookmark without a path")
    return "/" + "/".join(parts)


def _where(body: bytes, table: int) -> int:
    """Where the path stands, by the table of contents."""
    _, kind, _, _, count = struct.unpack_from("<5I", body, table)
    if kind != TABLE:
        raise ValueError("a bookmark without a table")
    for number in range(min(count, 1_000)):
        key, at, _ = struct.unpack_from("<3I", body, table + 20 + 12 * number)
        if key == PATH:
            return int(at)
    raise ValueError("a bookmark without a path")


def _numbers(body: bytes, at: int) -> tuple[int, ...]:
    size, kind = struct.unpack_from("<2I", body, at)
    if kind != LIST or size > 4 * MOST_PARTS:
        raise ValueError("a path of another form")
    return struct.unpack_from(f"<{size // 4}I", body, at + 8)


def _text(body: bytes, at: int) -> str:
    size, kind = struct.unpack_from("<2I", body, at)
    if kind != TEXT:
        raise ValueError("a path of another form")
    return body[at + 8 : at + 8 + size].decode("utf-8", "replace")
