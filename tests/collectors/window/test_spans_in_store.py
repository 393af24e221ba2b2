"""What the window watch tells is what the store ends up with."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from collectors.event import Event, identity
from collectors.window.backend import window
from collectors.window.spans import Spans
from desktop_memory.store.events import Incoming
from desktop_memory.store.store import Store
from tests.factories import FakeClock, at


def spans() -> Spans:
    return Spans(device="d", describe=lambda w: Event(identity="", kind="window", start=at(0), title=w.title))


def stored(folder: Path, told: list[Event]) -> list[tuple[str, object, object, bool]]:
    """What is kept when each is told in a transaction of its own."""
    store = Store.open(folder, clock=FakeClock())
    try:
        for event in told:
            store.record([Incoming(event=event, body=event.title)])
        return [(e.title, e.start, e.end, e.open) for e in store.between(None, None, limit=1000)]
    finally:
        store.close()


def last_told(told: list[Event]) -> list[tuple[str, object, object, bool]]:
    by_identity = {event.identity: event for event in told}
    return [(e.title, e.start, e.end, e.open) for e in sorted(by_identity.values(), key=lambda e: e.start)]


def test_time_away_is_cut_from_spans_that_had_already_ended(tmp_path: Path):
    watch = spans()
    told = watch.front(window("building"), at(0)) + watch.tick(at(0.5))
    told += watch.front(window("built"), at(2)) + watch.tick(at(3)) + watch.away(at(1))

    kept = stored(tmp_path, told)

    assert kept == [("building", at(0), at(1), False), ("built", at(2), at(2), False)]


moves = st.lists(
    st.tuples(st.floats(0.01, 3), st.sampled_from(["A", "B", "(1) A", None, "tick", "away", "back"])),
    max_size=25,
)


@given(moves)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_store_keeps_the_last_that_was_told(moves):
    watch, now, told = spans(), 0.0, []
    for minutes, what in moves:
        now += minutes
        if what == "tick":
            told += watch.tick(at(now))
        elif what == "away":
            told += watch.away(at(now - minutes / 2))
        elif what == "back":
            watch.back(at(now))
        else:
            told += watch.front(window(what) if what else None, at(now))
    told += watch.stop(at(now + 1))

    with tempfile.TemporaryDirectory() as folder:
        assert stored(Path(folder), told) == last_told(told)


def test_a_span_is_known_by_its_device_and_start():
    watch = spans()
    told = watch.front(window("A"), at(0)) + watch.stop(at(1))

    assert {event.identity for event in told} == {identity("window", "d", 1786615200000000)}
