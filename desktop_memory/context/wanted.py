"""Which events of a stretch a request is about: those of its kinds, and of its project with what stood around them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import timedelta

from desktop_memory.model import ContextRequest, Remembered

NEAR = timedelta(minutes=10)
"""How far from a project's own record a page, a chat or a call without a project still counts to it."""


def wanted(events: Iterable[Remembered], request: ContextRequest) -> list[Remembered]:
    """Those that the request names, in the order they come in, which is that of time."""
    found = list(events)
    project = request.project.casefold()
    if project:
        found = [event for event, owner in zip(found, _owners(found), strict=True) if owner == project]
    return [event for event in found if not request.kinds or event.kind in request.kinds]


def _owners(events: Sequence[Remembered]) -> list[str]:
    """The project of each event in small letters; what has none takes the nearest one's, if one is near."""
    before = _last_ones(events)
    after = _last_ones(events[::-1])[::-1]
    return [_nearest(event, one, other) for event, one, other in zip(events, before, after, strict=True)]


def _last_ones(events: Iterable[Remembered]) -> list[Remembered | None]:
    """For each event the last one up to it that has a project."""
    last: Remembered | None = None
    found: list[Remembered | None] = []
    for event in events:
        last = event if event.project else last
        found.append(last)
    return found


def _nearest(event: Remembered, before: Remembered | None, after: Remembered | None) -> str:
    near = [
        (distance, one.project.casefold())
        for one in (before, after)
        if one is not None and (distance := _distance(event, one)) <= NEAR
    ]
    return min(near, key=lambda pair: pair[0])[1] if near else ""


def _distance(one: Remembered, other: Remembered) -> timedelta:
    first, second = sorted((one, other), key=lambda event: event.start)
    return max(second.start - (first.end or first.start), timedelta())
