"""What is forgotten is gone from the file and stays away."""

from __future__ import annotations

import numpy as np
import pytest

from desktop_memory.model import ModelInfo, Query
from desktop_memory.store import forget, models, vectors
from desktop_memory.store.events import Incoming
from desktop_memory.store.store import Store
from tests.factories import at, event


def put(store, *events):
    return dict(store.record([Incoming(event=e, body=e.text or e.title) for e in events]))


def do_forget(store, query, **how):
    store.clock.now = at(60)
    return store.forget(query, **how)


def test_reading_the_source_again_does_not_bring_it_back(store):
    events = [event(n, aliases=(f"also {n}",)) for n in range(10)]
    put(store, *events)

    found, _ = do_forget(store, Query(since=at(5)))

    assert len(found) == 5
    assert put(store, *events) == {"known": 5, "forgotten": 5}
    assert put(store, event(7, identity="also 7")) == {"forgotten": 1}
    assert store.count() == 5


def test_a_late_flush_into_the_forgotten_stretch_is_dropped(store):
    put(store, event(5, app="slack", kind="window", title="dm"))

    do_forget(store, Query(since=at(0), app="Slack"))

    assert put(store, event(6, app="Slack", kind="window", title="late")) == {"forgotten": 1}
    assert put(store, event(6, app="Code", kind="window", title="other")) == {"new": 1}
    assert put(store, event(90, app="Slack", kind="window", title="tomorrow")) == {"new": 1}


def test_a_span_that_reaches_into_the_window_goes_too(store):
    put(store, event(0, until=30, kind="window", title="open all the time"), event(1))

    found, _ = do_forget(store, Query(since=at(20)))

    assert len(found) == 1
    assert [e.start for e in store.between(None, None)] == [at(1)]


def test_no_byte_of_it_is_left_in_the_folder(store):
    secret = "Zanzibar quokka 8812"
    put(
        store,
        event(1, text=secret, project=f"p {secret}", files=(f"{secret}.py",)),
        event(2, text="harmless"),
    )

    do_forget(store, Query(until=at(2)))

    for file in store.path.parent.iterdir():
        raw = file.read_bytes().lower()
        assert b"quokka" not in raw, file.name
    assert store.words('"quokka"', query=Query(), limit=5) == []


def test_vectors_that_nothing_needs_any_more_go_with_their_texts(store):
    info = ModelInfo(name="test", hash="h", dimension=384, pooling="mean")
    with store.transaction() as connection:
        model = models.register(connection, info)
    put(store, event(1, text="same"), event(2, text="same"), event(3, text="other"))
    vector = np.ones(384, dtype=np.float32) / np.sqrt(384)
    with store.transaction() as connection:
        vectors.add(connection, model, [(1, vector), (2, vector)])

    _, kept = do_forget(store, Query(until=at(2)))
    _, gone = do_forget(store, Query(until=at(3)))

    assert (kept.texts, kept.vectors) == (0, 0)
    assert (gone.texts, gone.vectors) == (1, 1)
    assert vectors.coverage(store.read(), model) == (1, 1)


@pytest.mark.parametrize("hole", [Query(since=at(4), until=at(6)), Query(until=at(3)), Query(since=at(8))])
def test_sessions_close_over_the_hole(store, hole):
    put(store, *[event(n) for n in range(11)])

    do_forget(store, hole)

    left = store.between(None, None)
    session = store.session(left[0].id)
    assert session.count == len(left)
    assert (session.start, session.end) == (left[0].start, left[-1].start)
    assert session.id == left[0].id


def test_the_name_that_was_forgotten_is_not_written_down_either(store):
    put(store, event(5, app="Zanzibar", kind="window", title="quokka"))

    do_forget(store, Query(since=at(0), app="Zanzibar"))

    for file in store.path.parent.iterdir():
        assert b"zanzibar" not in file.read_bytes().lower(), file.name
    assert put(store, event(6, app="ZANZIBAR", kind="window", title="late")) == {"forgotten": 1}


def test_a_forget_can_be_undone_while_it_is_kept_aside(store):
    events = [
        event(n, text=f"step {n}", aliases=(f"also {n}",), project="p", files=("f.py",)) for n in range(6)
    ]
    put(store, *events)
    before = [(e.key, e.start, e.text, e.project, e.files) for e in store.between(None, None)]

    _, removed = do_forget(store, Query(since=at(3)), undoable=True)

    assert store.count() == 3
    assert store.words('"step"', query=Query(since=at(3)), limit=9) == []
    assert store.take_back(removed.batch) == 3
    assert [(e.key, e.start, e.text, e.project, e.files) for e in store.between(None, None)] == before
    assert store.session(1).count == 6
    assert put(store, *events, event(4, identity="also 4")) == {"known": 7}
    assert store.take_back(removed.batch) is None


def test_after_its_time_a_forget_is_final_and_leaves_no_byte(store):
    put(store, event(1, text="quokka 8812"))
    _, removed = do_forget(store, Query(since=at(0)), undoable=True)

    assert store.purge(at(59)) == 0
    assert store.purge(at(61)) == 1

    assert store.take_back(removed.batch) is None
    for file in store.path.parent.iterdir():
        assert b"quokka" not in file.read_bytes(), file.name


def test_single_events_can_be_forgotten(store):
    put(store, event(1), event(2), event(3))

    found, _ = do_forget(store, Query(), events=[2])

    assert [row[0] for row in found] == [2]
    assert [e.id for e in store.between(None, None)] == [1, 3]


def test_what_holds_all_of_the_words_is_forgotten_and_the_stretch_stays_open(store):
    put(
        store, event(1, text="book Zanzibar flight"), event(2, text="book a table"), event(3, text="Zanzibar")
    )

    found, _ = do_forget(store, Query(since=at(0)), words='"zanzibar" AND "book"')

    assert len(found) == 1
    assert [e.text for e in store.between(None, None)] == ["book a table", "Zanzibar"]


def test_what_can_still_be_undone_is_scrubbed_from_the_file_when_its_time_is_over(store, monkeypatch):
    put(store, event(1, text="a"))
    calls = []
    monkeypatch.setattr(forget, "scrub", lambda connection: iter(calls.append(1) or ()))

    do_forget(store, Query(since=at(0)), undoable=True)
    assert store.purge(at(0)) == 0
    assert not calls
    assert store.purge(at(61)) == 1
    assert store.purge(at(61)) == 0

    assert calls == [1]


def test_a_crash_before_the_file_is_scrubbed_is_made_good_by_the_next_start(store, monkeypatch):
    put(store, event(1, text="Zanzibar quokka", app="Quokkapp"))

    def crash(connection):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(forget, "scrub", crash)
        do_forget(store, Query(since=at(0)))
    assert store.count() == 0
    folder = store.path.parent
    store.close()
    again = Store.open(folder, clock=store.clock)
    again.purge(at(50))

    left = [file.name for file in folder.iterdir() if b"quokka" in file.read_bytes().lower()]
    again.close()
    assert left == []


def test_names_go_with_the_last_event_that_bears_them_and_not_before(store):
    put(
        store,
        event(1, app="Signal", project="Tulip", files=("/a/secret.txt",), branch="fix", repo="r1"),
        event(2, app="Signal", project="Rose", files=("/a/shared.txt",), repo="r1"),
        event(3, app="Code", project="Rose", files=("/a/shared.txt",), repo="r1"),
    )

    do_forget(store, Query(since=at(0), until=at(3)), undoable=True)

    names = {name for (name,) in store.read().execute("SELECT name FROM entity")}
    assert {"Code", "Rose", "/a/shared.txt", "r1"} <= names
    assert not names & {"Signal", "Tulip", "/a/secret.txt", "fix"}
