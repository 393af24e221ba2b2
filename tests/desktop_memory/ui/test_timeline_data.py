"""The columns that the timeline paints are exactly those that hold something."""

from __future__ import annotations

import time

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from desktop_memory.ui.timeline_data import Lane, marks
from tests.desktop_memory.ui.scripted import fortnight, told

spans = st.lists(st.tuples(st.integers(0, 1000), st.integers(0, 300)), max_size=40)


@given(spans, st.integers(-100, 900), st.integers(10, 700), st.integers(1, 60))
def test_a_column_is_painted_when_an_event_reaches_into_it(
    events: list[tuple[int, int]], since: int, length: int, width: int
) -> None:
    lane = Lane.of([a for a, _ in events], [a + n for a, n in events], list(range(len(events))))
    edges = np.linspace(since, since + length, width + 1)

    full, counts = lane.columns(since, since + length, width)

    painted = set(np.flatnonzero(full).tolist())
    expected = {
        column
        for column in range(width)
        if any(a < edges[column + 1] and (a + n > edges[column] or a >= edges[column]) for a, n in events)
    }
    assert painted == expected
    assert counts.sum() == sum(since <= a < since + length for a, _ in events)


@given(spans, st.integers(-100, 1400), st.integers(1, 700))
def test_no_event_in_view_is_outside_the_slice(
    events: list[tuple[int, int]], since: int, length: int
) -> None:
    lane = Lane.of([a for a, _ in events], [a + n for a, n in events], list(range(len(events))))

    low, high = lane.between(since, since + length)

    inside = {n for n, (a, length_) in enumerate(events) if a < since + length and a + length_ >= since}
    assert inside <= set(lane.ids[low:high].tolist())


def test_a_million_events_take_no_longer_than_a_hundred() -> None:
    chance = np.random.default_rng(1)
    start = chance.uniform(0, 2 * 366 * 86_400, 1_000_000)
    lane = Lane.of(start, start + 60, np.arange(1_000_000))
    lane.columns(0, 1e7, 1000)

    began = time.perf_counter()
    for n in range(20):
        lane.columns(n * 1e6, n * 1e6 + 3e7, 1000)

    assert (time.perf_counter() - began) / 20 < 0.005


def test_kinds_go_to_their_lanes() -> None:
    made = marks(fortnight().events, (), ())

    assert list(made.lanes) == ["window", "browser", "terminal", "git", "file", "note"]
    assert len(made.lanes["git"].ids) == 2


def test_lanes_are_there_before_anything_happened() -> None:
    assert list(marks([], (), ()).lanes) == ["window", "browser", "terminal", "git", "file"]
    assert marks([], (), ()).empty


def test_an_event_that_ends_before_it_starts_is_a_moment() -> None:
    from dataclasses import replace

    event = told("window", 13, "09:00", "x", minutes=5)
    lane = marks([replace(event, end=event.start.replace(hour=1))], (), ()).lanes["window"]

    assert lane.end[0] == lane.start[0]
