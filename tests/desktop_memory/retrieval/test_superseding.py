"""The next keystroke ends the question before it, in the middle of the store's work."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from desktop_memory.errors import Superseded
from desktop_memory.model import Query
from desktop_memory.pipeline.coalesce import embedding_text
from desktop_memory.retrieval.search import Search
from desktop_memory.retrieval.superseding import Lanes
from desktop_memory.store.connection import given_up_when
from desktop_memory.store.events import Incoming
from desktop_memory.store.store import Store
from tests.factories import FakeClock, at, event

ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"


@pytest.fixture
def store(tmp_path: Path):
    opened = Store.open(tmp_path / "data", clock=FakeClock(at(60)))
    note = event(1, kind="note", title="retry budget")
    opened.record([Incoming(event=note, body=embedding_text(note))])
    yield opened
    opened.close()


def test_a_newer_turn_of_a_lane_ends_the_older_ones_and_no_other_lane():
    lanes = Lanes()
    first, elsewhere = lanes.begin("popup", 1), lanes.begin("window", 1)

    second = lanes.begin("popup", 2)

    assert (first.over(), second.over(), elsewhere.over()) == (True, False, False)
    assert lanes.begin("popup", 1).over(), "one that comes late is over at once"


def test_without_a_lane_nothing_is_overtaken():
    lanes = Lanes()
    one = lanes.begin("", 1)

    lanes.begin("", 2)

    assert not one.over()


def test_sqlite_stops_in_the_middle_of_a_statement_and_answers_the_next(store):
    over = threading.Event()
    threading.Timer(0.05, over.set).start()

    with pytest.raises(Superseded), given_up_when(over.is_set, store.read()):
        store.read().execute(ENDLESS).fetchall()

    assert store.read().execute("SELECT 1").get == 1


def test_a_search_that_waits_for_meaning_ends_when_a_newer_one_came(store):
    begun, go_on = threading.Event(), threading.Event()

    class Slow:
        def rank(self, text, query, limit):
            begun.set()
            go_on.wait(5)

    search = Search(store, Slow(), store.clock)
    ended: list[BaseException | None] = []

    def first() -> None:
        try:
            search(Query(text="retry", lane="popup", turn=1))
        except Superseded as error:
            ended.append(error)

    asking = threading.Thread(target=first)
    asking.start()
    begun.wait(5)
    newer = search(Query(text="retry b", typing=True, lane="popup", turn=2))
    go_on.set()
    asking.join(5)

    assert len(newer.hits) == 1
    assert len(ended) == 1
