"""Sessions when events are only added or only grow: they join, open and merge sessions and never split one.

So the rows of `session` are enough to go by; what is in a session is not read, however much that is.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import apsw

from desktop_memory.pipeline.sessions import Span, counted_end, ending, parted
from desktop_memory.store import session_rows as rows
from desktop_memory.store.session_rows import SessionRow, Values

_Event = tuple[Span, int | None]

_NEAR = 12
"""Idle gaps between two events up to which they are put into sessions together."""


def join(connection: apsw.Connection, ids: Sequence[int], gap_us: int) -> None:
    """Put these events into sessions: new ones, and ones whose end moved on."""
    found = connection.execute(
        """SELECT start, key, max(start, coalesce(end, start)), approx, id, session FROM event
        WHERE id IN (SELECT value FROM json_each(?))""",
        (json.dumps(list(ids)),),
    )
    events = [
        (Span(start, key, end, bool(approx), id_), home) for start, key, end, approx, id_, home in found
    ]
    events.sort(key=lambda event: event[0][:2])
    for group in _groups(events, _NEAR * gap_us):
        _Stretch(connection, group, gap_us).join()


def _groups(events: Sequence[_Event], near_us: int) -> Iterator[Sequence[_Event]]:
    """Events that lie near each other, so that each group reads few sessions."""
    begin = 0
    for place in range(1, len(events)):
        if events[place][0].start - events[place - 1][0].start > near_us:
            yield events[begin:place]
            begin = place
    if events:
        yield events[begin:]


@dataclass(slots=True)
class _Block:
    """A session while events are put into it; `rows` are the rows that became one, none for a new session."""

    first: int
    start: int
    end: int
    rows: list[SessionRow] = field(default_factory=list)
    joined: list[int] = field(default_factory=list)
    guessed: list[int] = field(default_factory=list)
    covered: list[tuple[int, int]] = field(default_factory=list)

    def cover(self, since: int, until: int) -> None:
        """This stretch has become part of the session."""
        if until <= since and self.covered:
            return
        if self.covered and self.covered[-1][1] == since:
            since, _ = self.covered.pop()
        self.covered.append((since, until))


class _Stretch:
    """The sessions around some events."""

    def __init__(self, connection: apsw.Connection, events: Sequence[_Event], gap_us: int) -> None:
        self._connection = connection
        self._events = events
        self._gap_us = gap_us
        low = events[0][0].start
        high = max(span.end for span, _ in events) + gap_us
        before = rows.one(connection, "WHERE start <= ? ORDER BY start DESC LIMIT 1", low)
        found = rows.many(connection, "WHERE start > ? AND start <= ? ORDER BY start", low, high)
        if before is not None:
            found.insert(0, before)
        after = rows.one(connection, "WHERE start > ? ORDER BY start LIMIT 1", high)
        self._after = None if after is None else after.start
        since = low if before is None else min(before.end, low)
        until = max([high, *(row.end + gap_us for row in found)]) + 1 if after else rows.FOREVER
        self._walls = rows.breaks(connection, since, until)
        self._blocks = [_Block(row.first, row.start, row.end, [row]) for row in found]
        self._starts = [block.start for block in self._blocks]

    def join(self) -> None:
        for span, home in self._events:
            if not span.approx:
                self._put(span, is_new=home is None)
        self._take_guessed()
        self._write()

    def _put(self, span: Span, is_new: bool) -> None:
        place = bisect_right(self._starts, span.start) - 1
        end = counted_end(span.start, span.end, self._walls)
        block = self._blocks[place] if place >= 0 else None
        if block is None or parted(block.end, span.start, self._walls, self._gap_us):
            place += 1
            block = _Block(span.id, span.start, end, covered=[(span.start, end)])
            self._blocks.insert(place, block)
            self._starts.insert(place, span.start)
        if span.start == block.start and self._is_before(span, block.first):
            block.first = span.id
        if end > block.end:
            block.cover(block.end, end)
            block.end = end
        if is_new:
            block.joined.append(span.id)
        while place + 1 < len(self._blocks) and self._meet(block, self._blocks[place + 1]):
            self._starts.pop(place + 1)
            _merge(block, self._blocks.pop(place + 1))

    def _is_before(self, span: Span, first: int) -> bool:
        if span.id == first:
            return False
        key: bytes = self._connection.execute("SELECT key FROM event WHERE id = ?", (first,)).get
        return bool(span.key < key)

    def _meet(self, block: _Block, following: _Block) -> bool:
        return not parted(block.end, following.start, self._walls, self._gap_us)

    def _take_guessed(self) -> None:
        """Events with a guessed time join the session that covers them now."""
        mine = [span for span, home in self._events if span.approx and home is None]
        taken: set[int] = set()
        for block in self._blocks:
            for stretch in block.covered:
                ids = self._connection.execute(
                    """SELECT id FROM event INDEXED BY event_guessed
                    WHERE approx AND start BETWEEN ? AND ? AND session IS NULL""",
                    stretch,
                )
                found = [int(id_) for (id_,) in ids if id_ not in taken]
                block.guessed += found
                taken.update(found)
        for span in mine:
            place = bisect_right(self._starts, span.start) - 1
            if span.id not in taken and place >= 0 and span.start <= self._blocks[place].end:
                self._blocks[place].guessed.append(span.id)

    def _followings(self) -> list[int | None]:
        """For each session the start of the next."""
        return [*self._starts[1:], self._after] if self._blocks else []

    def _write(self) -> None:
        for block, following in zip(self._blocks, self._followings(), strict=True):
            ended_by = ending(block.end, following, self._walls, self._gap_us)
            members = sum(row.events for row in block.rows) + len(block.joined) + len(block.guessed)
            values = Values(block.first, block.start, block.end, ended_by, members)
            kept = max(block.rows, key=lambda row: (row.events, -row.id), default=None)
            absorbed = [row.id for row in block.rows if row is not kept]
            rows.remove(self._connection, absorbed)
            id_ = rows.put(self._connection, kept, values)
            for old in absorbed:
                rows.move_all(self._connection, old, id_)
            rows.move(self._connection, [(id_, event) for event in block.guessed])
            self._connection.executemany(
                "UPDATE event SET session = ? WHERE id = ?", [(id_, event) for event in block.joined]
            )


def _merge(block: _Block, following: _Block) -> None:
    block.cover(block.end, following.start)
    block.covered += following.covered
    block.end = max(block.end, following.end)
    block.rows += following.rows
    block.joined += following.joined
