from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_memory.pipeline.sessions import Break, Cut, Span, cut

GAP = 600


def span(start: int, end: int | None = None, *, key: str = "", approx: bool = False) -> Span:
    return Span(start, key or f"k{start}", start if end is None else end, approx)


def shapes(*spans: Span, breaks: tuple[Break, ...] = ()) -> list[tuple[list[int], int, str]]:
    return [([one.start for one in s.members], s.end, s.ended_by) for s in cut(spans, breaks, GAP)]


def test_nothing_gives_no_session():
    assert cut([], [Break(5, "locked")], GAP) == []


def test_a_pause_as_long_as_the_idle_gap_stays_inside():
    assert shapes(span(0), span(600)) == [([0, 600], 600, "")]


def test_a_longer_pause_starts_a_session():
    assert shapes(span(0), span(601)) == [([0], 0, "idle"), ([601], 601, "")]


def test_the_pause_counts_from_the_latest_end_so_far():
    assert shapes(span(0, 1_000), span(10), span(1_600)) == [([0, 10, 1_600], 1_600, "")]


def test_a_lock_ends_a_session_however_short_it_is():
    cuts = shapes(span(0), span(20), breaks=(Break(10, "locked"),))

    assert cuts == [([0], 0, "locked"), ([20], 20, "")]


def test_an_event_in_the_microsecond_of_the_lock_still_belongs_before_it():
    assert shapes(span(10), span(11), breaks=(Break(10, "paused"),)) == [([10], 10, "paused"), ([11], 11, "")]


def test_a_span_over_a_sleep_counts_to_its_beginning_only():
    cuts = shapes(span(0, 50_000), span(49_000), breaks=(Break(100, "asleep"),))

    assert cuts == [([0], 100, "asleep"), ([49_000], 49_000, "")]


def test_a_lock_long_after_the_last_event_did_not_end_its_session():
    assert shapes(span(0), breaks=(Break(601, "locked"),)) == [([0], 0, "idle")]


def test_a_session_that_may_go_on_has_no_end_yet_and_a_locked_one_has():
    assert shapes(span(0)) == [([0], 0, "")]
    assert shapes(span(0), breaks=(Break(600, "locked"),)) == [([0], 0, "locked")]


def test_a_guessed_time_joins_what_covers_it_and_changes_nothing_else():
    cuts = cut([span(0), span(500), span(300, approx=True), span(900, 9_000, approx=True)], [], GAP)

    assert [[one.start for one in c.members] for c in cuts] == [[0, 300, 500]]
    assert cuts[0].end == 500


def test_a_guessed_time_neither_bridges_nor_opens():
    assert shapes(span(0), span(500, 700, approx=True), span(1_000)) == [
        ([0], 0, "idle"),
        ([1_000], 1_000, ""),
    ]
    assert shapes(span(0, approx=True)) == []


def test_a_guessed_time_in_the_first_microsecond_joins_but_the_session_is_known_by_an_exact_event():
    (one,) = cut([span(0, key="b"), span(0, key="a", approx=True)], [], GAP)

    assert one.first.key == "b"
    assert [member.key for member in one.members] == ["a", "b"]


def test_a_guessed_time_between_two_sessions_that_touch_belongs_to_the_later():
    cuts = cut([span(0, 50), span(11, key="x"), span(11, key="a", approx=True)], [Break(10, "locked")], GAP)

    assert [[one.key for one in c.members] for c in cuts] == [["k0"], ["a", "x"]]


moments = st.integers(0, 6_000)
some_spans = st.lists(
    st.builds(
        lambda start, length, key, approx: Span(start, key, start + length, approx),
        moments,
        st.sampled_from([0, 0, 0, 100, 1_500]),
        st.uuids().map(str),
        st.booleans() | st.just(False),
    ),
    max_size=30,
    unique_by=lambda one: one.key,
)
some_breaks = st.lists(st.builds(Break, moments, st.sampled_from(["locked", "asleep", "paused"])), max_size=4)


@given(some_spans, some_breaks)
def test_neighbours_share_a_session_exactly_when_no_pause_and_no_break_parts_them(spans, breaks):
    cuts = cut(spans, breaks, GAP)

    exact = sorted(one for one in spans if not one.approx)
    number = {one.key: n for n, c in enumerate(cuts) for one in c.members}
    assert all(one.key in number for one in exact)
    for place in range(1, len(exact)):
        before, after = exact[:place], exact[place]
        latest = max(min([one.end, *(b.start for b in breaks if one.start <= b.start)]) for one in before)
        parted = after.start - latest > GAP or any(before[-1].start <= b.start < after.start for b in breaks)
        assert (number[before[-1].key] != number[after.key]) == parted


@given(some_spans, some_breaks)
def test_guessed_times_change_no_session(spans, breaks):
    def outline(cuts: list[Cut]) -> list[tuple[Span, int, str]]:
        return [(c.first, c.end, c.ended_by) for c in cuts]

    cuts = cut(spans, breaks, GAP)

    assert outline(cuts) == outline(cut([one for one in spans if not one.approx], breaks, GAP))
    for guessed in (one for one in spans if one.approx):
        covering = [c for c in cuts if c.start <= guessed.start <= c.end]
        homes = [c for c in cuts if guessed in c.members]
        assert homes == covering[-1:]


@pytest.mark.nightly
@given(some_spans, some_breaks, st.randoms(use_true_random=False))
def test_order_of_arrival_does_not_matter(spans, breaks, random):
    shuffled, shuffled_breaks = spans[:], breaks[:]
    random.shuffle(shuffled)
    random.shuffle(shuffled_breaks)

    assert cut(shuffled, shuffled_breaks, GAP) == cut(spans, breaks, GAP)


def test_what_happens_in_the_microsecond_of_a_lock_is_of_the_session_before():
    cuts = shapes(span(5), span(10), span(11), breaks=(Break(10, "paused"),))
    assert cuts == [([5, 10], 10, "paused"), ([11], 11, "")]


def test_a_guess_at_the_last_moment_of_a_session_belongs_to_it():
    assert shapes(span(0, 20), span(20, approx=True)) == [([0, 20], 20, "")]
    assert shapes(span(0, 20), span(21, approx=True)) == [([0], 20, "")]
    later = ([5_000], 5_000, "")
    assert shapes(span(0, 20), span(20, approx=True), span(5_000)) == [([0, 20], 20, "idle"), later]
    assert shapes(span(0, 20), span(21, approx=True), span(5_000)) == [([0], 20, "idle"), later]


def test_a_guess_at_the_moment_at_which_a_session_begins_belongs_to_that_one_alone():
    guess = span(700, key="a guess", approx=True)
    assert shapes(span(0, 50), guess, span(700)) == [([0], 50, "idle"), ([700, 700], 700, "")]
    held = cut([span(0, 800), Span(700, "a guess", 700, True), span(700)], [Break(600, "locked")], GAP)
    assert [[one.key for one in session.members] for session in held] == [["k0"], ["a guess", "k700"]]


def test_each_session_is_ended_by_what_comes_next():
    cuts = shapes(span(0), span(5_000), span(10_000), breaks=(Break(5_100, "asleep"), Break(5_200, "locked")))
    assert cuts == [([0], 0, "idle"), ([5_000], 5_000, "asleep"), ([10_000], 10_000, "")]


def test_a_lock_at_the_moment_of_the_next_event_did_not_part_them():
    """Nothing but the pause did: the event is there before the lock."""
    assert shapes(span(0), span(601), breaks=(Break(601, "locked"),))[0] == ([0], 0, "idle")
    assert shapes(span(0), span(700), breaks=(Break(500, "locked"),))[0] == ([0], 0, "locked")
