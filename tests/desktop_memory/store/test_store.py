"""Events in the store: each once, in order, told better on a repeat, for their owner's eyes only."""

from __future__ import annotations

import os
import stat
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import apsw
import pytest

from collectors.collector import Place
from collectors.event import Event, Gap, identity
from desktop_memory.errors import StoreError
from desktop_memory.model import Query
from desktop_memory.store.events import Incoming
from desktop_memory.store.store import FILE_NAME, Store
from tests.factories import FakeClock, at, event

HISTORY = Place(source="zsh", name="/home/me/.zsh_history")


def put(store: Store, *events: Event, place: Place | None = None) -> dict[str, int]:
    return dict(store.record([Incoming(event=e, body=e.text or e.title) for e in events], place=place))


def test_reading_the_same_again_adds_nothing(store):
    events = [event(n) for n in range(5)]

    first, second = put(store, *events), put(store, *events)

    assert first == {"new": 5}
    assert second == {"known": 5}
    assert store.count() == 5


def test_an_event_told_twice_in_one_go_is_found_by_its_last_words_alone(store):
    visit = event(1, kind="browser", title="loading", url="https://example.org/")

    put(store, event(0, text="before"), visit, replace(visit, title="locking"), event(2, text="after"))
    put(store, replace(visit, title="vacuum"))

    found = {
        word: [hit.id for hit in hits(store, word)] for word in ("loading", "locking", "vacuum", "after")
    }
    assert found == {"loading": [], "locking": [], "vacuum": [2], "after": [3]}
    assert store.problems() == []


def hits(store: Store, word: str) -> list[Any]:
    return store.events(
        row[0]
        for row in store.read().execute("SELECT rowid FROM event_words WHERE event_words MATCH ?", (word,))
    )


def test_what_went_in_comes_out(store):
    told = event(
        1,
        until=2,
        kind="browser",
        title="Explicit Locking – PostgreSQL 16 日本語 😀",
        app="Firefox",
        project="billing-api",
        repo="abc123",
        branch="main",
        url="https://www.Example.org/a/?q=1#top",
        domain="example.org",
        files=("b.py", "a.py"),
        details={"profile": "default", "transition": 1, "deep": {"list": [1, None]}},
    )
    put(store, told)

    found = store.event(1)

    for name in (
        "kind",
        "start",
        "end",
        "title",
        "app",
        "project",
        "repo",
        "branch",
        "url",
        "domain",
        "files",
        "source",
    ):
        assert getattr(found, name) == getattr(told, name), name
    assert dict(found.details) == dict(told.details)
    assert found.utc_offset == 120
    assert found.device == store.profile.device


def test_two_spellings_of_one_site_are_one_entity_and_each_event_keeps_its_own(store):
    put(
        store,
        event(1, kind="browser", title="a", domain="www.Example.org"),
        event(2, kind="browser", title="b", domain="example.org"),
    )

    entity = store.entity("domain", "EXAMPLE.org")

    assert [e.domain for e in store.touching(entity.id)] == ["example.org", "www.Example.org"]
    assert store.entity("domain", "ample.org") is None


def test_order_does_not_depend_on_arrival(store):
    put(store, event(5), event(1), event(3))

    found = store.between(None, None)

    assert [e.start for e in found] == [at(1), at(3), at(5)]
    assert [e.start for e in store.before(found[1], 5)] == [at(1)]
    assert [e.start for e in store.after(found[1], 5)] == [at(5)]


def test_an_open_span_grows_in_place_and_may_be_cut_back(store):
    name = identity("window", "device", 1)
    put(store, event(0, until=1, kind="window", title="retry.py", open=True, identity=name))

    put(store, event(0, until=5, kind="window", title="retry.py", open=True, identity=name))
    grown = store.event(1)
    put(store, event(0, until=3, kind="window", title="retry.py", open=False, identity=name))
    closed = store.event(1)

    assert (grown.end, grown.open) == (at(5), True)
    assert (closed.end, closed.open) == (at(3), False)
    assert store.count() == 1


def test_a_title_that_arrives_later_replaces_the_empty_one_and_its_words(store):
    put(
        store, event(1, kind="browser", text="", title="loading", url="https://example.org", identity="visit")
    )

    put(
        store,
        event(
            1, kind="browser", text="", title="Advisory locks", url="https://example.org", identity="visit"
        ),
    )

    assert store.event(1).title == "Advisory locks"
    assert store.words('"advisory"', query=Query(), limit=5) != []
    assert store.words('"loading"', query=Query(), limit=5) == []
    bodies = store.read().execute("SELECT body FROM text").fetchall()
    assert bodies == [("Advisory locks",)]


def test_a_hook_and_a_history_file_make_one_event_with_the_precise_time(store):
    second = identity("command", 1_786_615_200, "make test", 0)
    hook = event(
        0.005, text="make test", identity=identity("hook", 7), aliases=(second,), details={"exit": 1}
    )
    history = event(0, text="make test", identity=second)

    for order in ((hook, history), (history, hook)):
        put(store, *order)

    found = store.between(None, None)
    assert len(found) == 1
    assert found[0].details["exit"] == 1
    assert found[0].start == at(0.005)


def test_an_undated_command_that_a_hook_told_is_not_told_twice(store):
    put(store, event(3, text="ls", identity="hook ls"))
    undated = {"text": "ls", "approx": True, "earliest": at(0)}

    put(store, event(5, identity="line 1", **undated))
    put(store, event(5, identity="line 1", **undated))
    put(store, event(6, text="pwd", identity="line 2", approx=True, earliest=at(0)))

    assert [(e.text, e.approx) for e in store.between(None, None)] == [("ls", False), ("pwd", True)]


def test_a_hook_command_answers_for_only_one_undated_line(store):
    put(store, event(3, text="ls", identity="hook ls"))

    put(store, event(5, text="ls", identity="line 1", approx=True, earliest=at(0)))
    put(store, event(5.1, text="ls", identity="line 2", approx=True, earliest=at(0)))

    assert len(store.between(None, None)) == 2


def test_a_pause_is_not_refilled_by_history_that_is_read_later(store, clock):
    with store.transaction() as connection:
        connection.execute("INSERT INTO pause (start, end) VALUES (?, ?)", (us(10), us(20)))

    outcome = put(store, event(9), event(10), event(15), event(20))

    assert outcome == {"new": 2, "paused": 2}
    assert [e.start for e in store.between(None, None)] == [at(9), at(20)]


def test_the_cursor_moves_with_its_events_or_not_at_all(store):
    store.record([Incoming(event=event(1), body="a")], place=HISTORY, cursor={"offset": 10})

    with pytest.raises(AttributeError):
        store.record(
            [
                Incoming(event=event(2), body="b"),
            ],
            [object()],  # type: ignore[list-item]
            place=HISTORY,
            cursor={"offset": 20},
        )

    assert store.cursor(HISTORY) == {"offset": 10}
    assert store.count() == 1


@pytest.mark.parametrize("damaged", ["", "{", "[1]", "7", '"x"', "null"])
def test_a_cursor_that_is_damaged_is_none(store, damaged):
    store.record([Incoming(event=event(1), body="a")], place=HISTORY, cursor={"offset": 10})
    with store.transaction() as connection:
        connection.execute("UPDATE place SET cursor = ?", (damaged,))

    assert store.cursor(HISTORY) is None


def test_filters_act_together(store):
    put(
        store,
        event(1, text="make", project="Billing", app="zsh", details={"exit": 2}),
        event(2, text="make", project="billing", app="zsh", details={"exit": 0}),
        event(3, text="make", project="thesis", app="zsh", details={"exit": 1}),
    )

    query = Query(project="BILLING", failed=True, since=at(0), until=at(3))

    assert [e.id for e in store.between(None, None, query=query)] == [1]
    assert store.words('"make"', query=query, limit=9)[0][0] == 1


def test_files_are_for_their_owner_alone(store):
    put(store, event(1))

    folder = store.path.parent
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {f.name: oct(stat.S_IMODE(f.stat().st_mode)) for f in folder.iterdir()} == {
        FILE_NAME: "0o600",
        f"{FILE_NAME}-wal": "0o600",
        f"{FILE_NAME}-shm": "0o600",
    }


def test_a_newer_store_is_refused_untouched(tmp_path: Path):
    Store.open(tmp_path, clock=FakeClock()).close()
    connection = apsw.Connection(str(tmp_path / FILE_NAME))
    connection.execute("PRAGMA user_version=99")
    connection.close()
    before = (tmp_path / FILE_NAME).read_bytes()

    with pytest.raises(StoreError, match="newer version"):
        Store.open(tmp_path, clock=FakeClock())

    assert (tmp_path / FILE_NAME).read_bytes() == before


def test_a_file_that_is_no_database_is_left_alone(tmp_path: Path):
    (tmp_path / FILE_NAME).write_bytes(b"not a database" * 1000)

    with pytest.raises(StoreError, match="damaged"):
        Store.open(tmp_path, clock=FakeClock())

    assert (tmp_path / FILE_NAME).read_bytes() == b"not a database" * 1000


@pytest.mark.skipif(os.name == "nt", reason="permissions are not POSIX there")
def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path):
    (tmp_path / "file").write_text("in the way")

    with pytest.raises(StoreError) as told:
        Store.open(tmp_path / "file" / "data", clock=FakeClock())

    assert told.value.problem
    assert told.value.advice


def test_readers_and_a_writer_on_many_threads_do_not_meet(store):
    errors: list[BaseException] = []

    def read() -> None:
        try:
            for _ in range(50):
                store.between(None, None, limit=10)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=read) for _ in range(6)]
    for thread in threads:
        thread.start()
    for n in range(100):
        put(store, event(n))
    for thread in threads:
        thread.join()

    assert errors == []
    assert store.count() == 100


def test_gaps_are_kept_once_and_their_end_may_come_later(store):
    store.record([], [Gap(start=at(1), reason="idle")])
    store.record([], [Gap(start=at(1), end=at(9), reason="idle")])

    assert store.gaps(at(0), at(20)) == [Gap(start=at(1), end=at(9), reason="idle")]


def test_an_amended_commit_is_told_as_it_is_now_whichever_is_read_last(store):
    first = event(
        0, kind="git_commit", title="wip", text="wip", files=("a",), identity="one", details={"hash": "a1"}
    )
    amended = event(
        0,
        kind="git_commit",
        title="take the lock",
        text="take the lock\n\nwhy",
        files=("a", "b"),
        identity="two",
        aliases=("one",),
        details={"hash": "b2", "committed": "2026-08-13T10:05:00+00:00"},
    )

    for order in ((first, amended), (first,), (amended,)):
        put(store, *order)

    (found,) = store.between(None, None)
    assert (found.title, found.text, found.files) == ("take the lock", "take the lock\n\nwhy", ("a", "b"))
    assert found.details["hash"] == "b2"


def test_time_away_is_not_active_time_and_counts_once(store):
    put(store, event(0), event(5), event(9))
    store.record(
        [],
        [
            Gap(start=at(1), end=at(4), reason="idle"),
            Gap(start=at(2), end=at(3), reason="idle"),
            Gap(start=at(-9), end=at(-1), reason="idle"),
            Gap(start=at(8), end=at(30), reason="idle"),
        ],
    )

    assert store.session(1).active_seconds == 5 * 60


def us(minutes: float) -> int:
    from collectors.event import microseconds

    return microseconds(at(minutes))
