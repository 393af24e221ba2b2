"""Memories of every released schema, with rows in every table, come to today's with all they hold."""

from __future__ import annotations

import threading
from pathlib import Path

import apsw
import pytest

from desktop_memory.indexer import Indexer
from desktop_memory.model import Query
from desktop_memory.store import migrations
from desktop_memory.store.store import FILE_NAME, Store
from tests.factories import FakeClock, at, event
from tests.invariants import broken
from tests.old_store import EVENTS, RELEASED, make_old_store
from tests.stubs import memory_over
from tests.toy_embedder import ToyEmbedder

CLOCK = FakeClock(at(5_000))


def held(folder: Path) -> dict[str, list[object]]:
    """The rows of each table of our own."""
    connection = apsw.Connection(str(folder / FILE_NAME), flags=apsw.SQLITE_OPEN_READWRITE)
    names = [
        name
        for (name,) in connection.execute(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0"
        )
        if "_words" not in name and not name.startswith(("vectors_", "sqlite_"))
    ]
    rows = {name: sorted(map(repr, connection.execute(f"SELECT * FROM {name}"))) for name in names}
    connection.close()
    return rows


def test_every_schema_but_today_s_was_released() -> None:
    assert tuple(range(1, len(migrations.STEPS))) == RELEASED


@pytest.mark.parametrize("schema", RELEASED)
def test_the_old_memory_has_rows_in_every_table(tmp_path: Path, schema: int) -> None:
    make_old_store(tmp_path / "memory", schema)

    assert [name for name, rows in held(tmp_path / "memory").items() if not rows] == []


@pytest.mark.parametrize("schema", RELEASED)
def test_it_comes_to_today_s_schema_with_all_it_holds(tmp_path: Path, schema: int) -> None:
    folder = tmp_path / "memory"
    make_old_store(folder, schema)
    before = held(folder)

    store = Store.open(folder, clock=CLOCK)
    memory = memory_over(store, CLOCK)

    assert broken(folder) == []
    after = held(folder)
    for name, rows in before.items():
        assert len(after[name]) == len(rows) + (schema == 1 and name == "profile"), name
    assert store.count() == EVENTS
    assert len(memory.search(Query(text="part", limit=100)).hits) == 50
    assert [pin.text for pin in store.pins()] == ["Keep SQLite"]
    assert memory.copied("ctx-0001") is not None
    assert {project.name for project in memory.projects()} >= {"p0", "p1"}
    store.close()


@pytest.mark.parametrize("schema", RELEASED)
def test_life_goes_on_in_it(tmp_path: Path, schema: int) -> None:
    folder = tmp_path / "memory"
    make_old_store(folder, schema)
    store = Store.open(folder, clock=CLOCK)
    memory = memory_over(store, CLOCK)
    indexer = Indexer(store, ToyEmbedder())

    again = memory.remember([event(n * (1 if n % 12 else 20), text=f"make part-{n}", app=f"app {n % 3}",
                                   project=f"p{n % 2}") for n in range(50)])  # fmt: skip
    barred = memory.remember([event(500 + n, text=f"secret {n}", app="Slack") for n in range(5)])
    back = memory.undo_forget()
    fresh = memory.remember([event(4_000, text="a new one", app="app 1")])
    while indexer.catch_up(threading.Event()):
        pass
    gone = memory.forget(Query(app="app 1"))

    assert (again.new, barred.new, back, fresh.new) == (0, 0, 1, 1)
    assert gone.events == 18
    assert gone.vectors > 0
    assert store.count() == EVENTS + 2 - gone.events
    store.close()
    assert broken(folder) == []


def test_an_empty_file_becomes_a_memory(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).touch()

    Store.open(tmp_path, clock=CLOCK).close()

    assert broken(tmp_path) == []
