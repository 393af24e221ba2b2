"""What contradicts itself in a file that SQLite finds sound is named, and mended without touching anything else."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_memory.indexer import Indexer
from desktop_memory.store import consistency
from desktop_memory.store.store import Store
from tests.factories import FakeClock, at, event
from tests.invariants import broken
from tests.stubs import memory_over
from tests.toy_embedder import ToyEmbedder


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store.open(tmp_path, clock=FakeClock(at(1_000)))
    memory = memory_over(opened, FakeClock(at(1_000)))
    memory.remember(
        event(n * (1 if n % 20 else 15), text=f"make part-{n}", app=f"app {n % 3}", project="atlas", domain="a.org",
              url=f"https://a.org/{n % 5}", files=(f"/src/{n % 7}.py",))
        for n in range(60)
    )  # fmt: skip
    memory.pin("goal", "Ship it")
    memory.used([3, 4])
    embed(opened)
    assert broken(tmp_path) == []
    yield opened
    opened.close()


def embed(store: Store) -> None:
    indexer = Indexer(store, ToyEmbedder())
    while indexer.catch_up(threading.Event()):
        pass


WAYS = {
    "text that no event bears": "INSERT INTO text (hash, body) VALUES (x'00', 'lost')",
    "doc without a text": "DELETE FROM text WHERE id = 5",
    "doc without an event": "UPDATE event SET doc = NULL WHERE id = 9",
    "event whose doc is gone": "DELETE FROM doc WHERE id = 6",
    "event without a session": "UPDATE event SET session = NULL WHERE id IN (30, 31)",
    "session that is gone": "DELETE FROM session WHERE id = 1",
    "session of nothing": "INSERT INTO session (first_event, start, end, events) VALUES (-7, 5, 9, 1)",
    "session that ends late": "UPDATE session SET end = end + 90000000000",
    "session that begins late": "UPDATE session SET start = start + 60000000 WHERE id = 1",
    "session that counts wrong": "UPDATE session SET events = events + 1 WHERE id = 1",
    "two sessions in one another": "UPDATE event SET session = 1 WHERE id % 2",
    "entity that is gone": "DELETE FROM entity WHERE name = 'app 1' OR kind = 'file'",
    "device that is gone": "UPDATE event SET device = 77 WHERE id = 4",
    "place that is gone": "UPDATE event SET place = 77 WHERE id = 4",
    "file of another time": "UPDATE event_entity SET start = start + 1 WHERE event = 12",
    "names, files and uses of nothing": """INSERT INTO alias (key, event) VALUES (x'01', 999);
        INSERT INTO event_entity (entity, start, event) VALUES (1, 1, 999);
        UPDATE usage SET event = 999 WHERE event = 3;
        UPDATE pin SET event = 999""",
    "vector without a doc": "DELETE FROM doc WHERE id = 8; UPDATE event SET doc = NULL WHERE doc = 8",
    "doc without its vector": "DELETE FROM vectors_1 WHERE doc = 3",
    "vector without its code": "DELETE FROM codes_1 WHERE doc = 3",
    "code without its vector": "INSERT INTO codes_1 (doc, month, code) VALUES (777, 1, x'00')",
}


@pytest.mark.parametrize("way", WAYS)
def test_what_contradicts_itself_is_named_and_mended(store: Store, tmp_path: Path, way: str) -> None:
    said = [(one.id, one.start, one.text) for one in store.between(None, None)]
    with store.transaction() as connection:
        connection.execute(WAYS[way])

    assert store.problems()
    store.mend()
    embed(store)

    assert store.problems() == []
    assert broken(tmp_path) == []
    assert [(one.id, one.start, one.text) for one in store.between(None, None)] == said


def test_all_of_it_at_once(store: Store, tmp_path: Path) -> None:
    with store.transaction() as connection:
        for way in WAYS.values():
            connection.execute(way)

    store.mend()
    embed(store)

    assert broken(tmp_path) == []
    assert store.count() == 60


def test_words_that_are_not_what_the_events_say_are_made_anew(store: Store) -> None:
    with store.transaction() as connection:
        connection.execute("DELETE FROM event_words_idx")
        connection.execute("DELETE FROM event_words_docsize WHERE id < 9")

    assert "words" in store.problems()[0][0]
    store.mend()

    assert store.problems() == []


def test_the_projections_hear_of_every_event_that_is_mended(store: Store) -> None:
    before = store.changes(0, 10_000)
    with store.transaction() as connection:
        connection.execute("DELETE FROM entity WHERE name = 'app 1'; DELETE FROM session")

    store.mend()

    edited = {change.event for change in store.changes(0, 10_000)[len(before) :]}
    assert edited == set(range(1, 61))


def test_a_sound_memory_is_not_touched(store: Store) -> None:
    changes = store.changes(0, 10_000)

    store.mend()

    assert consistency.findings(store.read()) == []
    assert store.changes(0, 10_000) == changes
