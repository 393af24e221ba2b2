from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.chain_rows import GAP, SECOND, Rows, key

NAMES = list(range(24))
SECONDS = st.sampled_from(range(0, 4_801, 600)) | st.integers(0, 5_000)
LENGTHS = st.sampled_from([None, None, None, 30, 400, 1_500])
REASONS = st.sampled_from(["locked", "asleep", "paused", "idle"])

adding = st.tuples(
    st.just("add"), st.sampled_from(NAMES), SECONDS, LENGTHS, st.integers(0, 5).map(lambda n: n == 0)
)
growing = st.tuples(st.just("grow"), st.sampled_from(NAMES), st.integers(1, 2_000))
changing = st.tuples(st.just("change"), st.sampled_from(NAMES), SECONDS, LENGTHS, st.booleans())
deleting = st.tuples(st.just("delete"), st.sampled_from(NAMES))
locking = st.tuples(st.just("gap"), SECONDS, REASONS)
pausing = st.tuples(st.just("pause"), SECONDS)
unlocking = st.tuples(st.just("delete gap"), SECONDS, REASONS)
steps = st.lists(
    st.one_of(adding, adding, adding, growing, changing, deleting, locking, unlocking, pausing), max_size=40
)


def do(rows: Rows, step: tuple, there: dict) -> None:
    """One step on the rows; `there` holds the start of each event that is in the store."""
    match step:
        case ("add", name, start, length, approx) if name not in there:
            rows.add(name, start, None if length is None else start + length, approx=approx)
            there[name] = start
        case ("grow", name, by) if name in there:
            rows.grow(name, there[name] + by)
        case ("change", name, start, length, approx) if name in there:
            rows.change(name, start, None if length is None else start + length, approx=approx)
            there[name] = start
        case ("delete", name) if name in there:
            rows.delete(name)
            del there[name]
        case ("gap", start, reason):
            rows.gap(start, start + 5, reason)
        case ("pause", start):
            rows.pause(start)
        case ("delete gap", start, reason):
            rows.delete_gap(start, reason)


def assert_right(rows: Rows) -> None:
    assert rows.sessions() == rows.sessions_of_all()
    assert rows.miscounted() == 0


@pytest.mark.nightly
@settings(deadline=None)
@given(steps, st.integers(1, 8), st.booleans())
def test_whatever_happens_in_whatever_batches_the_sessions_are_those_of_the_whole(todo, batch, quick):
    rows, there = Rows(quick=quick), {}
    for number, step in enumerate(todo, 1):
        do(rows, step, there)
        if number % batch == 0:
            rows.keep_sessions()
            assert_right(rows)
    rows.keep_sessions()
    assert_right(rows)
    rows.connection.close()


@pytest.mark.nightly
@settings(deadline=None)
@given(
    st.lists(adding, max_size=24, unique_by=lambda step: step[1]),
    st.lists(locking, max_size=3),
    st.integers(),
    st.integers(1, 12),
)
def test_any_permutation_in_any_batches_gives_the_same_sessions(events, gaps, seed, batch):
    at_once, there = Rows(quick=False), {}
    for step in [*events, *gaps]:
        do(at_once, step, there)
    at_once.keep_sessions()

    shuffled = [*events, *gaps]
    random = Random(seed)
    random.shuffle(shuffled)
    split, there = Rows(), {}
    for step in shuffled:
        do(split, step, there)
        if random.randrange(batch) == 0:
            split.keep_sessions()
    split.keep_sessions()

    assert split.sessions() == at_once.sessions() == at_once.sessions_of_all()
    assert split.miscounted() == 0
    for rows in (at_once, split):
        rows.connection.close()


def test_a_late_event_joins_two_sessions_and_the_greater_keeps_its_row():
    rows = Rows()
    rows.add("a", 0)
    for number in range(3):
        rows.add(f"b{number}", 1_000 + number)
    rows.keep_sessions()
    (greater,) = rows.connection.execute("SELECT id FROM session WHERE start > 0").fetchone()

    rows.add("bridge", 500)
    rows.keep_sessions()

    assert rows.connection.execute("SELECT id, first_event, events FROM session").fetchall() == [
        (greater, 1, 5)
    ]
    assert rows.connection.execute("SELECT event FROM change").fetchall() == [(1,)]


def test_of_two_events_in_one_microsecond_the_lesser_key_is_the_first_whichever_comes_later():
    for first, second in (("a", "b"), ("b", "a")):
        rows = Rows()
        for name in (first, second):
            rows.add(name, 0)
            rows.keep_sessions()

        assert [one for one, *_ in rows.sessions()] == [min(key("a"), key("b"))]


def test_a_lock_told_late_splits_the_session_and_says_why():
    rows = Rows()
    for minute in range(10):
        rows.add(minute, minute * 60)
    rows.keep_sessions()

    rows.gap(271, 275, "locked")
    rows.keep_sessions()

    assert [(len(members), ended_by) for _, members, _, _, ended_by in rows.sessions()] == [
        (5, "locked"),
        (5, ""),
    ]


def test_forgetting_the_bridge_parts_what_it_held_together():
    rows = Rows()
    for name, second in (("a", 0), ("bridge", 500), ("b", 1_000)):
        rows.add(name, second)
    rows.keep_sessions()

    rows.delete("bridge")
    rows.keep_sessions()

    assert [first for first, *_ in rows.sessions()] == [key("a"), key("b")]
    assert_right(rows)


def test_forgetting_everything_leaves_no_session():
    rows = Rows()
    rows.add("a", 0)
    rows.keep_sessions()

    rows.delete("a")
    rows.keep_sessions()

    assert rows.connection.execute("SELECT count(*) FROM session").get == 0


def test_a_span_that_grows_takes_in_what_was_guessed_and_what_comes_after():
    rows = Rows()
    rows.add("open", 0, 10)
    rows.add("guessed", 700, approx=True)
    rows.add("later", 1_500)
    rows.keep_sessions()
    assert len(rows.sessions()) == 2

    rows.grow("open", 901)
    rows.keep_sessions()

    assert rows.sessions() == [
        (key("open"), (key("open"), key("guessed"), key("later")), 0, 1_500 * SECOND, "")
    ]


def test_the_idle_gap_is_the_one_that_is_set():
    rows = Rows()
    rows.add("a", 0)
    rows.add("b", 61)
    rows.keep_sessions(gap_us=60 * SECOND)

    assert len(rows.sessions()) == 2
    assert GAP == 600 * SECOND
