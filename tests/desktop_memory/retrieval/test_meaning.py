"""The lane of meaning: what counts as near, from the first text on, and how it yields while models change."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from desktop_memory.embedding.child_embedder import ChildEmbedder
from desktop_memory.embedding.model_files import built_in
from desktop_memory.indexer import Indexer
from desktop_memory.model import ModelInfo, Query
from desktop_memory.pipeline.coalesce import embedding_text
from desktop_memory.retrieval.background import BACKGROUND
from desktop_memory.retrieval.fuse import RELEVANT, relevance
from desktop_memory.retrieval.meaning import VectorLane
from desktop_memory.retrieval.search import Search
from desktop_memory.store import vectors
from desktop_memory.store.events import Incoming
from desktop_memory.store.store import Store
from tests.factories import FakeClock, at, event
from tests.toy_embedder import ToyEmbedder


@pytest.fixture(scope="module")
def embedder() -> Iterator[ChildEmbedder]:
    shared = ChildEmbedder(built_in())
    shared.embed_query("load")
    yield shared
    shared.close()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store.open(tmp_path / "data", clock=FakeClock(at(60)))
    yield opened
    opened.close()


def _remember(store: Store, embedder: ChildEmbedder | ToyEmbedder, *texts: str, **what: str) -> None:
    seen = [event(n, kind="note", title=text, **what) for n, text in enumerate(texts)]
    store.record([Incoming(event=one, body=embedding_text(one)) for one in seen])
    worker = Indexer(store, embedder)
    while worker.catch_up(threading.Event()):
        pass


def test_the_only_text_is_found_by_what_it_means_and_by_nothing_else(store: Store, embedder: ChildEmbedder):
    _remember(store, embedder, "the retry budget is three attempts")
    lane = VectorLane(store, embedder)

    def r(question: str) -> float:
        found = lane.rank(question, Query(), 10)
        assert found is not None
        return relevance(found.nearest[0][1], found.baseline)

    assert r("how often do we try again") >= RELEVANT
    assert r("where to hike in the Alps") < RELEVANT


def test_asked_before_the_vectors_were_there_it_answers_as_soon_as_they_are(
    store: Store, embedder: ChildEmbedder
):
    indexer, lane = Indexer(store, embedder), VectorLane(store, embedder)
    indexer.catch_up(threading.Event())
    seen = event(0, kind="note", title="the retry budget is three attempts")
    store.record([Incoming(event=seen, body=embedding_text(seen))])
    assert lane.rank("how often do we try again", Query(), 10) is None

    assert not indexer.catch_up(threading.Event())

    assert lane.rank("how often do we try again", Query(), 10) is not None


def test_a_grown_memory_is_judged_against_itself_alone(store: Store, embedder: ChildEmbedder):
    _remember(store, embedder, *(f"measurement {n} of the blue sample" for n in range(120)))
    lane = VectorLane(store, embedder)

    found = lane.rank("measurement of a sample", Query(), 10)

    assert found is not None
    assert found.baseline > 0.6, "everyday lines would have pulled it down"


def test_the_background_has_no_line_twice():
    assert len(set(BACKGROUND)) == len(BACKGROUND) >= 40


def test_filters_that_let_many_docs_pass_use_the_coarse_look(
    store: Store, embedder: ChildEmbedder, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(vectors, "POINT_READS", 5)
    _remember(store, embedder, *(f"plain line {n}" for n in range(60)), app="Writer")
    _remember(store, embedder, "the invoice was paid late", app="Mail")
    lane = VectorLane(store, embedder)

    writer = lane.rank("unpaid bill", Query(app="Writer"), 100)
    mail = lane.rank("unpaid bill", Query(app="Mail"), 100)

    assert writer is not None
    assert mail is not None
    assert {found.app for found in store.events([id_ for id_, _ in writer.nearest])} == {"Writer"}
    assert [found.title for found in store.events([id_ for id_, _ in mail.nearest])] == [
        "the invoice was paid late"
    ]


def test_while_another_model_takes_over_there_is_no_lane(store: Store):
    info = ModelInfo(name="toy", hash="00", dimension=8, pooling="mean")
    _remember(store, ToyEmbedder(info), "a text")

    other = ToyEmbedder(ModelInfo(name="toy", hash="01", dimension=8, pooling="mean"))

    assert VectorLane(store, other).rank("a text", Query(), 5) is None
    assert VectorLane(store, ToyEmbedder(info)).rank("a text", Query(), 5) is not None


def test_without_a_working_model_there_is_no_lane(store: Store):
    toy = ToyEmbedder()
    _remember(store, toy, "a text")
    toy.broken = True

    assert VectorLane(store, toy).rank("a text", Query(), 5) is None


def test_the_model_tells_which_lines_say_the_same(store: Store, embedder: ChildEmbedder):
    texts = (
        "Planning the retry budget of invoices",
        "Planning the retry budget for invoices",
        "a table for dinner",
    )
    _remember(store, embedder, *texts)
    one, alike, other = sorted(store.events([1, 2, 3]), key=lambda seen: texts.index(seen.title))
    lane = VectorLane(store, embedder)

    assert lane.similar(one, alike)
    assert not lane.similar(one, other)
    assert not VectorLane(store, embedder).similar(one, replace(other, id=99)), (
        "without a vector nothing is alike"
    )


def test_letters_at_random_find_nothing_where_a_question_finds(store: Store, embedder: ChildEmbedder):
    lines = (
        *BACKGROUND,
        "customer was charged twice",
        "gene expression plot",
        "supplier raised the price of rye",
    )
    _remember(store, embedder, *lines)
    search = Search(store, VectorLane(store, embedder), store.clock)

    def found(question: str) -> list[str]:
        return [hit.event.title for hit in search(Query(text=question)).hits]

    assert [found(text) for text in ("qwxz flurb", "zorp", "asdfgh jklö")] == [[], [], []]
    assert found("billed two times for one order")[0] == "customer was charged twice"


def test_the_codes_of_a_large_memory_are_read_before_they_are_needed(
    store: Store, monkeypatch: pytest.MonkeyPatch
):
    toy = ToyEmbedder()
    _remember(store, toy, *(f"line {n}" for n in range(6)))
    small, large = VectorLane(store, toy), VectorLane(store, toy)

    small.warm()
    monkeypatch.setattr(vectors, "EXACT_UP_TO", 5)
    large.warm()

    assert (len(small._codes), len(large._codes)) == (0, 6)
