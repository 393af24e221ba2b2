"""A history file that somebody brings along is read as what it is."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from collectors.collector import Unavailable
from collectors.recognise import recognise
from collectors.window.describer import Describer
from tests.collectors.browser.histories import ChromiumHistory, FirefoxHistory
from tests.collectors.browser.test_browser_safari import SAFARI, SafariHistory
from tests.collectors.shell.terminal import Reader, texts

DESCRIBE = Describer().event


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
        ("nushell/history.txt", b"ls\n", "nushell"),
        ("zsh/history", b"ls\n", "zsh"),
        ("bash/history.old", b"ls\n", "bash"),
    ],
)
def test_a_text_is_told_by_its_content_and_then_by_its_name(home: Path, name: str, data: bytes, source: str):
    (home / name).parent.mkdir(exist_ok=True)
    (home / name).write_bytes(data)

    found = recognise(home / name, home / "copies", DESCRIBE)

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

    found = recognise(home / "history.db", home / "copies", DESCRIBE)

    assert (found[0].source if found else None) == source


def test_what_is_no_history_is_none(home: Path):
    (home / "notes.txt").write_text("buy milk\n")
    (home / "picture").write_bytes(b"\x89PNG\0\0")

    assert recognise(home / "notes.txt", home / "copies", DESCRIBE) is None
    assert recognise(home / "picture", home / "copies", DESCRIBE) is None


def test_a_file_that_is_not_there_says_so(home: Path):
    with pytest.raises(Unavailable):
        recognise(home / "gone", home / "copies", DESCRIBE)


@pytest.mark.parametrize(
    ("data", "source"),
    [
        (b'{"buckets": {"aw-watcher-afk_pc": {"events": []}}}', "activitywatch"),
        (b'\xef\xbb\xbf{\n  "buckets": {}}', "activitywatch"),
        (
            b'[{"id": 1, "timestamp": "2026-01-01T00:00:00+00:00", "duration": 1, "data": {"app": "x"}}]',
            "activitywatch",
        ),
        (b'[{"url": "https://a.example/", "dt": 1700000000.5, "metadata": null}]', "browserexport"),
        (b'{"url": "https://a.example/", "dt": 1700000000.5, "metadata": null}\n', "browserexport"),
        (b'{"name": "left-pad"}', None),
        (b"[1, 2, 3]", None),
    ],
)
def test_an_export_is_told_by_its_beginning(home: Path, data: bytes, source: str | None):
    (home / "export.json").write_bytes(data)

    found = recognise(home / "export.json", home / "copies", DESCRIBE)

    assert (found[0].source if found else None) == source


@pytest.mark.parametrize(
    ("name", "source", "app"),
    [
        ("brave-20260813.sqlite", "chromium", "Brave"),
        ("places-from-the-old-laptop.sqlite", "firefox", "Firefox"),
        ("History.db", "safari", "Safari"),
    ],
)
def test_a_browsers_database_under_any_name_is_read(home: Path, name: str, source: str, app: str):
    if source == "safari":
        safari = SafariHistory(home / name, SAFARI)
        safari.visit("A page")
        safari.close()
    else:
        history = ChromiumHistory(home / name) if source == "chromium" else FirefoxHistory(home / name)
        history.visit("https://example.org/", "A page")
        history.close()

    found = recognise(home / name, home / "copies", DESCRIBE)

    assert found is not None
    collector, place = found
    assert collector.source == source
    assert [(event.title, event.app) for event in Reader(collector, place).read()] == [("A page", app)]
