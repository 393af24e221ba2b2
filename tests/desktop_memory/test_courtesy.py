"""Whoever stores a lot gives way to whoever waits for an answer, and is never kept from going on."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from desktop_memory import courtesy
from desktop_memory.courtesy import Courtesy
from desktop_memory.errors import Superseded
from desktop_memory.model import Query
from desktop_memory.retrieval.search import Search
from desktop_memory.store.store import Store
from tests.factories import FakeClock, at, event
from tests.stubs import memory_over

LONG = 20.0
"""Seconds: longer than any wait in here that goes well."""


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(courtesy, "LONGEST_REST", LONG)
    monkeypatch.setattr(courtesy, "LONGEST_ANSWER", LONG)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store.open(tmp_path / "data", clock=FakeClock(at(60)))
    yield opened
    opened.close()


class Beside:
    """A call on a thread of its own; `done` once it returned."""

    def __init__(self, call: Callable[[], object]) -> None:
        self.done = threading.Event()
        self._thread = threading.Thread(target=lambda: (call(), self.done.set()))
        self._thread.start()

    def join(self) -> None:
        self._thread.join(LONG)


@pytest.mark.usefixtures("patient")
def test_work_rests_until_the_last_of_those_who_wait_is_answered():
    ours = Courtesy()
    with ours.answering():
        with ours.answering():
            worker = Beside(ours.give_way)
            assert not worker.done.wait(0.1)
        assert not worker.done.wait(0.1)

    assert worker.done.wait(5)
    worker.join()


@pytest.mark.usefixtures("patient")
def test_an_answer_that_fails_keeps_nobody_resting():
    ours = Courtesy()
    with pytest.raises(ValueError, match="no answer"), ours.answering():
        raise ValueError("no answer")

    worker = Beside(ours.give_way)

    assert worker.done.wait(5)
    worker.join()


def test_work_goes_on_after_a_while_however_long_an_answer_takes(monkeypatch):
    monkeypatch.setattr(courtesy, "LONGEST_REST", 0.01)
    ours = Courtesy()

    with ours.answering():
        worker = Beside(ours.give_way)
        assert worker.done.wait(5)
    worker.join()


@pytest.mark.usefixtures("patient")
def test_work_does_not_rest_for_an_answer_that_waits_for_something_else(monkeypatch):
    monkeypatch.setattr(courtesy, "LONGEST_ANSWER", 0.0)
    ours = Courtesy()

    with ours.answering():
        worker = Beside(ours.give_way)
        assert worker.done.wait(5)
    worker.join()


def test_after_a_rest_some_work_is_done_before_the_next(monkeypatch):
    monkeypatch.setattr(courtesy, "SHORTEST_TURN", LONG)
    monkeypatch.setattr(courtesy, "LONGEST_ANSWER", LONG)
    monkeypatch.setattr(courtesy, "LONGEST_REST", 0.01)
    ours = Courtesy()
    with ours.answering():
        ours.give_way()
        monkeypatch.setattr(courtesy, "LONGEST_REST", LONG)
        worker = Beside(lambda: [ours.give_way() for _ in range(1_000)])
        assert worker.done.wait(5)
    worker.join()


class Slow:
    """Meaning that takes until it is told to go on."""

    def __init__(self) -> None:
        self.begun, self.go_on = threading.Event(), threading.Event()

    def rank(self, text: str, query: Query, limit: int) -> None:
        self.begun.set()
        self.go_on.wait(LONG)


@pytest.mark.usefixtures("patient")
def test_an_import_rests_while_a_search_is_answered_and_then_stores_all(store):
    memory, slow = memory_over(store, store.clock), Slow()
    search = Search(store, slow, store.clock)
    asking = Beside(lambda: search(Query(text="retry")))
    assert slow.begun.wait(5)

    importing = Beside(lambda: memory.remember([event(n, title=f"retry {n}") for n in range(20)]))
    assert not importing.done.wait(0.1)
    slow.go_on.set()

    assert importing.done.wait(5)
    assert store.count() == 20
    for one in (asking, importing):
        one.join()


def test_an_import_ends_under_a_search_that_never_does(store, monkeypatch):
    monkeypatch.setattr(courtesy, "LONGEST_REST", 0.01)
    memory, slow = memory_over(store, store.clock), Slow()
    asking = Beside(lambda: Search(store, slow, store.clock)(Query(text="retry")))
    assert slow.begun.wait(5)

    memory.remember([event(n, title=f"retry {n}") for n in range(20)])

    assert store.count() == 20
    slow.go_on.set()
    asking.join()


def test_a_question_is_overtaken_by_the_next_one_while_an_import_runs(store):
    memory, slow, stop = memory_over(store, store.clock), Slow(), threading.Event()
    search, ended = Search(store, slow, store.clock), list[Superseded]()
    memory.remember([event(30, title="retry budget")])

    def take_in() -> None:
        for n in range(10_000):
            if stop.is_set():
                return
            memory.remember([event(n, title=f"retry {n}")])

    def first() -> None:
        try:
            search(Query(text="retry", lane="popup", turn=1))
        except Superseded as error:
            ended.append(error)

    importing, asking = Beside(take_in), Beside(first)
    assert slow.begun.wait(5)
    newer = search(Query(text="retry b", typing=True, lane="popup", turn=2))
    slow.go_on.set()
    asking.join()
    stop.set()
    importing.join()

    assert newer.hits
    assert len(ended) == 1
