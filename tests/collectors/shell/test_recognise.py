"""A history file that somebody brings along is read as what it is."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from collectors.collector import Unavailable
from collectors.shell.recognise import recognise
from tests.collectors.shell.terminal import Reader, texts


@pytest.mark.parametrize(
    ("name", "data", "source"),
    [
        ("old-laptop.txt", b": 1700000000:0;ls\n", "zsh"),
        ("old-laptop.txt", b"plain\n: 1700000000:0;ls\n", "zsh"),
        ("zsh_history.bak", b"ls\n", "zsh"),
        ("old-laptop.txt", b"before\n#1700000000\nls\n", "bash"),
        ("bash_history", b"ls\n", "bash"),
        ("old-laptop.txt", b"- cmd: ls\n  when: 1700000000\n", "fish"),
        ("ConsoleHost_history.txt", b"ls\n", "powershell"),
    ],
)
def test_a_text_is_told_by_its_content_and_then_by_its_name(home: Path, name: str, data: bytes, source: str):
    (home / name).write_bytes(data)

    found = recognise(home / name, home / "copies")

    assert found is not None
    collector, place = found
    assert (collector.source, place.source) == (source, source)
    assert "ls" in texts(Reader(collector, place).read())


@pytest.mark.parametrize(
    ("columns", "source"),
    [
        ("id INTEGER PRIMARY KEY, command_line TEXT, start_timestamp INTEGER", "nushell"),
        (
            "id TEXT PRIMARY KEY, timestamp INTEGER, command TEXT, cwd TEXT, duration INTEGER, exit INTEGER",
            "atuin",
        ),
        ("id INTEGER PRIMARY KEY, url TEXT", None),
    ],
)
def test_a_database_is_told_by_its_columns(home: Path, columns: str, source: str | None):
    connection = sqlite3.connect(home / "history.db")
    connection.execute(f"CREATE TABLE history ({columns})")
    connection.close()

    found = recognise(home / "history.db", home / "copies")

    assert (found[0].source if found else None) == source


def test_what_is_no_history_is_none(home: Path):
    (home / "notes.txt").write_text("buy milk\n")
    (home / "picture").write_bytes(b"\x89PNG\0\0")

    assert recognise(home / "notes.txt", home / "copies") is None
    assert recognise(home / "picture", home / "copies") is None


def test_a_file_that_is_not_there_says_so(home: Path):
    with pytest.raises(Unavailable):
        recognise(home / "gone", home / "copies")
