"""Sessions: events between two pauses; the same events give the same ones, however they arrived."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

ENDING_REASONS = ("asleep", "locked", "paused")
"""Reasons of a gap that end a session at once, however short it is."""


class Span(NamedTuple):
    """An event's place in time, in µs; sorts in the contract's order. A tuple, since there are millions."""

    start: int
    key: Any
    end: int
    approx: bool = False
    id: int = 0


class Break(NamedTuple):
    """A lock, sleep or pause: the moment (µs) it began and its reason."""

    start: int
    reason: str


@dataclass(slots=True)
class Cut:
    """One session: its members in order, approximate ones among them; `first` is its first exact event."""

    first: Span
    members: list[Span]
    end: int
    ended_by: str = ""
    """"idle", or the reason of the break; empty while nothing is known to have ended it."""

    @property
    def start(self) -> int:
        return self.first.start


def cut(spans: Sequence[Span], breaks: Iterable[Break], gap_us: int) -> list[Cut]:
    """The sessions of these events, oldest first.

    A session ends where nothing happens for more than `gap_us`, counted from the latest end so far, and
    wherever a break begins: events that start later belong to the next one, and spans that reach over the
    break count to its beginning only. Approximate events belong to the session that covers their start, or
    to none; they never open, extend or join sessions.
    """
    walls = sorted(set(breaks))
    sessions: list[Cut] = []
    waiting: list[Span] = []
    for span in sorted(spans):
        if span.approx:
            waiting.append(span)
            continue
        current = sessions[-1] if sessions else None
        if current is None or parted(current.end, span.start, walls, gap_us):
            if current is not None:
                current.members += (one for one in waiting if one.start <= current.end)
            sessions.append(Cut(span, [one for one in waiting if one.start == span.start], span.start))
            current = sessions[-1]
        else:
            current.members += waiting
        waiting.clear()
        current.members.append(span)
        current.end = max(current.end, counted_end(span.start, span.end, walls))
    if sessions:
        sessions[-1].members += (one for one in waiting if one.start <= sessions[-1].end)
    for number, session in enumerate(sessions):
        following = sessions[number + 1].start if number + 1 < len(sessions) else None
        session.ended_by = ending(session.end, following, walls, gap_us)
    return sessions


def counted_end(start: int, end: int, walls: Sequence[Break]) -> int:
    """The span's end, or the beginning of the first break in it."""
    wall = _next_wall(start, walls)
    return max(start, end if wall is None else min(end, wall.start))


def parted(end: int, start: int, walls: Sequence[Break], gap_us: int) -> bool:
    """Whether `start` is too late, or behind a break, to belong to the session that ended at `end`."""
    if start - end > gap_us:
        return True
    wall = _next_wall(end, walls)
    return wall is not None and wall.start < start


def ending(end: int, following: int | None, walls: Sequence[Break], gap_us: int) -> str:
    """Why the session that ended at `end` did so; `following` is the start of the next one, if any."""
    wall = _next_wall(end, walls)
    if wall is not None and wall.start - end <= gap_us:  # so near, it is what parts it from `following`
        return wall.reason
    return "" if wall is None and following is None else "idle"


def _next_wall(at: int, walls: Sequence[Break]) -> Break | None:
    """The first break at or after this moment. `walls` are sorted."""
    place = bisect_left(walls, (at, ""))
    return walls[place] if place < len(walls) else None
