"""Letting go of what is older, or more, than the user keeps. Called inside the store's write transaction.

No key is remembered for what goes: one stretch for each kind keeps its sources from telling it again.
"""

from __future__ import annotations

import json
from typing import Any

import apsw

from desktop_memory.pipeline.keeping import Limit
from desktop_memory.store import forget
from desktop_memory.store.connection import one, rows

_SIZE = "length(event.title) + length(event.text) + length(event.words) + length(event.details) + 200"
"""What an event weighs against others; the file's size is shared out by it."""

_BEGINNING = -(2**62)


def horizon(connection: apsw.Connection, limit: Limit, now: int) -> int | None:
    """Of this limit's kind, what started before this time (µs) goes; None when all may stay."""
    if limit.days is not None:
        before = now - int(limit.days * 86_400_000_000)
        oldest = one(connection, f"SELECT min(start) FROM event WHERE {_of(limit)}", limit.kinds)[0]
        return before if oldest is not None and oldest < before else None
    assert limit.bytes is not None
    weighed = one(connection, f"SELECT sum({_SIZE}) FROM event")[0] or 0
    size = _used_bytes(connection)
    if size <= limit.bytes or not weighed:
        return None
    row = one(
        connection,
        f"""SELECT start FROM (SELECT start, sum({_SIZE}) OVER (ORDER BY start DESC, key DESC) AS total
            FROM event WHERE {_of(limit)}) WHERE total > ? ORDER BY start DESC LIMIT 1""",
        (*limit.kinds, limit.bytes * weighed / size),
    )
    return None if row is None else int(row[0]) + 1


def count(connection: apsw.Connection, limit: Limit, before: int) -> int:
    """How many events would go."""
    sql = f"SELECT count(*) FROM event WHERE {_of(limit)} AND start < ?"
    return int(one(connection, sql, (*limit.kinds, before))[0])


def let_go(connection: apsw.Connection, limit: Limit, before: int, most: int) -> list[forget.Found]:
    """Remove the oldest of these, at most so many; what was removed."""
    _bar(connection, limit, before)
    found: list[forget.Found] = rows(
        connection,
        f"""SELECT id, start, max(start, coalesce(end, start)) FROM event
        WHERE {_of(limit)} AND start < ? ORDER BY start LIMIT ?""",
        (*limit.kinds, before, most),
    )
    forget.remove(connection, [id_ for id_, _, _ in found], batch=None)
    return found


def _bar(connection: apsw.Connection, limit: Limit, before: int) -> None:
    """Sources that still have it do not bring it back: one row a kind, which moves on."""
    filter_: dict[str, Any] = {"kind": list(limit.kinds)} if limit.kinds else {}
    text = json.dumps(filter_)
    connection.execute(
        "DELETE FROM forgotten_interval WHERE start = ? AND filter = ? AND end < ?",
        (_BEGINNING, text, before),
    )
    connection.execute(
        """INSERT INTO forgotten_interval (start, end, filter) SELECT ?1, ?2, ?3
        WHERE NOT EXISTS (SELECT 1 FROM forgotten_interval WHERE start = ?1 AND filter = ?3 AND end >= ?2)""",
        (_BEGINNING, before, text),
    )


def _of(limit: Limit) -> str:
    return "event.kind = ?" if limit.kinds else "1"


def _used_bytes(connection: apsw.Connection) -> int:
    pages, free, size = (
        int(one(connection, f"PRAGMA {name}")[0]) for name in ("page_count", "freelist_count", "page_size")
    )
    return (pages - free) * size
