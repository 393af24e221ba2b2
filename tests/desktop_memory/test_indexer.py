"""The indexer: every text gets its vector once, whatever happens meanwhile."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from desktop_memory import indexer
from desktop_memory.embedding.embedder import EmbedderUnavailable
from desktop_memory.indexer import Indexer
from desktop_memory.pace import Pace
from desktop_memory.store import models, vectors
from desktop_memory.store.store import Store
from tests.toy_embedder import ToyEmbedder
from tests.vector_rows import add_doc, one_vector_each, open_store

GO = threading.Event()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = open_store(tmp_path / "memory")
    yield opened
    opened.close()


def _add(store: Store, *bodies: str, month: int = 24_319) -> list[int]:
    with store.transaction() as connection:
        return [add_doc(connection, body, month) for body in bodies]


def _many(count: int) -> list[str]:
    return [f"text {n}" for n in range(count)]


def _finish(worker: Indexer, stop: threading.Event = GO) -> None:
    while worker.catch_up(stop):
        assert not stop.is_set()


def _cursor(store: Store) -> int:
    model = models.active(store.read())
    assert model is not None
    return model.cursor


def test_every_doc_gets_the_vector_of_its_text(store: Store):
    docs = _add(store, *_many(1_000))
    embedder = ToyEmbedder()

    _finish(Indexer(store, embedder))

    assert one_vector_each(store, "vectors_1")
    model = models.active(store.read())
    assert model is not None
    found, rows = vectors.of(store.read(), model, [docs[7], docs[900]])
    assert found == [docs[7], docs[900]]
    assert np.array_equal(rows, [embedder.vector("text 7"), embedder.vector("text 900")])
    assert _cursor(store) == docs[-1]


def test_nothing_new_asks_nothing(store: Store):
    _add(store, *_many(10))
    embedder = ToyEmbedder()
    _finish(Indexer(store, embedder))
    embedder.asked.clear()

    _finish(Indexer(store, embedder))

    assert embedder.asked == []


def test_on_battery_the_last_texts_wait_for_no_rest(store: Store, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(indexer, "BATCH", 4)
    worker = Indexer(store, ToyEmbedder())
    told: list[str] = []
    pace = Pace(lambda: "on battery", wanted=lambda: True)
    monkeypatch.setattr(pace, "_rest", lambda worked, stop: told.append("rest"))
    _add(store, *_many(6))

    more = [pace.step(worker.catch_up, GO), pace.step(worker.catch_up, GO)]
    _add(store, "one more")
    more.append(pace.step(worker.catch_up, GO))

    assert (more, told) == ([True, False, False], ["rest"])
    assert one_vector_each(store, "vectors_1")


def test_equal_texts_of_all_months_are_embedded_once(store: Store):
    embedder = ToyEmbedder()
    first = _add(store, "same", month=24_310)
    _finish(Indexer(store, embedder))
    later = (
        _add(store, "same", month=24_311)
        + _add(store, "same", month=24_312)
        + _add(store, "new", month=24_312)
    )
    later += _add(store, "new", month=24_313)

    _finish(Indexer(store, embedder))

    assert embedder.asked == ["same", "new"]
    assert one_vector_each(store, "vectors_1")
    model = models.active(store.read())
    assert model is not None
    rows = vectors.of(store.read(), model, first + later)[1]
    assert np.array_equal(rows, [embedder.vector(t) for t in ("same", "same", "same", "new", "new")])
    nearest = vectors.nearest(store.read(), model, embedder.vector("same"), 5, months=(24_312, 24_312))
    assert nearest[0] == (later[1], pytest.approx(1.0, abs=1e-6)), "the copy stands in its own month"


def test_the_newest_come_first(store: Store, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(indexer, "BATCH", 2)
    _add(store, *_many(5))
    embedder = ToyEmbedder()

    _finish(Indexer(store, embedder))

    assert embedder.asked == ["text 4", "text 3", "text 2", "text 1", "text 0"]


def test_what_arrives_meanwhile_goes_before_what_waits(store: Store, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(indexer, "BATCH", 2)
    arriving = iter([["new a"], [], ["new b", "new c", "new d"]])
    embedder = ToyEmbedder(before=lambda _: _add(store, *next(arriving, [])) and None)
    _add(store, *_many(6))

    _finish(Indexer(store, embedder))

    assert embedder.asked == [
        "text 5", "text 4", "new a", "text 3", "text 2", "new d", "new c", "new b", "text 1", "text 0",
    ]  # fmt: skip
    assert one_vector_each(store, "vectors_1")
    assert _cursor(store) == 10


def test_stopped_it_says_that_there_is_more_and_goes_on_later(store: Store, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(indexer, "BATCH", 2)
    stop = threading.Event()
    embedder = ToyEmbedder(before=lambda texts: stop.set() if "text 3" in texts else None)
    _add(store, *_many(9))
    worker = Indexer(store, embedder)

    while not stop.is_set():
        assert worker.catch_up(stop) is True
    assert worker.catch_up(stop) is True, "there is more, but not now"
    assert embedder.asked == [f"text {n}" for n in (8, 7, 6, 5, 4, 3)]

    _finish(worker)
    assert worker.catch_up(GO) is False
    assert embedder.asked == [f"text {n}" for n in range(8, -1, -1)]
    assert one_vector_each(store, "vectors_1")


def test_a_long_text_does_not_hold_up_a_stop(store: Store, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(indexer, "BATCH_CHARACTERS", 100)
    sizes: list[int] = []
    embedder = ToyEmbedder(before=lambda texts: sizes.append(sum(map(len, texts))))
    _add(store, *(f"{n:02}" * 20 for n in range(10)), "x" * 500)

    _finish(Indexer(store, embedder))

    assert sizes == [500, 80, 80, 80, 80, 80]
    assert one_vector_each(store, "vectors_1")


def test_a_crash_between_batches_loses_and_repeats_nothing(store: Store, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(indexer, "BATCH", 3)
    _add(store, *_many(10))

    def crash(texts: list[str]) -> None:
        if "text 2" in texts:
            raise RuntimeError("a bug")

    first = ToyEmbedder(before=crash)
    with pytest.raises(RuntimeError):
        _finish(Indexer(store, first))
    _add(store, "after the crash")
    second = ToyEmbedder()
    _finish(Indexer(store, second))

    assert sorted(first.asked + second.asked) == sorted([*_many(10), "after the crash"])
    assert one_vector_each(store, "vectors_1")


def test_a_text_forgotten_while_it_is_embedded_gets_no_vector(store: Store):
    docs = _add(store, *_many(3))

    def forget(texts: list[str]) -> None:
        with store.transaction() as connection:
            vectors.delete(connection, [docs[1]])
            connection.execute("DELETE FROM doc WHERE id = ?", (docs[1],))

    _finish(Indexer(store, ToyEmbedder(before=forget)))

    assert store.read().execute("SELECT doc FROM vectors_1 ORDER BY doc").fetchall() == [
        (docs[0],),
        (docs[2],),
    ]


def test_without_a_model_it_says_so_and_goes_on_when_there_is_one(store: Store):
    _add(store, *_many(3))
    embedder = ToyEmbedder()
    embedder.broken = True
    worker = Indexer(store, embedder)

    with pytest.raises(EmbedderUnavailable):
        worker.catch_up(GO)
    assert worker.state() == {"model": "toy", "vectors": 0, "docs": 3, "problem": "It does not work."}

    embedder.broken = False
    _finish(worker)
    assert worker.state() == {"model": "toy", "vectors": 3, "docs": 3, "problem": ""}


def test_a_text_the_model_fails_on_holds_up_no_other(store: Store):
    docs = _add(store, *_many(4))
    embedder = ToyEmbedder()
    embedder.poison = {"text 2"}

    _finish(Indexer(store, embedder))

    assert store.read().execute("SELECT doc FROM vectors_1 ORDER BY doc").fetchall() == [
        (docs[n],) for n in (0, 1, 3)
    ]
    assert _cursor(store) == docs[1], "the next start tries it again"
    embedder.poison = set()
    _finish(Indexer(store, embedder))
    assert one_vector_each(store, "vectors_1")


def test_vectors_lost_behind_the_cursor_are_made_again(store: Store):
    docs = _add(store, *_many(20))
    _finish(Indexer(store, ToyEmbedder()))
    with store.transaction() as connection:
        vectors.delete(connection, docs[3:7])

    _finish(Indexer(store, ToyEmbedder()))

    assert one_vector_each(store, "vectors_1")


def test_a_rebuild_makes_all_vectors_again(store: Store):
    _add(store, *_many(20))
    embedder = ToyEmbedder()
    worker = Indexer(store, embedder)
    _finish(worker)
    embedder.asked.clear()

    worker.rebuild()
    _finish(worker)

    assert sorted(embedder.asked) == sorted(_many(20))
    assert one_vector_each(store, "vectors_1")
