"""Documents that KDE's programs told of, and one opening that several lists tell of."""

from __future__ import annotations

import contextlib
import os
import random
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from collectors.collector import Batch, Cursor, Unavailable
from collectors.event import Event
from collectors.files.collector import RecentFiles
from desktop_memory.memory import Memory
from desktop_memory.store.store import Store
from tests.collectors.files.lists import AUGUST, activities
from tests.factories import FakeClock
from tests.stubs import memory_over


@pytest.fixture
def source(home: Path) -> RecentFiles:
    return RecentFiles(home=home, copies=home / "copies")


@pytest.fixture
def entries(home: Path) -> Path:
    folder = home / ".local/share/RecentDocuments"
    folder.mkdir(parents=True)
    return folder


def entry(folder: Path, name: str, *lines: str, at: int = AUGUST) -> None:
    path = folder / f"{name}.desktop"
    path.write_text("\n".join(["[Desktop Entry]", "Type=Link", *lines, "", "[Other]", "URL=/not/this"]))
    os.utime(path, (at, at))


def read(source: RecentFiles, cursor: Cursor | None = None) -> Batch:
    (place,) = source.places()
    return source.collect(place, cursor)


def files(events: list[Event] | Batch) -> list[str]:
    return [event.files[0] for event in (events.events if isinstance(events, Batch) else events)]


def test_desktop_entries_tell_their_document_and_program(
    home: Path, source: RecentFiles, entries: Path
) -> None:
    entry(entries, "a", "URL[$e]=$HOME/notes%20one.txt", "X-KDE-LastOpenedWith=kate")
    entry(entries, "b", "URL[$e]=file:$HOME/a%20b.odt", at=AUGUST + 1)
    entry(entries, "c", "URL=file:///tmp/c.pdf", "X-KDE-LastOpenedWith=okular", at=AUGUST + 2)
    entry(entries, "d", "URL=https://example.org/", at=AUGUST + 3)
    entry(entries, "e", "Name=nothing", at=AUGUST + 4)

    batch = read(source)

    assert files(batch) == [f"{Path.home()}/notes%20one.txt", f"{Path.home()}/a b.odt", "/tmp/c.pdf"]
    assert [event.app for event in batch.events] == ["kate", "", "okular"]
    assert batch.events[0].start == datetime.fromtimestamp(AUGUST, UTC)


def test_an_entry_written_anew_is_told_again_and_the_rest_is_not(source: RecentFiles, entries: Path) -> None:
    entry(entries, "a", "URL=/a.txt", at=AUGUST - 3_600)
    entry(entries, "b", "URL=/b.txt")
    first = read(source)
    entry(entries, "b", "URL=/b.txt", at=AUGUST + 3_600)

    second = read(source, first.cursor)

    assert files(second) == ["/b.txt"]
    assert read(source, second.cursor).events == ()


def test_kdes_database_tells_each_opening_while_it_is_in_use(home: Path, source: RecentFiles) -> None:
    with closing(activities(home)) as database:
        for document, app, start in (
            ("/home/ada/Über.odt", "org.kde.calligra", AUGUST - 3_600),
            ("file:///home/ada/a%20b.txt", "org.kde.kate", AUGUST + 60),
            ("https://example.org/", "org.kde.konqueror", AUGUST + 61),
            ("/home/ada/odd", "x", "soon"),
            (b"\xff", "x", AUGUST),
        ):
            database.execute(
                "INSERT INTO ResourceEvent VALUES ('act', ?, ?, ?, NULL)", (app, document, start)
            )
        first = read(source)
        database.execute(
            "INSERT INTO ResourceEvent VALUES ('act', 'org.kde.kate', '/home/ada/later.txt', ?, NULL)",
            (AUGUST + 60 + 700,),
        )
        second = read(source, first.cursor)

    assert files(first) == ["/home/ada/Über.odt", "/home/ada/a b.txt"]
    assert first.events[0].app == "org.kde.calligra"
    assert first.skipped == {"malformed opening": 2}
    assert files(second)[-1] == "/home/ada/later.txt"
    assert "/home/ada/Über.odt" not in files(second)
    assert list((home / "copies").iterdir()) == []


def test_a_database_of_another_kind_gives_nothing(home: Path, source: RecentFiles) -> None:
    with closing(activities(home)) as database:
        database.execute("DROP TABLE ResourceEvent")
        assert list(read(source).events) == []


def test_damaged_entries_and_databases_never_crash(home: Path, source: RecentFiles, entries: Path) -> None:
    random.seed(8)
    entry(entries, "a", "URL[$e]=file:$HOME/a%20b.odt", "X-KDE-LastOpenedWith=kate")
    with closing(activities(home)) as database:
        database.execute("PRAGMA journal_mode = DELETE")
        for number in range(200):
            database.execute(
                "INSERT INTO ResourceEvent VALUES ('act', 'kate', ?, ?, NULL)",
                (f"/home/{number}", AUGUST + number),
            )
    files_ = [entries / "a.desktop", home / ".local/share/kactivitymanagerd/resources/database"]
    whole = [path.read_bytes() for path in files_]
    for _ in range(20):
        for path, content in zip(files_, whole, strict=True):
            data = bytearray(content)
            for _ in range(random.choice((1, 10, 200))):
                data[random.randrange(len(data))] = random.randrange(256)
            path.write_bytes(bytes(data))
        for place in source.places():
            with contextlib.suppress(Unavailable):
                assert all(event.kind == "file" for event in source.collect(place, None).events)
    assert list((home / "copies").iterdir()) == []


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    clock = FakeClock()
    store = Store.open(tmp_path / "data", clock=clock)
    yield memory_over(store, clock)
    store.close()


def test_an_opening_that_three_lists_tell_of_is_remembered_once(
    home: Path, source: RecentFiles, entries: Path, memory: Memory
) -> None:
    document = "/home/ada/report.odt"
    entry(entries, "report", f"URL={document}", "X-KDE-LastOpenedWith=libreoffice", at=AUGUST + 4)
    (home / ".local/share/recently-used.xbel").write_text(
        '<xbel version="1.0" xmlns:b="http://www.freedesktop.org/standards/desktop-bookmarks">'
        f'<bookmark href="file://{document}"><info><metadata><b:applications>'
        '<b:application name="LibreOffice" modified="2026-08-13T10:00:02.5Z"/>'
        "</b:applications></metadata></info></bookmark></xbel>"
    )
    with closing(activities(home)) as database:
        for start in (AUGUST, AUGUST + 3_600):
            database.execute("INSERT INTO ResourceEvent VALUES ('act', 'lo', ?, ?, NULL)", (document, start))

        for place in source.places():
            memory.remember(source.collect(place, None).events)

    told = memory._store.between(None, None)
    assert [event.start.hour for event in told] == [10, 11]
