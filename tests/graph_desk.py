"""A graph over rows, as the app has it, and what its file holds in plain Python."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime
from pathlib import Path

import apsw

from desktop_memory.graph.engine import Statement
from desktop_memory.graph.graph import Graph
from desktop_memory.graph.projector import Projector
from desktop_memory.graph.schema import EDGES
from desktop_memory.store import feed
from tests.chain_rows import Rows


class RowsStore:
    """The rows in the place of a Store."""

    def __init__(self, rows: Rows) -> None:
        self.rows = rows
        self.now = datetime(1970, 1, 1, 12, tzinfo=UTC)

    def clock(self) -> datetime:
        return self.now

    def read(self) -> apsw.Connection:
        return self.rows.connection

    @contextmanager
    def transaction(self) -> Iterator[apsw.Connection]:
        with self.rows.connection:
            yield self.rows.connection

    def snapshot(self) -> AbstractContextManager[feed.Snapshot]:
        return feed.snapshot(self.rows.connection)


class Desk:
    """Rows, their graph, and the projector between them."""

    def __init__(self, folder: Path, rows: Rows | None = None) -> None:
        self.rows = rows or Rows()
        self.store = RowsStore(self.rows)
        self.graph = Graph.open(folder)
        self.built = 0
        self.projector = Projector(self.store, self.graph)

    def catch_up(self) -> int:
        """Until nothing is left; the number of steps."""
        stop = threading.Event()
        steps = 1
        while self._catch_up_once(stop):
            steps += 1
        return steps

    def _catch_up_once(self, stop: threading.Event) -> bool:
        was = self.graph.cursor
        more = self.projector.catch_up(stop)
        self.built += self.graph.cursor is not was and self.graph.cursor.number == 1
        return more

    def close(self) -> None:
        self.graph.close()

    # what the graph holds

    def pairs(self, edge: str, target: str) -> list[tuple[int, int]]:
        statement = Statement(f"MATCH (e:Event)-[:{edge}]->(x:{target}) RETURN e.id, x.id", gives=(0, 1))
        return sorted((row[0], row[1]) for row in self.graph.read(statement))

    def events(self) -> list[tuple[int, int, str]]:
        statement = Statement("MATCH (e:Event) RETURN e.id, e.start, e.kind", gives=(0,))
        return sorted((row[0], row[1], row[2]) for row in self.graph.read(statement))

    def chain(self) -> list[int]:
        """Followed from the one event that nothing comes after, to the end."""
        previous = self.pairs("PREVIOUS", "Event")
        before = dict(previous)
        assert len(before) == len(previous), "a fork"
        lasts = {id_ for id_, *_ in self.events()} - set(before.values())
        assert len(lasts) <= 1, "a break"
        walked = list(lasts)
        while walked and walked[-1] in before:
            walked.append(before[walked[-1]])
        return walked[::-1]


def assert_mirrors(desk: Desk) -> None:
    """The graph holds exactly what the rows say."""
    connection = desk.rows.connection
    ordered = [id_ for (id_,) in connection.execute("SELECT id FROM event ORDER BY start, key")]
    assert desk.graph.state == "ready"
    assert desk.chain() == ordered
    assert len(desk.pairs("PREVIOUS", "Event")) == max(0, len(ordered) - 1)
    assert desk.events() == connection.execute("SELECT id, start, kind FROM event ORDER BY id").fetchall()
    assert (
        desk.pairs("IN_SESSION", "Session")
        == connection.execute(
            "SELECT id, session FROM event WHERE session IS NOT NULL ORDER BY id"
        ).fetchall()
    )
    for kind, edge in EDGES.items():
        assert desk.pairs(edge, "Entity") == _links(desk.rows, kind), edge


def _links(rows: Rows, kind: str) -> list[tuple[int, int]]:
    if kind in ("file", "workspace"):
        query = """SELECT event, entity FROM event_entity JOIN entity ON entity.id = entity
            WHERE kind = ? ORDER BY event, entity"""
        return rows.connection.execute(query, (kind,)).fetchall()
    query = f"SELECT id, {kind} FROM event WHERE {kind} IS NOT NULL ORDER BY id"
    return rows.connection.execute(query).fetchall()
