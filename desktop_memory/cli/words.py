"""Events, hits and sessions as lines for people."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime

from desktop_memory.clock import clock, zone
from desktop_memory.counting import counted
from desktop_memory.model import Hit, Remembered, Session
from desktop_memory.pipeline.coalesce import line
from desktop_memory.retrieval.explain import reasons


def window(since: datetime, until: datetime) -> str:
    """A stretch of time with its offset: Thu 13 Aug 2026, 09:41–09:56 (UTC+02:00)."""
    here = zone()
    first, last = since.astimezone(here), until.astimezone(here)
    day = "" if first.date() == last.date() else f"{last:%a} {last.day} {last:%b} "
    return f"{first:%a} {first.day} {first:%b %Y}, {first:%H:%M}–{day}{last:%H:%M} (UTC{offset(last)})"


def offset(moment: datetime) -> str:
    text = f"{moment:%z}"
    return f"{text[:3]}:{text[3:5]}"


def event_line(event: Remembered, *, dated: bool = False) -> str:
    return line(event, 1, zone=zone(), dated=dated)


def days(events: Iterable[Remembered]) -> set[date]:
    """The local days on which these began: of several, or of one far away, each line tells its own."""
    return {event.start.astimezone(zone()).date() for event in events}


def hit_line(hit: Hit, *, explain: bool = False) -> str:
    """A hit on one line, with its id; on request why it is there."""
    told = f"{line(hit.event, 1, zone=zone(), dated=True)}  #{hit.event.id}"
    if explain:
        told += f"\n    {', '.join(reasons(hit, clock(), zone()))}; score {hit.score:.2f}"
    return told


def session_heading(session: Session) -> str:
    """Span, projects and apps of a session."""
    parts = [window(session.start, session.end), ", ".join(session.projects), ", ".join(session.apps[:4])]
    ended = f"ended: {session.ended_by}" if session.ended_by else ""
    return " · ".join(part for part in (*parts, counted(session.count, "event"), ended) if part)
