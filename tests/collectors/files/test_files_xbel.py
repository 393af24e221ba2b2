"""Documents out of recently-used.xbel, written by GLib itself and by hand."""

from __future__ import annotations

import ctypes
import ctypes.util
import random
from datetime import UTC, datetime
from pathlib import Path

import pytest

from collectors.collector import Unavailable
from collectors.event import Event
from collectors.files.collector import RecentFiles
from tests.permissions import unreadable

HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<xbel version="1.0" xmlns:bookmark="http://www.freedesktop.org/standards/desktop-bookmarks"
      xmlns:mime="http://www.freedesktop.org/standards/shared-mime-info">"""


def bookmark(href: str, *applications: tuple[str, str], more: str = "") -> str:
    programs = "".join(
        f'<bookmark:application name="{name}" exec="&apos;{name} %u&apos;" modified="{used}" count="1"/>'
        for name, used in applications
    )
    return (
        f'<bookmark href="{href}" added="2026-08-13T10:00:00Z" modified="2026-08-13T10:00:00Z" '
        f'visited="2026-08-13T10:00:00Z"><info><metadata owner="http://freedesktop.org">'
        f'<mime:mime-type type="text/plain"/>{more}<bookmark:applications>{programs}</bookmark:applications>'
        "</metadata></info></bookmark>"
    )


@pytest.fixture
def recent(home: Path) -> Path:
    path = home / ".local/share/recently-used.xbel"
    path.parent.mkdir(parents=True)
    return path


def write(path: Path, *bookmarks: str) -> None:
    path.write_text(f"{HEAD}{''.join(bookmarks)}</xbel>", encoding="utf-8")


def read(
    home: Path, cursor: dict[str, object] | None = None
) -> tuple[list[Event], dict[str, object], dict[str, int]]:
    source = RecentFiles(home=home, copies=home / "copies")
    (place,) = source.places()
    batch = source.collect(place, cursor)
    return list(batch.events), dict(batch.cursor), dict(batch.skipped)


def test_each_use_by_a_program_is_told(home: Path, recent: Path) -> None:
    write(
        recent,
        bookmark(
            "file:///home/ada/Chapter%203%20%C3%BCber.pdf",
            ("Document Viewer", "2026-08-13T09:30:00.123456Z"),
            ("Zotero", "2026-08-13T08:00:00Z"),
        ),
    )

    (first, second), _, _ = read(home)

    assert (first.app, second.app) == ("Zotero", "Document Viewer")
    assert second.kind == "file"
    assert second.start == datetime(2026, 8, 13, 9, 30, 0, 123456, UTC)
    assert (second.title, second.files) == ("Chapter 3 über.pdf", ("/home/ada/Chapter 3 über.pdf",))
    assert second.source == "files"


def test_a_list_written_by_glib_is_read(home: Path, recent: Path) -> None:
    name = ctypes.util.find_library("glib-2.0")
    assert name is not None, "libglib2.0-0 is not installed"
    glib = ctypes.CDLL(name)
    glib.g_bookmark_file_new.restype = ctypes.c_void_p
    list_ = ctypes.c_void_p(glib.g_bookmark_file_new())
    uri = b"file:///home/ada/%E6%97%A5%E6%9C%AC.odt"
    glib.g_bookmark_file_set_mime_type(list_, uri, b"application/vnd.oasis.opendocument.text")
    glib.g_bookmark_file_add_application(list_, uri, b"LibreOffice <Writer>", b"soffice %u")
    assert glib.g_bookmark_file_to_file(list_, bytes(recent), None)
    glib.g_bookmark_file_free(list_)

    (event,), _, skipped = read(home)

    assert (event.title, event.app) == ("日本.odt", "LibreOffice <Writer>")
    assert abs((event.start - datetime.now(UTC)).total_seconds()) < 60
    assert skipped == {}


def test_opening_a_document_again_is_a_new_event_and_the_rest_is_not_told_again(
    home: Path, recent: Path
) -> None:
    old = bookmark("file:///a.txt", ("gedit", "2026-08-13T09:00:00Z"))
    write(recent, old, bookmark("file:///b.txt", ("gedit", "2026-08-13T09:30:00Z")))
    before, cursor, _ = read(home)
    write(recent, old, bookmark("file:///b.txt", ("gedit", "2026-08-13T11:00:00Z")))

    after, cursor, _ = read(home, cursor)
    nothing, same, _ = read(home, cursor)

    assert len({event.identity for event in [*before, *after]}) == 3
    assert [event.title for event in after] == ["b.txt"]
    assert (nothing, same) == ([], cursor)


def test_a_document_in_a_repository_knows_its_project(home: Path, recent: Path) -> None:
    (home / "billing" / ".git").mkdir(parents=True)
    (home / "billing" / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    write(recent, bookmark(f"file://{home}/billing/retry.py", ("gedit", "2026-08-13T09:00:00Z")))

    (event,), _, _ = read(home)

    assert event.project == "billing"


def test_what_is_no_local_file_is_passed_over_and_a_private_one_marked(home: Path, recent: Path) -> None:
    used = ("x", "2026-08-13T09:00:00Z")
    write(
        recent,
        *(
            bookmark(href, used)
            for href in ("https://example.org/a", "trash:///b", "file://server/c", "file:", "", "http://[")
        ),
        bookmark("file:///private.txt", used, more="<bookmark:private/>"),
        bookmark("file:///nodate.txt", ("x", "yesterday")),
    )

    events, _, skipped = read(home)

    assert [(event.title, event.private) for event in events] == [("private.txt", True)]
    assert skipped == {"document without a usable date": 1}


@pytest.mark.parametrize("keep", [0.3, 0.6, 0.95])
def test_a_list_cut_short_gives_what_stands_before(home: Path, recent: Path, keep: float) -> None:
    write(recent, *(bookmark(f"file:///{n}.txt", ("x", f"2026-08-13T09:00:{n:02}Z")) for n in range(20)))
    whole = recent.read_bytes()
    recent.write_bytes(whole[: int(len(whole) * keep)])

    events, _, skipped = read(home)

    assert [event.title for event in events] == [f"{n}.txt" for n in range(len(events))]
    assert 20 * keep - 3 < len(events) < 20
    assert skipped == {"damaged document in the list": 1}


@pytest.mark.parametrize(
    "bad",
    [
        '<bookmark href="file:///a&b.txt"><info/></bookmark>',
        '<bookmark href="file:///never-closed.txt"><info>',
        '<bookmark href="file:///twice.txt" href="file:///twice.txt"/></bookmark>',
        '<bookmark href="file:///x.txt"><info><unknown:thing/></info></bookmark>',
        '<bookmark href="file:///control\x01.txt"></bookmark>',
        "<!-- <bookmark ",
        "</xbel>",
        "]]>",
    ],
)
def test_documents_around_a_damaged_one_are_read(home: Path, recent: Path, bad: str) -> None:
    used = ("x", "2026-08-13T09:00:00Z")
    write(recent, bookmark("file:///before.txt", used), bad, bookmark("file:///after.txt", used))

    events, _, skipped = read(home)

    assert [event.title for event in events] == ["before.txt", "after.txt"]
    assert sum(skipped.values()) == bad.count("<bookmark ")


def test_a_list_whose_beginning_is_damaged_gives_its_documents(home: Path, recent: Path) -> None:
    entry = bookmark("file:///a.txt", ("x", "2026-08-13T09:00:00Z"))
    for head in ("<?xml version='1.0' encoding='none-such'?><xbel>", "<xbel", HEAD.replace("<xbel", "<<")):
        recent.write_text(f"{head}{entry}</xbel>", encoding="utf-8")

        events, _, _ = read(home)

        assert [event.title for event in events] == ["a.txt"], head


def test_any_bytes_are_read_without_a_crash(home: Path, recent: Path) -> None:
    write(recent, *(bookmark(f"file:///{n}.txt", ("x", f"2026-08-13T09:00:{n:02}Z")) for n in range(20)))
    whole = recent.read_bytes()
    random.seed(7)
    for _ in range(200):
        data = bytearray(whole)
        for _ in range(random.choice((1, 10, 100))):
            data[random.randrange(len(data))] = random.randrange(256)
        recent.write_bytes(bytes(data))
        events, _, _ = read(home)
        assert all(event.kind == "file" for event in events)


def test_damage_within_one_document_harms_no_other(home: Path, recent: Path) -> None:
    entries = [bookmark(f"file:///{n}.txt", ("x", f"2026-08-13T09:00:{n:02}Z")).encode() for n in range(12)]
    random.seed(11)
    for _ in range(300):
        hit = random.randrange(12)
        data = bytearray(entries[hit])
        for _ in range(random.choice((1, 3, 30))):
            data[random.randrange(len(data))] = random.randrange(256)
        around = [*entries[:hit], bytes(data), *entries[hit + 1 :]]
        recent.write_bytes(HEAD.encode() + b"".join(around) + b"</xbel>")

        events, _, _ = read(home)

        assert {f"{n}.txt" for n in range(12) if n != hit} <= {event.title for event in events}


def test_an_unchanged_list_whose_permissions_went_says_so_at_the_next_look(home: Path, recent: Path) -> None:
    write(recent, bookmark("file:///a.txt", ("x", "2026-08-13T09:00:00Z")))
    _, cursor, _ = read(home)

    with unreadable(recent), pytest.raises(Unavailable, match="cannot be read: Permission denied"):
        read(home, cursor)

    assert read(home, cursor)[0] == []


def test_entities_are_not_expanded(home: Path, recent: Path) -> None:
    recent.write_text('<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><xbel>&b;</xbel>')

    events, _, skipped = read(home)

    assert (events, skipped) == ([], {"list with a strange beginning": 1})


def test_an_empty_list_and_a_missing_one(home: Path, recent: Path) -> None:
    recent.touch()
    events, _, skipped = read(home)
    source = RecentFiles(home=home, copies=home / "copies")
    (place,) = source.places()
    recent.unlink()

    assert (events, skipped) == ([], {})
    assert list(source.places()) == []
    with pytest.raises(Unavailable):
        source.collect(place, None)


def test_lists_of_programs_that_are_shut_in_are_places_too(home: Path, recent: Path) -> None:
    write(recent)
    inside = home / ".var/app/org.libreoffice.LibreOffice/data/recently-used.xbel"
    inside.parent.mkdir(parents=True)
    inside.symlink_to(recent)
    own = home / ".var/app/org.gnome.gedit/data/recently-used.xbel"
    own.parent.mkdir(parents=True)
    write(own)

    assert [place.name for place in RecentFiles(home=home, copies=home / "copies").places()] == [
        str(recent),
        str(own),
    ]
