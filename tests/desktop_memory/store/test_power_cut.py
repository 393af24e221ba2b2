"""The power goes at any write: whatever the disk kept of what was not yet synced, all that had returned is there."""

from __future__ import annotations

import os
import random
from pathlib import Path

import apsw
import pytest

from desktop_memory.model import Query
from desktop_memory.pipeline.keeping import Limit
from desktop_memory.store import connection as connections
from desktop_memory.store import opened
from desktop_memory.store.store import FILE_NAME, Store
from tests.factories import FakeClock, at, event
from tests.invariants import broken
from tests.recorded_disk import RecordedDisk
from tests.stubs import memory_over

STATES = int(os.environ.get("POWER_CUTS", "60"))
CLOCK = FakeClock(at(3_000))


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> object:
    """Every connection writes to a disk that notes it; such a disk has no shared memory, so there is one connection."""
    disk = RecordedDisk()
    with disk.named("recorded"):
        monkeypatch.setattr(opened, "connect", lambda path, writer=False: _recorded(path))
        monkeypatch.setattr(Store, "read", lambda self: self._writer)
        yield disk


def _recorded(path: Path) -> apsw.Connection:
    connection = apsw.Connection(str(path), vfs="recorded")
    connection.execute("PRAGMA locking_mode=EXCLUSIVE").fetchall()
    connections.set_up(connection, None, writer=True)
    connection.execute("PRAGMA mmap_size=0").fetchall()
    return connection


def work(folder: Path, disk: RecordedDisk) -> dict[str, list[str]]:
    """A life of a memory; what must be there once each step had returned."""
    store = Store.open(folder, clock=CLOCK)
    memory = memory_over(store, CLOCK)
    told: dict[str, list[str]] = {}

    def done(name: str) -> None:
        told[name] = texts(store)
        disk.done(name)

    done("opened")
    for batch in range(6):
        memory.remember(
            event(n * (1 if n % 10 else 12), text=f"make part-{n} " + "word " * 60, app=f"app {n % 4}")
            for n in range(batch * 25, batch * 25 + 25)
        )
        done(f"batch {batch}")
    memory.forget(Query(app="app 1"))
    done("forgotten")
    memory.forget(Query(app="app 2"), now=False)
    done("set aside")
    memory.undo_forget()
    done("taken back")
    store._writer.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
    memory.remember([event(400 + n, text=f"late {n}", app="app 3") for n in range(20)])
    done("after a checkpoint")
    store.let_go(Limit("all", days=1), at(60), 1_000)
    store.scrub()
    done("retired")
    store.rebuild_words()
    done("words")
    store.close()
    return told


def texts(store: Store) -> list[str]:
    return [found.text for found in store.all_events()]


def test_all_that_had_returned_is_there(tmp_path: Path, disk: RecordedDisk, monkeypatch) -> None:
    told = work(tmp_path / "life", disk)
    monkeypatch.undo()
    names = list(told)
    chance = random.Random(20_261_130)
    ends = [place for place, step in enumerate(disk.steps) if step.what == "done"]
    cuts = [chance.randrange(ends[0] + 1, len(disk.steps)) for _ in range(STATES)]

    for number, cut in enumerate(cuts):
        folder = tmp_path / f"cut {number}"
        folder.mkdir(mode=0o700)
        for name, data in disk.after_a_cut(cut, chance).items():
            if not name.endswith("-shm"):
                (folder / name).write_bytes(data)
        returned = sum(end < cut for end in ends) - 1

        assert broken(folder) == [], f"cut {number} behind step {cut}"
        store = Store.open(folder, clock=CLOCK)
        found = texts(store)
        store.close()
        # The step under way may be there as well, as a whole; some are of several transactions.
        assert found in between(told, names, returned), f"cut {number} behind step {cut}: {names[returned]}"
        assert (folder / FILE_NAME).exists()


def between(told: dict[str, list[str]], names: list[str], returned: int) -> list[list[str]]:
    return [told[name] for name in names[returned : returned + 2]]
