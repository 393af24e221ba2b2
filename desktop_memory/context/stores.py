"""What a context asks for, answered by the stores."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, tzinfo

from desktop_memory.context.sources import Neighbour, Redact, Topic
from desktop_memory.model import (
    Entity,
    Gap,
    Hit,
    Pin,
    Query,
    Remembered,
    SearchResult,
    Session,
    Source,
    Standing,
)
from desktop_memory.pipeline.redact import Redaction
from desktop_memory.retrieval.neighbours import Neighbours
from desktop_memory.retrieval.seeds import Seeds
from desktop_memory.retrieval.topics import Topics
from desktop_memory.settings import Privacy, alias_names
from desktop_memory.store import copies, project_walls, repeats
from desktop_memory.store.store import Clock, Store

_MOST = 5_000
_BESIDE = 40
_NEAR_DAYS = 14


class StoreSources:
    """Reads the stores for one context after the other; writes nothing."""

    def __init__(
        self,
        store: Store,
        *,
        clock: Clock,
        zone: Callable[[], tzinfo],
        search: Callable[[Query], SearchResult],
        standing: Callable[[str], Standing | None],
        neighbours: Neighbours,
        seeds: Seeds,
        topics: Topics,
        privacy: Callable[[], Privacy],
    ) -> None:
        self._store = store
        self._search = search
        self._standing = standing
        self._neighbours = neighbours
        self._seeds = seeds
        self._topics = topics
        self._privacy = privacy
        self.now = clock
        self.zone = zone

    def event(self, id_: int) -> Remembered | None:
        return self._store.event(id_)

    def overlapping(self, since: datetime, until: datetime) -> Sequence[Remembered]:
        return self._store.overlapping(since, until, limit=_MOST)

    def newest(self, before: datetime, project: str = "") -> Remembered | None:
        query = Query(project=project) if project else None
        found = self._store.between(None, before, query=query, limit=1, newest_first=True)
        return found[0] if found else None

    def search(self, query: Query) -> SearchResult:
        return self._search(query)

    def neighbours(self, event: Remembered, *, hops: int, fanout: int) -> Sequence[Neighbour]:
        """Events that share something with this one, not those of its own session; what its project took most."""
        near, _ = self._neighbours.around(
            [event.id], hop_depth=hops, most=_BESIDE, fanout=fanout, elsewhere=True
        )
        found = {other.id: other for other in self._store.events(one.event for one in near)}
        beside = [
            Neighbour(event=found[one.event], why=one.why, hops=one.hops)
            for one in near
            if one.event in found and found[one.event].session != event.session
        ]
        longest = repeats.longest_elsewhere(self._store.read(), event, _NEAR_DAYS)
        if longest is not None and longest.id not in found:
            beside.append(Neighbour(event=longest, why="same project"))
        return beside

    def named(self, text: str, hits: Sequence[Hit]) -> Sequence[Entity]:
        return self._seeds.named(text, hits)

    def touching(self, entity: Entity, count: int) -> Sequence[Remembered]:
        return self._seeds.touching(entity, count)

    def repeats(self, event: Remembered) -> Sequence[Remembered]:
        return repeats.repeats(self._store.read(), event)

    def seen_before(self, event: Remembered) -> bool:
        return repeats.seen_before(self._store.read(), event)

    def session(self, member: int) -> Session | None:
        return self._store.session(member)

    def session_at(self, at: datetime) -> Session | None:
        return self._store.session_at(at)

    def sessions(self, since: datetime, until: datetime) -> Sequence[Session]:
        return self._store.sessions(since, until)

    def session_events(self, member: int) -> Sequence[Remembered]:
        return self._store.session_events(member)

    def gaps(self, since: datetime, until: datetime) -> Sequence[Gap]:
        return self._store.gaps(since, until)

    def pins(self) -> Sequence[Pin]:
        return self._store.pins()

    def standing(self, project: str) -> Standing | None:
        return self._standing(project)

    def topics(self, events: Sequence[int]) -> Sequence[Topic]:
        """The topics that these events touch, those they touch most first."""
        return [
            Topic(name=topic.name, entities=tuple(entity.name for entity in topic.entities))
            for topic in self._topics.of(events)
        ]

    def last_copy(self) -> datetime | None:
        return copies.last_until(self._store.read())

    def copied(self, tag: str, client: str | None = None) -> tuple[str, list[Source]] | None:
        """The sources of a saved copy; without a tag of the last one, of this client if one is named."""
        found = copies.read(self._store.read(), tag, client)
        if found is None:
            return None
        shown = {event.id for event in self._store.events(source.event for source in found.sources)}
        return found.tag, [
            source if source.event in shown else replace(source, text="") for source in found.sources
        ]

    def tag_taken(self, tag: str) -> bool:
        return copies.tag_taken(self._store.read(), tag)

    def redaction(self, *, strict: bool, projects: Sequence[str]) -> Redact:
        return Redaction.here(strict=strict, projects=projects)

    def aliases(self) -> Mapping[str, str]:
        return project_walls.aliases(self._store.read(), alias_names(self._privacy()))

    def walled(self) -> frozenset[str]:
        return frozenset(project_walls.walled(self._store.read(), self._privacy().walled_projects))
