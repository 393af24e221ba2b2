"""The sources of a context over the real stores."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, tzinfo
from typing import Protocol

from desktop_memory.context.sources import Neighbour, Redact, Topic
from desktop_memory.context.window_title import subject
from desktop_memory.model import Gap, Pin, Query, Remembered, SearchResult, Session, Standing
from desktop_memory.pipeline.redact import Redaction
from desktop_memory.retrieval.terms import match, terms
from desktop_memory.store import notes
from desktop_memory.store.store import Clock, Store

REPEATS = 30
SESSIONS = 500


class Asked(Protocol):
    """What Memory answers beside the store."""

    def search(self, query: Query) -> SearchResult: ...
    def standing(self, project: str = "") -> Standing | None: ...


class Beside(Protocol):
    """What one found event stands beside: its id, why, how many hops away."""

    @property
    def event(self) -> int: ...
    @property
    def why(self) -> str: ...
    @property
    def hops(self) -> int: ...


Around = Callable[[Sequence[int], int, int], Sequence[Beside]]
"""Neighbours of these events: (events, hops, fanout)."""


class StoreSources:
    """Reads the store, asks Memory to search, and the graph (or SQL in its place) what stands beside."""

    def __init__(
        self,
        memory: Asked,
        store: Store,
        *,
        clock: Clock,
        zone: Callable[[], tzinfo],
        around: Around,
        aliases: Callable[[], Mapping[str, str]] = dict,
        walled: Callable[[], frozenset[str]] = frozenset,
        topics: Callable[[Sequence[int]], Sequence[Topic]] = lambda events: (),
    ) -> None:
        self._memory = memory
        self._store = store
        self._clock = clock
        self._zone = zone
        self._around = around
        self._aliases = aliases
        self._walled = walled
        self._topics = topics

    def now(self) -> datetime:
        return self._clock()

    def zone(self) -> tzinfo:
        return self._zone()

    def event(self, id_: int) -> Remembered | None:
        return self._store.event(id_)

    def overlapping(self, since: datetime, until: datetime) -> Sequence[Remembered]:
        return self._store.overlapping(since, until)

    def newest(self, before: datetime, project: str = "") -> Remembered | None:
        query = Query(project=project) if project else None
        found = self._store.between(None, before, query=query, limit=1, newest_first=True)
        return found[0] if found else None

    def search(self, query: Query) -> SearchResult:
        return self._memory.search(query)

    def neighbours(self, event: Remembered, *, hops: int, fanout: int) -> Sequence[Neighbour]:
        found = self._around([event.id], hops, fanout)
        why = {one.event: one for one in found}
        return [
            Neighbour(event=other, why=why[other.id].why, hops=why[other.id].hops)
            for other in self._store.events(list(why))
        ]

    def repeats(self, event: Remembered) -> Sequence[Remembered]:
        entity = self._store.entity("url", event.url) if event.url else None
        return [] if entity is None else self._store.touching(entity.id, limit=REPEATS)

    def seen_before(self, event: Remembered) -> bool:
        session = self._store.session(event.id)
        until = session.start if session is not None else event.start
        wanted = terms(f'"{subject(event).text}"')
        return not wanted or bool(self._store.words(match(wanted), query=Query(until=until), limit=1))

    def session(self, member: int) -> Session | None:
        return self._store.session(member)

    def session_at(self, at: datetime) -> Session | None:
        return self._store.session_at(at)

    def sessions(self, since: datetime, until: datetime) -> Sequence[Session]:
        return self._store.sessions(since, until, limit=SESSIONS)

    def session_events(self, member: int) -> Sequence[Remembered]:
        return self._store.session_events(member)

    def gaps(self, since: datetime, until: datetime) -> Sequence[Gap]:
        return self._store.gaps(since, until)

    def pins(self) -> Sequence[Pin]:
        return self._store.pins()

    def standing(self, project: str) -> Standing | None:
        return self._memory.standing(project)

    def topics(self, events: Sequence[int]) -> Sequence[Topic]:
        return self._topics(events)

    def last_copy(self) -> datetime | None:
        return notes.last_copy(self._store.read())

    def tag_taken(self, tag: str) -> bool:
        return notes.tag_taken(self._store.read(), tag)

    def redaction(self, *, strict: bool, projects: Sequence[str]) -> Redact:
        return Redaction.here(strict=strict, projects=projects)

    def aliases(self) -> Mapping[str, str]:
        return self._aliases()

    def walled(self) -> frozenset[str]:
        return frozenset(name.casefold() for name in self._walled())
