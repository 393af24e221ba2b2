"""Reading events, sessions and entities: each answered by one index."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import cache
from typing import Any

import apsw

from collectors.event import Gap, microseconds, moment
from desktop_memory.model import Entity, Pin, PlaceStatus, Query, Remembered, Session
from desktop_memory.store.entities import norm
from desktop_memory.store.rows import PROJECT_CALLED, Filter, select

_NEAREST_LOOKED_AT = 50
"""So many on either side are looked at for one that a rule lets be shown."""
_LARGEST_ID = 2**63 - 1
_Shows = Callable[[str, str], bool]


def between(
    connection: apsw.Connection,
    since: datetime | None,
    until: datetime | None,
    query: Query | None,
    limit: int,
    newest_first: bool,
) -> list[Remembered]:
    """Also those that are not shown: who asks for so many must know whether there are more."""
    filter_ = Filter(query)
    if since is not None:
        filter_.add("event.start >= ?", microseconds(since))
    if until is not None:
        filter_.add("event.start < ?", microseconds(until))
    way = "DESC" if newest_first else "ASC"
    rest = f"WHERE {filter_.where} ORDER BY event.start {way}, event.key {way} LIMIT ?"
    return select(connection, rest, (*filter_.values, limit), all_of_them=True)


def overlapping(
    connection: apsw.Connection, since: datetime, until: datetime, limit: int
) -> list[Remembered]:
    """Events that touch [since, until), spans that began up to a day before included; oldest first."""
    rest = """WHERE event.start >= ?1 - 86400000000 AND event.start < ?2
        AND (event.start >= ?1 OR event.end > ?1) ORDER BY event.start, event.key LIMIT ?3"""
    return select(connection, rest, (microseconds(since), microseconds(until), limit))


def beside(
    connection: apsw.Connection, event: Remembered, count: int, query: Query | None, *, after: bool
) -> list[Remembered]:
    """The events next to this one in the order (start, key), nearest first."""
    sign, way = (">", "ASC") if after else ("<", "DESC")
    filter_ = Filter(query).add(
        f"(event.start, event.key) {sign} (?, ?)", microseconds(event.start), bytes.fromhex(event.key)
    )
    rest = f"WHERE {filter_.where} ORDER BY event.start {way}, event.key {way} LIMIT ?"
    return select(connection, rest, (*filter_.values, count))


def nearest(
    connection: apsw.Connection,
    at: datetime,
    query: Query | None,
    *,
    in_session: bool = False,
    shows: Callable[[Remembered], bool] | None = None,
) -> Remembered | None:
    """The event that covers `at`, else the one whose start is nearest; of those in a session, if asked."""
    us = microseconds(at)
    earlier = Filter(query).add("event.start <= ?", us)
    later = Filter(query).add("event.start > ?", us)
    if in_session:
        earlier.add("event.session IS NOT NULL")
        later.add("event.session IS NOT NULL")
    most = 1 if shows is None else _NEAREST_LOOKED_AT
    rest = f"ORDER BY event.start DESC, event.key DESC LIMIT {most}"
    found = select(connection, f"WHERE {earlier.where} {rest}", earlier.values)[:1]
    rest = f"ORDER BY event.start, event.key LIMIT {most}"
    found += select(connection, f"WHERE {later.where} {rest}", later.values)[:1]
    if not found:
        return None
    return min(found, key=lambda event: _distance(event, at))


def _distance(event: Remembered, at: datetime) -> float:
    if event.start <= at <= (event.end or event.start):
        return -1.0
    return min(
        abs((event.start - at).total_seconds()), abs(((event.end or event.start) - at).total_seconds())
    )


def count(connection: apsw.Connection, query: Query | None) -> int:
    filter_ = Filter(query)
    return int(connection.execute(f"SELECT count(*) FROM event WHERE {filter_.where}", filter_.values).get)


# sessions

_MOST_NAMES = 12
_SESSION = """SELECT session.first_event, session.start, session.end, session.ended_by, session.events, session.id
    FROM session"""


def session_of(connection: apsw.Connection, member: int) -> Session | None:
    if not 0 < member <= _LARGEST_ID:
        return None
    return _session(connection, "WHERE session.id = (SELECT session FROM event WHERE id = ?)", (member,))


def session_at(connection: apsw.Connection, at: datetime, query: Query | None) -> Session | None:
    event = nearest(connection, at, query, in_session=True)
    return None if event is None else session_of(connection, event.id)


def sessions(
    connection: apsw.Connection, since: datetime | None, until: datetime | None, limit: int
) -> list[Session]:
    """Sessions that overlap [since, until), the newest `limit` of them, oldest first."""
    low = -(2**62) if since is None else microseconds(since)
    high = 2**62 if until is None else microseconds(until)
    rows = connection.execute(
        f"{_SESSION} WHERE session.start < ? AND session.end >= ? ORDER BY session.start DESC LIMIT ?",
        (high, low, limit),
    ).fetchall()
    shows = getattr(connection, "shows_name", None)
    asked = None if shows is None else cache(shows)  # the same few hundred names in thousands of sessions
    return [_with_contents(connection, row, asked) for row in reversed(rows)]


def session_events(connection: apsw.Connection, member: int, limit: int) -> list[Remembered]:
    rest = """WHERE event.session = (SELECT session FROM event WHERE id = ?) AND event.session IS NOT NULL
        ORDER BY event.start, event.key LIMIT ?"""
    return select(connection, rest, (member, limit))


def _session(connection: apsw.Connection, rest: str, values: Sequence[Any]) -> Session | None:
    row = connection.execute(f"{_SESSION} {rest}", values).fetchone()
    return None if row is None else _with_contents(connection, row, getattr(connection, "shows_name", None))


def _with_contents(connection: apsw.Connection, row: Sequence[Any], shows: _Shows | None) -> Session:
    first, start, end, ended_by, events, id_ = row
    apps, projects = _names(connection, id_, shows)
    return Session(
        id=first,
        start=moment(start),
        end=moment(end),
        ended_by=ended_by,
        count=events,
        apps=apps,
        projects=projects,
        active_seconds=(end - start - _away(connection, start, end)) / 1_000_000,
    )


def _away(connection: apsw.Connection, start: int, end: int) -> int:
    """How long of this stretch nobody was there, in µs; overlapping gaps count once."""
    found = connection.execute(
        """SELECT max(start, ?1), min(coalesce(end, ?2), ?2) FROM gap
        WHERE start < ?2 AND start > ?1 - 604800000000 AND coalesce(end, ?2) > ?1 ORDER BY start""",
        (start, end),
    )
    away, covered = 0, start
    for first, last in found:
        first = max(first, covered)
        if last > first:
            away += last - first
            covered = last
    return away


def _names(
    connection: apsw.Connection, session: int, shows: _Shows | None
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The apps and the projects of a session's events, most frequent first: one look at the events for both."""
    apps, projects = Counter[int](), Counter[int]()
    for app, project, count in connection.execute(
        "SELECT app, project, count(*) FROM event WHERE session = ? GROUP BY app, project", (session,)
    ):
        apps[app] += count
        projects[project] += count
    return _called(connection, "app", apps, shows), _called(connection, "project", projects, shows)


def _called(
    connection: apsw.Connection, kind: str, counted: Counter[int], shows: _Shows | None
) -> tuple[str, ...]:
    """What these entities are called, the most frequent first, twelve at most."""
    found: list[tuple[str, int]] = connection.execute(
        "SELECT name, id FROM entity WHERE id IN (SELECT value FROM json_each(?))",
        (json.dumps(list(counted)),),
    ).fetchall()  # type: ignore[assignment]
    found.sort(key=lambda one: (-counted[one[1]], one[0]))
    return tuple(name for name, _ in found[:_MOST_NAMES] if shows is None or shows(kind, name))


def gaps(connection: apsw.Connection, since: datetime, until: datetime) -> list[Gap]:
    rows = connection.execute(
        """SELECT start, end, reason FROM gap WHERE start < ?2 AND coalesce(end, ?2) > ?1
        UNION ALL SELECT start, end, 'paused' FROM pause WHERE start < ?2 AND coalesce(end, ?2) > ?1 ORDER BY start""",
        (microseconds(since), microseconds(until)),
    )
    return [
        Gap(start=moment(start), end=None if end is None else moment(end), reason=reason)
        for start, end, reason in rows
    ]


# entities

_COLUMN_OF = {
    "app": "app",
    "project": "project",
    "repo": "repo",
    "branch": "branch",
    "url": "url",
    "domain": "domain",
}


def entity(connection: apsw.Connection, kind: str, name: str) -> Entity | None:
    """The entity of this kind and name: the same after normalisation, never a part of it."""
    wanted = norm(kind, name)
    which, values = "kind = ? AND norm = ?", [kind, wanted]
    if kind == "project":
        which, values = f"id = {PROJECT_CALLED}", [wanted]
    row = connection.execute(f"SELECT id, kind, name FROM entity WHERE {which}", values).fetchone()
    return None if row is None else Entity(id=row[0], kind=row[1], name=row[2])


def entities_of(connection: apsw.Connection, event: int) -> list[Entity]:
    columns = ", ".join(_COLUMN_OF.values())
    row = connection.execute(f"SELECT {columns} FROM event WHERE id = ?", (event,)).fetchone()
    if row is None:
        return []
    ids = [id_ for id_ in row if id_ is not None]
    ids += [id_ for (id_,) in connection.execute("SELECT entity FROM event_entity WHERE event = ?", (event,))]
    rows = connection.execute(
        """SELECT id, kind, name FROM entity
        WHERE id IN (SELECT value FROM json_each(?)) AND kind != 'repo'""",
        (json.dumps(ids),),
    )
    return [Entity(id=id_, kind=kind, name=name) for id_, kind, name in rows]


def touching(connection: apsw.Connection, entity_id: int, limit: int, before: int | None) -> list[Remembered]:
    """The newest events that touch an entity, those that start before `before` (µs) only."""
    row = connection.execute("SELECT kind FROM entity WHERE id = ?", (entity_id,)).fetchone()
    if row is None:
        return []
    high = 2**62 if before is None else before
    if row[0] in _COLUMN_OF:
        return select(
            connection,
            f"""WHERE event.{_COLUMN_OF[row[0]]} = ? AND event.start < ?
            ORDER BY event.start DESC, event.key DESC LIMIT ?""",
            (entity_id, high, limit),
        )
    rest = """JOIN event_entity AS touched ON touched.event = event.id
        WHERE touched.entity = ? AND touched.start < ? ORDER BY touched.start DESC LIMIT ?"""
    return select(connection, rest, (entity_id, high, limit))


# pins and places


def pins(connection: apsw.Connection, status: str) -> list[Pin]:
    rows = connection.execute(
        """SELECT id, kind, text, status, created, project, due, position, event FROM pin
        WHERE ?1 = '' OR status = ?1 ORDER BY position, id""",
        (status,),
    )
    return [
        Pin(
            id=id_, kind=kind, text=text, status=state, created=moment(created),
            project=_called_now(connection, project),
            due=None if due is None else moment(due), position=position, event=event,
        )
        for id_, kind, text, state, created, project, due, position, event in rows
    ]  # fmt: skip


def _called_now(connection: apsw.Connection, project: str) -> str:
    found = entity(connection, "project", project) if project else None
    return project if found is None else found.name


def places(connection: apsw.Connection, midnight: datetime) -> list[PlaceStatus]:
    """Every place with what it gave since `midnight`."""
    rows = connection.execute(
        """SELECT source, name, state, last_event, last_success, skipped, advice,
            (SELECT count(*) FROM event WHERE event.place = place.id AND event.start >= ?)
        FROM place ORDER BY source, name""",
        (microseconds(midnight),),
    )
    return [
        PlaceStatus(
            source=source, place=name, state=state, advice=advice, today=today, skipped=json.loads(skipped),
            last_event=None if last_event is None else moment(last_event),
            last_success=None if last_success is None else moment(last_success),
        )
        for source, name, state, last_event, last_success, skipped, advice, today in rows
    ]  # fmt: skip
