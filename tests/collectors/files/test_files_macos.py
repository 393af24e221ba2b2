"""Documents out of the lists that macOS keeps for each program."""

from __future__ import annotations

import os
import random
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collectors.collector import Unavailable
from collectors.files.archive import read_archive
from collectors.files.bookmark import read_bookmark
from collectors.files.collector import RecentFiles
from collectors.files.macos import FOLDER, SharedLists, dates
from tests.collectors.files.lists import AUGUST, bookmark, shared_list

USED = datetime(2026, 8, 13, 9, 30, 5, tzinfo=UTC)


@pytest.fixture
def folder(home: Path) -> Path:
    made = home / FOLDER
    made.mkdir(parents=True)
    return made


def source(home: Path, used: Mapping[str, datetime]) -> RecentFiles:
    def last_used(paths: Sequence[str]) -> Mapping[str, datetime]:
        return {path: used[path] for path in paths if path in used}

    return RecentFiles(home=home, copies=home / "copies", kinds=(SharedLists(last_used=last_used),))


def put(folder: Path, name: str, data: bytes, at: int = AUGUST) -> None:
    (folder / name).write_bytes(data)
    os.utime(folder / name, (at, at))


def test_a_document_is_told_with_its_program_when_spotlight_says(home: Path, folder: Path) -> None:
    path = "/Users/ada/Documents/Übung 日本.pages"
    put(
        folder,
        "com.apple.iwork.pages.sfl3",
        shared_list([bookmark("Users", "ada", "Documents", "Übung 日本.pages")]),
    )
    files = source(home, {path: USED})
    (place,) = files.places()

    (event,) = files.collect(place, None).events

    assert (event.title, event.files, event.app) == ("Übung 日本.pages", (path,), "pages")
    assert (event.start, event.approx) == (USED, False)


def test_without_spotlight_only_the_first_of_a_list_has_a_time_and_it_is_a_guess(
    home: Path, folder: Path
) -> None:
    listed = shared_list([bookmark("a", "new.txt"), bookmark("a", "old.txt")])
    put(folder, "com.apple.TextEdit.sfl2", listed)
    files = source(home, {})
    (place,) = files.places()

    (event,) = files.collect(place, None).events

    assert (event.title, event.approx) == ("new.txt", True)
    assert event.start == datetime.fromtimestamp(AUGUST, UTC)


def test_what_was_told_is_not_told_again(home: Path, folder: Path) -> None:
    used = {"/a/old.txt": USED.replace(hour=8), "/a/middle.txt": USED}
    files = source(home, used)
    put(
        folder,
        "com.apple.TextEdit.sfl2",
        shared_list([bookmark("a", "middle.txt"), bookmark("a", "old.txt")]),
    )
    (place,) = files.places()
    cursor = files.collect(place, None).cursor
    used["/a/new.txt"] = datetime.fromtimestamp(AUGUST + 3_600, UTC)
    put(
        folder,
        "com.apple.TextEdit.sfl2",
        shared_list([bookmark("a", "new.txt"), bookmark("a", "old.txt")]),
        AUGUST + 3_600,
    )

    after = files.collect(place, cursor)
    nothing = files.collect(place, after.cursor)

    assert [event.title for event in after.events] == ["new.txt"]
    assert nothing.events == ()


def test_damaged_lists_and_bookmarks_are_counted(home: Path, folder: Path) -> None:
    put(folder, "a.b.damaged.sfl2", b"bplist00 and nothing else")
    put(folder, "a.b.half.sfl2", shared_list([b"book", bookmark("a", "good.txt"), bookmark()]))
    put(folder, "a.b.other.txt", b"")
    files = source(home, {"/a/good.txt": USED})
    (place,) = files.places()

    batch = files.collect(place, None)

    assert [event.title for event in batch.events] == ["good.txt"]
    assert batch.skipped == {"damaged list": 1, "document that cannot be read": 2}


def test_a_folder_that_may_not_be_read_says_what_would_help(
    home: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = source(home, {})
    (place,) = files.places()
    folder.rmdir()
    monkeypatch.setattr("sys.platform", "darwin")

    with pytest.raises(Unavailable) as raised:
        files.collect(place, None)

    assert "Full Disk Access" in raised.value.advice


def test_dates_of_spotlight_are_read_or_left_out() -> None:
    paths = ["/a", "/b", "/c"]

    assert dates(paths, "2026-08-13 09:30:05 +0000\0(null)\0002026-08-13 11:30:05 +0200") == {
        "/a": USED,
        "/c": USED,
    }
    assert dates(paths, "2026-08-13 09:30:05 +0000\0") == {}
    assert dates(paths, "") == {}


def test_damaged_archives_never_crash() -> None:
    whole = shared_list([bookmark("Users", "ada", str(number)) for number in range(5)])
    random.seed(6)
    for _ in range(2_000):
        data = bytearray(whole)
        for _ in range(random.choice((1, 4, 40))):
            data[random.randrange(len(data))] = random.randrange(256)
        try:
            read_archive(bytes(data))
        except ValueError:
            continue


def test_an_archive_that_goes_in_circles_ends() -> None:
    import plistlib

    circle = {"$class": plistlib.UID(0), "NS.objects": [plistlib.UID(1), plistlib.UID(1)]}
    data = plistlib.dumps(
        {"$top": {"root": plistlib.UID(1)}, "$objects": ["$null", circle]}, fmt=plistlib.FMT_BINARY
    )

    assert isinstance(read_archive(data), list)


@given(st.binary(max_size=200))
def test_any_bytes_are_a_bookmark_or_none(rest: bytes) -> None:
    for data in (rest, b"book" + rest, bookmark("a", "b")[:48] + rest):
        try:
            assert read_bookmark(data).startswith("/")
        except ValueError:
            continue
