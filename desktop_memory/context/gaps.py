"""Times without a record, as a context tells them."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from desktop_memory.context.sources import Sources
from desktop_memory.model import Gap

SHORTEST_GAP = timedelta(minutes=3)


def gaps_within(sources: Sources, since: datetime, until: datetime) -> tuple[Gap, ...]:
    """Stretches without a record within [since, until], joined where they touch, the short ones left out."""
    joined: list[Gap] = []
    for gap in sorted(sources.gaps(since, until), key=lambda gap: gap.start):
        start, end = max(gap.start, since), min(gap.end or until, until)
        if joined and start <= (joined[-1].end or until):
            joined[-1] = replace(joined[-1], end=max(joined[-1].end or until, end))
        elif start < end:
            joined.append(replace(gap, start=start, end=end))
    return tuple(gap for gap in joined if (gap.end or until) - gap.start >= SHORTEST_GAP)


def gaps_after(sources: Sources, since: datetime, end: datetime) -> tuple[Gap, ...]:
    """Those of a session, and the one that ended it."""
    ended = end + timedelta(minutes=10)
    return tuple(gap for gap in gaps_within(sources, since, sources.now()) if since <= gap.start <= ended)
