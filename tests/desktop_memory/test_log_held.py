"""Another program holds a snapshot of the memory for long: the log stays bounded, and it is said."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from collectors.event import Event
from desktop_memory.engine import Engine
from desktop_memory.errors import LogHeld
from desktop_memory.indexer import Indexer
from desktop_memory.memory import Memory
from desktop_memory.model import Query
from desktop_memory.settings import Privacy
from desktop_memory.sharing.sharing import Sharing
from desktop_memory.store import models, vectors, writing
from desktop_memory.store import store as store_module
from desktop_memory.store.store import Store
from desktop_memory.store.whole import Cancelled
from desktop_memory.transfer.merge import merge
from tests.factories import FakeClock, at, event
from tests.stubs import ScriptedSource, memory_over
from tests.toy_embedder import ToyEmbedder

MB = 1 << 20
BOUND = 2 * MB
STEP = 4 * MB
"""No step of what writes much is larger here."""

READING = """
import sqlite3, sys
reader = sqlite3.connect(sys.argv[1], isolation_level=None)
reader.execute("BEGIN")
reader.execute("SELECT count(*) FROM event").fetchall()
print("reading", flush=True)
sys.stdin.read()
"""


@pytest.fixture(autouse=True)
def short_log(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "WAL_LIMIT", BOUND)
    monkeypatch.setattr(writing, "_LONG_LOG", BOUND // 2)
    monkeypatch.setattr(store_module, "_LOOK_SECONDS", 0.01)
    monkeypatch.setattr(store_module, "_READERS_MS", 10)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store.open(tmp_path / "memory", clock=FakeClock(at(9_000)))
    memory_over(store, FakeClock(at(9_000))).remember([seen(n) for n in range(20)])
    yield store
    store.close()


@pytest.fixture
def memory(store: Store) -> Memory:
    return memory_over(store, FakeClock(at(9_000)))


def seen(n: int) -> Event:
    return event(n, text=f"make part-{n} " + f"word{n} " * 200, app="zsh", project="atlas")


@contextmanager
def reading(store: Store) -> Iterator[None]:
    """Another process holds a snapshot."""
    command = [sys.executable, "-c", READING, str(store.path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"reading\n"
        yield
        process.communicate()


def fill_log(memory: Memory, store: Store) -> None:
    """Live recording, which never rests, until the log is over its bound."""
    number = 100
    while writing.log_size(store.path) <= BOUND:
        memory.remember([seen(number)])
        number += 1


def test_what_writes_much_rests_and_what_is_seen_is_kept(store: Store, memory: Memory) -> None:
    with reading(store):
        fill_log(memory, store)
        before = store.count()

        with pytest.raises(LogHeld, match="Another program has been reading the memory for so long"):
            Indexer(store, ToyEmbedder()).catch_up(threading.Event())
        with pytest.raises(LogHeld):
            store.rebuild_words()
        with pytest.raises(LogHeld):
            store.probe()
        memory.remember([seen(5_000)])

        assert store.count() == before + 1
        assert writing.log_size(store.path) < BOUND + STEP
        assert models.models(store.read()) == []

    store.probe()
    assert writing.log_size(store.path) < BOUND
    Indexer(store, ToyEmbedder()).catch_up(threading.Event())
    assert vectors.coverage(store.read(), models.models(store.read())[0])[0] > 0


def test_a_history_is_read_on_later_and_small_news_at_once(store: Store, memory: Memory) -> None:
    long = ScriptedSource("long", [[seen(1_000 + 100 * n + m) for m in range(100)] for n in range(20)])
    short = ScriptedSource("short", [[seen(8_000)]])
    engine = Engine(memory, store, [long, short], poll_seconds=60, clock=FakeClock(at(9_000)))

    with reading(store):
        engine.collect()
        held = {place.source: (place.state, place.advice) for place in store.places(at(9_000))}
        assert BOUND < writing.log_size(store.path) < BOUND + STEP
        assert long.asked < 20
        assert held["long"][0] == "failing"
        assert "End that program" in held["long"][1]
        assert held["short"][0] == "ok"

    engine.collect()
    assert store.count() == 20 + 2_000 + 1


def test_merging_waits_and_goes_on(store: Store, memory: Memory, tmp_path: Path) -> None:
    other = Store.open(tmp_path / "other", clock=FakeClock(at(9_000)))
    memory_over(other, FakeClock(at(9_000))).remember([seen(n) for n in range(1_000, 2_500)])
    other.close()
    said: list[str] = []

    with reading(store):
        fill_log(memory, store)

        def told(what: str, share: float) -> bool:
            said.append(what)
            return said.count("waiting for a program that reads the memory") > 3

        with pytest.raises(Cancelled):
            merge(memory, store, tmp_path / "memory", tmp_path / "other", told)
        assert writing.log_size(store.path) < BOUND + STEP

    merge(memory, store, tmp_path / "memory", tmp_path / "other", lambda what, share: False)
    assert store.count(Query(since=at(1_000), until=at(2_500))) == 1_500


def test_what_is_shared_waits_in_the_folder(store: Store, memory: Memory, tmp_path: Path) -> None:
    folder = tmp_path / "shared"
    folder.mkdir()
    clock = FakeClock(at(9_000))
    other = Store.open(tmp_path / "other", clock=clock)
    away = memory_over(other, clock)
    away.remember([seen(n) for n in range(1_000, 2_000)])
    there, here = Sharing(away, other, clock), Sharing(memory, store, clock)
    there.on(folder, "correct horse battery staple")
    here.on(folder, "correct horse battery staple")
    there.turn()
    other.close()

    with reading(store):
        fill_log(memory, store)
        with pytest.raises(LogHeld):
            here.turn()
        assert writing.log_size(store.path) < BOUND + STEP

    assert here.turn().read.new == 1_000


def test_what_is_no_longer_kept_goes_later(store: Store, tmp_path: Path) -> None:
    clock = FakeClock(at(9_000))
    memory = memory_over(store, clock, privacy=Privacy(keep=("terminal = 1 day",)))
    engine = Engine(memory, store, [], poll_seconds=60, clock=clock)
    with reading(store):
        fill_log(memory, store)
        with pytest.raises(LogHeld):
            memory.retire()
        engine.start()
        engine.stop()
        assert engine.alive is False
        before = store.count()

    assert memory.retire() == before
    assert store.count() == 0


def test_what_is_forgotten_leaves_the_log_once_the_reader_is_gone(store: Store, memory: Memory) -> None:
    memory.remember([event(50, text="the hidden treasure lies at xyzzy")])
    store.expect_short_log()

    with reading(store):
        done = memory.forget(Query(text="xyzzy"))
        assert done.events == 1
        assert b"xyzzy" in everything(store)
        with pytest.raises(LogHeld, match="What was forgotten still stands in the memory's log"):
            store.probe()
        memory.purge_forgotten()
        with pytest.raises(LogHeld):
            store.probe()

    memory.purge_forgotten()
    assert b"xyzzy" not in everything(store)
    store.probe()


def everything(store: Store) -> bytes:
    return b"".join(path.read_bytes() for path in store.path.parent.rglob("*") if path.is_file())
