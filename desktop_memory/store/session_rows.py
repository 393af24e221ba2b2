"""Rows of `session`, and the statements that both ways of keeping them share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import apsw

from desktop_memory.pipeline.sessions import Break

_COLUMNS = "id, first_event, start, end, ended_by, events"
FOREVER = 2**63 - 1


class SessionRow(NamedTuple):
    """`first` is the id of the first event; times in µs."""

    id: int
    first: int
    start: int
    end: int
    ended_by: str
    events: int


class Values(NamedTuple):
    """What a row is to hold; the columns after its id."""

    first: int
    start: int
    end: int
    ended_by: str
    events: int


def one(connection: apsw.Connection, rest: str, *values: int) -> SessionRow | None:
    row = connection.execute(f"SELECT {_COLUMNS} FROM session {rest}", values).fetchone()
    return None if row is None else SessionRow(*row)


def many(connection: apsw.Connection, rest: str, *values: int) -> list[SessionRow]:
    return [SessionRow(*row) for row in connection.execute(f"SELECT {_COLUMNS} FROM session {rest}", values)]


def breaks(connection: apsw.Connection, since: int, until: int) -> list[Break]:
    """What ends sessions at once in [since, until), sorted."""
    rows = connection.execute(
        """SELECT start, reason FROM gap WHERE start >= ?1 AND start < ?2
        AND reason IN ('locked', 'asleep', 'paused')
        UNION SELECT start, 'paused' FROM pause WHERE start >= ?1 AND start < ?2 ORDER BY start, reason""",
        (since, until),
    )
    return [Break(start, reason) for start, reason in rows]


def put(connection: apsw.Connection, old: SessionRow | None, new: Values) -> int:
    """Bring a row to these values, or insert it; its id."""
    if old is None or old.first != new.first:
        # `first_event` is unique: the row that had this one lets go of it, and gets its own in its turn.
        connection.execute("UPDATE session SET first_event = -id WHERE first_event = ?", (new.first,))
    if old is None:
        connection.execute(
            "INSERT INTO session (first_event, start, end, ended_by, events) VALUES (?, ?, ?, ?, ?)", new
        )
        return connection.last_insert_rowid()
    if old[1:] != new:
        connection.execute(
            "UPDATE session SET first_event = ?, start = ?, end = ?, ended_by = ?, events = ? WHERE id = ?",
            (*new, old.id),
        )
    return old.id


def remove(connection: apsw.Connection, ids: Sequence[int]) -> None:
    connection.executemany("DELETE FROM session WHERE id = ?", [(id_,) for id_ in ids])


def move(connection: apsw.Connection, moved: Sequence[tuple[int | None, int]]) -> None:
    """Put events, as (session, event), elsewhere; the projections hear of those they may have seen."""
    if moved:
        connection.executemany(
            """INSERT INTO change (what, event) SELECT 'edit', id FROM event
            WHERE id = ? AND (session IS NOT NULL OR approx)""",
            [(event,) for _, event in moved],
        )
        connection.executemany("UPDATE event SET session = ? WHERE id = ?", moved)


def move_all(connection: apsw.Connection, old: int, new: int) -> None:
    """Put all events of one session into another."""
    connection.execute(
        "INSERT INTO change (what, event) SELECT 'edit', id FROM event WHERE session = ?", (old,)
    )
    connection.execute("UPDATE event SET session = ? WHERE session = ?", (new, old))


def end_again(connection: apsw.Connection, session: SessionRow, ended_by: str) -> None:
    if ended_by != session.ended_by:
        connection.execute("UPDATE session SET ended_by = ? WHERE id = ?", (ended_by, session.id))
