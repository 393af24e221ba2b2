"""Vectors in the store: kept by doc, found by nearness, gone with their docs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from desktop_memory.model import ModelInfo
from desktop_memory.store import models, vectors
from desktop_memory.store.models import StoredModel
from desktop_memory.store.store import Store
from tests.vector_rows import TOY, add_doc, open_store, unit_vectors


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = open_store(tmp_path / "memory")
    yield opened
    opened.close()


def _filled(store: Store, count: int, info: ModelInfo = TOY) -> tuple[StoredModel, NDArray[np.float32]]:
    """Docs 1 to `count`, spread over twelve months, each with a vector."""
    rows = unit_vectors(count, info.dimension)
    with store.transaction() as connection:
        model = models.register(connection, info)
        docs = [add_doc(connection, f"text {n}", 24_300 + n % 12) for n in range(count)]
        vectors.add(connection, model, zip(docs, rows, strict=True))
    return model, rows


def test_the_nearest_are_those_numpy_finds(store: Store):
    model, rows = _filled(store, 3_000)
    query = unit_vectors(1, 8, seed=9)[0]

    found = vectors.nearest(store.read(), model, query, 50)

    cosines = rows @ query
    assert [doc for doc, _ in found] == [int(n) + 1 for n in np.argsort(-cosines)[:50]]
    assert [cosine for _, cosine in found] == pytest.approx(np.sort(cosines)[::-1][:50], abs=1e-5)


def test_months_limit_the_search_before_k_does(store: Store):
    model, rows = _filled(store, 3_000)
    query = unit_vectors(1, 8, seed=9)[0]

    found = vectors.nearest(store.read(), model, query, 20, months=(24_303, 24_304))

    inside = np.isin(np.arange(3_000) % 12, (3, 4))
    best = [int(n) + 1 for n in np.argsort(-(rows @ query)) if inside[n]][:20]
    assert [doc for doc, _ in found] == best


@pytest.mark.parametrize("point_reads", [0, 4_000], ids=["scanned", "read one by one"])
def test_given_docs_limit_the_search(store: Store, monkeypatch: pytest.MonkeyPatch, point_reads: int):
    monkeypatch.setattr(vectors, "POINT_READS", point_reads)
    model, rows = _filled(store, 1_000)
    query = unit_vectors(1, 8, seed=9)[0]
    allowed = range(1, 1_000, 7)

    found = vectors.nearest(store.read(), model, query, 10, docs=[*allowed, 99_999])

    best = sorted(allowed, key=lambda doc: -float(rows[doc - 1] @ query))[:10]
    assert [doc for doc, _ in found] == best
    assert found[0][1] == pytest.approx(float(rows[best[0] - 1] @ query), abs=1e-5)


def test_no_docs_allowed_finds_none(store: Store):
    model, rows = _filled(store, 5)

    assert vectors.nearest(store.read(), model, rows[0], 10, docs=[]) == []


def test_more_than_sqlite_vec_can_rank_is_cut_to_what_it_can(store: Store):
    model, rows = _filled(store, 4_500)

    assert len(vectors.nearest(store.read(), model, rows[0], 10_000)) == vectors.LARGEST_K


def test_lacking_names_docs_without_a_vector_newest_first(store: Store):
    model, _ = _filled(store, 3)
    with store.transaction() as connection:
        new = [add_doc(connection, body) for body in ("a", "b", "c")]

    def lacking(**limits: int) -> list[int]:
        found = vectors.lacking(store.read(), model, **limits, limit=10, newest_first=True)
        return [row.doc for row in found]

    assert lacking(above=0, below=10**9) == new[::-1]
    assert lacking(above=new[0], below=new[2]) == [new[1]]


def test_a_text_that_has_a_vector_in_another_month_is_named_as_twin(store: Store):
    model, _ = _filled(store, 3)
    with store.transaction() as connection:
        add_doc(connection, "text 1", 24_350)
        add_doc(connection, "never seen", 24_350)

    found = vectors.lacking(store.read(), model, above=0, below=10**9, limit=10, newest_first=False)

    assert [(row.body, row.twin) for row in found] == [("text 1", 2), ("never seen", None)]


def test_a_doc_that_was_removed_meanwhile_gets_no_vector(store: Store):
    model, rows = _filled(store, 2)
    with store.transaction() as connection:
        kept, removed = add_doc(connection, "kept"), add_doc(connection, "removed")
        connection.execute("DELETE FROM doc WHERE id = ?", (removed,))
        stored = vectors.add(connection, model, [(kept, rows[0]), (removed, rows[0]), (1, rows[0])])

    assert stored == 1
    assert vectors.of(store.read(), model, [kept, removed])[0] == [kept]
    assert np.array_equal(vectors.of(store.read(), model, [1])[1][0], rows[0]), "the first one stays"


def test_deleting_removes_the_vectors_of_every_model(store: Store):
    first, rows = _filled(store, 10)
    with store.transaction() as connection:
        second = models.register(connection, ModelInfo(name="other", hash="1", dimension=4, pooling="cls"))
        vectors.add(connection, second, [(1, unit_vectors(1, 4)[0])])

        removed = vectors.delete(connection, [1, 2, 99])

    assert removed == 3
    assert vectors.coverage(store.read(), first) == (8, 10)
    assert vectors.coverage(store.read(), second) == (0, 10)
    assert 1 not in [doc for doc, _ in vectors.nearest(store.read(), first, rows[0], 10)]


def test_a_deleted_vector_leaves_no_bytes_in_the_file(store: Store, tmp_path: Path):
    _, rows = _filled(store, 600)
    with store.transaction() as connection:
        vectors.delete(connection, [1, 300])
    store.scrub()

    files = b"".join(path.read_bytes() for path in (tmp_path / "memory").glob("memory.sqlite*"))

    assert rows[1].tobytes() in files, "a vector that stays is there to be found"
    assert rows[0].tobytes() not in files
    assert rows[299].tobytes() not in files


def test_the_sample_is_the_same_each_time_and_all_of_a_small_store(store: Store):
    model, _ = _filled(store, 2_000)

    first, second = vectors.sample(store.read(), model), vectors.sample(store.read(), model)

    assert first.shape == (256, 8)
    assert np.array_equal(first, second)
    assert len(np.unique(first, axis=0)) == 256
    assert len(vectors.sample(store.read(), model, count=5_000)) == 2_000


def test_the_first_model_is_active_until_another_takes_over(store: Store):
    other = ModelInfo(name="other", hash="1", dimension=4, pooling="cls", query_prefix="q: ", threshold=0.9)
    assert models.active(store.read()) is None
    with store.transaction() as connection:
        first = models.register(connection, TOY)
        second = models.register(connection, other)
        assert models.register(connection, TOY) == first, "registering again changes nothing"
    assert models.active(store.read()) == first
    assert second.info == other

    with store.transaction() as connection:
        models.activate(connection, second)
    found = models.active(store.read())
    assert found is not None
    assert found.info == other

    with store.transaction() as connection:
        models.remove(connection, first)
    assert [model.id for model in models.models(store.read())] == [second.id]
