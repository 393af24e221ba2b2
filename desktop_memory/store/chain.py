"""Keeps sessions right in the transaction that changed events or gaps; cuts only the neighbourhood anew."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

import apsw

from desktop_memory.pipeline.sessions import Cut, Span, cut, ending, parted
from desktop_memory.store import session_rows as rows
from desktop_memory.store.joining import join
from desktop_memory.store.session_rows import SessionRow, Values

_Event = tuple[Span, int | None]


def maintain(
    connection: apsw.Connection,
    touched: Iterable[tuple[int, int]],
    idle_gap_us: int,
    *,
    joining: Sequence[int] = (),
) -> None:
    """Make `session` and event.session what sorting everything first would give.

    `joining` are ids of events that are new or whose end moved on, and nothing else about their time: the
    quick way. `touched` are the stretches (start, end in µs) of all other events and gaps that were stored,
    changed or removed; for a change both the old and the new one.
    """
    if joining:
        join(connection, joining, idle_gap_us)
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
    before = rows.one(connection, "WHERE start < ? ORDER BY start DESC LIMIT 1", low)
    old = rows.many(connection, "WHERE start BETWEEN ? AND ? ORDER BY start", low, high)
    begin = low
    if before is not None and before.end + gap_us >= low:
        begin, old = before.start, [before, *old]
    following = rows.one(connection, "WHERE start > ? ORDER BY start LIMIT 1", high)
    while True:
        until = rows.FOREVER if following is None else following.start
        events = _events(connection, begin, until)
        breaks = rows.breaks(connection, begin, until)
        cuts = cut([span for span, _ in events], breaks, gap_us)
        if following is None or not cuts or parted(cuts[-1].end, following.start, breaks, gap_us):
            break
        old.append(following)
        following = rows.one(connection, "WHERE start > ? ORDER BY start LIMIT 1", following.start)
    if following is not None and cuts:
        cuts[-1].ended_by = ending(cuts[-1].end, following.start, breaks, gap_us)
    _write(connection, cuts, {row.id: row for row in old}, events)
    if before is not None and begin == low:
        _end_again(connection, before, gap_us)


def _events(connection: apsw.Connection, begin: int, until: int) -> list[_Event]:
    """Events that start in [begin, until) with the session they are in now."""
    found = connection.execute(
        """SELECT start, key, max(start, coalesce(end, start)), approx, id, session FROM event
        WHERE start >= ? AND start < ? ORDER BY start, key""",
        (begin, until),
    )
    return [(Span(start, key, end, bool(approx), id_), home) for start, key, end, approx, id_, home in found]


def _write(
    connection: apsw.Connection, cuts: Sequence[Cut], old: Mapping[int, SessionRow], events: Sequence[_Event]
) -> None:
    """Bring the rows to these cuts; each keeps the old row with which it shares most events."""
    home = {span.id: session for span, session in events}
    kept = _kept(cuts, old, home)
    rows.remove(connection, [id_ for id_ in old if id_ not in kept.values()])
    moved: list[tuple[int | None, int]] = []
    for number, session in enumerate(cuts):
        values = Values(session.first.id, session.start, session.end, session.ended_by, len(session.members))
        id_ = rows.put(connection, old.get(kept.get(number, 0)), values)
        moved += ((id_, span.id) for span in session.members if home.pop(span.id) != id_)
    moved += ((None, event) for event, session_id in home.items() if session_id is not None)
    rows.move(connection, moved)


def _kept(
    cuts: Sequence[Cut], old: Mapping[int, SessionRow], home: Mapping[int, int | None]
) -> dict[int, int]:
    """Which cut keeps which old row: the fewer events change their session, the better."""
    shared: Counter[tuple[int, int]] = Counter()
    for number, session in enumerate(cuts):
        for span in session.members:
            id_ = home[span.id]
            if id_ is not None and id_ in old:
                shared[number, id_] += 1
    kept: dict[int, int] = {}
    taken: set[int] = set()
    for (number, id_), _ in sorted(shared.items(), key=lambda item: (-item[1], item[0])):
        if number not in kept and id_ not in taken:
            kept[number] = id_
            taken.add(id_)
    return kept


def _end_again(connection: apsw.Connection, session: SessionRow, gap_us: int) -> None:
    """What comes after the session may have changed: say again what ended it."""
    following = rows.one(connection, "WHERE start > ? ORDER BY start LIMIT 1", session.start)
    until = None if following is None else following.start
    breaks = rows.breaks(connection, session.end, rows.FOREVER if until is None else until)
    rows.end_again(connection, session, ending(session.end, until, breaks, gap_us))
