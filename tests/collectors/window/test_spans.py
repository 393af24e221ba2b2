"""Spans: what is told of a day in front of the screen."""

from __future__ import annotations

import time

import pytest

from tests.collectors.day import Day, second, seconds


def test_two_windows_are_two_spans_that_meet():
    day = Day()

    day.front(0, "A", key="1")
    day.front(10, "B", key="2")
    day.stop(25)

    assert day.lines == [("A", 0, 10), ("B", 10, 25)]
    assert all(not event.open for event in day.stored.values())


def test_an_open_span_is_told_when_certain_and_every_half_minute():
    day = Day()

    day.front(0, "A")
    for at in range(1, 100):
        day.tick(at)

    assert [(seconds(e.end), e.open) for e in day.told] == [(2, True), (32, True), (62, True), (92, True)]
    assert len(day.stored) == 1


def test_it_asks_to_be_called_no_sooner_than_needed():
    day = Day()

    day.front(0, "A")
    assert day.spans.seconds_to_next(second(0)) == 2
    day.tick(2)
    assert day.spans.seconds_to_next(second(2)) == 30
    day.front(5, None)
    assert day.spans.seconds_to_next(second(5)) == 5
    day.tick(10)
    assert day.spans.seconds_to_next(second(10)) is None


def test_a_blip_is_not_told_and_does_not_cut():
    day = Day()

    day.front(0, "A", key="1")
    day.front(10, "B", key="2")
    day.front(11.5, "A", key="1")
    day.stop(20)

    assert day.lines == [("A", 0, 20)]


def test_a_moment_without_any_window_does_not_cut():
    day = Day()

    day.front(0, "A")
    day.front(10, None)
    day.front(13, "A")
    day.stop(20)

    assert day.lines == [("A", 0, 20)]


def test_a_long_time_without_any_window_does():
    day = Day()

    day.front(0, "A")
    day.front(10, None)
    day.tick(15)
    day.front(30, "A")
    day.stop(40)

    assert day.lines == [("A", 0, 10), ("A", 30, 40)]


def test_flicking_through_windows_ends_the_span_where_it_began():
    day = Day()

    day.front(0, "A", key="1")
    for step in range(8):
        day.front(10 + step, f"other {step}", key=str(2 + step))
    day.front(18, "A", key="1")
    day.stop(30)

    assert day.lines == [("A", 0, 10), ("A", 18, 30)]


def test_another_title_of_the_same_window_is_another_span():
    day = Day()

    day.front(0, "one.py")
    day.front(10, "two.py")
    day.stop(20)

    assert day.lines == [("one.py", 0, 10), ("two.py", 10, 20)]


def test_a_ticking_title_is_one_span_with_its_first_title():
    day = Day()

    day.front(0, "(1) Inbox")
    for at in range(1, 60):
        day.front(at, f"({at % 7}) Inbox")
    day.stop(60)

    assert day.lines == [("(1) Inbox", 0, 60)]


def test_a_title_that_never_rests_is_still_one_span_of_its_window():
    day = Day()

    for at in range(20):
        day.front(at, f"copying file-{chr(97 + at)}.txt")
    day.stop(20)

    assert len(day.lines) == 1
    title, start, end = day.lines[0]
    assert title.startswith("copying file-")
    assert (start, end) == (0, 19)


def test_a_title_that_comes_to_rest_starts_its_span_when_it_came():
    day = Day()

    day.front(0, "ready")
    for at in range(10, 20):
        day.front(at, f"copying file-{chr(97 + at)}.txt")
    day.front(20, "done")
    day.tick(22)
    day.stop(30)

    assert day.lines == [("ready", 0, 20), ("done", 20, 30)]


def test_absence_ends_the_span_at_the_last_sign_of_life():
    day = Day()

    day.front(0, "A")
    for at in (30, 60, 90, 120, 150, 180):
        day.tick(at)
    day.away(5)
    day.tick(300)
    day.back(400)
    day.tick(402)
    day.stop(500)

    assert day.lines == [("A", 0, 5), ("A", 400, 500)]


def test_absence_also_shortens_what_ended_meanwhile():
    day = Day()

    day.front(0, "building")
    day.front(60, "built")
    day.tick(100)
    day.away(50)

    assert day.lines == [("building", 0, 50), ("built", 60, 60)]
    assert not any(event.open for event in day.stored.values())


def test_what_comes_to_the_front_while_nobody_is_there_starts_with_the_return():
    day = Day()

    day.front(0, "A")
    day.tick(15)
    day.away(10)
    day.front(20, "B")
    day.tick(100)
    day.back(200)
    day.tick(202)
    day.stop(210)

    assert day.lines == [("A", 0, 10), ("B", 200, 210)]


def test_a_moment_without_a_window_between_two_is_no_hole():
    day = Day()

    day.front(0, "A", key="1")
    day.front(10, None)
    day.front(10.3, "B", key="2")
    day.stop(20)

    assert day.lines == [("A", 0, 10.3), ("B", 10.3, 20)]


def test_a_window_that_came_after_the_return_starts_when_it_came():
    day = Day()

    day.front(0, "A")
    day.tick(15)
    day.away(10)
    day.front(300, "B")
    day.back(250)
    day.tick(302)
    day.stop(310)

    assert day.lines == [("A", 0, 10), ("B", 300, 310)]


def test_a_return_before_the_absence_counts_from_its_beginning():
    day = Day()

    day.front(0, "A")
    day.tick(15)
    day.away(10)
    day.back(5)
    day.stop(20)

    assert day.lines == [("A", 0, 10), ("A", 10, 20)]


def test_a_clock_that_is_adjusted_a_little_cuts_nothing():
    day = Day()

    day.front(0, "A")
    day.tick(10)
    day.tick(9)
    day.stop(20)

    assert day.lines == [("A", 0, 20)]


def test_a_clock_set_back_while_nobody_is_there_does_not_hide_the_return():
    day = Day()

    day.front(1000, "A")
    day.tick(1015)
    day.away(1010)
    day.tick(500)
    day.back(510)
    day.tick(512)
    day.stop(520)

    assert day.lines == [("A", 1000, 1010), ("A", 510, 520)]


def test_a_clock_set_back_makes_no_negative_span():
    day = Day()

    day.front(1000, "A")
    day.tick(1010)
    day.tick(500)
    day.stop(510)

    assert day.lines == [("A", 1000, 1010), ("A", 500, 510)]


def test_a_clock_set_back_does_not_shorten_the_past():
    day = Day()

    day.front(1000, "A")
    day.front(1100, "B")
    day.tick(1200)
    day.front(500, "C")
    day.tick(600)
    day.away(550)

    assert day.lines == [("A", 1000, 1100), ("B", 1100, 1200), ("C", 500, 550)]


def test_a_clock_set_forward_adds_no_time():
    day = Day()

    day.front(0, "A")
    day.tick(10)
    day.jumped(5000)
    day.stop(5010)

    assert day.lines == [("A", 0, 10), ("A", 5000, 5010)]


def test_who_was_stopped_for_hours_tells_nothing_of_them():
    day = Day()

    day.front(0, "A")
    for at in (3, 30, 10_800, 10_803):
        day.tick(at)
    day.stop(10_810)

    assert day.lines == [("A", 0, 30), ("A", 10_800, 10_810)]


def test_sleep_that_is_heard_of_only_after_it_still_shortens_what_ended_before():
    day = Day()

    day.front(0, "A")
    for at in (3, 33, 63, 10_800):
        day.tick(at)
    day.away(40)

    assert day.lines == [("A", 0, 40)]


def test_an_event_says_the_local_offset_of_its_start(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("TZ", "Australia/Sydney")
    time.tzset()
    try:
        day = Day()
        day.front(0, "A")
        day.stop(10)
    finally:
        monkeypatch.undo()
        time.tzset()

    assert {event.utc_offset for event in day.told} == {600}
