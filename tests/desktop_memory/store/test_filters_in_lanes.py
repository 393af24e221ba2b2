"""Filters act inside the lanes, and SQLite goes about them in the order that was measured."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from desktop_memory.model import Query
from desktop_memory.pipeline.coalesce import embedding_text
from desktop_memory.store import docs, words
from desktop_memory.store.events import Incoming
from desktop_memory.store.store import Store
from tests.factories import NOON, FakeClock, at, event

WRITER = Query(app="Writer", since=NOON, until=NOON + timedelta(hours=1))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store.open(tmp_path / "data", clock=FakeClock(at(600)))
    seen = [event(n, kind="window", title=f"plan {n % 7}", app=("Writer", "Mail")[n % 2]) for n in range(100)]
    opened.record([Incoming(event=one, body=embedding_text(one)) for one in seen])
    yield opened
    opened.close()


@pytest.mark.parametrize("few", [50_000, 5])
def test_few_and_many_passing_events_give_the_same_hits(store, monkeypatch, few):
    monkeypatch.setattr(words, "FEW_EVENTS", few)

    found = store.events(id_ for id_, _ in store.words('"plan"', query=WRITER, limit=100))

    assert {(one.app, one.start < at(60)) for one in found} == {("Writer", True)}
    assert len(found) == 30


@pytest.mark.parametrize("gathered", [400_000, 5])
@pytest.mark.parametrize("limit", [12, 40])
def test_those_that_pass_are_looked_up_from_the_best_on_and_all_where_that_is_not_enough(
    store, monkeypatch, limit, gathered
):
    whole = store.words('"plan" OR "3"', query=WRITER, limit=limit)
    monkeypatch.setattr(words, "FEW_EVENTS", 5)
    monkeypatch.setattr(words, "MOST_GATHERED", gathered)

    assert store.words('"plan" OR "3"', query=WRITER, limit=limit) == whole
    assert len(whole) == min(limit, 30)
    assert "plan 3" in {event.title for event in store.events(id_ for id_, _ in whole[:3])}


def test_a_doc_is_asked_for_its_events_not_the_filter_for_its_docs(store):
    connection, asked = store.read(), list[str]()
    connection.set_exec_trace(lambda _, sql, values: asked.append((sql, values)) or True)
    docs.newest_events(connection, [(1, 0.5)], WRITER, 5)
    connection.set_exec_trace(None)

    ((sql, values),) = asked
    assert "event_doc (doc=?" in str(connection.execute(f"EXPLAIN QUERY PLAN {sql}", values).fetchall())


def test_what_is_typed_has_an_index_of_its_own(store):
    (made,) = store.read().execute("SELECT sql FROM sqlite_schema WHERE name = 'event_words'").fetchone()

    assert "prefix = '2 3'" in str(made)


def test_a_filter_that_nothing_passes_finds_nothing(store):
    assert store.words('"plan"', query=Query(app="Unknown"), limit=10) == []
    assert docs.matching(store.read(), Query(app="Unknown")) == set()


def test_many_passing_events_are_not_gathered(store):
    assert docs.matching(store.read(), WRITER, 29) is None
    assert len(docs.matching(store.read(), WRITER, 30) or ()) == 7


@pytest.mark.parametrize("query", [WRITER, Query(failed=True), Query(kinds=("note",)), Query(project="x")])
@pytest.mark.parametrize("few", [50_000, 5])
def test_no_plan_asks_the_words_once_for_each_event_or_reads_all_events_by_doc(
    store, monkeypatch, query, few
):
    monkeypatch.setattr(words, "FEW_EVENTS", few)
    connection, asked = store.read(), list[str]()
    connection.set_exec_trace(lambda _, sql, values: asked.append((sql, values)) or True)
    store.words('"plan"', query=query, limit=10)
    docs.matching(connection, query, 5)
    docs.matching(connection, query)
    connection.set_exec_trace(None)

    plans = [
        str(row[3])
        for sql, values in asked
        for row in connection.execute(f"EXPLAIN QUERY PLAN {sql}", values)
    ]

    assert [plan for plan in plans if "event_words" in plan and "=" in plan.rpartition(":")[2]] == []
    assert [plan for plan in plans if "event_doc" in plan or plan == "SCAN event"] == []
