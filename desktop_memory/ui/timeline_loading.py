"""What the timeline needs for the stretch in view: every event of some days, or how much there was of months."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from desktop_memory.model import Remembered, Session
from desktop_memory.ui.ports import Memory
from desktop_memory.ui.timeline_data import LANES, Lane, Marks, always_shown, lane_of, marks, with_blocks

EXACT = timedelta(days=10)
"""Up to so long a stretch is loaded event by event."""
COLUMNS = 3000
"""Into so many pieces a longer one is cut."""
SESSIONS = 4000


@dataclass(frozen=True, slots=True)
class Loaded:
    """A stretch that was loaded; without `events` where it was too long for single ones."""

    since: datetime
    until: datetime
    marks: Marks
    events: tuple[Remembered, ...] = ()
    exact: bool = True

    def holds(self, since: float, until: float) -> bool:
        """Whether it has all that this view shows, in enough detail."""
        inside = self.since.timestamp() <= since and until <= self.until.timestamp()
        return inside and (self.exact or until - since > EXACT.total_seconds() / 2)

    def session(self, id_: int | None) -> Session | None:
        return next((session for session in self.marks.sessions if session.id == id_), None)


def load(memory: Memory, since: datetime, until: datetime) -> Loaded:
    """Everything to paint in [since, until)."""
    if until - since <= EXACT:
        timeline = memory.timeline(since, until)
        found = marks(timeline.events, timeline.sessions, timeline.gaps)
        return Loaded(since, until, found, timeline.events)
    seconds = (until - since).total_seconds() / COLUMNS
    buckets = memory.density(since, until, seconds)
    sessions = memory.sessions(since, until, SESSIONS)
    return Loaded(since, until, with_blocks(_lanes(buckets, seconds), tuple(sessions)), exact=False)


def around(since: float, until: float, now: datetime) -> tuple[datetime, datetime]:
    """What to load for a view: half as much again on both sides, nothing of the future."""
    room = (until - since) / 2
    end = min(until + room, now.timestamp() + 86_400)
    begin = min(since - room, end - 60)
    return datetime.fromtimestamp(begin, UTC), datetime.fromtimestamp(end, UTC)


def _lanes(buckets: Iterable[tuple[str, float, int]], seconds: float) -> dict[str, Lane]:
    columns: dict[str, tuple[list[float], list[int]]] = {name: ([], []) for name, _ in LANES}
    for kind, start, count in buckets:
        starts, counts = columns[lane_of(kind)]
        starts.append(start)
        counts.append(count)
    return {
        name: Lane.of(starts, [s + seconds for s in starts], [-1] * len(starts), counts)
        for name, (starts, counts) in columns.items()
        if starts or name in always_shown()
    }
