"""Histories kept in SQLite, built as nushell and Atuin build them."""

from __future__ import annotations

import platform
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from collectors.collector import Collector, Place, Unavailable
from collectors.event import identity, microseconds
from collectors.shell.atuin import Atuin
from collectors.shell.nushell import Nushell
from tests.collectors.shell.terminal import Reader, texts

SECOND = 1_700_000_000
NU = """CREATE TABLE history (id INTEGER PRIMARY KEY AUTOINCREMENT, command_line TEXT NOT NULL, start_timestamp INTEGER,
    session_id INTEGER, hostname TEXT, cwd TEXT, duration_ms INTEGER, exit_status INTEGER, more_info TEXT) STRICT"""
OLD_ATUIN = """CREATE TABLE history (id TEXT PRIMARY KEY, timestamp INTEGER NOT NULL, duration INTEGER NOT NULL,
    exit INTEGER NOT NULL, command TEXT NOT NULL, cwd TEXT NOT NULL, session TEXT NOT NULL, hostname TEXT NOT NULL,
    UNIQUE (timestamp, cwd, command))"""
NEW_ATUIN = ("deleted_at INTEGER", "author TEXT", "intent TEXT", "shell TEXT", "author_kind INTEGER")


@contextmanager
def written(path: Path) -> Iterator[sqlite3.Connection]:
    """A database in WAL mode that its program has open: what was written last is beside it only."""
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA wal_autocheckpoint=0")
    try:
        yield connection
    finally:
        connection.close()


def reader(collector: Collector) -> Reader:
    (place,) = collector.places()
    return Reader(collector, place)


@pytest.fixture
def nu(home: Path) -> Iterator[sqlite3.Connection]:
    with written(home / ".config/nushell/history.sqlite3") as connection:
        connection.execute(NU)
        yield connection


@pytest.fixture
def atuin(home: Path) -> Iterator[sqlite3.Connection]:
    with written(home / ".local/share/atuin/history.db") as connection:
        connection.execute(OLD_ATUIN)
        for column in NEW_ATUIN:
            connection.execute(f"ALTER TABLE history ADD COLUMN {column}")
        yield connection


def run_in_nu(nu: sqlite3.Connection, text: str | bytes, at: float | None = SECOND, **columns: Any) -> None:
    row = {
        "command_line": text,
        "start_timestamp": None if at is None else int(at * 1_000),
        "cwd": "/nowhere",
        **columns,
    }
    _insert(nu, row)


def run_in_atuin(atuin: sqlite3.Connection, text: str, at: float = SECOND + 0.5, **columns: Any) -> None:
    row = {
        "id": f"018{atuin.total_changes:029d}",
        "timestamp": int(at * 1_000) * 1_000_000,
        "duration": 2_000_000_000,
        "exit": 0,
        "command": text,
        "cwd": "/nowhere",
        "session": "s",
        "hostname": f"{platform.node()}:me",
        **columns,
    }
    _insert(atuin, row)


def _insert(connection: sqlite3.Connection, row: dict[str, Any]) -> None:
    marks = ", ".join("?" * len(row))
    connection.execute(f"INSERT INTO history ({', '.join(row)}) VALUES ({marks})", tuple(row.values()))


def test_nushell_tells_folder_result_and_times(home: Path, nu: sqlite3.Connection):
    (home / "work" / ".git").mkdir(parents=True)
    (home / "work" / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    run_in_nu(
        nu, "ls | where size > 1kb", SECOND + 0.25, cwd=str(home / "work"), duration_ms=1_500, exit_status=1
    )

    (event,) = reader(Nushell(copies=home / "copies")).read()

    assert event.text == "ls | where size > 1kb"
    assert microseconds(event.start) == SECOND * 1_000_000 + 250_000
    assert event.end == event.start + timedelta(milliseconds=1_500)
    assert event.details == {"cwd": str(home / "work"), "exit": 1}
    assert (event.project, event.source, event.app) == ("work", "nushell", "nushell")
    assert event.identity == identity("command", SECOND, event.text, 0)


def test_a_row_completed_later_is_told_again_under_the_same_name(home: Path, nu: sqlite3.Connection):
    run_in_nu(nu, "sleep 5sec")
    mine = reader(Nushell(copies=home / "copies"))
    (first,) = mine.read()

    nu.execute("UPDATE history SET duration_ms = 5000, exit_status = 0")
    run_in_nu(nu, "sleep 5sec", SECOND + 0.5)
    again, second = mine.read()

    assert (first.end, first.identity) == (None, again.identity)
    assert again.end == again.start + timedelta(seconds=5)
    assert second.identity != again.identity


def test_rows_without_a_time_stand_before_the_next_that_has_one(home: Path, nu: sqlite3.Connection):
    run_in_nu(nu, "one", None)
    run_in_nu(nu, "two", None)
    run_in_nu(nu, "three")
    run_in_nu(nu, "four", None)

    events = reader(Nushell(copies=home / "copies")).read()

    assert [(event.text, event.approx) for event in events] == [
        ("one", True), ("two", True), ("three", False), ("four", True)
    ]  # fmt: skip
    assert events[2].start - events[0].start < timedelta(seconds=1)
    assert len({event.identity for event in events}) == 4


def test_bytes_in_text_columns_and_nonsense_do_no_harm(home: Path):
    with written(home / ".config/nushell/history.sqlite3") as nu:
        nu.execute(NU.replace(" STRICT", ""))
        run_in_nu(nu, b"echo \xff\0", cwd=b"/caf\xe9")
        run_in_nu(nu, "", SECOND)
        run_in_nu(nu, "far", 10**12, duration_ms=-5, exit_status="x")
        run_in_nu(nu, "good", SECOND + 2)

        mine = reader(Nushell(copies=home / "copies"))

        assert sorted(texts(mine.read())) == ["echo �", "far", "good"]
        assert mine.skipped == {"no command": 1}


def test_a_cleared_history_goes_on_with_what_is_new(home: Path, nu: sqlite3.Connection):
    for n in range(5):
        run_in_nu(nu, f"old {n}", SECOND + n)
    mine = reader(Nushell(copies=home / "copies"))
    mine.read()

    nu.execute("DELETE FROM history")
    nu.execute("DELETE FROM sqlite_sequence")
    run_in_nu(nu, "new", SECOND + 100)

    assert texts(mine.read()) == ["new"]


def test_the_newest_rows_come_first_and_one_copy_serves_for_all(
    home: Path, nu: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
):
    for n in range(95):
        run_in_nu(nu, f"command {n}", SECOND + n)
    collector = Nushell(copies=home / "copies")
    collector._rows.batch = 10
    mine = reader(collector)

    first = collector.collect(mine.place, None)
    monkeypatch.setattr("collectors.shell.rows.take", lambda *_: pytest.fail("it was copied again"))
    mine.cursor = first.cursor
    rest = mine.read()

    assert texts(list(first.events)) == [f"command {n}" for n in range(85, 95)]
    assert texts(rest) == [f"command {n}" for n in range(85)]
    assert mine.read() == []
    assert list((home / "copies").iterdir()) == []


def test_reading_that_was_interrupted_goes_on_with_the_cursor_alone(home: Path, nu: sqlite3.Connection):
    for n in range(45):
        run_in_nu(nu, f"command {n}", SECOND + n)
    told, cursor, more = [], None, True
    while more:
        collector = Nushell(copies=home / "copies")
        collector._rows.batch = 10
        (place,) = collector.places()
        batch = collector.collect(place, cursor)
        told.extend(texts(list(batch.events)))
        cursor, more = batch.cursor, batch.more
        if len(told) == 20:
            run_in_nu(nu, "meanwhile", SECOND + 100)

    assert set(told) == {"meanwhile", *(f"command {n}" for n in range(45))}


def test_what_was_hidden_from_the_hook_is_private_here_too(
    home: Path, nu: sqlite3.Connection, atuin: sqlite3.Connection
):
    spool = home / "spool"
    (spool / "nushell").mkdir(parents=True)
    (spool / "hidden").write_text(
        f"nushell {SECOND + 10} {SECOND + 12}\nzsh {SECOND + 20} {SECOND + 21}\nrubbish\n"
    )
    for text, at in [("shown", 0), (" spaced", 1), ("hidden", 11)]:
        run_in_nu(nu, text, SECOND + at)
    for text, at in [("shown", 0), (" spaced", 1), ("hidden", 20.9)]:
        run_in_atuin(atuin, text, SECOND + at, shell="zsh")

    in_nu = reader(Nushell(copies=home / "nu", spool=spool)).read()
    in_atuin = reader(Atuin(copies=home / "atuin", spool=spool)).read()

    assert [(event.text, event.private) for event in in_nu] == [
        ("shown", False),
        ("spaced", True),
        ("hidden", True),
    ]
    assert [(event.text, event.private) for event in in_atuin] == [
        ("shown", False),
        ("spaced", False),
        ("hidden", True),
    ]


def test_a_damaged_database_says_so(home: Path):
    path = home / ".config/nushell/history.sqlite3"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"SQLite format 3\0" + b"\xff" * 5_000)

    with pytest.raises(Unavailable) as error:
        reader(Nushell(copies=home / "copies")).read()

    assert "browser" not in error.value.advice
    assert list((home / "copies").iterdir()) == []


def test_nushells_text_form_has_lines_and_no_times(home: Path):
    path = home / ".config/nushell/history.txt"
    path.parent.mkdir(parents=True)
    path.write_bytes("ls\necho '日本<\\n>zwei'\n".encode())

    (place,) = Nushell(copies=home / "copies").places()
    events = Reader(Nushell(copies=home / "copies"), place).read()

    assert texts(events) == ["ls", "echo '日本\nzwei'"]
    assert all(event.approx for event in events)
    assert "hook nushell install" in place.advice


def test_atuin_tells_folder_result_and_times(home: Path, atuin: sqlite3.Connection):
    run_in_atuin(atuin, "make", exit=2, shell="zsh")

    (event,) = reader(Atuin(copies=home / "copies")).read()

    assert (event.text, event.source) == ("make", "zsh")
    assert event.details == {"cwd": "/nowhere", "exit": 2}
    assert event.end == event.start + timedelta(seconds=2)
    assert event.aliases == (identity("command", SECOND, "make", 0),)


def test_atuins_older_schema_is_read_as_well(home: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("SHELL", "/usr/bin/fish")
    with written(home / ".local/share/atuin/history.db") as old:
        old.execute(OLD_ATUIN)
        run_in_atuin(old, "ls", duration=-1, exit=-1)

        (event,) = reader(Atuin(copies=home / "copies")).read()

    assert (event.text, event.source, event.end) == ("ls", "fish", None)
    assert "exit" not in event.details


def test_deleted_rows_are_not_told_and_agents_and_other_machines_are_marked(
    home: Path, atuin: sqlite3.Connection
):
    run_in_atuin(atuin, "deleted", deleted_at=1)
    run_in_atuin(atuin, "mine", author="me")
    run_in_atuin(atuin, "by an agent", SECOND + 2, author="claude-code", author_kind=1)
    run_in_atuin(atuin, "elsewhere", SECOND + 3, hostname="laptop-of-mine:me", cwd=str(home))

    events = {event.text: event.details for event in reader(Atuin(copies=home / "copies")).read()}

    assert events == {
        "mine": {"cwd": "/nowhere", "exit": 0},
        "by an agent": {"cwd": "/nowhere", "exit": 0, "agent": True, "author": "claude-code"},
        "elsewhere": {"cwd": str(home), "exit": 0, "host": "laptop-of-mine"},
    }


def test_atuin_and_the_shells_own_history_tell_one_event(home: Path, atuin: sqlite3.Connection):
    run_in_atuin(atuin, "ls", SECOND + 0.5)
    run_in_atuin(atuin, "ls", SECOND + 0.9)
    run_in_atuin(atuin, "just after the second", SECOND + 5.01)
    run_in_atuin(atuin, "imported", SECOND + 9, cwd="unknown", duration=-1, exit=-1)

    names = {}
    for event in reader(Atuin(copies=home / "copies")).read():
        names.setdefault(event.text, []).append(event.aliases)

    assert names == {
        "ls": [(identity("command", SECOND, "ls", 0),), (identity("command", SECOND, "ls", 1),)],
        "just after the second": [
            (
                identity("command", SECOND + 5, "just after the second", 0),
                identity("command", SECOND + 4, "just after the second", 0),
            )
        ],
        "imported": [(identity("command", SECOND + 9, "imported", 0),)],
    }


def test_no_two_rows_claim_the_same_history_entry(home: Path, atuin: sqlite3.Connection):
    for fraction in (0.95, 1.01, 1.02, 1.5, 2.001):
        run_in_atuin(atuin, "ls", SECOND + fraction)

    names = [name for event in reader(Atuin(copies=home / "copies")).read() for name in event.aliases]

    assert len(names) == len(set(names)) == 8


def test_times_that_atuin_made_up_are_not_believed(home: Path, atuin: sqlite3.Connection):
    (home / ".bash_history").write_text("still here\n#1700000000\ndated\n")
    for n, text in enumerate(["still here", "gone from the file", "dated"]):
        run_in_atuin(atuin, text, SECOND + 100 + 0.001 * (n + 1), cwd="unknown", duration=-1, exit=-1)
    mine = reader(Atuin(copies=home / "copies"))

    events = mine.read()

    assert [(event.text, event.approx, event.aliases) for event in events] == [
        ("gone from the file", True, ()),
        ("dated", True, ()),
    ]
    assert mine.skipped == {"imported, and still in the shell's own history": 1}


@pytest.mark.parametrize(
    ("settings", "line", "database"),
    [
        (".config/atuin/config.toml", 'db_path = "~/elsewhere/my.db"', "elsewhere/my.db"),
        (".atuin/config.toml", 'data_dir = "~/elsewhere"', "elsewhere/history.db"),
        (".atuin/config.toml", "", ".atuin/data/history.db"),
        (".atuin/config.toml", "broken = [", ".local/share/atuin/history.db"),
    ],
)
def test_atuin_is_found_where_it_and_its_settings_say(home: Path, settings: str, line: str, database: str):
    (home / settings).parent.mkdir(parents=True)
    (home / settings).write_text(line)
    with written(home / database) as connection:
        connection.execute(OLD_ATUIN)

    assert [Path(place.name) for place in Atuin(copies=home / "copies").places()] == [home / database]


def test_without_these_programs_there_is_nothing(home: Path):
    shutil.rmtree(home)

    assert list(Atuin(copies=home / "copies").places()) == []
    assert list(Nushell(copies=home / "copies").places()) == []
    assert Place(source="atuin", name="x") not in Atuin(copies=home / "copies").places()
