"""Time phrases become stretches of local time; what only looks like one stays in the query."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_memory.pipeline import phrases

BERLIN = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 8, 13, 16, 20, tzinfo=BERLIN)  # a Thursday


def stretch(query: str, now: datetime = NOW, zone: ZoneInfo = BERLIN) -> tuple[str, str, str] | None:
    found = phrases.find(query, now, zone)
    if found is None:
        return None
    return found.text, *(
        "" if moment is None else f"{moment.astimezone(zone):%m-%d %H:%M}"
        for moment in (found.since, found.until)
    )


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("retry today", ("retry", "08-13 00:00", "08-14 00:00")),
        ("retry yesterday afternoon", ("retry", "08-12 12:00", "08-12 18:00")),
        ("this morning calls", ("calls", "08-13 05:00", "08-13 12:00")),
        ("last night", ("", "08-12 18:00", "08-13 06:00")),
        ("deploy in the last 2 hours", ("deploy", "08-13 14:20", "")),
        ("last hour", ("", "08-13 15:20", "")),
        ("past 3 days", ("", "08-10 00:00", "")),
        ("two weeks ago invoice", ("invoice", "07-30 00:00", "08-06 00:00")),
        ("3 days ago", ("", "08-10 00:00", "08-11 00:00")),
        ("last month", ("", "07-01 00:00", "08-01 00:00")),
        ("last week", ("", "08-03 00:00", "08-10 00:00")),
        ("this week", ("", "08-10 00:00", "08-17 00:00")),
        ("Friday afternoon", ("", "08-07 12:00", "08-07 18:00")),
        ("on thursday", ("", "08-13 00:00", "08-14 00:00")),
        ("last thursday", ("", "08-06 00:00", "08-07 00:00")),
        ("3 Aug paper", ("paper", "08-03 00:00", "08-04 00:00")),
        ("August 3rd paper", ("paper", "08-03 00:00", "08-04 00:00")),
        ("2026-08-01 thing", ("thing", "08-01 00:00", "08-02 00:00")),
        ("between 3 Aug and 5 Aug retry", ("retry", "08-03 00:00", "08-06 00:00")),
        ("before yesterday foo", ("foo", "", "08-12 00:00")),
        ("since monday foo", ("foo", "08-10 00:00", "")),
        ("after monday foo", ("foo", "08-11 00:00", "")),
        ("in March taxes", ("taxes", "03-01 00:00", "04-01 00:00")),
        ("around 3 pm what was I doing", ("what was I doing", "08-13 14:30", "08-13 15:30")),
        ("at 15:30 yesterday", ("", "08-12 15:00", "08-12 16:00")),
        ("around 5 pm", ("", "08-12 16:30", "08-12 17:30")),
        ("yesterday around 3 pm", ("", "08-12 14:30", "08-12 15:30")),
        ("retry last friday at 10:15", ("retry", "08-07 09:45", "08-07 10:45")),
        ("around 11:00 on 3 Aug", ("", "08-03 10:30", "08-03 11:30")),
        ("between 2 and 4 pm", ("", "08-13 14:00", "08-13 16:00")),
        ("between 9 and 11:30 yesterday calls", ("calls", "08-12 09:00", "08-12 11:30")),
        ("on Monday between 10:00 and 11:00", ("", "08-10 10:00", "08-10 11:00")),
        ("from 9:00 to 12:00 mail", ("mail", "08-13 09:00", "08-13 12:00")),
        ("between 17:00 and 18:00", ("", "08-12 17:00", "08-12 18:00")),
        ("before 10:00 mail", ("mail", "08-13 00:00", "08-13 10:00")),
        ("after 14:00", ("", "08-13 14:00", "")),
        ("after 2 pm on monday", ("", "08-10 14:00", "08-11 00:00")),
        ("after yesterday 14:00 retry", ("retry", "08-12 14:00", "")),
        ("before monday at 9 am", ("", "", "08-10 09:00")),
        ("the day before yesterday foo", ("foo", "08-11 00:00", "08-12 00:00")),
        ("half an hour ago", ("", "08-13 15:35", "08-13 16:05")),
        ("last half hour", ("", "08-13 15:50", "")),
        ("10 minutes ago", ("", "08-13 16:05", "08-13 16:15")),
        ("last 10 minutes", ("", "08-13 16:10", "")),
        ("past week", ("", "08-06 00:00", "")),
        ("friday's meeting", ("meeting", "08-07 00:00", "08-08 00:00")),
    ],
)
def test_a_phrase_names_a_stretch_of_local_time(query, expected):
    assert stretch(query) == expected


@pytest.mark.parametrize(
    "query",
    [
        "yesterday.txt", "today/notes.md", "src/yesterday", "#today", "march of the penguins", "may we", "second law",
        "deploy after review", '"yesterday" song', "30 Feb", "0 Aug", "9999999 days ago", "between jobs and work",
        "at 99:99", "around 3", "between 2 and 4", "from 2 to 4 people", "before 10", "between 5 pm and 3 pm",
        "after 25:00", "2026-13-45", "", "LED-731", "python 3.11",
    ],
)  # fmt: skip
def test_what_only_looks_like_a_phrase_stays_in_the_query(query):
    assert stretch(query) is None


def test_a_day_is_23_or_25_hours_long_when_the_clock_changes():
    spring = datetime(2026, 3, 29, 12, tzinfo=BERLIN)
    autumn = datetime(2026, 10, 25, 12, tzinfo=BERLIN)

    for now, hours in ((spring, 23), (autumn, 25)):
        found = phrases.find("today", now, BERLIN)
        assert (found.until - found.since).total_seconds() == hours * 3_600


@pytest.mark.parametrize(
    "name", ["Asia/Kolkata", "Pacific/Kiritimati", "Australia/Lord_Howe", "America/St_Johns"]
)
def test_days_begin_at_the_zones_own_midnight(name):
    zone = ZoneInfo(name)

    found = phrases.find("today", datetime(2026, 8, 13, 18, 45, tzinfo=UTC), zone)

    assert f"{found.since.astimezone(zone):%H:%M}" == "00:00"


# Hypothesis takes limits without a zone.
_FIRST, _LAST = datetime(1971, 1, 1), datetime(2200, 1, 1)  # noqa: DTZ001


@given(st.text(max_size=60), st.datetimes(timezones=st.just(BERLIN), min_value=_FIRST, max_value=_LAST))
def test_no_text_breaks_it_and_every_stretch_has_a_length(text, now):
    for query in (text, f"{text} yesterday", f"last 3 {text}", f"between {text} and today"):
        found = phrases.find(query, now, BERLIN)
        if found and found.since and found.until:
            assert found.since < found.until or "between" in found.label
