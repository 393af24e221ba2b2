"""When recording rests by itself, as people write it."""

from __future__ import annotations

from datetime import UTC, datetime, time
from zoneinfo import ZoneInfo

import pytest

from desktop_memory.errors import KnownError
from desktop_memory.pipeline.schedule import Rest, next_start, occurrences, parse

BERLIN = ZoneInfo("Europe/Berlin")


def berlin(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=BERLIN)


@pytest.mark.parametrize(
    ("line", "days", "start", "minutes"),
    [
        ("Mon-Fri 12:00-13:00", {0, 1, 2, 3, 4}, time(12), 60),
        ("Mo–Fr 12:00–13:00", {0, 1, 2, 3, 4}, time(12), 60),
        ("20:00-08:00", set(range(7)), time(20), 720),
        ("weekend", {5, 6}, time(), 1440),
        ("Sat, Sun 0:00-24:00", {5, 6}, time(), 1440),
        ("Fri-Mon 9:30-9:45", {4, 5, 6, 0}, time(9, 30), 15),
        ("Wednesday: 18:00-24:00", {2}, time(18), 360),
        ("werktags 7:00-8:00", {0, 1, 2, 3, 4}, time(7), 60),
    ],
)
def test_lines_as_people_write_them(line: str, days: set[int], start: time, minutes: int) -> None:
    assert parse([line, "  "]) == (Rest(frozenset(days), start, minutes),)


@pytest.mark.parametrize(
    "line", ["noon", "12:00-12:00", "Mon 25:00-26:00", "Mon-Xyz 1:00-2:00", "12:00", "24:00-1:00"]
)
def test_other_lines_are_said(line: str) -> None:
    with pytest.raises(KnownError) as said:
        parse([line])
    assert "Mon-Fri 12:00-13:00" in said.value.advice


def test_a_night_belongs_to_the_day_on_which_it_begins() -> None:
    nights = parse(["Fri 22:00-06:00"])

    found = occurrences(nights, berlin("2026-08-15 03:00"), berlin("2026-08-15 04:00"), BERLIN)

    assert found == [(berlin("2026-08-14 22:00"), berlin("2026-08-15 06:00"))]
    assert next_start(nights, berlin("2026-08-15 03:00"), BERLIN) == berlin("2026-08-21 22:00")


def test_hours_are_those_on_the_wall_when_the_clocks_change() -> None:
    (night,) = occurrences(
        parse(["20:00-08:00"]), berlin("2026-10-25 01:00"), berlin("2026-10-25 07:00"), BERLIN
    )

    assert night == (
        datetime(2026, 10, 24, 18, tzinfo=UTC), datetime(2026, 10, 25, 7, tzinfo=UTC)
    )  # fmt: skip


def test_without_rests_nothing_begins() -> None:
    assert next_start((), berlin("2026-08-15 03:00"), BERLIN) is None
    assert occurrences((), berlin("2016-08-15 03:00"), berlin("2026-08-15 03:00"), BERLIN) == []
