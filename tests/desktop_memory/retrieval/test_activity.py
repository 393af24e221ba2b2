"""Working memory makes one line of what the model takes for the same, never of what a number tells apart."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from desktop_memory.embedding.child_embedder import ChildEmbedder
from desktop_memory.embedding.model_files import built_in
from desktop_memory.indexer import Indexer
from desktop_memory.memory import Memory
from desktop_memory.retrieval.meaning import VectorLane
from desktop_memory.store.store import Store
from tests.factories import FakeClock, at, event
from tests.stubs import memory_over


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    store = Store.open(tmp_path / "data", clock=FakeClock(at(10)))
    embedder = ChildEmbedder(built_in())
    made = memory_over(store, store.clock)
    made._parts = replace(made._parts, similar=VectorLane(store, embedder).similar)
    made.remember(
        event(n, kind="window", app="Editor", title=title)
        for n, title in enumerate(
            (
                "Planning the retry budget of invoices",
                "Planning the retry budget for invoices",
                "PR #482 fix retries",
                "PR #483 fix retries",
                "A table for dinner",
            )
        )
    )
    while Indexer(store, embedder).catch_up(threading.Event()):
        pass
    yield made
    embedder.close()
    store.close()


def test_lines_that_say_the_same_are_one_and_numbers_keep_lines_apart(memory: Memory):
    lines = [(line.event.title, line.count) for line in memory.now(60).lines]

    assert lines == [
        ("Planning the retry budget for invoices", 2),
        ("PR #482 fix retries", 1),
        ("PR #483 fix retries", 1),
        ("A table for dinner", 1),
    ]
