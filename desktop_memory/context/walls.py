"""Walls: what belongs to a walled project is told only when that is asked for, let in or in front."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from desktop_memory.context.sources import Sources
from desktop_memory.model import ContextRequest, Hit, Pin, Remembered


def closed(request: ContextRequest, sources: Sources) -> frozenset[str]:
    """The walled projects that this request leaves closed: it neither asks for them nor lets them in."""
    open_ = {name.casefold() for name in (request.project, *request.let_in)}
    return frozenset(name.casefold() for name in sources.walled()) - open_


def closed_beside(events: Iterable[Remembered], request: ContextRequest, sources: Sources) -> frozenset[str]:
    """Those closed to a stretch of events: the project in front of it is open, unless another is asked for."""
    walls = closed(request, sources)
    if request.project or not walls or not request.opened_by_hand:
        return walls
    return walls - {in_front(events).casefold()}


def closed_around(event: Remembered, request: ContextRequest, sources: Sources) -> frozenset[str]:
    """Those closed to what stands around an event that was chosen: its own project is open."""
    walls = closed(request, sources)
    return walls - {event.project.casefold()} if request.opened_by_hand else walls


def kept_from(events: Iterable[Remembered], walls: Collection[str]) -> tuple[list[Remembered], Counter[str]]:
    """Those before the walls, and how many of each project stay behind."""
    kept: list[Remembered] = []
    held: Counter[str] = Counter()
    for event in events:
        if event.project.casefold() in walls:
            held[event.project] += 1
        else:
            kept.append(event)
    return kept, held


def hits_kept_from(hits: Sequence[Hit], walls: Collection[str]) -> tuple[list[Hit], Counter[str]]:
    """The same for what a search found."""
    kept, held = kept_from([hit.event for hit in hits], walls)
    open_ = {event.id for event in kept}
    return [hit for hit in hits if hit.event.id in open_], held


def pins_kept_from(pins: Iterable[Pin], walls: Collection[str]) -> list[Pin]:
    """The same for pins, which belong to a project as well."""
    return [pin for pin in pins if pin.project.casefold() not in walls]


def in_front(events: Iterable[Remembered]) -> str:
    """The project that most of the events belong to, the latest of equals."""
    counts: Counter[str] = Counter()
    last: dict[str, int] = {}
    for at, event in enumerate(events):
        if event.project:
            counts[event.project] += 1
            last[event.project] = at
    return max(counts, key=lambda name: (counts[name], last[name]), default="")
