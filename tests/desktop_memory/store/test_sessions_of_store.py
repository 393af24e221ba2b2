"""Sessions as the store keeps them while it records, pauses and forgets."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from collectors.event import Gap
from desktop_memory.store.store import Store
from tests.factories import FakeClock, at, event
from tests.stubs import memory_over


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(at(0))


@pytest.fixture
def store(tmp_path: Path, clock: FakeClock) -> Iterator[Store]:
    opened = Store.open(tmp_path / "data", clock=clock)
    yield opened
    opened.close()


def told(store: Store) -> list[tuple[float, float, str, int]]:
    """(start, end) in minutes, why it ended, how many events."""
    zero = at(0)
    return [
        ((s.start - zero).total_seconds() / 60, (s.end - zero).total_seconds() / 60, s.ended_by, s.count)
        for s in store.sessions(None, None)
    ]


def test_a_pause_ends_the_session_and_says_so(store, clock):
    memory = memory_over(store, clock)
    memory.remember([event(0), event(5)])
    clock.advance(6)
    memory.pause()
    assert told(store) == [(0, 5, "paused", 2)]
    clock.advance(2)
    memory.resume()
    clock.advance(1)
    memory.remember([event(9)])

    assert told(store) == [(0, 5, "paused", 2), (9, 9, "", 1)]


def test_an_open_window_moves_the_end_of_its_session_and_a_lock_ends_it(store, clock):
    memory = memory_over(store, clock)

    def window(until: float, open_: bool = True):
        return event(1, until=until, kind="window", title="report", identity="w", open=open_)

    memory.remember([event(0), window(2)])
    memory.remember([window(25)])
    assert told(store) == [(0, 25, "", 2)]

    memory.remember([window(20, open_=False), Gap(start=at(20), end=at(22), reason="locked"), event(23)])

    assert told(store) == [(0, 20, "locked", 2), (23, 23, "", 1)]


def test_a_history_that_comes_late_puts_two_sessions_together(store, clock):
    memory = memory_over(store, clock)
    memory.remember([event(0), event(15)])
    assert len(told(store)) == 2

    memory.remember([event(8, text="late")])

    assert told(store) == [(0, 15, "", 3)]


def test_a_guessed_time_that_becomes_exact_moves_to_its_session(store, clock):
    memory = memory_over(store, clock)
    memory.remember([event(0), event(60)])
    memory.remember([event(5, text="make", identity="make", approx=True, earliest=at(-60))])
    assert [count for *_, count in told(store)] == [1, 1]

    memory.remember([event(62, text="make", identity="make")])

    assert told(store) == [(0, 0, "idle", 1), (60, 62, "", 2)]
