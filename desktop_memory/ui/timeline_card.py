"""What the timeline tells of the thing under the pointer."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from html import escape

from desktop_memory.model import Gap, Session
from desktop_memory.ui.timeline_paint import reason_word, session_name
from desktop_memory.ui.words import clock_time, local, short_day, span, stretch, tr


def told_of(session: Session) -> str:
    """Its name, its span and how much of it was active, its apps."""
    active = tr("{time} active").format(time=stretch(session.active_seconds))
    when = f"{span(session.start, session.end)} · {active}"
    return "\n".join(part for part in (session_name(session), when, ", ".join(session.apps[:4])) if part)


def gap_told(gaps: Sequence[Gap], at: float, now: float) -> str:
    """Why nothing was recorded at this time: away, 10:32–10:45, 13 min."""
    for gap in gaps:
        end = gap.end.timestamp() if gap.end else now
        if gap.start.timestamp() <= at < end:
            until = datetime.fromtimestamp(end, UTC)
            return f"{reason_word(gap.reason)}\n{_between(gap.start, until)} · {stretch(end - gap.start.timestamp())}"
    return ""


def card(told: str) -> str:
    """The same as a tooltip: its first line stands out. What was recorded is never taken as markup."""
    if not told:
        return ""
    first, *rest = told.splitlines()
    return "<br>".join((f"<b>{escape(first)}</b>", *map(escape, rest)))


def _between(start: datetime, end: datetime) -> str:
    if local(start).date() == local(end).date():
        return span(start, end)
    return f"{short_day(local(start).date())} {clock_time(start)} – {short_day(local(end).date())} {clock_time(end)}"
