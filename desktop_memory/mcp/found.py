"""A search as a limited client meets it: what it may not be told takes no place among its answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import datetime

from desktop_memory.clock import clock, zone
from desktop_memory.memory import Memory
from desktop_memory.model import Query, Remembered, SearchResult
from desktop_memory.pipeline import phrases

PAGES = 10
PAGE = 50
"""Hits to look at in one go, also where fewer are wanted: most of them may be behind walls."""

Seen = Callable[[Iterable[Remembered]], list[Remembered]]


@dataclass(frozen=True, kw_only=True, slots=True)
class Found:
    """What may be told, best first; `next` is the offset at which the search goes on."""

    events: list[Remembered]
    next: int | None
    last: SearchResult


def search_seen(memory: Memory, asked: Query, earliest: datetime | None, seen: Seen) -> Found:
    """Up to `asked.limit` events that are seen, none from before `earliest`."""
    wanted = asked.limit
    asked = replace(_not_before(asked, earliest), limit=max(wanted, PAGE))
    events: list[Remembered] = []
    for _ in range(PAGES):
        result = memory.search(asked)
        visible = {event.id for event in seen(hit.event for hit in result.hits)}
        for place, hit in enumerate(result.hits, start=1):
            if hit.event.id in visible:
                events.append(hit.event)
            if len(events) == wanted:
                more = place < len(result.hits) or result.next is not None
                return Found(events=events, next=asked.offset + place if more else None, last=result)
        if result.next is None:
            break
        asked = replace(asked, offset=result.next)
    return Found(events=events, next=result.next, last=result)


def _not_before(asked: Query, earliest: datetime | None) -> Query:
    """With the time that the words name read first: a bound of its own would keep the search from reading it."""
    if earliest is None:
        return asked
    phrase = phrases.find(asked.text, clock(), zone()) if asked.since is asked.until is None else None
    if phrase is not None:
        asked = replace(asked, text=phrase.text, since=phrase.since, until=phrase.until)
    return replace(asked, since=max(filter(None, (asked.since, earliest))))
