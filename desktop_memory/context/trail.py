"""The trail around a found moment: the search that led to a page, the pages after it, what was kept of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, timedelta

from desktop_memory.context.fold import is_trivial
from desktop_memory.model import Hit, Kind, Remembered

APART = timedelta(minutes=15)
_WHEN = re.compile(
    r"\s*(?:(?:what|where)\s+(?:was|were)\s+(?:i|we)\s+(?:doing|working on|at)\s+(?:when|while|as)\b"
    r"|(?:(?:what|where)\s+(?:was|did|were)\s+(?:i|we)\s+(?:do|doing|at|working on)\s+)?"
    r"(?:when|the (?:day|time|moment|morning|afternoon|evening))\s+(?:that\s+)?(?:did\s+)?(?:i|we)\b)",
    re.IGNORECASE,
)
_READING: frozenset[Kind] = frozenset(["browser", "file", "note"])
_MAKING: frozenset[Kind] = frozenset(["terminal", "git_commit", "git_stash", "note"])


def asks_when(query: str) -> bool:
    """Whether the query asks for a moment ("when I found …"): the answer is the stretch around it."""
    return bool(_WHEN.match(query))


def trail(anchor: Hit, session: Sequence[Remembered], most: int) -> list[Hit]:
    """The hits of the trail, the moment itself first: it is the page that something was kept of, if there is one."""
    kinds = _READING if anchor.event.kind in _READING else _MAKING if anchor.event.kind in _MAKING else None
    events = [
        event
        for event in session
        if event.id == anchor.event.id
        or ((kinds is None or event.kind in kinds) and not is_trivial(event, _seconds(event)))
    ]
    at = next((n for n, event in enumerate(events) if event.id == anchor.event.id), None)
    if at is None:
        return [anchor]
    first = at
    while first > 0 and events[first].start - _end(events[first - 1]) <= APART:
        first -= 1
    last = at
    while last + 1 < len(events) and events[last + 1].start - _end(events[last]) <= APART:
        last += 1
    near = sorted(events[first : last + 1], key=lambda e: (abs(e.start - anchor.event.start), e.id))[:most]
    moment = _kept_page(near) or anchor.event
    near.sort(key=lambda e: (e.id != moment.id, e.id != anchor.event.id, e.start, e.id))
    return [
        anchor if event.id == anchor.event.id else Hit(event=event, score=anchor.score / 2, lanes=("around",))
        for event in near
    ]


def _kept_page(events: Sequence[Remembered]) -> Remembered | None:
    """The page that was open when something was downloaded from its site."""
    for file in events:
        if file.kind == "file" and file.details.get("downloaded") and file.domain:
            pages = [
                e for e in events if e.kind == "browser" and e.domain == file.domain and e.start <= file.start
            ]
            if pages:
                return pages[-1]
    return None


def _seconds(event: Remembered) -> float:
    return ((event.end or event.start) - event.start).total_seconds()


def _end(event: Remembered) -> datetime:
    return event.end or event.start
