"""What holds of spans whatever happens in front of the screen."""

from __future__ import annotations

import itertools

from hypothesis import given, settings
from hypothesis import strategies as st

from collectors.window.backend import Window, window
from tests.collectors.day import Day, second, seconds

windows = st.one_of(
    st.none(),
    st.builds(
        window,
        st.sampled_from(["A", "B", "(1) A", "(2) A", "⠋ A", "50% B"]),
        app_id=st.sampled_from(["x", "y"]),
        key=st.sampled_from(["1", "2"]),
    ),
)
steps = st.lists(
    st.tuples(
        st.floats(0, 400, allow_nan=False),
        st.one_of(
            windows.map(lambda w: ("front", w)),
            st.just(("tick", None)),
            st.floats(0, 300).map(lambda ago: ("away", ago)),
            st.floats(0, 20).map(lambda ago: ("back", ago)),
        ),
    ),
    max_size=60,
)


def play(day: Day, steps: list[tuple[float, tuple[str, object]]]) -> None:
    now, away_since = 0.0, None
    for passed, (what, value) in steps:
        now += passed
        if what == "front":
            assert value is None or isinstance(value, Window)
            day._keep(day.spans.front(value, second(now)))
        elif what == "tick":
            day.tick(now)
        elif what == "away" and away_since is None:
            assert isinstance(value, float)
            away_since = max(0.0, now - value)
            day.away(away_since)
        elif what == "back" and away_since is not None:
            assert isinstance(value, float)
            day.back(max(away_since, now - value))
            away_since = None
    day.stop(now + 1)


@given(steps)
@settings(deadline=None)
def test_spans_are_ordered_never_negative_and_never_overlap(steps):
    day = Day()

    play(day, steps)

    told = sorted(day.stored.values(), key=lambda event: event.start)
    for event in told:
        assert event.end is not None
        assert event.end >= event.start
        assert not event.open
    for earlier, later in itertools.pairwise(told):
        assert earlier.end is not None
        assert earlier.end <= later.start
    starts = [event.start for event in day.stored.values()]
    assert starts == sorted(starts)


@given(steps)
@settings(deadline=None)
def test_of_a_span_nothing_changes_but_its_end(steps):
    day = Day()

    play(day, steps)

    for event in day.told:
        last = day.stored[event.identity]
        assert (event.start, event.title, event.app) == (last.start, last.title, last.app)


@given(steps, st.lists(st.floats(-10_000, 10_000), max_size=4))
@settings(deadline=None)
def test_whatever_the_clock_does_no_span_is_negative(steps, sets):
    day = Day()

    for number, jump in enumerate(sets):
        play(day, steps[number::4])
        day.tick(jump)
        play(day, steps[number::3])

    assert all(e.end is not None and e.end >= e.start for e in day.stored.values())


@given(steps)
@settings(deadline=None)
def test_when_it_is_called_as_asked_no_more_than_half_a_minute_is_lost(steps):
    day = Day()
    now = 0.0
    for passed, (what, value) in steps:
        until = now + passed
        while (wait := day.spans.seconds_to_next(second(now))) is not None and now + wait < until:
            now += wait
            day.tick(now)
            for event in day.stored.values():
                if event.open:
                    assert now - seconds(event.end) <= 30 + 5
        now = until
        if what == "front":
            assert value is None or isinstance(value, Window)
            day._keep(day.spans.front(value, second(now)))
