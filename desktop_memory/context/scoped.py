"""The stores as a limited client sees them: what is outside its scope does not exist."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, TypeVar

from desktop_memory.context.sources import Neighbour, Sources, Topic
from desktop_memory.model import Entity, Query, Remembered, SearchResult, Standing
from desktop_memory.scopes import Scope

_Seen = TypeVar("_Seen", bound=Remembered)


class ScopedSources:
    """Sources, each event of which passed the scope; everything else is the stores' own."""

    def __init__(self, sources: Sources, scope: Scope) -> None:
        self._sources = sources
        self._scope = scope

    def __getattr__(self, name: str) -> Any:
        return getattr(self._sources, name)

    def event(self, id_: int) -> Remembered | None:
        event = self._sources.event(id_)
        return event if event is not None and self._scope.allows(event) else None

    def overlapping(self, since: datetime, until: datetime) -> Sequence[Remembered]:
        return self._allowed(self._sources.overlapping(since, until))

    def newest(self, before: datetime, project: str = "") -> Remembered | None:
        """The newest if it is in the scope; an older one is not looked for."""
        event = self._sources.newest(before, project)
        return event if event is not None and self._scope.allows(event) else None

    def search(self, query: Query) -> SearchResult:
        since = max(filter(None, (query.since, self._scope.since)), default=None)
        result = self._sources.search(replace(query, since=since))
        return replace(result, hits=tuple(hit for hit in result.hits if self._scope.allows(hit.event)))

    def neighbours(self, event: Remembered, *, hops: int, fanout: int) -> Sequence[Neighbour]:
        found = self._sources.neighbours(event, hops=hops, fanout=fanout)
        return [one for one in found if self._scope.allows(one.event)]

    def touching(self, entity: Entity, count: int) -> Sequence[Remembered]:
        return self._allowed(self._sources.touching(entity, count))

    def repeats(self, event: Remembered) -> Sequence[Remembered]:
        return self._allowed(self._sources.repeats(event))

    def session_events(self, member: int) -> Sequence[Remembered]:
        return self._allowed(self._sources.session_events(member))

    def standing(self, project: str) -> Standing | None:
        """Branch, files and what fails come from everywhere: a limited client is not told."""
        return None

    def topics(self, events: Sequence[int]) -> Sequence[Topic]:
        return []

    def _allowed(self, events: Iterable[_Seen]) -> list[_Seen]:
        return [event for event in events if self._scope.allows(event)]
