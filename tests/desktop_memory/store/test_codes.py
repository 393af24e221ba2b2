"""The coarse look: the same answers as the exact one, given enough candidates, and never a stale one."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from desktop_memory.model import ModelInfo
from desktop_memory.store import models, vectors
from desktop_memory.store.codes import Codes, code_of
from desktop_memory.store.models import StoredModel
from desktop_memory.store.store import Store
from tests.vector_rows import add_doc, open_store, unit_vectors

WIDE = ModelInfo(name="wide", hash="0", dimension=128, pooling="mean")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = open_store(tmp_path / "memory")
    yield opened
    opened.close()


@pytest.fixture(autouse=True)
def always_coarse(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use the codes in small stores too, and few candidates, so that their choice shows."""
    monkeypatch.setattr(vectors, "EXACT_UP_TO", 0)
    monkeypatch.setattr(vectors, "POINT_READS", 0)
    monkeypatch.setattr(vectors, "CANDIDATES", 100)


def _fill(
    store: Store, count: int, first: int = 0, info: ModelInfo = WIDE
) -> tuple[StoredModel, NDArray[np.float32]]:
    rows = unit_vectors(count, info.dimension, seed=first)
    with store.transaction() as connection:
        model = models.register(connection, info)
        docs = [add_doc(connection, f"text {n}", 24_300 + n % 12) for n in range(first, first + count)]
        vectors.add(connection, model, zip(docs, rows, strict=True))
    return model, rows


def _differing(rows: NDArray[np.float32], query: NDArray[np.float32]) -> NDArray[np.int64]:
    return ((rows > 0) != (query > 0)).sum(axis=1)


def test_candidates_are_those_whose_signs_differ_least(store: Store):
    model, rows = _fill(store, 2_000)
    query = unit_vectors(1, 128, seed=99)[0]
    codes = Codes()
    codes.refresh(store.read(), model)

    found = codes.candidates(query, 50, months=None, docs=None)

    differing = _differing(rows, query)
    assert len(set(found)) == 50
    assert max(differing[doc - 1] for doc in found) == np.sort(differing)[49]


def test_with_candidates_enough_the_answer_is_the_exact_one(store: Store):
    model, rows = _fill(store, 90)
    query = unit_vectors(1, 128, seed=99)[0]

    found = vectors.nearest(store.read(), model, query, 10, codes=Codes())

    assert [doc for doc, _ in found] == [int(n) + 1 for n in np.argsort(-(rows @ query))[:10]]
    assert found[0][1] == pytest.approx(float((rows @ query).max()), abs=1e-5)


@pytest.mark.parametrize(
    "limit", [{"months": (24_303, 24_304)}, {"docs": {*range(4, 900, 12), *range(5, 900, 12), -7, 10**9}}]
)
def test_months_and_docs_act_before_the_candidates_are_chosen(
    store: Store, limit: dict[str, tuple[int, int]]
):
    model, rows = _fill(store, 600)
    query = unit_vectors(1, 128, seed=99)[0]

    found = vectors.nearest(store.read(), model, query, 10, codes=Codes(), **limit)

    inside = [n for n in np.argsort(-(rows @ query)) if n % 12 in (3, 4)]
    assert [doc for doc, _ in found] == [int(n) + 1 for n in inside[:10]]


def test_what_was_added_later_is_found(store: Store):
    codes = Codes()
    model, _ = _fill(store, 50)
    vectors.nearest(store.read(), model, unit_vectors(1, 128)[0], 1, codes=codes)

    _, later = _fill(store, 3_000, first=50)

    assert vectors.nearest(store.read(), model, later[2_500], 1, codes=codes)[0][0] == 2_551
    assert len(codes) == 3_050


def test_what_was_deleted_is_not_found_and_leaves_the_memory(store: Store):
    codes = Codes()
    model, rows = _fill(store, 200)
    vectors.nearest(store.read(), model, rows[0], 1, codes=codes)
    with store.transaction() as connection:
        vectors.delete(connection, range(1, 151))

    found = vectors.nearest(store.read(), model, rows[0], 100, codes=codes)

    assert sorted(doc for doc, _ in found) == list(range(151, 201))
    vectors.nearest(store.read(), model, rows[0], 1, codes=codes)
    assert len(codes) == 50
    assert store.read().execute("SELECT count(*) FROM codes_1").get == 50


def test_another_model_has_codes_of_its_own(store: Store):
    codes = Codes()
    model, rows = _fill(store, 20)
    vectors.nearest(store.read(), model, rows[0], 1, codes=codes)
    other = ModelInfo(name="other", hash="1", dimension=70, pooling="mean")
    row = unit_vectors(1, 70)[0]
    with store.transaction() as connection:
        second = models.register(connection, other)
        vectors.add(connection, second, [(7, row)])

    assert vectors.nearest(store.read(), second, row, 5, codes=codes) == [(7, pytest.approx(1.0, abs=1e-6))]
    assert len(vectors.nearest(store.read(), model, rows[0], 5, codes=codes)) == 5


def test_emptied_vectors_are_forgotten(store: Store):
    codes = Codes()
    model, rows = _fill(store, 20)
    vectors.nearest(store.read(), model, rows[0], 1, codes=codes)
    with store.transaction() as connection:
        model = models.empty(connection, model)

    assert vectors.nearest(store.read(), model, rows[0], 5, codes=codes) == []


def test_a_rebuild_in_another_order_is_read_anew(store: Store):
    codes = Codes()
    model, rows = _fill(store, 20)
    vectors.nearest(store.read(), model, rows[0], 1, codes=codes)
    with store.transaction() as connection:
        new = [add_doc(connection, body) for body in ("new a", "new b")]
        model = models.empty(connection, model)
        vectors.add(connection, model, zip(new, unit_vectors(2, 128, seed=7), strict=True))
        vectors.add(connection, model, zip(range(20, 0, -1), rows[::-1], strict=True))

    found = vectors.nearest(store.read(), model, unit_vectors(2, 128, seed=7)[0], 100, codes=codes)

    assert found[0] == (new[0], pytest.approx(1.0, abs=1e-6))
    assert sorted(doc for doc, _ in found) == list(range(1, 23))


def test_the_newest_deleted_and_another_added_is_noticed(store: Store):
    codes = Codes()
    model, rows = _fill(store, 30)
    vectors.nearest(store.read(), model, rows[0], 1, codes=codes)
    with store.transaction() as connection:
        vectors.delete(connection, [30])

    vectors.nearest(store.read(), model, rows[0], 1, codes=codes)
    assert len(codes) == 29


def test_a_code_holds_the_signs_in_whole_words():
    row = np.array([1.0, -1.0] * 35, dtype=np.float32)

    assert code_of(row) == bytes([0b10101010] * 8 + [0b10101000] + [0] * 7)


def test_searches_go_on_while_vectors_arrive(store: Store):
    codes = Codes()
    model, rows = _fill(store, 500)
    wrong: list[object] = []

    def search() -> None:
        for n in range(100):
            try:
                if vectors.nearest(store.read(), model, rows[n], 1, codes=codes)[0][0] != n + 1:
                    wrong.append(n)
            except Exception as error:
                wrong.append(error)

    searching = [threading.Thread(target=search) for _ in range(3)]
    for thread in searching:
        thread.start()
    for first in range(500, 2_500, 100):
        _fill(store, 100, first=first)
    for thread in searching:
        thread.join()

    assert wrong == []
