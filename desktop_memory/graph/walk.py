"""Walks along the graph's edges, each bounded: neighbours in time, what shares a thing, what goes together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Protocol

from desktop_memory.graph.engine import Engine, Statement
from desktop_memory.graph.graph import Graph
from desktop_memory.graph.schema import EDGES

LEG = 30
"""Steps that the engine takes in one statement at most; longer walks go on from where that ended."""

LONGEST = 200
"""Steps along the chain that one walk takes at most."""

CROWDED = 400
"""Events of a thing up to which the graph is asked for those nearest in time; beyond, an index is."""

HALF_LIFE_DAYS = 14


class Index(Protocol):
    """What the store's indexes answer faster than a graph."""

    def entities(self, event: int) -> Sequence[tuple[int, str]]: ...
    def session_mates(self, event: int, count: int) -> Sequence[int]: ...
    def sharing(self, entity: int, kind: str, event: int, count: int) -> Sequence[int]: ...
    def is_crowded(self, entity: int, kind: str, limit: int) -> bool: ...
    def start_of(self, event: int) -> int | None: ...


class GraphWalk:
    """Answers with event ids. Every method raises GraphNotReady when there is no graph to ask."""

    def __init__(self, graph: Graph, index: Index) -> None:
        self._graph = graph
        self._index = index

    @property
    def hubs(self) -> frozenset[int]:
        """Entities of so many sessions that sharing one says nothing."""
        return self._graph.hubs

    def before(self, event: int, count: int) -> list[int]:
        """The events before this one, nearest first."""
        return self._along(_before, event, count)

    def after(self, event: int, count: int) -> list[int]:
        """The events after this one, nearest first."""
        return self._along(_after, event, count)

    def _along(self, way: Callable[[int], Statement], event: int, count: int) -> list[int]:
        found: list[int] = []
        while (steps := min(LEG, count - len(found), LONGEST - len(found))) > 0:
            rows = self._graph.read(way(steps), event=found[-1] if found else event)
            found += (row[0] for row in sorted(rows, key=lambda row: int(row[1])))
            if len(rows) < steps:
                break
        return found

    def entities(self, event: int) -> Sequence[tuple[int, str]]:
        """(id, kind) of what an event touches."""
        return self._index.entities(event)

    def session_mates(self, event: int, count: int) -> Sequence[int]:
        """Other events of its session, the nearest in time first."""
        return self._index.session_mates(event, count)

    def sharing(self, entity: int, kind: str, event: int, count: int) -> Sequence[int]:
        """Other events that touch this entity, the nearest to `event` in time first."""
        at = self._index.start_of(event)
        if at is None or self._index.is_crowded(entity, kind, CROWDED):
            return self._index.sharing(entity, kind, event, count)
        rows = self._graph.read(_nearest(EDGES[kind]), entity=entity, at=at, event=event, count=count)
        return [row[0] for row in rows]

    def co_occurrences(self, since_day: int, until_day: int) -> Sequence[tuple[int, int, int, int]]:
        """(entity, entity, day, times) of the days in [since, until), as far as they are over."""
        rows = self._graph.read(_CO_OCCURRENCES, since=since_day, until=until_day)
        return [(one, other, day, times) for one, other, day, times in rows]

    def going_together(self, entity: int, today: int, count: int) -> list[tuple[int, float]]:
        """Entities that share its ten minutes most, lately: (id, weight), hubs left out. `today` in days."""
        weights: dict[int, float] = {}
        for other, day, times in self._graph.read(_TOGETHER, entity=entity):
            if other not in self.hubs:
                weights[other] = weights.get(other, 0.0) + times * 0.5 ** ((today - day) / HALF_LIFE_DAYS)
        return sorted(weights.items(), key=lambda item: (-item[1], item[0]))[:count]


def counts(graph: Graph | Engine) -> dict[str, int]:
    """How many nodes and edges of each sort there are. Raises GraphNotReady, or EngineError of an engine."""
    found = {
        table: _count(graph, f"MATCH (x:{table}) RETURN count(*)") for table in ("Event", "Session", "Entity")
    }
    for edge in ("PREVIOUS", "IN_SESSION", *EDGES.values(), "CO_OCCURS"):
        found[edge] = _count(graph, f"MATCH ()-[r:{edge}]->() RETURN count(*)")
    return found


def _count(graph: Graph | Engine, text: str) -> int:
    return int(graph.read(Statement(text))[0][0])


@lru_cache(maxsize=LEG)
def _before(steps: int) -> Statement:
    return _walk(f"MATCH p = (:Event {{id: $event}})-[:PREVIOUS*ACYCLIC 1..{steps}]->(x:Event)")


@lru_cache(maxsize=LEG)
def _after(steps: int) -> Statement:
    return _walk(f"MATCH p = (:Event {{id: $event}})<-[:PREVIOUS*ACYCLIC 1..{steps}]-(x:Event)")


def _walk(match: str) -> Statement:
    return Statement(f"{match} RETURN x.id, length(p)", ids=("event",), gives=(0,))


@lru_cache(maxsize=len(EDGES))
def _nearest(edge: str) -> Statement:
    return Statement(
        f"""MATCH (:Entity {{id: $entity}})<-[:{edge}]-(x:Event) WHERE x.id <> $event
        RETURN x.id ORDER BY abs(x.start - $at), x.id LIMIT $count""",
        ids=("entity", "event"),
        gives=(0,),
    )


_CO_OCCURRENCES = Statement(
    """MATCH (a:Entity)-[r:CO_OCCURS]->(b:Entity) WHERE r.day >= $since AND r.day < $until
    RETURN a.id, b.id, r.day, r.times ORDER BY r.day, a.id, b.id""",
    gives=(0, 1),
)
_TOGETHER = Statement(
    "MATCH (:Entity {id: $entity})-[r:CO_OCCURS]-(x:Entity) RETURN x.id, r.day, r.times",
    ids=("entity",),
    gives=(0,),
)
