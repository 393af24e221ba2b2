"""What the timeline says of what is in view and what is chosen, and what of it is copied."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from desktop_memory.model import ContextRequest
from desktop_memory.ui.copy_pane import Subject
from desktop_memory.ui.rows import Row
from desktop_memory.ui.timeline_loading import Loaded
from desktop_memory.ui.words import clock_time, counted, local, records, short_day, span, stretch, tr


def summary_of(loaded: Loaded, since: float, until: float) -> str:
    """3 sessions · 5 h 20 min active · 346 records, of what is in view."""
    low, high = loaded.marks.blocks.between(since, until)
    sessions = [loaded.marks.sessions[place] for place in loaded.marks.blocks.ids[low:high].tolist()]
    if not sessions:
        return tr("nothing recorded")
    active = tr("{time} active").format(time=stretch(sum(session.active_seconds for session in sessions)))
    told = [counted(len(sessions), tr("session"), tr("sessions")), active]
    if loaded.exact:
        told.append(records(sum(since <= event.start.timestamp() < until for event in loaded.events)))
    return " · ".join(told)


def subject_of(rows: Sequence[Row], among: Sequence[Row]) -> Subject:
    """The selected rows and none between them."""
    events = [row.event for row in rows if row.event is not None]
    first, last = min(e.start for e in events), max(e.end or e.start for e in events)
    keys = {row.key for row in rows}
    without = tuple(
        f"event:{row.key[1]}"
        for row in among
        if row.event is not None and row.key not in keys and first <= row.event.start <= last
    )
    request = ContextRequest(since=first, until=last + timedelta(seconds=1), without=without)
    return Subject(
        title=f"{counted(len(rows), tr('record'), tr('records'))}, {span(first, last)}", request=request
    )


def stretch_title(since: datetime, until: datetime) -> str:
    """09:41–10:32, or with its days where it is longer than one."""
    first, last = local(since).date(), local(until).date()
    if first == last:
        return span(since, until)
    return f"{short_day(first)} {clock_time(since)} – {short_day(last)} {clock_time(until)}"
