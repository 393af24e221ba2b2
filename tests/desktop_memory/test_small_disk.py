"""A disk that is full at any write, or read-only: said plainly, nothing lost, read on, gone on when there is room."""

from __future__ import annotations

import logging
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path

import pytest

from desktop_memory import encryption, logs, settings
from desktop_memory.cli import main
from desktop_memory.errors import KnownError
from desktop_memory.graph.graph import Graph
from desktop_memory.graph.projector import Projector
from desktop_memory.indexer import Indexer
from desktop_memory.model import Query
from desktop_memory.store.store import Store
from desktop_memory.transfer import backup
from tests.factories import FakeClock, at, event
from tests.invariants import broken
from tests.keyrings import cheap
from tests.running import environment
from tests.small_disk import SmallDisk, small_disk
from tests.stubs import memory_over
from tests.toy_embedder import ToyEmbedder

__all__ = ["cheap"]

KB = 1024
CLOCK = FakeClock(at(2_000))
COUNT = 60


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[SmallDisk]:
    with small_disk(tmp_path / "disk", 80) as disk:
        yield disk


PASSPHRASE = "correct horse battery staple"


@pytest.fixture
def folder(disk: SmallDisk, request: pytest.FixtureRequest) -> Path:
    """A memory on the small disk, plain unless a test asks for an encrypted one."""
    folder = disk.path / "memory"
    store = Store.open(folder, clock=CLOCK)
    memory_over(store, CLOCK).remember([seen(n) for n in range(COUNT)])
    store.close()
    if getattr(request, "param", "plain") == "encrypted":
        planned = encryption.plan(PASSPHRASE, keyring=False)
        encryption.turn_on(folder, planned, lambda share: False)
    return folder


def seen(n: int) -> object:
    return event(
        n, text=f"make part-{n} " + f"word{n} " * 50, app="zsh", project="atlas", files=(f"/src/{n % 9}.py",)
    )


READING = (
    ("now",),
    ("recent",),
    ("search", "part"),
    ("context", "part", "--no-pins"),
    ("session", "--time", "2026-08-13T10:00"),
    ("around", "--time", "2026-08-13T10:00"),
    ("connected", "--app", "zsh"),
    ("status",),
    ("copies",),
    ("graph",),
)


LEFT = ("nothing", "a log and its index", "a log alone")


@pytest.mark.parametrize(
    ("how", "left", "folder"),
    [
        *[("full", left, "plain") for left in LEFT],
        *[("read-only", left, "plain") for left in LEFT],
        ("full", "nothing", "encrypted"),
        ("read-only", "a log alone", "encrypted"),
    ],
    indirect=["folder"],
)
def test_reading_goes_on(
    disk: SmallDisk, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], how: str, left: str
) -> None:
    if left != "nothing":
        die_while_writing(folder)
    if left == "a log alone":
        (folder / "memory.sqlite-shm").unlink()

    with disk.read_only() if how == "read-only" else nullcontext():
        for words in READING:
            if how == "full":
                disk.fill()  # again and again: the log that was left gives back its room
            assert main(["--home", str(folder), *words]) == 0, (words, capsys.readouterr().err)
        assert main(["--home", str(folder), "export", str(tmp_path / "out.jsonl")]) == 0
        told = capsys.readouterr()
        assert "make part-7" in told.out
        assert "The copy was not saved" in told.err
        if how == "full":
            disk.fill()
        assert main(["--home", str(folder), "note", "x"]) == 1
        assert ("full" if how == "full" else "cannot be") in capsys.readouterr().err
        assert main(["--home", str(folder), "doctor"]) == 1

    disk.make_room()
    assert main(["--home", str(folder), "note", "x"]) == 0
    assert broken(folder) == []


DYING = """
import os, signal, sys
from pathlib import Path
from desktop_memory.store.store import Store
from tests.factories import FakeClock, at, event
from tests.stubs import memory_over
store = Store.open(Path(sys.argv[1]), clock=FakeClock(at(2_000)))
memory_over(store, FakeClock(at(2_000))).remember([event(1_000, text="the last")])
os.kill(os.getpid(), signal.SIGKILL)
"""


def die_while_writing(folder: Path) -> None:
    """A recorder that is killed leaves its log and the log's index."""
    around = environment(folder.parent, DESKTOP_MEMORY_PASSPHRASE=PASSPHRASE)
    subprocess.run([sys.executable, "-c", DYING, str(folder)], env=around, check=False)
    assert (folder / "memory.sqlite-wal").stat().st_size > 0


class Desk:
    """The memory and its projections, opened before the disk was full, as a running app has them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.store = Store.open(folder, clock=CLOCK)
        self.memory = memory_over(self.store, CLOCK)
        self.graph = Graph.open(folder / "graph")
        self.projector = Projector(self.store, self.graph)
        self.indexer = Indexer(self.store, ToyEmbedder())

    def close(self) -> None:
        self.graph.close()
        self.store.close()


def remember(desk: Desk) -> None:
    desk.memory.remember([seen(n) for n in range(COUNT, 2 * COUNT)])


def import_(desk: Desk) -> None:
    lines = [
        f'{{"kind": "note", "start": "2026-08-13T1{n % 10}:00:00Z", "title": "n{n}"}}' for n in range(COUNT)
    ]
    desk.memory.import_lines(lines)


def forget(desk: Desk) -> None:
    desk.memory.forget(Query(app="zsh"))


def forget_for_a_while(desk: Desk) -> None:
    desk.memory.forget(Query(app="zsh"), now=False)


def words(desk: Desk) -> None:
    desk.store.rebuild_words()


def vectors(desk: Desk) -> None:
    while desk.indexer.catch_up(threading.Event()):
        pass


def graph(desk: Desk) -> None:
    desk.projector.rebuild()


def follow(desk: Desk) -> None:
    while desk.projector.catch_up(threading.Event()):
        pass


def back_up(desk: Desk) -> None:
    target = desk.folder.parent / "backup.zip"
    target.unlink(missing_ok=True)
    backup.make(desk.folder, target, at(0), lambda what, share: False)


def export(desk: Desk) -> None:
    done = main(["--home", str(desk.folder), "export", str(desk.folder.parent / "out.jsonl")])
    if done:
        raise KnownError(f"it ended with {done}")


def save_settings(desk: Desk) -> None:
    settings.save(
        settings.Settings(privacy=settings.Privacy(exclude_apps=("x" * 9_000,))),
        desk.folder / "settings.toml",
    )


def log(desk: Desk) -> None:
    logs.start(desk.folder, lambda text: text)
    try:
        logging.getLogger("desktop_memory").warning("x" * 9_000)
    finally:
        logs.stop()


WRITES = (
    remember, import_, forget, forget_for_a_while, words, vectors, graph, follow, back_up, export, save_settings, log,
)  # fmt: skip


@pytest.mark.parametrize(
    ("write", "folder"),
    [
        *[(write, "plain") for write in WRITES],
        *[(write, "encrypted") for write in (remember, forget, back_up, save_settings)],
    ],
    indirect=["folder"],
    ids=lambda value: value.__name__.strip("_") if callable(value) else value,
)
def test_a_disk_that_is_full_at_any_write(
    disk: SmallDisk, folder: Path, write: Callable[[Desk], None]
) -> None:
    said: list[str] = []
    desk = Desk(folder)
    try:
        graph(desk)
        if write is follow:
            remember(desk)
        before = desk.store.count()
        with desk.store.transaction() as connection:
            pass
        connection.execute(
            "PRAGMA wal_checkpoint(TRUNCATE)"
        ).fetchall()  # a long log would have room of its own
        for leave in (0, 8, 60, 250):
            disk.fill(leave * KB)
            try:
                write(desk)
            except KnownError as error:
                said.append(error.problem)
            else:
                break
            finally:
                disk.make_room()
            assert broken(folder) == [], f"with {leave} KB"
            assert desk.store.count() == before
        write(desk)
    finally:
        desk.close()

    assert (said and all(said)) or write is log
    assert broken(folder) == []
    assert [path.name for path in folder.rglob("*.new")] == []
    assert list((folder / "moving").glob("*")) == []
