"""Whatever way something is forgotten, no byte of its text, its names or its vector is left in any file."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from collectors.event import Event
from desktop_memory.graph.graph import Graph
from desktop_memory.graph.projector import Projector
from desktop_memory.indexer import Indexer
from desktop_memory.memory import Memory
from desktop_memory.model import CopiedContext, Query, Source
from desktop_memory.settings import Privacy
from desktop_memory.store import copies, models, vectors
from desktop_memory.store.connection import one
from desktop_memory.store.store import Store
from tests.factories import FakeClock, at, event
from tests.stubs import memory_over
from tests.toy_embedder import ToyEmbedder
from tests.vector_rows import TOY

CLOCK = FakeClock(at(3_000))
IT = event(
    1_000, title="the xyzzyq plan", text="look at slithytove", app="Quuxchat", project="Wibblethorpe",
    url="https://frobnitzy.example/mimsy", domain="frobnitzy.example", files=("/src/borogove.py",), kind="browser",
)  # fmt: skip
LARGE = replace(TOY, dimension=384)
"""So large that its one-bit code is like no other bytes of a file."""
NAMES = (b"xyzzyq", b"slithytove", b"quuxchat", b"wibblethorpe", b"frobnitzy", b"mimsy", b"borogove")

Way = Callable[[Memory, Store, int], object]


def set_aside_and_purged(memory: Memory, store: Store, id_: int) -> None:
    memory.forget(Query(), [id_], now=False)
    store.purge(at(3_001))


def by_a_rule(memory: Memory, store: Store, id_: int) -> None:
    memory._parts.gate.take(Privacy(exclude_apps=("Quuxchat",)))
    memory.forget_excluded()
    memory._parts.gate.take(Privacy())


def by_age(memory: Memory, store: Store, id_: int) -> None:
    memory._parts.gate.take(Privacy(keep=("browser = 1 day",)))
    memory.retire()
    memory._parts.gate.take(Privacy())


WAYS: dict[str, Way] = {
    "words": lambda memory, store, id_: memory.forget(Query(text="xyzzyq plan")),
    "app": lambda memory, store, id_: memory.forget(Query(app="quuxchat")),
    "site": lambda memory, store, id_: memory.forget(Query(domain="frobnitzy.example")),
    "project": lambda memory, store, id_: memory.forget(Query(project="Wibblethorpe")),
    "stretch": lambda memory, store, id_: memory.forget(Query(since=at(999), until=at(1_001))),
    "single": lambda memory, store, id_: memory.forget(Query(), [id_]),
    "undoable": set_aside_and_purged,
    "rule": by_a_rule,
    "age": by_age,
}


@pytest.mark.parametrize("way", WAYS)
def test_nothing_of_it_is_left_in_any_file(tmp_path: Path, way: str) -> None:
    folder = tmp_path / "memory"
    store = Store.open(folder, clock=CLOCK)
    memory = memory_over(store, CLOCK)
    memory.remember([*(event(n, title=f"ordinary {n}", app="Editor") for n in range(120)), IT])
    (id_,) = [found.id for found in store.all_events() if found.start == IT.start]
    graph = Graph.open(folder / "graph")
    projector, indexer = Projector(store, graph), Indexer(store, ToyEmbedder(LARGE))
    copy(store, id_, IT)
    try:
        follow(projector, indexer)
        traces = [trace.lower() for trace in (*NAMES, *vector_of(store, id_))]
        assert all(trace in everything(folder) for trace in traces), "they were there"

        WAYS[way](memory, store, id_)
        follow(projector, indexer)
        assert store.event(id_) is None
        assert [trace for trace in traces if trace in everything(folder)] == []
    finally:
        graph.close()
        store.close()
    assert [trace for trace in traces if trace in everything(folder)] == []


def follow(projector: Projector, indexer: Indexer) -> None:
    go = threading.Event()
    while indexer.catch_up(go) or projector.catch_up(go):
        pass


def copy(store: Store, id_: int, seen: Event) -> None:
    made = CopiedContext(
        tag="ctx-a", format="text", text="", tokens=1, title=seen.title,
        sources=(Source(n=1, event=id_, text=seen.text),),
    )  # fmt: skip
    with store.transaction() as connection:
        copies.save(connection, made, {}, [""], at(1_100))


def vector_of(store: Store, id_: int) -> tuple[bytes, bytes]:
    """Its vector as it lies in the file, and its one-bit code."""
    (model,) = models.models(store.read())
    (doc,) = one(store.read(), "SELECT doc FROM event WHERE id = ?", (id_,))
    _, found = vectors.of(store.read(), model, [doc])
    (code,) = one(store.read(), f"SELECT code FROM {model.codes} WHERE doc = ?", (doc,))
    return np.asarray(found[0], dtype=np.float32).tobytes(), bytes(code)


def everything(folder: Path) -> bytes:
    return b"\0".join(path.read_bytes() for path in folder.rglob("*") if path.is_file()).lower()
