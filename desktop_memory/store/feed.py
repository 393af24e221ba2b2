"""What the projections read: arrivals, changes, and where an event stands in the order (start, key)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal

import apsw

from desktop_memory.store import together

_COLUMNS = "id, kind, start, end, session, app, project, branch, url, domain"
FOREVER = 2**63 - 1
_MANY_CHANGES = 1_000
_DROPPED_AT_ONCE = 20_000
_LINKED = ("app", "project", "branch", "url", "domain")


@dataclass(frozen=True, kw_only=True, slots=True)
class GraphRow:
    """An event as the graph needs it: times in µs, `session` the row id, `entities` as (id, kind)."""

    id: int
    kind: str
    start: int
    end: int | None
    session: int | None
    entities: tuple[tuple[int, str], ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Change:
    """An edit or a delete, in the order it happened."""

    id: int
    what: Literal["edit", "delete"]
    event: int


def last_id(connection: apsw.Connection) -> int:
    """The highest event id there is; 0 in an empty store."""
    return int(connection.execute("SELECT coalesce(max(id), 0) FROM event").get)


def last_arrival(connection: apsw.Connection) -> int:
    """The highest event id ever given, whether or not its event is still there."""
    return _sequence(connection, "event")


def last_change(connection: apsw.Connection) -> int:
    """The highest id ever given to a change."""
    return _sequence(connection, "change")


def _sequence(connection: apsw.Connection, table: str) -> int:
    row = connection.execute("SELECT seq FROM sqlite_sequence WHERE name = ?", (table,)).fetchone()
    return 0 if row is None else int(row[0])


def key_of(connection: apsw.Connection, event_id: int) -> bytes | None:
    """The event's key; None when there is no such event."""
    row = connection.execute("SELECT key FROM event WHERE id = ?", (event_id,)).fetchone()
    return None if row is None else bytes(row[0])


def arrivals(connection: apsw.Connection, after: int, limit: int) -> list[GraphRow]:
    """Events that arrived after this id, in order of arrival."""
    rows = connection.execute(
        f"SELECT {_COLUMNS} FROM event WHERE id > ? ORDER BY id LIMIT ?", (after, limit)
    ).fetchall()
    if not rows:
        return []
    ids: list[Any] = [row[0] for row in rows]
    more = _more_entities(connection, ids[0], ids[-1])
    return [_graph_row(row, more.get(id_, ())) for id_, row in zip(ids, rows, strict=True)]


def graph_row(connection: apsw.Connection, event_id: int) -> GraphRow | None:
    row = connection.execute(f"SELECT {_COLUMNS} FROM event WHERE id = ?", (event_id,)).fetchone()
    return (
        None
        if row is None
        else _graph_row(row, _more_entities(connection, event_id, event_id).get(event_id, ()))
    )


def changes(connection: apsw.Connection, after: int, limit: int) -> list[Change]:
    """Edits and deletes after this one."""
    rows = connection.execute(
        "SELECT id, what, event FROM change WHERE id > ? ORDER BY id LIMIT ?", (after, limit)
    )
    return [Change(id=id_, what=what, event=event) for id_, what, event in rows]


def has_changes(connection: apsw.Connection, after: int) -> bool:
    """Whether every change after this one is still there."""
    there = connection.execute("SELECT count(*) FROM change WHERE id > ?", (after,)).get
    return int(there) == last_change(connection) - after


def worth_dropping(connection: apsw.Connection, followed: int) -> bool:
    """Whether enough changes up to this one are left to be worth a write."""
    first = connection.execute("SELECT min(id) FROM change").get
    return first is not None and followed - int(first) >= _MANY_CHANGES


def drop_changes(connection: apsw.Connection, followed: int) -> None:
    """Changes up to this one, which every projection has followed; some at a time."""
    connection.execute(
        "DELETE FROM change WHERE id IN (SELECT id FROM change WHERE id <= ? ORDER BY id LIMIT ?)",
        (followed, _DROPPED_AT_ONCE),
    )


def predecessor(connection: apsw.Connection, event_id: int) -> int | None:
    """The id of the event before this one in the order (start, key)."""
    return next(earlier(connection, event_id), None)


def successor(connection: apsw.Connection, event_id: int) -> int | None:
    """The id of the event after this one in the order (start, key)."""
    return next(later(connection, event_id), None)


def earlier(connection: apsw.Connection, event_id: int, last: int = FOREVER) -> Iterator[int]:
    """Ids, up to `last`, of the events before this one, nearest first."""
    rows = connection.execute(
        """SELECT id FROM event WHERE (start, key) < (SELECT start, key FROM event WHERE id = ?) AND id <= ?
        ORDER BY start DESC, key DESC""",
        (event_id, last),
    )
    return (id_ for (id_,) in rows)


def later(connection: apsw.Connection, event_id: int, last: int = FOREVER) -> Iterator[int]:
    """Ids, up to `last`, of the events after this one, nearest first."""
    rows = connection.execute(
        """SELECT id FROM event WHERE (start, key) > (SELECT start, key FROM event WHERE id = ?) AND id <= ?
        ORDER BY start, key""",
        (event_id, last),
    )
    return (id_ for (id_,) in rows)


def _more_entities(
    connection: apsw.Connection, low: int, high: int
) -> dict[int, tuple[tuple[int, str], ...]]:
    """What the events from `low` to `high` touch beside the columns of their rows: files and workspaces."""
    found: dict[int, tuple[tuple[int, str], ...]] = {}
    for event, entity, kind in connection.execute(
        """SELECT event_entity.event, entity.id, entity.kind FROM event_entity
        JOIN entity ON entity.id = event_entity.entity WHERE event_entity.event BETWEEN ? AND ?""",
        (low, high),
    ):
        found[event] = (*found.get(event, ()), (entity, kind))
    return found


def _graph_row(row: Sequence[Any], more: tuple[tuple[int, str], ...]) -> GraphRow:
    id_, kind, start, end, session, *linked = row
    own = tuple((entity, kind) for entity, kind in zip(linked, _LINKED, strict=True) if entity is not None)
    return GraphRow(id=id_, kind=kind, start=start, end=end, session=session, entities=own + more)


@contextmanager
def snapshot(connection: apsw.Connection) -> Iterator[Snapshot]:
    """One moment of the store: nothing that is written meanwhile is seen."""
    connection.execute("BEGIN")
    try:
        yield Snapshot(connection)
    finally:
        connection.execute("ROLLBACK")


class Snapshot:
    """The functions above over one connection, and what a graph is made anew from."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection

    def last_arrival(self) -> int:
        return last_arrival(self._connection)

    def last_change(self) -> int:
        return last_change(self._connection)

    def mark(self, event_id: int) -> int | None:
        """A number that tells this event from another store's of the same id; None when it is gone."""
        key = key_of(self._connection, event_id)
        return None if key is None else int.from_bytes(key[:7], "big")

    def arrivals(self, after: int, limit: int) -> list[GraphRow]:
        return arrivals(self._connection, after, limit)

    def changes(self, after: int, limit: int) -> list[Change]:
        return changes(self._connection, after, limit)

    def has_changes(self, after: int) -> bool:
        return has_changes(self._connection, after)

    def graph_row(self, event_id: int) -> GraphRow | None:
        return graph_row(self._connection, event_id)

    def earlier(self, event_id: int, last: int) -> Iterator[int]:
        return earlier(self._connection, event_id, last)

    def later(self, event_id: int, last: int) -> Iterator[int]:
        return later(self._connection, event_id, last)

    def count(self) -> int:
        return int(self._connection.execute("SELECT count(*) FROM event").get)

    def in_order(self) -> Iterator[tuple[Any, ...]]:
        """Every event in the order (start, key), as (id, start, kind, session, app, project, branch, url, domain).

        Ids of entities or None; what stands in event_entity is left to `more_links`. Tuples, for there are millions.
        """
        return self._connection.execute(
            """SELECT id, start, kind, session, app, project, branch, url, domain FROM event
            ORDER BY start, key"""
        )

    def more_links(self) -> Iterator[tuple[int, int, str]]:
        """(event, entity, kind) of files and workspaces."""
        rows = self._connection.execute(
            """SELECT event_entity.event, entity.id, entity.kind FROM event_entity
            CROSS JOIN entity ON entity.id = event_entity.entity"""
        )
        return ((event, entity, kind) for event, entity, kind in rows)

    def entities(self) -> Iterator[tuple[int, str]]:
        """(id, kind) of all there are."""
        return ((id_, kind) for id_, kind in self._connection.execute("SELECT id, kind FROM entity"))

    def sessions(self) -> Iterator[int]:
        return (id_ for (id_,) in self._connection.execute("SELECT id FROM session"))

    def hubs(self) -> frozenset[int]:
        return together.hubs(self._connection)

    def co_occurrences(self, since_day: int, until_day: int) -> Iterator[tuple[int, int, int, int]]:
        return together.co_occurrences(self._connection, since_day, until_day)
