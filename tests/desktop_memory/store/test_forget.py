"""What is forgotten is gone from the file and stays away."""

from __future__ import annotations

import numpy as np
import pytest

from collectors.event import microseconds
from desktop_memory.model import ModelInfo, Query
from desktop_memory.store import forget, models, vectors
from desktop_memory.store.events import Incoming
from tests.factories import at, event


def put(store, *events):
    return dict(store.record([Incoming(event=e, body=e.text or e.title) for e in events]))


def do_forget(store, query):
    with store.transaction() as connection:
        found = forget.matching(connection, query)
        counts = forget.forget(connection, found, query, microseconds(at(60)))
        store.rechain(connection, [(start, end) for _, start, end in found])
    store.entities_changed()
    store.scrub()
    return counts


def test_reading_the_source_again_does_not_bring_it_back(store):
    events = [event(n, aliases=(f"also {n}",)) for n in range(10)]
    put(store, *events)

    counts = do_forget(store, Query(since=at(5)))

    assert counts["events"] == 5
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

    counts = do_forget(store, Query(since=at(20)))

    assert counts["events"] == 1
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

    kept = do_forget(store, Query(until=at(2)))
    gone = do_forget(store, Query(until=at(3)))

    assert (kept["texts"], kept["vectors"]) == (0, 0)
    assert (gone["texts"], gone["vectors"]) == (1, 1)
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
