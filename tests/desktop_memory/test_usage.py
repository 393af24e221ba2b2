"""What was opened, copied or pinned is put a little higher, stays here, and can be forgotten."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC
from pathlib import Path

import pytest

from desktop_memory.asking import Parts
from desktop_memory.memory import Memory
from desktop_memory.model import ContextRequest, CopiedContext, Query, Source
from desktop_memory.pipeline.gate import Gate
from desktop_memory.retrieval.search import Search
from desktop_memory.retrieval.usage import Usage
from desktop_memory.settings import Privacy
from desktop_memory.store.store import Store
from tests.factories import FakeClock, at, event
from tests.stubs import NoContexts

SEEN = (
    event(1, kind="browser", title="Deploy guide", url="https://a.example/1", domain="a.example"),
    event(2, kind="browser", title="Deploy notes", url="https://a.example/2", domain="a.example"),
    event(3, kind="browser", title="Deploy guide", url="https://a.example/1", domain="a.example"),
)


class CopiesFirst(NoContexts):
    def build(self, request: ContextRequest, scope: object = None) -> CopiedContext:
        return CopiedContext(
            tag="ctx-0001", format="text", text="x", tokens=1, sources=(Source(n=1, event=1, text="x"),)
        )


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store.open(tmp_path / "data", clock=FakeClock(at(60)))
    yield opened
    opened.close()


@pytest.fixture
def usage(store: Store) -> Usage:
    return Usage(store)


@pytest.fixture
def memory(store: Store, usage: Usage) -> Memory:
    made = Memory(
        Parts(
            store=store,
            gate=Gate(Privacy()),
            search=Search(store, None, store.clock, usage=usage),
            clock=store.clock,
            zone=lambda: UTC,
            read_branch=lambda folder: None,
            contexts=lambda memory: CopiesFirst(),
            usage=usage,
        )
    )
    made.remember(SEEN)
    return made


def order(memory: Memory) -> list[tuple[str, bool]]:
    return [(hit.event.title, hit.usage > 0) for hit in memory.search(Query(text="deploy")).hits]


def test_what_was_opened_stands_first_also_when_it_was_seen_again(memory):
    assert order(memory) == [("Deploy guide", False), ("Deploy notes", False)]

    memory.used([2])

    assert order(memory) == [("Deploy notes", True), ("Deploy guide", False)]
    memory.used([1])
    memory.used([1])
    assert order(memory) == [("Deploy guide", True), ("Deploy notes", True)], "the newest visit says the same"


def test_what_is_only_found_or_read_by_a_client_is_not_used(memory):
    memory.search(Query(text="deploy"))
    memory.context(ContextRequest(), client="some client")
    memory.context(ContextRequest(), save=False)

    assert memory.forget_usage() == 0


def test_a_copy_and_a_pinned_note_are_uses(memory):
    memory.context(ContextRequest())
    memory.note("goal: ship it")

    assert memory.forget_usage() == 2


def test_forgetting_an_event_forgets_its_use(memory):
    memory.used([2])

    memory.forget(Query(), [2])

    assert memory.forget_usage() == 0


def test_switched_off_nothing_is_counted_and_nothing_counts(memory, usage):
    memory.used([2])
    usage.on = False
    memory.used([1])

    assert order(memory) == [("Deploy guide", False), ("Deploy notes", False)]
    assert memory.forget_usage() == 1, "only what was used while it was on"


def test_an_event_that_is_gone_cannot_be_used(memory):
    memory.used([999, 2])

    assert memory.forget_usage() == 1
