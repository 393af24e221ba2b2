"""What is taken away, replaced or held under a running app, and file systems that cannot lock."""

from __future__ import annotations

import errno
import json
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import pytest

from desktop_memory import owner
from desktop_memory.errors import BusyError, KnownError, StoreError
from desktop_memory.graph import lock as graph_lock
from desktop_memory.graph.graph import Graph
from desktop_memory.graph.projector import Projector
from desktop_memory.owner import OwnerLock
from desktop_memory.store import connection as connections
from desktop_memory.store.store import FILE_NAME, Store
from tests.factories import FakeClock, at, event
from tests.invariants import broken
from tests.stubs import memory_over

CLOCK = FakeClock(at(5_000))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "memory"


@pytest.fixture
def store(folder: Path) -> Iterator[Store]:
    opened = Store.open(folder, clock=CLOCK)
    memory_over(opened, CLOCK).remember([event(n) for n in range(30)])
    yield opened
    opened.close()


def test_nothing_is_written_to_a_store_that_was_taken_away(store: Store, folder: Path) -> None:
    memory = memory_over(store, CLOCK)
    (folder / FILE_NAME).rename(folder / "elsewhere")

    with pytest.raises(StoreError, match="removed or replaced"):
        memory.remember([event(40)])
    with pytest.raises(StoreError, match="removed or replaced"):
        store.probe()
    (folder / "elsewhere").rename(folder / FILE_NAME)

    assert memory.remember([event(40)]).new == 1
    assert broken(folder) == []


def test_a_store_that_was_put_in_its_place_is_not_touched(store: Store, folder: Path, tmp_path: Path) -> None:
    other = Store.open(tmp_path / "other", clock=CLOCK)
    memory_over(other, CLOCK).remember([event(99, text="another's")])
    other.close()
    shutil.copy(tmp_path / "other" / FILE_NAME, folder / "new")
    (folder / "new").replace(folder / FILE_NAME)

    with pytest.raises(StoreError, match="removed or replaced"):
        memory_over(store, CLOCK).remember([event(40)])

    raw = (tmp_path / "other" / FILE_NAME).read_bytes()
    assert (folder / FILE_NAME).read_bytes() == raw


def test_a_graph_that_is_removed_is_made_anew_at_the_next_start(store: Store, folder: Path) -> None:
    graph = Graph.open(folder / "graph")
    projector = Projector(store, graph)
    projector.rebuild()
    for path in (folder / "graph").glob("graph.kuzu*"):
        path.unlink()

    memory_over(store, CLOCK).remember([event(40)])
    while projector.catch_up(threading.Event()):
        pass
    graph.close()

    graph = Graph.open(folder / "graph")
    projector = Projector(store, graph)
    while projector.catch_up(threading.Event()):
        pass
    counts = projector.counts()
    graph.close()
    assert counts is not None
    assert counts["Event"] == 31


def test_a_lock_that_a_dead_process_left_does_not_block(folder: Path) -> None:
    folder.mkdir(mode=0o700)
    (folder / owner.FILE_NAME).write_text(json.dumps({"pid": 4_000_000, "command": "record"}))

    lock = OwnerLock(folder)
    lock.acquire()

    with pytest.raises(BusyError):
        OwnerLock(folder).acquire()
    lock.release()


def no_locks(*_: object) -> NoReturn:
    raise OSError(errno.ENOLCK, "No locks available")


def test_a_file_system_without_locks_is_said(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(owner, "_lock", no_locks)

    with pytest.raises(KnownError, match="offers no locks") as said:
        OwnerLock(folder).acquire()

    assert "local disk" in said.value.advice


def test_a_busy_file_is_one_where_there_are_locks_and_else_their_lack_is_said(
    store: Store, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "BUSY_MS", 1)
    with store.transaction() as writing:
        writing.execute("DELETE FROM event")
        other = connections.connect(folder / FILE_NAME, writer=True)
        with pytest.raises(KnownError, match="is busy"), connections.known_errors(folder / FILE_NAME):
            other.execute("BEGIN IMMEDIATE")
        monkeypatch.setattr(owner, "_lock_bytes", no_locks)
        with pytest.raises(KnownError, match="offers no locks"), connections.known_errors(folder / FILE_NAME):
            other.execute("BEGIN IMMEDIATE")
        other.close()


def test_a_graph_that_cannot_be_locked_leaves_the_store_to_answer(
    store: Store, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(graph_lock, "_lock", no_locks)
    graph = Graph.open(folder / "graph")

    assert not graph.possible
    assert not Projector(store, graph).catch_up(threading.Event())
    graph.close()


def test_the_log_shrinks_once_a_reader_of_an_hour_is_gone(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    megabyte = 1 << 20
    monkeypatch.setattr(connections, "WAL_LIMIT", megabyte)
    monkeypatch.setattr("desktop_memory.store.writing.WAL_LIMIT", megabyte)
    store = Store.open(folder, clock=CLOCK)
    memory = memory_over(store, CLOCK)
    memory.remember([event(n) for n in range(5)])
    reader = Store.open(folder, clock=CLOCK)
    log = folder / f"{FILE_NAME}-wal"
    with reader.snapshot() as held:
        assert held.count() == 5
        for hour in range(8):
            memory.remember(
                event(10 + hour * 40 + n, text=f"{hour} {n} " + "word " * 2_000) for n in range(40)
            )
        assert held.count() == 5
        assert log.stat().st_size > 3 * megabyte
        assert any("log has grown" in problem for problem, _ in store.problems())

    store.scrub()
    memory.remember([event(999)])

    assert log.stat().st_size <= megabyte
    assert store.problems() == []
    reader.close()
    store.close()
    assert broken(folder) == []
