"""Recording rests when the schedule says so, whether or not anybody looked at the time."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest

from collectors.event import microseconds
from desktop_memory.engine import Engine
from desktop_memory.memory import Memory
from desktop_memory.settings import Privacy
from desktop_memory.store.store import Store
from tests.desktop_session import eventually
from tests.factories import FakeClock, at, event
from tests.stubs import ScriptedWatch, memory_over

LUNCH = Privacy(pause_schedule=("Thu 10:30-11:00",))
"""From 30 to 60 minutes after the noon of the factories, in UTC."""


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(at(0))


@pytest.fixture
def store(tmp_path: Path, clock: FakeClock) -> Iterator[Store]:
    opened = Store.open(tmp_path / "data", clock=clock)
    yield opened
    opened.close()


@pytest.fixture
def memory(store: Store, clock: FakeClock) -> Memory:
    made = memory_over(store, clock, privacy=LUNCH)
    made.follow_schedule()
    return made


def pauses(store: Store) -> list[tuple[int, int]]:
    return [tuple(row) for row in store.read().execute("SELECT start, end FROM pause ORDER BY start")]


def stretch(start: float, end: float) -> tuple[int, int]:
    return microseconds(at(start)), microseconds(at(end))


def test_what_happens_within_a_rest_is_not_stored(memory: Memory, store: Store, clock: FakeClock) -> None:
    assert memory.follow_schedule() == at(30)

    for minute in (29, 31, 59, 61):
        clock.now = at(minute)
        memory.remember([event(minute)])

    assert [e.start for e in store.between(None, None)] == [at(29), at(61)]
    assert pauses(store) == [stretch(30, 60)]


def test_status_says_until_when(memory: Memory, clock: FakeClock) -> None:
    clock.now = at(31)
    memory.follow_schedule()

    pause = memory.paused()

    assert pause is not None
    assert (pause.start, pause.until) == (at(30), at(60))


def test_resuming_within_a_rest_lasts_for_its_rest(memory: Memory, store: Store, clock: FakeClock) -> None:
    clock.now = at(35)
    memory.follow_schedule()
    memory.resume()

    clock.now = at(40)
    memory.remember([event(40)])

    assert memory.paused() is None
    assert store.count() == 1
    again = memory_over(store, clock, privacy=LUNCH)  # also after a new start of the app
    again.follow_schedule()
    assert again.paused() is None


def test_a_history_read_later_does_not_fill_a_rest_that_nobody_saw(
    store: Store, memory: Memory, clock: FakeClock
) -> None:
    memory.note_alive()
    clock.now = at(120)
    later = memory_over(store, clock, privacy=LUNCH)

    later.remember([event(29), event(45), event(61)])

    assert [e.start for e in store.between(None, None)] == [at(29), at(61)]


def test_a_rest_added_while_it_would_run_begins_now(store: Store, clock: FakeClock) -> None:
    memory = memory_over(store, clock)
    clock.now = at(45)
    memory.remember([event(44)])

    memory._parts.gate.take(LUNCH)
    clock.now = at(46)
    memory.remember([event(46)])

    assert pauses(store) == [stretch(45, 60)]
    assert store.count() == 1


def test_an_open_span_ends_where_the_rest_begins(memory: Memory, store: Store, clock: FakeClock) -> None:
    clock.now = at(28)
    memory.remember([event(25, until=28, kind="window", title="notes", open=True)])

    clock.now = at(33)
    memory.remember([event(25, until=33, kind="window", title="notes", open=True)])

    (span,) = store.between(None, None)
    assert span.end is not None
    assert span.end <= at(30)


def test_the_engine_rests_on_time(memory: Memory, store: Store, clock: FakeClock) -> None:
    watch = ScriptedWatch("window")
    engine = Engine(memory, store, [watch], poll_seconds=3_600, clock=clock)  # type: ignore[arg-type]
    engine.start()
    try:
        eventually(lambda: engine.live()["window"]["watching"])
        assert 1_700 < engine._next_turn() <= 1_800

        clock.now = datetime.fromtimestamp(at(30).timestamp(), at(30).tzinfo)
        engine.wake()

        eventually(lambda: not engine.live()["window"]["watching"])
    finally:
        engine.stop()
