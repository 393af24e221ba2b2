"""The scale stands at round local times, over clock changes too."""

from __future__ import annotations

from datetime import UTC, date, datetime

from desktop_memory.ui.ticks import midnight, ticks


def hours(day: date) -> list[str]:
    since = midnight(day).timestamp()
    until = midnight(date.fromordinal(day.toordinal() + 1)).timestamp()
    return [tick.label for tick in ticks(since, until, 30)]


def test_a_day_has_its_hours() -> None:
    labels = hours(date(2026, 8, 13))

    assert labels[:3] == ["Thu 13 Aug", "01:00", "02:00"]
    assert labels[-1] == "23:00"
    assert len(labels) == 24


def test_the_hour_that_does_not_exist_is_not_shown() -> None:
    labels = hours(date(2026, 3, 29))

    assert "02:00" not in labels
    assert labels.count("03:00") == 1


def test_the_day_with_25_hours_is_25_hours_long() -> None:
    since, until = midnight(date(2026, 10, 25)), midnight(date(2026, 10, 26))

    assert (until - since).total_seconds() == 25 * 3600
    marks = [tick.at for tick in ticks(since.timestamp(), until.timestamp(), 30)]
    assert marks == sorted(set(marks))
    assert hours(date(2026, 10, 25))[:5] == ["Sun 25 Oct", "01:00", "02:00", "02:00", "03:00"]


def test_the_hour_that_comes_twice_has_its_minutes_twice() -> None:
    since = midnight(date(2026, 10, 25)).timestamp() + 2 * 3600

    found = ticks(since, since + 2 * 3600, 20)

    assert [tick.label for tick in found] == [f"02:{minute:02}" for minute in range(0, 60, 10)] * 2 + [
        "03:00"
    ]
    assert [tick.at - since for tick in found] == [600 * n for n in range(13)]


def test_a_minute_and_a_year_both_have_a_few_marks() -> None:
    at = datetime(2026, 8, 13, 8, 0, tzinfo=UTC).timestamp()

    assert 1 <= len(ticks(at, at + 90, 8)) <= 8
    year = ticks(at - 366 * 86_400, at, 8)
    assert 3 <= len(year) <= 8
    assert year[0].label == "Oct 2025"
