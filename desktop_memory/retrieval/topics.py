"""Topics: things that go together, found once a day; ids and the user's names outlive each run."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from desktop_memory.model import Entity
from desktop_memory.retrieval.communities import Edge, communities
from desktop_memory.retrieval.neighbours import Neighbours
from desktop_memory.store import topics as rows
from desktop_memory.store.store import Store
from desktop_memory.store.topics import TopicRow

HALF_LIFE_DAYS = 14
DAYS = 90
LEAST_WEIGHT = 1.0
"""Two things belong together when they shared one ten minutes today, two a fortnight ago, and so on."""
SAME_AS_BEFORE = 0.5

_KINDS = ("project", "file", "domain", "branch", "workspace")
_NAMING = ("project", "branch")


@dataclass(frozen=True, kw_only=True, slots=True)
class Topic:
    """A community of entities, the heaviest first, with the user's name or that of what stands out in it."""

    id: int
    name: str
    entities: tuple[Entity, ...]


class Topics:
    """Sought again when asked for the first time on a day."""

    def __init__(self, store: Store, neighbours: Neighbours) -> None:
        self._store = store
        self._neighbours = neighbours

    def all(self) -> list[Topic]:
        """The topics found last, the heaviest first."""
        self._seek_daily()
        return [
            Topic(id=row.id, name=row.name or _name(row.entities), entities=row.entities)
            for row in self._found()
        ]

    def of(self, events: Sequence[int]) -> list[Topic]:
        """The topics that these events touch, those they touch most first, and of each only what they touch.

        So nothing is told that the events do not tell: the user's name stands for a topic only when they
        touch most of it.
        """
        self._seek_daily()
        touched = set(rows.entities_of(self._store.read(), events))
        found = []
        for row in self._found():
            mine = tuple(entity for entity in row.entities if entity.id in touched)
            if mine:
                name = row.name if len(mine) * 2 >= len(row.entities) else ""
                found.append(Topic(id=row.id, name=name or _name(mine), entities=mine))
        return sorted(found, key=lambda topic: (-len(topic.entities), topic.id))

    def rename(self, id_: int, name: str) -> bool:
        """False when there is no such topic."""
        with self._store.transaction() as connection:
            return rows.rename(connection, id_, " ".join(name.split()))

    def seek(self) -> None:
        """Find the topics anew."""
        today = self._today()
        edges, _ = self._neighbours.co_occurrences(today - DAYS, today)
        weights = _weights(edges, today, rows.kinds(self._store.read()))
        with self._store.transaction() as connection:
            old = rows.read(connection)
            found = [_heaviness(group, weights) for group in communities(weights)]
            rows.save(connection, _matched(found, old), today)

    def _seek_daily(self) -> None:
        if rows.last_run(self._store.read()) != self._today():
            self.seek()

    def _found(self) -> list[TopicRow]:
        connection = self._store.read()
        run = rows.last_run(connection)
        found = [row for row in rows.read(connection) if row.run == run and row.entities]
        return sorted(found, key=lambda row: (-row.weight, row.id))

    def _today(self) -> int:
        return int(self._store.clock().timestamp()) // 86_400


def _weights(edges: Sequence[tuple[int, int, int, int]], today: int, kinds: Mapping[int, str]) -> list[Edge]:
    weights: dict[tuple[int, int], float] = defaultdict(float)
    for one, other, day, times in edges:
        if kinds.get(one) in _KINDS and kinds.get(other) in _KINDS:
            weights[one, other] += times * 0.5 ** ((today - day) / HALF_LIFE_DAYS)
    return [(one, other, weight) for (one, other), weight in weights.items() if weight >= LEAST_WEIGHT]


def _heaviness(group: frozenset[int], edges: Sequence[Edge]) -> dict[int, float]:
    """How much each member weighs in its topic."""
    sums: dict[int, float] = dict.fromkeys(sorted(group), 0.0)
    for one, other, weight in edges:
        if one in group and other in group:
            sums[one] += weight
            sums[other] += weight
    return sums


def _matched(
    found: Sequence[Mapping[int, float]], old: Sequence[TopicRow]
) -> list[tuple[int | None, Mapping[int, float]]]:
    """Each new topic with the old one it shares at least half of everything with, each old one once."""
    pairs = []
    for number, group in enumerate(found):
        for topic in old:
            before = {entity.id for entity in topic.entities}
            alike = len(before & group.keys()) / max(1, len(before | group.keys()))
            if alike >= SAME_AS_BEFORE:
                pairs.append((-alike, not topic.name, topic.id, number))
    ids: dict[int, int] = {}
    for _, _, id_, number in sorted(pairs):
        if number not in ids and id_ not in ids.values():
            ids[number] = id_
    return [(ids.get(number), group) for number, group in enumerate(found)]


def _name(entities: Sequence[Entity]) -> str:
    """What stands out: its project, else its branch, else its two heaviest things."""
    for kind in _NAMING:
        for entity in entities:
            if entity.kind == kind:
                return entity.name
    return " · ".join(entity.name for entity in entities[:2])
