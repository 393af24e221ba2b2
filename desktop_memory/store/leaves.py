"""Rows straight from the pages of a damaged SQLite file, for what its own trees no longer lead to.

After https://www.sqlite.org/fileformat2.html: leaf pages of tables (13) and of tables without row ids and indexes (10).
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from desktop_memory.store.pages import Pages, Unreadable

_TABLE_LEAF, _INDEX_LEAF = 13, 10
_MOST_COLUMNS = 200
_FIXED = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}


@dataclass(frozen=True, slots=True)
class Row:
    """`id` is the row id; None on a page without them."""

    id: int | None
    values: tuple[Any, ...]


def rows(pages: Pages) -> Iterator[Row]:
    """Every row that can still be made out, page by page; what makes no sense is left out."""
    for number in range(1, pages.count + 1):
        with suppress(Unreadable):
            yield from _page_rows(pages, number)


class _Broken(Exception):
    """These bytes are no row."""


def _page_rows(pages: Pages, number: int) -> Iterator[Row]:
    page = pages[number]
    head = 100 if number == 1 else 0
    kind = page[head]
    if kind not in (_TABLE_LEAF, _INDEX_LEAF):
        return
    (cells,) = struct.unpack_from(">H", page, head + 3)
    for place in range(min(cells, (len(page) - head - 8) // 2)):
        (at,) = struct.unpack_from(">H", page, head + 8 + 2 * place)
        try:
            yield _row(pages, page, at, kind)
        except (_Broken, Unreadable, IndexError, struct.error, UnicodeDecodeError, ValueError):
            continue


def _row(pages: Pages, page: bytes, at: int, kind: int) -> Row:
    size, at = _varint(page, at)
    id_ = None
    if kind == _TABLE_LEAF:
        id_, at = _varint(page, at)
    return Row(id_, _record(_payload(pages, page, at, size, kind)))


def _payload(pages: Pages, page: bytes, at: int, size: int, kind: int) -> bytes:
    """The record's bytes, from the page and from those it overflows to."""
    usable = pages.usable
    most = usable - 35 if kind == _TABLE_LEAF else (usable - 12) * 64 // 255 - 23
    if size <= most:
        if at + size > usable:
            raise _Broken
        return page[at : at + size]
    least = (usable - 12) * 32 // 255 - 23
    local = least + (size - least) % (usable - 4)
    local = local if local <= most else least
    if at + local + 4 > usable:
        raise _Broken
    parts, have = [page[at : at + local]], local
    (following,) = struct.unpack_from(">I", page, at + local)
    while have < size:
        more = pages[following]
        (following,) = struct.unpack_from(">I", more, 0)
        parts.append(more[4 : min(usable, 4 + size - have)])
        have += len(parts[-1])
    return b"".join(parts)


def _record(raw: bytes) -> tuple[Any, ...]:
    head, at = _varint(raw, 0)
    types: list[int] = []
    while at < head:
        type_, at = _varint(raw, at)
        types.append(type_)
    if at != head or not 0 < len(types) <= _MOST_COLUMNS:
        raise _Broken
    values = []
    for type_ in types:
        value, at = _value(raw, at, type_)
        values.append(value)
    if at != len(raw):
        raise _Broken
    return tuple(values)


def _value(raw: bytes, at: int, type_: int) -> tuple[Any, int]:
    if type_ == 0:
        return None, at
    if type_ in _FIXED:
        end = at + _FIXED[type_]
        return int.from_bytes(_cut(raw, at, end), "big", signed=True), end
    if type_ == 7:
        return struct.unpack(">d", _cut(raw, at, at + 8))[0], at + 8
    if type_ in (8, 9):
        return type_ - 8, at
    if type_ < 12:
        raise _Broken
    end = at + (type_ - 12) // 2
    body = _cut(raw, at, end)
    return (body.decode() if type_ % 2 else body), end


def _cut(raw: bytes, at: int, end: int) -> bytes:
    if end > len(raw):
        raise _Broken
    return raw[at:end]


def _varint(raw: bytes, at: int) -> tuple[int, int]:
    """Big-endian, seven bits a byte, the ninth whole; a row id may be negative."""
    value = 0
    for place in range(9):
        byte = raw[at + place]
        if place == 8:
            value = value << 8 | byte
            return (value - (1 << 64) if value >> 63 else value), at + 9
        value = value << 7 | byte & 0x7F
        if not byte & 0x80:
            return value, at + place + 1
    raise _Broken
