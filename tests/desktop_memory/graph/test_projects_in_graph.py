"""What a rule or a merge makes of a project is what the graph knows of it, and back again."""

from __future__ import annotations

import threading
from pathlib import Path

from desktop_memory.graph.engine import Statement
from desktop_memory.graph.graph import Graph
from desktop_memory.graph.projector import Projector
from desktop_memory.memory import Memory
from desktop_memory.store.store import Store
from tests.factories import FakeClock, at, event
from tests.stubs import memory_over

_PROJECTS = Statement(
    "MATCH (e:Event)-[:IN_PROJECT]->(p:Entity) RETURN e.id, p.id ORDER BY e.id",
)


def test_the_graph_follows_rules_and_merges(tmp_path: Path) -> None:
    store = Store.open(tmp_path, clock=FakeClock(at(600)))
    graph = Graph.open(tmp_path / "graph")
    projector, memory = Projector(store, graph), memory_over(store, store.clock)

    def in_graph() -> list[str]:
        while memory.follow_projects():
            pass
        while projector.catch_up(threading.Event()):
            pass
        stored = (
            store.read()
            .execute("SELECT id, project FROM event WHERE project IS NOT NULL ORDER BY id")
            .fetchall()
        )
        known = [(event % (1 << 40), project % (1 << 40)) for event, project in graph.engine.read(_PROJECTS)]
        assert known == stored
        return [_name(memory, project) for _, project in stored]

    try:
        memory.remember(
            [
                event(n, kind="window", title=f"{'Nordwind' if n % 2 else 'x'} {n}", project="own")
                for n in range(4)
            ]
        )
        assert in_graph() == ["own"] * 4
        memory.add_project_rule("title", "Nordwind", "P")
        assert in_graph() == ["own", "P", "own", "P"]
        merged = memory.merge_projects("own", "P")
        assert in_graph() == ["P"] * 4
        memory.undo_project_change(merged.id)
        memory.remove_project_rule(1)
        assert in_graph() == ["own"] * 4
    finally:
        graph.close()
        store.close()


def _name(memory: Memory, project: int) -> str:
    return next(one.name for one in memory.projects() if one.id == project)
