"""Times and counts as people say them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta

import pytest
from PySide6.QtCore import QLocale

from desktop_memory.ui import words
from tests.desktop_memory.ui.scripted import NOW, local


@pytest.fixture
def american() -> Iterator[None]:
    QLocale.setDefault(QLocale(QLocale.Language.English, QLocale.Country.UnitedStates))
    yield
    QLocale.setDefault(QLocale.c())


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (0, "0 s"),
        (40, "40 s"),
        (59.6, "1 min"),
        (360, "6 min"),
        (3600, "1 h"),
        (8460, "2 h 21 min"),
        (-5, "0 s"),
    ],
)
def test_a_stretch_of_time(seconds: float, said: str) -> None:
    assert words.stretch(seconds) == said


def test_numbers_and_days() -> None:
    assert words.number(4812) == "4,812"
    assert words.short_day(date(2026, 8, 13)) == "Thu 13 Aug"
    assert words.long_day(date(2026, 8, 13)) == "Thursday 13 August"


def test_times_are_of_this_place() -> None:
    assert words.clock_time(datetime(2026, 8, 13, 7, 41, tzinfo=UTC)) == "09:41"
    assert words.span(local(13, "09:41"), local(13, "10:32")) == "09:41–10:32"


def test_times_take_the_locales_form(american: None) -> None:
    assert words.clock_time(local(13, "14:20")).replace("\u202f", " ") == "2:20 PM"
    assert words.long_day(date(2026, 8, 13)) == "Thursday, August 13"
    assert words.short_day(date(2026, 8, 13)) == "Thu, Aug 13"


@pytest.mark.parametrize(
    ("before", "said"),
    [
        (timedelta(seconds=20), "now"),
        (timedelta(minutes=31), "31 min ago"),
        (timedelta(hours=2), "07:56"),
        (timedelta(hours=12), "yesterday"),
        (timedelta(days=9), "9 days ago"),
    ],
)
def test_how_long_ago(before: timedelta, said: str) -> None:
    assert words.ago(NOW - before, NOW) == said


def test_days_have_names() -> None:
    today = date(2026, 8, 13)

    assert words.day_name(today, today) == "Today"
    assert words.day_name(date(2026, 8, 12), today) == "Yesterday"
    assert words.day_name(date(2025, 8, 12), today) == "Tue 12 Aug 2025"


def test_a_share_takes_the_locales_point() -> None:
    assert words.decimal(1) == "1.00"
    QLocale.setDefault(QLocale("de_DE"))
    assert words.decimal(0.314) == "0,31"
    QLocale.setDefault(QLocale.c())
