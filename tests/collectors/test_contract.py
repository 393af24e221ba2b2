"""What every source that is polled must keep to, over a home folder in which each of them finds something."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from collectors.all import sources
from collectors.collector import Batch, Collector, Cursor, LiveCollector, Place, Unavailable
from collectors.event import KINDS, Event
from collectors.shell.spool import ShellHook
from tests.collectors.browser.histories import NOON, ChromiumHistory, FirefoxHistory
from tests.collectors.files.lists import AUGUST, activities
from tests.collectors.git.workshop import Workshop, introduce

MOST_TURNS = 50
ATUIN = """CREATE TABLE history (id TEXT PRIMARY KEY, timestamp INTEGER NOT NULL, duration INTEGER NOT NULL,
    exit INTEGER NOT NULL, command TEXT NOT NULL, cwd TEXT NOT NULL, session TEXT NOT NULL, hostname TEXT NOT NULL)"""
NOTHING_HERE = {"safari", "shell hook"}
"""A source of another system, and one that only an installed hook feeds."""


def write(path: Path, content: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content, encoding="utf-8")


@pytest.fixture
def lived_in() -> Path:
    """The home folder of this test, with something for everybody."""
    home = Path.home()
    write(home / ".zsh_history", f": {AUGUST}:0;make test\n: {AUGUST + 5}:2;git push\n")
    write(home / ".bash_history", f"#{AUGUST + 10}\nls -la\n#{AUGUST + 20}\ncat <<X\none\nX\n")
    write(
        home / ".local/share/fish/fish_history",
        f"- cmd: cargo build\n  when: {AUGUST + 30}\n- cmd: x\n  when: {AUGUST + 31}\n",
    )
    write(home / ".config/nushell/history.txt", "ls | get name\nopen a.json\n")
    write(home / ".local/share/powershell/PSReadLine/ConsoleHost_history.txt", "Get-Item .\nGet-Date\n")
    write(home / ".local/share/RecentDocuments/a.desktop", "[Desktop Entry]\nURL=/home/ada/a.odt\n")
    atuin = home / ".local/share/atuin/history.db"
    atuin.parent.mkdir(parents=True)
    with closing(sqlite3.connect(atuin)) as database, database:
        database.execute(ATUIN)
        for number in range(3):
            row = (
                f"id{number}",
                (AUGUST + 40 + number) * 10**9,
                10**9,
                0,
                f"echo {number}",
                "/tmp",
                "s",
                "h:me",
            )
            database.execute("INSERT INTO history VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
    with closing(ChromiumHistory(home / ".config/chromium/Default/History")) as chromium:
        for number in range(5):
            chromium.visit(f"https://example.org/{number}", f"Page {number}", at=NOON + number * 1_000_000)
    with closing(FirefoxHistory(home / ".mozilla/firefox/a.default/places.sqlite")) as firefox:
        for number in range(5):
            firefox.visit(f"https://example.com/{number}", f"Page {number}", at=NOON + number * 1_000_000)
    with closing(activities(home)) as database:
        database.execute(
            "INSERT INTO ResourceEvent VALUES ('a', 'kate', '/home/ada/b.txt', ?, NULL)", (AUGUST,)
        )
    introduce(home)
    repository = Workshop(home / "src" / "app")
    for number in range(3):
        repository.commit(f"Commit {number}")
    return home


@pytest.fixture
def make(lived_in: Path, tmp_path: Path) -> Callable[[], list[Collector]]:
    """The polled sources, anew with each call, as after a restart."""

    def made() -> list[Collector]:
        every = sources(
            device="d",
            home=lived_in,
            spool=tmp_path / "spool",
            copies=tmp_path / "copies",
            idle=timedelta(seconds=180),
            app_names={},
            editors=(),
        )
        return [one for one in every if not isinstance(one, LiveCollector) and isinstance(one, Collector)]

    return made


def read(source: Collector, place: Place, cursor: Cursor | None) -> tuple[list[Batch], Cursor]:
    """Turns until nothing is left; the cursor goes through JSON as in the store."""
    batches: list[Batch] = []
    while not batches or batches[-1].more:
        batches.append(source.collect(place, cursor))
        cursor = json.loads(json.dumps(dict(batches[-1].cursor)))
        assert len(batches) < MOST_TURNS, f"{source.source} never ends"
    assert cursor is not None
    return batches, cursor


def told(batches: list[Batch]) -> list[Event]:
    return [event for batch in batches for event in batch.events]


def test_every_source_keeps_the_contract(make: Callable[[], list[Collector]]) -> None:
    found: set[str] = set()
    for source in make():
        places = list(source.places())
        assert len({place.name for place in places}) == len(places)
        for place in places:
            assert place.source == source.source
            batches, cursor = read(source, place, None)
            for batch in batches:
                starts = [event.start for event in batch.events]
                assert starts == sorted(starts), f"{source.source} is not oldest first"
            events = told(batches)
            assert len({event.identity for event in events}) == len(events), source.source
            for event in events:
                assert event.kind in KINDS
                assert event.start.utcoffset() == timedelta(0)
                assert event.end is None or event.end >= event.start
                assert event.source
                assert event.title or event.text
                json.dumps(dict(event.details))
            if events:
                found.add(source.source)
            assert told(read(source, place, cursor)[0]) == [], (
                f"{source.source} tells again what has not changed"
            )
    assert found == {one.source for one in make()} - NOTHING_HERE


def test_reading_anew_after_a_restart_gives_the_same_identities(make: Callable[[], list[Collector]]) -> None:
    for first, second in zip(make(), make(), strict=True):
        if isinstance(first, ShellHook):
            continue
        for place in first.places():
            before = {event.identity for event in told(read(first, place, None)[0])}
            after = {event.identity for event in told(read(second, place, None)[0])}
            assert before == after, first.source


def test_a_place_that_is_gone_is_unavailable_or_empty(make: Callable[[], list[Collector]]) -> None:
    for source in make():
        for place in source.places():
            gone = replace(place, name=f"{place.name}-gone")
            events: Sequence[Event] = ()
            with contextlib.suppress(Unavailable):
                events = source.collect(gone, None).events
            assert list(events) == []
