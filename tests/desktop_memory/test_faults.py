"""A full disk, a folder that cannot be written, a damaged graph, a clock set back: said plainly, nothing lost."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from desktop_memory.app import App
from desktop_memory.doctor import examine
from desktop_memory.errors import KnownError, StoreError
from desktop_memory.model import Query
from desktop_memory.store.store import FILE_NAME, Store
from tests.factories import FakeClock, at, event
from tests.running import ask, environment, run, zsh_history
from tests.stubs import ScriptedSource, memory_over

SECOND = 1_786_615_200


@pytest.fixture
def folder(home: Path) -> Path:
    return home / "memory"


@pytest.fixture
def store(folder: Path) -> Iterator[Store]:
    opened = Store.open(folder, clock=FakeClock(at(60)))
    yield opened
    opened.close()


def fill_the_disk(store: Store) -> None:
    """SQLite meets its own "disk full" at the size the file has now."""
    with store.transaction() as connection:
        pages = connection.pragma("page_count")
    store._writer.execute(f"PRAGMA max_page_count={pages}")


def make_room(store: Store) -> None:
    store._writer.execute("PRAGMA max_page_count=1000000")


def test_a_full_disk_is_said_and_recording_goes_on_when_there_is_room(store):
    from desktop_memory.engine import Engine

    clock = FakeClock(at(60))
    memory = memory_over(store, clock)
    memory.remember([event(1)])
    source = ScriptedSource("a", [[event(n, text="x" * 5_000 + str(n)) for n in range(2, 80)]])
    engine = Engine(memory, store, [source], poll_seconds=60, clock=clock)
    fill_the_disk(store)

    engine.collect()

    assert store.count() == 1
    with pytest.raises(StoreError, match="disk is full"):
        memory.remember([event(n, text="y" * 9_000 + str(n)) for n in range(99)])
    make_room(store)
    assert engine.collect().new == 78
    assert [place.state for place in memory.places()] == ["ok"]


AS_NOBODY = """
import os, sys
import desktop_memory.app, desktop_memory.cli.parser, desktop_memory.cli.session, apsw, sqlite_vec, tzlocal
import desktop_memory.cli.words
os.setgid(65534); os.setuid(65534)
from desktop_memory.cli import main
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.skipif(os.name == "nt" or os.geteuid() != 0, reason="only root can become somebody else")
def test_a_folder_that_somebody_else_owns_is_said_and_left_alone(home, folder):
    ask(home, "note", "mine")
    before = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    for path in (home, *home.parents):
        if path != Path("/"):
            os.chmod(path, path.stat().st_mode | 0o055)

    for words in (["now"], ["collect"], ["note", "theirs"]):
        done = subprocess.run(
            [sys.executable, "-c", AS_NOBODY, *words],
            env=environment(home),
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 1, done.stderr
        assert "Check its permissions" in done.stderr
    assert {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()} == before


def test_a_damaged_graph_is_set_aside_and_made_anew(home, folder):
    zsh_history(home, [(SECOND + n, f"make part-{n}") for n in range(50)])
    ask(home, "collect")
    (graph,) = [path for path in (folder / "graph").iterdir() if path.name == "graph.kuzu"]
    damaged = b"\xff" * 40_960
    with graph.open("r+b") as file:
        file.write(damaged)

    receipt = ask(home, "collect")

    assert receipt["new"] == 0
    (aside,) = folder.glob("graph-*.damaged")
    assert (aside / "graph.kuzu").read_bytes()[:4096] == damaged[:4096]
    app = App.open(folder)
    try:
        assert app.parts.projector is not None
        graph = app.memory.stats().graph
        assert (graph["state"], graph["behind"]) == ("ready", 0)
    finally:
        app.close()
    assert run(home, "session").returncode == 0


def test_a_clock_that_was_set_back_leaves_the_order_by_time(store):
    memory = memory_over(store, FakeClock(at(60)))
    memory.remember([event(50, text="late")])
    memory.remember([event(10, text="after the clock went back")])

    assert [e.text for e in store.between(None, None)] == ["after the clock went back", "late"]


@pytest.mark.parametrize(
    "text",
    ["\x00\x1b[31mred\x07", "half \ud83d a pair", "\u202eevil", "x" * 1_000_000, "a\nb\r\nc", "é" * 300_000],
    ids=["control", "surrogate", "rtl", "1 MB", "lines", "600 kB of UTF-8"],
)
def test_odd_text_is_stored_clean_and_found(store, text):
    memory = memory_over(store, FakeClock(at(60)))

    receipt = memory.remember([event(1, text=text + " needle"), event(2, kind="window", title=text, text="")])

    assert receipt.new == 2
    for found in store.between(None, None):
        assert "\x00" not in found.text + found.title
        (found.text + found.title).encode("utf-8")
        assert len(found.title) <= 1_100
        assert len(found.text) <= 20_200


def test_everything_in_the_folder_is_for_its_owner_alone(home, folder):
    zsh_history(home, [(SECOND + n, f"make part-{n}") for n in range(5)])
    ask(home, "collect")

    open_to_others = [path for path in (folder, *folder.rglob("*")) if path.lstat().st_mode & 0o077]

    assert open_to_others == []


def test_the_doctor_names_what_is_wrong_and_what_mends_it(home, folder):
    ask(home, "note", "well")
    assert {check.state for check in examine(folder)} == {"ok"}

    os.chmod(folder / FILE_NAME, 0o644)
    (folder / "settings.toml").write_text("[privacy]\nexclude_titles = ['(']\n")

    found = {check.name: check for check in examine(folder) if check.state != "ok"}
    assert set(found) >= {"permissions", "settings"}
    assert all(check.problem and check.advice for check in found.values())
    done = run(home, "doctor")
    assert done.returncode == 1


def test_a_broken_rule_stops_recording_instead_of_letting_everything_in(home, folder):
    folder.mkdir(mode=0o700)
    (folder / "settings.toml").write_text("[privacy]\nexclude_titles = ['(']\n")

    done = run(home, "collect")

    assert done.returncode == 1
    assert "exclude_titles" in done.stderr


def test_a_store_from_a_newer_version_is_refused_by_every_command(home, folder):
    ask(home, "note", "from the future")
    import apsw

    connection = apsw.Connection(str(folder / FILE_NAME))
    connection.execute("PRAGMA user_version=99; PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    before = (folder / FILE_NAME).read_bytes()

    for words in (["now"], ["collect"], ["note", "x"], ["forget", "--last", "1h"], ["record"]):
        done = run(home, *words)
        assert (done.returncode, "newer version" in done.stderr) == (1, True), (words, done.stderr)
    assert run(home, "doctor").returncode == 1
    assert (folder / FILE_NAME).read_bytes() == before


def test_a_file_that_is_no_store_is_said_and_left_alone(home, folder):
    ask(home, "note", "well")
    path = folder / FILE_NAME
    raw = b"\xaa" * 100_000
    path.write_bytes(raw)
    for rest in ("-wal", "-shm"):
        (folder / (FILE_NAME + rest)).unlink(missing_ok=True)

    for words in (["now"], ["collect"], ["status"]):
        done = run(home, *words)
        assert done.returncode == 1, words
        assert "damaged" in done.stderr
    assert path.read_bytes() == raw


def test_pauses_and_filters_hold_over_a_change_of_the_clock(store):
    clock = FakeClock(at(60))
    memory = memory_over(store, clock)
    memory.pause(at(60) + timedelta(minutes=10))

    clock.now = at(65)
    assert memory.remember([event(64)]).dropped == 1
    clock.now = at(71)
    assert memory.remember([event(70.5)]).new == 1
    assert memory.search(Query(since=at(60))).hits[0].event.start == at(70.5)
    with pytest.raises(KnownError):
        memory.pause(at(1))
