"""Working memory and recent activity: one line an event, near-duplicates collapsed."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, tzinfo

from desktop_memory.model import Activity, Line, Query, Remembered
from desktop_memory.pipeline.coalesce import Similar, collapse, line
from desktop_memory.pipeline.tabs import without_shown
from desktop_memory.store.store import Store

_READ_LIMIT = 20_000


def activity(
    store: Store,
    since: datetime,
    until: datetime,
    *,
    query: Query | None,
    limit: int,
    zone: tzinfo,
    similar: Similar | None = None,
) -> Activity:
    """What happened in [since, until), oldest first, at most `limit` lines, the newest ones kept."""
    if query is None:
        events: Sequence[Remembered] = store.overlapping(since, until, _READ_LIMIT)
    else:
        events = store.between(since, until, query=query, limit=_READ_LIMIT)
    collapsed = collapse(without_shown(events), similar)
    spans_days = since.astimezone(zone).date() != until.astimezone(zone).date()
    lines = [
        Line(event=event, count=count, line=line(event, count, zone=zone, dated=spans_days))
        for event, count in collapsed
    ]
    more = max(0, len(lines) - limit)
    return Activity(since=since, until=until, lines=tuple(lines[more:]), more=more)
