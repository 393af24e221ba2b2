"""Going over to another model: searches keep the old one until the new one has every vector."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_memory import indexer
from desktop_memory.embedding.catalog import Entry
from desktop_memory.embedding.embedder import EmbedderUnavailable
from desktop_memory.embedding.installed import folder_of, write_manifest
from desktop_memory.embedding.model_files import BUILT_IN, ModelFiles
from desktop_memory.store import models, vectors
from desktop_memory.store.store import Store
from desktop_memory.switching import Models
from tests.toy_embedder import ToyEmbedder
from tests.vector_rows import add_doc, one_vector_each, open_store

GO = threading.Event()
BODIES = [f"text {n}" for n in range(10)]


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(indexer, "BATCH", 4)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "memory"


@pytest.fixture
def store(data: Path) -> Iterator[Store]:
    opened = open_store(data)
    with opened.transaction() as connection:
        for body in BODIES:
            add_doc(connection, body)
    yield opened
    opened.close()


class Opened:
    """Opens toy embedders in the place of real ones, and keeps them by model."""

    def __init__(self) -> None:
        self.by_name: dict[str, ToyEmbedder] = {}

    def __call__(self, files: ModelFiles) -> ToyEmbedder:
        return self.by_name.setdefault(files.info.name, ToyEmbedder(files.info))


def _install(data: Path, name: str, content: bytes = b"weights") -> None:
    folder = folder_of(name, data)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "model.onnx").write_bytes(content)
    write_manifest(folder, Entry(name=name, about="", license="", dimension=16), registered="", source="test")


def _finish(switch: Models) -> None:
    while switch.catch_up(GO):
        pass


def _active(store: Store) -> str:
    model = models.active(store.read())
    assert model is not None
    return model.info.name


def test_at_first_the_wanted_model_is_filled_and_used(store: Store, data: Path):
    opened = Opened()
    switch = Models(store, data, BUILT_IN.name, opened)

    _finish(switch)

    assert _active(store) == BUILT_IN.name
    assert one_vector_each(store, "vectors_1")
    assert switch.embedder.model == BUILT_IN


def test_searches_keep_the_old_model_until_the_new_one_is_complete(store: Store, data: Path):
    _install(data, "other")
    opened = Opened()
    switch = Models(store, data, BUILT_IN.name, opened)
    _finish(switch)

    switch.use("other")
    assert switch.catch_up(GO) is True
    assert (_active(store), switch.embedder.model.name) == (BUILT_IN.name, BUILT_IN.name)
    assert switch.state()["next"] == {"model": "other", "vectors": 4, "docs": 10, "problem": ""}
    _finish(switch)

    assert (_active(store), switch.embedder.model.name) == ("other", "other")
    assert one_vector_each(store, "vectors_2")
    assert [model.info.name for model in models.models(store.read())] == ["other"], "the old vectors are gone"
    assert opened.by_name[BUILT_IN.name].closed
    assert "next" not in switch.state()
    assert sorted(opened.by_name["other"].asked) == BODIES


def test_after_a_restart_it_goes_on_where_it_was(store: Store, data: Path):
    _install(data, "other")
    first = Models(store, data, BUILT_IN.name, Opened())
    _finish(first)
    first.use("other")
    first.catch_up(GO)

    opened = Opened()
    second = Models(store, data, "other", opened)
    assert second.embedder.model == BUILT_IN, "searches still use the complete one"
    _finish(second)

    assert _active(store) == "other"
    assert len(opened.by_name["other"].asked) == 6
    assert one_vector_each(store, "vectors_2")


def test_what_arrives_meanwhile_is_found_by_the_old_model_at_once(store: Store, data: Path):
    _install(data, "other")
    switch = Models(store, data, BUILT_IN.name, Opened())
    _finish(switch)
    switch.use("other")
    switch.catch_up(GO)
    with store.transaction() as connection:
        doc = add_doc(connection, "new")

    switch.catch_up(GO)

    active = models.active(store.read())
    assert active is not None
    assert active.info == BUILT_IN
    assert vectors.of(store.read(), active, [doc])[0] == [doc]
    _finish(switch)
    assert one_vector_each(store, "vectors_2")


def test_a_change_of_mind_drops_what_was_begun(store: Store, data: Path):
    _install(data, "other")
    opened = Opened()
    switch = Models(store, data, BUILT_IN.name, opened)
    _finish(switch)
    switch.use("other")
    switch.catch_up(GO)

    switch.use(BUILT_IN.name)
    _finish(switch)

    assert opened.by_name["other"].closed
    assert [model.info.name for model in models.models(store.read())] == [BUILT_IN.name]
    assert _active(store) == BUILT_IN.name


def test_when_the_files_in_use_are_gone_the_wanted_model_takes_over(store: Store, data: Path):
    _install(data, "other")
    first = Models(store, data, "other", Opened())
    _finish(first)
    (folder_of("other", data) / "model.json").unlink()

    second = Models(store, data, BUILT_IN.name, Opened())
    assert second.embedder.model == BUILT_IN
    _finish(second)

    assert _active(store) == BUILT_IN.name
    assert len(models.models(store.read())) == 1


def test_the_same_name_with_other_weights_is_another_model(store: Store, data: Path):
    _install(data, "other")
    switch = Models(store, data, "other", Opened())
    _finish(switch)
    _install(data, "other", b"other weights")

    again = Models(store, data, "other", Opened())
    _finish(again)

    (held,) = models.models(store.read())
    assert held.info == again.embedder.model
    assert vectors.coverage(store.read(), held) == (10, 10)


def test_a_broken_model_in_use_does_not_keep_the_next_one_from_coming(store: Store, data: Path):
    _install(data, "other")
    opened = Opened()
    switch = Models(store, data, BUILT_IN.name, opened)
    _finish(switch)
    with store.transaction() as connection:
        add_doc(connection, "new")
    opened.by_name[BUILT_IN.name].broken = True
    with pytest.raises(EmbedderUnavailable):
        switch.catch_up(GO)

    switch.use("other")
    _finish(switch)

    assert _active(store) == "other"


def test_a_model_that_is_not_installed_is_refused_and_at_the_start_replaced(store: Store, data: Path):
    switch = Models(store, data, "missing", Opened())

    assert switch.embedder.model == BUILT_IN
    with pytest.raises(EmbedderUnavailable, match="not installed"):
        switch.use("missing")


def test_one_that_only_reads_writes_nothing(store: Store, data: Path):
    switch = Models(store, data, BUILT_IN.name, Opened())

    switch.state()

    assert models.models(store.read()) == []
