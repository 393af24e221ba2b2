"""Keeps sessions right inside the transaction that changed events or gaps; cuts only the neighbourhood anew."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import apsw

from desktop_memory.pipeline.sessions import Break, Cut, Span, cut, ending, parted


class _Row(NamedTuple):
    """A row of `session`."""

    id: int
    first: int
    start: int
    end: int
    ended_by: str
    events: int


_SELECT = "SELECT id, first_event, start, end, ended_by, events FROM session"


def maintain(connection: apsw.Connection, touched: Iterable[tuple[int, int]], idle_gap_us: int) -> None:
    """Make `session` and event.session what sorting everything first would give.

    `touched` are the stretches (start, end in µs) of events and gaps that were stored, changed or removed;
    for a change both the old and the new one.
    """
    for low, high in _zones(touched, idle_gap_us):
        _cut_anew(connection, low, high, idle_gap_us)


def _zones(touched: Iterable[tuple[int, int]], gap_us: int) -> Iterator[tuple[int, int]]:
    """The stretches, those that may share a session put together."""
    low = high = None
    for start, end in sorted(touched):
        if low is None or high is None:
            low, high = start, max(start, end)
        elif start - high <= gap_us:
            high = max(high, end)
        else:
            yield low, high
            low, high = start, max(start, end)
    if low is not None and high is not None:
        yield low, high


def _cut_anew(connection: apsw.Connection, low: int, high: int, gap_us: int) -> None:
    """Cut the sessions between `low` and `high`, and the one before, from their events."""
    before = _row(connection, "WHERE start < ? ORDER BY start DESC LIMIT 1", low)
    old = _rows(connection, "WHERE start BETWEEN ? AND ? ORDER BY start", low, high)
    begin = low
    if before is not None and before.end + gap_us >= low:
        begin, old = before.start, [before, *old]
    following = _row(connection, "WHERE start > ? ORDER BY start LIMIT 1", high)
    while True:
        until = None if following is None else following.start
        events = _events(connection, begin, until)
        breaks = _breaks(connection, begin, until)
        cuts = cut([span for span, _ in events], breaks, gap_us)
        if following is None or not cuts or parted(cuts[-1].end, following.start, breaks, gap_us):
            break
        old.append(following)
        following = _row(connection, "WHERE start > ? ORDER BY start LIMIT 1", following.start)
    if following is not None and cuts:
        cuts[-1].ended_by = ending(cuts[-1].end, following.start, breaks, gap_us)
    _write(connection, cuts, old, events)
    if before is not None and begin == low:
        _end_again(connection, before, gap_us)


def _row(connection: apsw.Connection, rest: str, *values: int) -> _Row | None:
    row = connection.execute(f"{_SELECT} {rest}", values).fetchone()
    return None if row is None else _Row(*row)


def _rows(connection: apsw.Connection, rest: str, *values: int) -> list[_Row]:
    return [_Row(*row) for row in connection.execute(f"{_SELECT} {rest}", values)]


def _events(connection: apsw.Connection, begin: int, until: int | None) -> list[tuple[Span, int | None]]:
    """Events that start in [begin, until) with the session they are in now."""
    rows = connection.execute(
        """SELECT start, key, max(start, coalesce(end, start)), approx, id, session FROM event
        WHERE start >= ? AND start < ? ORDER BY start, key""",
        (begin, 2**63 - 1 if until is None else until),
    )
    return [
        (Span(start, key, end, bool(approx), id_), session) for start, key, end, approx, id_, session in rows
    ]


def _breaks(connection: apsw.Connection, begin: int, until: int | None) -> list[Break]:
    rows = connection.execute(
        """SELECT start, reason FROM gap WHERE start >= ? AND start < ?
        AND reason IN ('locked', 'asleep', 'paused') ORDER BY start, reason""",
        (begin, 2**63 - 1 if until is None else until),
    )
    return [Break(start, reason) for start, reason in rows]


def _write(
    connection: apsw.Connection, cuts: list[Cut], old: list[_Row], events: list[tuple[Span, int | None]]
) -> None:
    """Bring the rows to these cuts; each keeps the old row with which it shares most events."""
    now_in = {span.id: session for span, session in events}
    kept = _kept(cuts, {row.id for row in old}, now_in)
    rows = {row.id: row for row in old}
    gone = rows.keys() - kept.values()
    connection.executemany("DELETE FROM session WHERE id = ?", [(id_,) for id_ in gone])
    # `first_event` is unique: rows that exchange theirs let go of them first.
    moving = [(id_,) for number, id_ in kept.items() if rows[id_].first != cuts[number].first.id]
    connection.executemany("UPDATE session SET first_event = -id WHERE id = ?", moving)
    moved: list[tuple[int | None, int]] = []
    for number, session in enumerate(cuts):
        new = (int(session.first.id), session.start, session.end, session.ended_by, len(session.members))  # type: ignore[call-overload]
        id_ = kept.get(number)
        if id_ is None:
            connection.execute(
                "INSERT INTO session (first_event, start, end, ended_by, events) VALUES (?, ?, ?, ?, ?)", new
            )
            id_ = connection.last_insert_rowid()
        elif rows[id_][1:] != new:
            connection.execute(
                """UPDATE session SET first_event = ?, start = ?, end = ?, ended_by = ?, events = ?
                WHERE id = ?""",
                (*new, id_),
            )
        for span in session.members:
            if now_in.pop(span.id) != id_:
                moved.append((id_, span.id))  # type: ignore[arg-type]
    moved += [(None, id_) for id_, session in now_in.items() if session is not None]  # type: ignore[misc]
    _move(connection, moved)


def _kept(cuts: list[Cut], old: set[int], now_in: dict[object, int | None]) -> dict[int, int]:
    """Which cut keeps which old row: the fewer events change their session, the better."""
    shared: Counter[tuple[int, int]] = Counter()
    for number, session in enumerate(cuts):
        for span in session.members:
            id_ = now_in[span.id]
            if id_ is not None and id_ in old:
                shared[number, id_] += 1
    kept: dict[int, int] = {}
    taken: set[int] = set()
    for (number, id_), _ in sorted(shared.items(), key=lambda item: (-item[1], item[0])):
        if number not in kept and id_ not in taken:
            kept[number] = id_
            taken.add(id_)
    return kept


def _move(connection: apsw.Connection, moved: list[tuple[int | None, int]]) -> None:
    """Put events into other sessions; the projections hear of those that were seen before."""
    connection.executemany(
        """INSERT INTO change (what, event) SELECT 'edit', id FROM event
        WHERE id = ? AND (session IS NOT NULL OR approx)""",
        [(id_,) for _, id_ in moved],
    )
    connection.executemany("UPDATE event SET session = ? WHERE id = ?", moved)


def _end_again(connection: apsw.Connection, session: _Row, gap_us: int) -> None:
    """What comes after the session may have changed: say again what ended it."""
    following = _row(connection, "WHERE start > ? ORDER BY start LIMIT 1", session.start)
    until = None if following is None else following.start
    ended_by = ending(session.end, until, _breaks(connection, session.end, until), gap_us)
    if ended_by != session.ended_by:
        connection.execute("UPDATE session SET ended_by = ? WHERE id = ?", (ended_by, session.id))
