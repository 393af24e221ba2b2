"""What the timeline says of what is in view and what is chosen, and what of it is copied."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from desktop_memory.model import ContextRequest, Remembered
from desktop_memory.ui.copy_pane import Subject
from desktop_memory.ui.rows import Row, events_of
from desktop_memory.ui.timeline_loading import Loaded
from desktop_memory.ui.words import clock_time, counted, local, records, short_day, span, stretch, tr

NAMED = 6 * 3600.0
"""A stretch in view that is shorter is named, since its scale may hold no mark."""


def summary_of(loaded: Loaded, since: float, until: float) -> str:
    """3 sessions · 5 h 20 min active · 346 records, of what is in view."""
    low, high = loaded.marks.blocks.between(since, until)
    sessions = [loaded.marks.sessions[place] for place in loaded.marks.blocks.ids[low:high].tolist()]
    told = []
    if until - since < NAMED:
        told.append(span(*(datetime.fromtimestamp(at, UTC) for at in (since, until))))
    if not sessions:
        return " · ".join([*told, tr("nothing recorded")])
    active = tr("{time} active").format(time=stretch(sum(session.active_seconds for session in sessions)))
    told += [counted(len(sessions), tr("session"), tr("sessions")), active]
    if loaded.exact:
        told.append(records(sum(since <= event.start.timestamp() < until for event in loaded.events)))
    return " · ".join(told)


def subject_of(rows: Sequence[Row], among: Sequence[Row], events: Sequence[Remembered]) -> Subject:
    """The selected rows and none between them; `events` are those that all rows tell of."""
    known = {event.id: event for event in events}
    chosen = [known[id_] for id_ in events_of(rows) if id_ in known]
    first, last = min(e.start for e in chosen), max(e.end or e.start for e in chosen)
    keys = {row.key for row in rows}
    others = events_of([row for row in among if row.key not in keys])
    without = tuple(
        f"event:{id_}"
        for id_ in others
        if (event := known.get(id_)) and event.start <= last and (event.end or event.start) >= first
    )
    return Subject(
        title=f"{records(len(rows))}, {span(first, last)}",
        request=ContextRequest(since=first, until=last + timedelta(seconds=1), without=without),
    )


def stretch_title(since: datetime, until: datetime) -> str:
    """09:41–10:32, or with its days where it is longer than one."""
    first, last = local(since).date(), local(until).date()
    if first == last:
        return span(since, until)
    return f"{short_day(first)} {clock_time(since)} – {short_day(last)} {clock_time(until)}"
