"""Links events into the open graph: appends, splices in what came late, closes the chain over what was deleted.

Every step leaves one chain of PREVIOUS edges without a break or a fork.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from desktop_memory.graph.engine import Statement, Transaction
from desktop_memory.graph.schema import EDGES
from desktop_memory.graph.store import Row

_ENTITIES_AT_ONCE = 4
"""Entities matched in one statement: more make the engine's planner slow."""


class Inconsistent(Exception):
    """The graph is not what the store says it is; it must be made anew."""


class Linker:
    """Writes within transactions; remembers which entities and sessions have a node."""

    def __init__(self) -> None:
        self._entities: dict[int, str] = {}
        self._sessions: set[int] = set()

    def forget_known(self) -> None:
        """A transaction was rolled back, or the graph is another."""
        self._entities.clear()
        self._sessions.clear()

    def add(self, do: Transaction, row: Row, before: int | None, after: int | None) -> None:
        """A new event between two that are neighbours now; None: there is none on that side."""
        if before is not None and after is not None:
            _one(do.run(_CUT, after=after, before=before), "two neighbours are not linked")
        links = self._links(row)
        self._session_node(do, row.session)
        first, rest = links[:_ENTITIES_AT_ONCE], links[_ENTITIES_AT_ONCE:]
        values: dict[str, int | str] = {"event": row.id, "start": row.start, "kind": row.kind}
        for name, id_ in (("before", before), ("after", after), ("session", row.session)):
            if id_ is not None:
                values[name] = id_
        values |= {f"entity{number}": entity for number, (entity, _) in enumerate(first)}
        statement = adding(
            before is not None, after is not None, row.session is not None, tuple(edge for _, edge in first)
        )
        for entity, kind in row.entities:
            self._entity_node(do, entity, kind)
        _one(do.run(statement, **values), "a neighbour, session or entity is missing")
        for entity, edge in rest:
            _one(do.run(_link(edge), event=row.id, entity=entity), "an entity is missing")

    def insert(self, do: Transaction, row: Row, before: int | None, others: Iterable[int]) -> None:
        """A new event behind `before`; without one, at the beginning of the chain of `others`."""
        self.add(do, row, before, self._behind(do, before, others))

    def remove(self, do: Transaction, event: int) -> bool:
        """Take an event out and close the chain; False when it was not there."""
        self.unlink(do, event)
        return bool(do.run(_DELETE, event=event))

    def unlink(self, do: Transaction, event: int) -> None:
        """Take an event out of the chain and join its neighbours."""
        before = _only(do.run(_BEFORE, event=event))
        after = _only(do.run(_AFTER, event=event))
        if before is not None:
            _one(do.run(_CUT, after=event, before=before), "an edge is gone")
        if after is not None:
            _one(do.run(_CUT, after=after, before=event), "an edge is gone")
        if before is not None and after is not None:
            _one(do.run(_JOIN, after=after, before=before), "a neighbour is missing")

    def relink(self, do: Transaction, row: Row, before: int | None, others: Iterable[int]) -> None:
        """Put an event that was taken out behind `before`; without one, at the beginning of the chain of `others`."""
        after = self._behind(do, before, others)
        if before is not None and after is not None:
            _one(do.run(_CUT, after=after, before=before), "an edge is gone")
        do.run(_MOVE, event=row.id, start=row.start)
        if before is not None:
            _one(do.run(_JOIN, after=row.id, before=before), "a neighbour is missing")
        if after is not None:
            _one(do.run(_JOIN, after=after, before=row.id), "a neighbour is missing")

    def _behind(self, do: Transaction, before: int | None, others: Iterable[int]) -> int | None:
        """What an event put behind `before` has behind itself."""
        return self._beginning(do, others) if before is None else _only(do.run(_AFTER, event=before))

    def _beginning(self, do: Transaction, others: Iterable[int]) -> int | None:
        """The first event of the chain in which the first of `others` that has a node stands."""
        for event in others:
            if do.run(FIND, event=event):
                while (before := _only(do.run(_BEFORE, event=event))) is not None:
                    event = before
                return event
        return None

    def update_edges(self, do: Transaction, row: Row) -> None:
        """Make session and entities of an event what the store says."""
        now = _only(do.run(_SESSION, event=row.id))
        if now != row.session:
            if now is not None:
                do.run(_LEAVE, event=row.id, session=now)
            if row.session is not None:
                self._session_node(do, row.session)
                _one(do.run(_ENTER, event=row.id, session=row.session), "a session is missing")
        there = {(int(entity), str(edge)) for edge, entity in do.run(_ENTITIES, event=row.id)}
        wanted = self._links(row)
        for entity, edge in there - set(wanted):
            do.run(_unlink(edge), event=row.id, entity=entity)
        for entity, kind in row.entities:
            self._entity_node(do, entity, kind)
        for entity, edge in wanted:
            if (entity, edge) not in there:
                _one(do.run(_link(edge), event=row.id, entity=entity), "an entity is missing")

    def _links(self, row: Row) -> list[tuple[int, str]]:
        """(entity, edge), each once, in an order that keeps the statements few."""
        return sorted(
            {(id_, EDGES[kind]) for id_, kind in row.entities if kind in EDGES}, key=lambda link: link[1]
        )

    def _session_node(self, do: Transaction, session: int | None) -> None:
        if session is not None and session not in self._sessions:
            do.run(_MAKE_SESSION, session=session)
            self._sessions.add(session)

    def _entity_node(self, do: Transaction, entity: int, kind: str) -> None:
        if kind in EDGES and self._entities.get(entity) != kind:
            do.run(_MAKE_ENTITY, entity=entity, kind=kind)
            self._entities[entity] = kind


def _one(rows: Sequence[object], problem: str) -> None:
    if len(rows) != 1:
        raise Inconsistent(problem)


def _only(rows: Sequence[Sequence[int]]) -> int | None:
    """The one id there is, or None."""
    if len(rows) > 1:
        raise Inconsistent("a fork")
    return rows[0][0] if rows else None


@lru_cache(maxsize=256)
def adding(before: bool, after: bool, session: bool, edges: tuple[str, ...]) -> Statement:
    """The statement that makes an event with its edges; one text for each shape."""
    nodes = [
        *(["(before:Event {id: $before})"] if before else []),
        *(["(after:Event {id: $after})"] if after else []),
        *(["(session:Session {id: $session})"] if session else []),
        *(f"(entity{number}:Entity {{id: $entity{number}}})" for number in range(len(edges))),
    ]
    made = [
        "(event:Event {id: $event, start: $start, kind: $kind})",
        *(["(event)-[:PREVIOUS]->(before)"] if before else []),
        *(["(after)-[:PREVIOUS]->(event)"] if after else []),
        *(["(event)-[:IN_SESSION]->(session)"] if session else []),
        *(f"(event)-[:{edge}]->(entity{number})" for number, edge in enumerate(edges)),
    ]
    match = f"MATCH {', '.join(nodes)} " if nodes else ""
    ids = ("event", "before", "after", "session", *(f"entity{number}" for number in range(len(edges))))
    return Statement(f"{match}CREATE {', '.join(made)} RETURN event.id", ids=ids)


@lru_cache(maxsize=len(EDGES))
def _link(edge: str) -> Statement:
    return Statement(
        f"MATCH (e:Event {{id: $event}}), (x:Entity {{id: $entity}}) CREATE (e)-[:{edge}]->(x) RETURN x.id",
        ids=("event", "entity"),
    )


@lru_cache(maxsize=len(EDGES))
def _unlink(edge: str) -> Statement:
    return Statement(
        f"MATCH (e:Event {{id: $event}})-[r:{edge}]->(x:Entity {{id: $entity}}) DELETE r",
        ids=("event", "entity"),
    )


_CUT = Statement(
    "MATCH (n:Event {id: $after})-[r:PREVIOUS]->(p:Event {id: $before}) DELETE r RETURN p.id",
    ids=("after", "before"),
)
_JOIN = Statement(
    "MATCH (n:Event {id: $after}), (p:Event {id: $before}) CREATE (n)-[:PREVIOUS]->(p) RETURN p.id",
    ids=("after", "before"),
)
_BEFORE = Statement(
    "MATCH (:Event {id: $event})-[:PREVIOUS]->(p:Event) RETURN p.id", ids=("event",), gives=(0,)
)
_AFTER = Statement(
    "MATCH (:Event {id: $event})<-[:PREVIOUS]-(n:Event) RETURN n.id", ids=("event",), gives=(0,)
)
FIND = Statement("MATCH (e:Event {id: $event}) RETURN e.start", ids=("event",))
_MOVE = Statement("MATCH (e:Event {id: $event}) SET e.start = $start", ids=("event",))
_DELETE = Statement("MATCH (e:Event {id: $event}) DETACH DELETE e RETURN e.id", ids=("event",))
_SESSION = Statement(
    "MATCH (:Event {id: $event})-[:IN_SESSION]->(s:Session) RETURN s.id", ids=("event",), gives=(0,)
)
_LEAVE = Statement(
    "MATCH (:Event {id: $event})-[r:IN_SESSION]->(:Session {id: $session}) DELETE r", ids=("event", "session")
)
_ENTER = Statement(
    "MATCH (e:Event {id: $event}), (s:Session {id: $session}) CREATE (e)-[:IN_SESSION]->(s) RETURN s.id",
    ids=("event", "session"),
)
_MAKE_SESSION = Statement("MERGE (:Session {id: $session})", ids=("session",))
_MAKE_ENTITY = Statement(
    "MERGE (x:Entity {id: $entity}) ON CREATE SET x.kind = $kind ON MATCH SET x.kind = $kind", ids=("entity",)
)
_ENTITIES = Statement(
    f"MATCH (:Event {{id: $event}})-[r:{'|'.join(EDGES.values())}]->(x:Entity) RETURN label(r), x.id",
    ids=("event",),
    gives=(1,),
)
