"""Documents out of the shortcuts in Windows' folder "Recent"."""

from __future__ import annotations

import os
import random
import struct
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collectors.event import microseconds
from collectors.files.collector import RecentFiles
from collectors.files.shortcut import HEADER, read_shortcut
from collectors.files.windows import Shortcuts
from tests.collectors.files.lists import AUGUST, share_info, shortcut, volume_info

DOCUMENT = r"C:\Users\Ada\Documents\clause-library.xlsx"


@pytest.fixture
def recent(home: Path) -> Path:
    folder = home / "AppData/Roaming/Microsoft/Windows/Recent"
    folder.mkdir(parents=True)
    return folder


@pytest.fixture
def source(home: Path) -> RecentFiles:
    return RecentFiles(home=home, copies=home / "copies", kinds=(Shortcuts(),))


def put(folder: Path, name: str, data: bytes, at: int = AUGUST, *, milliseconds: int = 0) -> None:
    (folder / name).write_bytes(data)
    os.utime(folder / name, ns=(0, at * 1_000_000_000 + milliseconds * 1_000_000))


@pytest.mark.parametrize(
    ("data", "path"),
    [
        (shortcut(volume_info(DOCUMENT)), DOCUMENT),
        (shortcut(volume_info(DOCUMENT), items=b"\x14\0\x1fP\xe0O" + bytes(14) + b"\0\0"), DOCUMENT),
        (shortcut(volume_info("C:\\?.docx", wide="C:\\日本語 😀.docx")), "C:\\日本語 😀.docx"),
        (shortcut(volume_info("C:\\Übung.txt")), "C:\\Übung.txt"),
        (shortcut(volume_info("C:\\Users\\", suffix="Ada\\x.odt")), "C:\\Users\\Ada\\x.odt"),
        (shortcut(share_info("\\\\server\\share", "team\\plan.docx")), "\\\\server\\share\\team\\plan.docx"),
    ],
    ids=["a file", "with shell items", "wide", "narrow", "in two parts", "on a share"],
)
def test_a_shortcut_names_its_document(data: bytes, path: str) -> None:
    assert read_shortcut(data).path == path


def test_each_document_is_told_when_it_was_opened_last(recent: Path, source: RecentFiles) -> None:
    put(recent, "clause-library.xlsx.lnk", shortcut(volume_info(DOCUMENT)), milliseconds=250)
    put(recent, "folder.lnk", shortcut(volume_info("C:\\Users\\Ada"), attributes=0x10))
    put(recent, "desktop.ini", b"[.ShellClassInfo]")
    (place,) = source.places()

    (event,) = source.collect(place, None).events

    assert (event.kind, event.title, event.files) == ("file", "clause-library.xlsx", (DOCUMENT,))
    assert microseconds(event.start) == AUGUST * 1_000_000 + 250_000
    assert event.source == "files"
    assert not event.approx


def test_a_document_opened_again_is_told_again_and_nothing_else(recent: Path, source: RecentFiles) -> None:
    put(recent, "a.lnk", shortcut(volume_info(DOCUMENT)), AUGUST - 3_600)
    put(recent, "b.lnk", shortcut(volume_info("C:\\b.txt")))
    (place,) = source.places()
    before = source.collect(place, None)
    put(recent, "b.lnk", shortcut(volume_info("C:\\b.txt")), AUGUST + 3_600)

    after = source.collect(place, before.cursor)
    nothing = source.collect(place, after.cursor)

    assert [event.title for event in before.events] == ["clause-library.xlsx", "b.txt"]
    assert [event.title for event in after.events] == ["b.txt"]
    assert nothing.events == ()


def test_a_shortcut_without_a_path_is_followed_from_its_folder(recent: Path, source: RecentFiles) -> None:
    put(recent, "a.lnk", shortcut(relative="..\\..\\..\\..\\..\\Documents\\a.txt"))
    (place,) = source.places()

    (event,) = source.collect(place, None).events

    assert event.files[0].endswith("\\Documents\\a.txt")
    assert ".." not in event.files[0]


def test_what_is_no_shortcut_is_counted_and_the_others_are_read(recent: Path, source: RecentFiles) -> None:
    whole = shortcut(volume_info(DOCUMENT))
    put(recent, "good.lnk", whole)
    put(recent, "empty.lnk", b"")
    put(recent, "short.lnk", whole[:90])
    put(recent, "other.lnk", b"[InternetShortcut]\nURL=x\n")
    (place,) = source.places()

    batch = source.collect(place, None)

    assert [event.title for event in batch.events] == ["clause-library.xlsx"]
    assert batch.skipped == {"shortcut that cannot be read": 3}


def test_damaged_shortcuts_never_crash() -> None:
    random.seed(5)
    for whole in (shortcut(volume_info(DOCUMENT, wide=DOCUMENT)), shortcut(share_info("\\\\a\\b", "c"))):
        for _ in range(2_000):
            data = bytearray(whole[: random.randrange(len(whole) + 1)])
            for _ in range(random.choice((0, 1, 8))):
                if data:
                    data[random.randrange(len(data))] = random.randrange(256)
            try:
                read_shortcut(bytes(data))
            except ValueError:
                continue


@given(st.binary(max_size=300), st.integers(0, 0xFFFFFFFF))
def test_any_bytes_after_the_header_are_a_shortcut_or_none(rest: bytes, flags: int) -> None:
    try:
        found = read_shortcut(HEADER + struct.pack("<I", flags) + rest)
    except ValueError:
        return
    assert len(found.path) < 2_000
