"""Days are the person's own, where offsets are odd, clocks change by half an hour or midnight is left out."""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from desktop_memory.moments import parse_time
from desktop_memory.pipeline.phrases import find

ODD = ("Asia/Kolkata", "Asia/Kathmandu", "Australia/Lord_Howe", "America/St_Johns", "Pacific/Chatham")


def hours(phrase: str, now: datetime) -> float:
    found = find(phrase, now, now.tzinfo)
    return (found.until - found.since) / timedelta(hours=1)


@pytest.mark.parametrize("name", ODD)
def test_yesterday_ends_where_today_begins_at_the_local_midnight(name):
    zone = ZoneInfo(name)
    now = datetime(2026, 8, 13, 0, 20, tzinfo=zone)

    today, yesterday = find("today", now, zone), find("retry yesterday", now, zone)

    assert yesterday.until == today.since
    assert [f"{at.astimezone(zone):%d %H:%M}" for at in (yesterday.since, today.since, today.until)] == [
        "12 00:00",
        "13 00:00",
        "14 00:00",
    ]


@pytest.mark.parametrize(
    ("name", "day", "length"),
    [
        ("Australia/Lord_Howe", (2026, 4, 5), 24.5),
        ("Australia/Lord_Howe", (2026, 10, 4), 23.5),
        ("Europe/Berlin", (2026, 10, 25), 25),
        ("Asia/Kathmandu", (2026, 10, 25), 24),
        ("Asia/Beirut", (2026, 3, 29), 23),
    ],
)
def test_a_day_is_as_long_as_its_clocks_make_it(name, day, length):
    zone = ZoneInfo(name)

    assert hours("today", datetime(*day, 15, tzinfo=zone)) == length
    assert hours("yesterday", datetime(*day, 15, tzinfo=zone) + timedelta(days=1)) == length


@pytest.mark.parametrize(
    ("phrase", "since", "until"),
    [
        ("yesterday morning", "2026-10-03 18:00", "2026-10-04 01:00"),
        ("yesterday afternoon", "2026-10-04 01:00", "2026-10-04 07:00"),
        ("last night", "2026-10-04 07:00", "2026-10-04 19:00"),
        ("on 3 Oct", "2026-10-02 13:30", "2026-10-03 13:30"),
        ("at 2:15 pm", "2026-10-05 02:45", "2026-10-05 03:45"),
        ("last week", "2026-09-27 13:30", "2026-10-04 13:00"),
    ],
)
def test_the_morning_after_lord_howe_moved_its_clocks_by_half_an_hour(phrase, since, until):
    zone = ZoneInfo("Australia/Lord_Howe")
    now = datetime(2026, 10, 5, 15, tzinfo=zone)

    found = find(phrase, now, zone)

    assert (f"{found.since:%Y-%m-%d %H:%M}", f"{found.until:%Y-%m-%d %H:%M}") == (since, until)


@pytest.mark.parametrize(
    ("text", "name", "utc"),
    [
        ("yesterday 14:30", "Asia/Kathmandu", "2026-08-12 08:45"),
        ("today", "Asia/Kolkata", "2026-08-12 18:30"),
        ("14:30", "America/St_Johns", "2026-08-13 17:00"),
        ("2026-08-13", "Pacific/Chatham", "2026-08-12 11:15"),
        ("2026-08-13T14:30", "Australia/Lord_Howe", "2026-08-13 04:00"),
    ],
)
def test_a_typed_time_is_local(text, name, utc):
    zone = ZoneInfo(name)

    found = parse_time(text, datetime(2026, 8, 13, 23, tzinfo=zone), zone)

    assert f"{found:%Y-%m-%d %H:%M}" == utc


def test_a_time_that_comes_twice_is_its_first_and_one_left_out_is_moved_on():
    zone = ZoneInfo("Europe/Berlin")
    autumn, spring = datetime(2026, 10, 25, 12, tzinfo=zone), datetime(2026, 3, 29, 12, tzinfo=zone)

    assert f"{parse_time('02:30', autumn, zone):%H:%M}" == "00:30"
    assert f"{parse_time('02:30', spring, zone):%H:%M}" == "01:30"
