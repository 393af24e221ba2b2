"""A report counts each moment once, on its local day, and invents nothing."""

from __future__ import annotations

import csv
import io
import json
from datetime import date, timedelta
from typing import Any

import pytest

from collectors.event import Gap
from desktop_memory.context.report import report
from desktop_memory.context.report_text import suggested, written
from desktop_memory.context.report_wording import ENGLISH
from desktop_memory.model import Pin
from tests.examples import ListSources, at, goal, retention

DAY = date(2026, 8, 13)


def worked(
    sources: ListSources, day: int, clock: str, minutes: float, project: str = "", **what: Any
) -> None:
    what.setdefault("app", "VS Code")
    what.setdefault("title", "a.py - Visual Studio Code")
    sources.add("window", at(day, clock), minutes * 60, project=project, **what)


def test_each_moment_is_counted_once():
    sources = ListSources(at(13, "18:00"))
    worked(sources, 13, "09:00", 60, "one")
    worked(sources, 13, "09:30", 60, "two")
    worked(sources, 13, "09:40", 10, "three")

    found = report(sources, DAY, DAY)

    assert {name: days[DAY] for name, days in found.hours.items()} == {"one": 3600, "two": 1800}


def test_a_span_over_midnight_is_split_between_its_days():
    sources = ListSources(at(14, "12:00"))
    worked(sources, 13, "23:30", 90, "night")

    found = report(sources, DAY, date(2026, 8, 14))

    assert found.hours["night"] == {DAY: 1800, date(2026, 8, 14): 3600}


def test_pages_count_to_the_work_around_them_and_chats_to_none():
    sources = ListSources(at(13, "18:00"))
    worked(sources, 13, "09:00", 30, "one")
    sources.add("browser", at(13, "09:30"), 600, title="Docs", app="Firefox")
    worked(sources, 13, "09:40", 20, app="Slack", title="general - Slack")
    worked(sources, 13, "12:00", 30, app="Firefox", title="News")

    hours = report(sources, DAY, DAY).hours

    assert hours["one"][DAY] == 2400
    assert hours[""][DAY] == 3000


def test_calls_commits_documents_decisions_and_goals_are_listed():
    sources = retention()
    sources.add(
        "git_commit", at(13, "15:00"), title="TODO: index", details={"hash": "abcdef123"}, project="x"
    )

    text = written(report(sources, date(2026, 8, 11), DAY))

    assert '- Thu 13 Aug 13:52 "NW weekly" · Teams (32 min)' in text
    assert '- Thu 13 Aug abcdef1 "TODO: index" · x' in text
    assert "- retention-schedule-v2.docx (1 h 13 min)" in text
    assert '- Thu 13 Aug "Invoices 10 years' in text
    assert "- Retention schedule to Nordwind AG (due Mon 17 Aug)" in text
    assert '- x: "TODO: index"' in text
    assert "score" not in text.casefold()


def test_what_was_not_recorded_is_counted_between_the_first_and_last_record():
    sources = ListSources(at(13, "18:00"))
    worked(sources, 13, "09:00", 60, "one")
    worked(sources, 13, "12:00", 60, "one")
    sources.recorded_gaps = [
        Gap(start=at(12, "20:00"), end=at(13, "09:00"), reason="not running"),
        Gap(start=at(13, "10:00"), end=at(13, "11:30"), reason="paused"),
        Gap(start=at(13, "11:00"), end=at(13, "12:00"), reason="idle"),
        Gap(start=at(13, "13:00"), end=None, reason="idle"),
    ]

    found = report(sources, DAY, DAY)

    assert found.unrecorded == {DAY: 7200}
    assert "2 h." in written(found)


def test_much_work_without_a_goal_is_suggested():
    sources = ListSources(at(13, "18:00"))
    for day in (10, 11, 12):
        worked(sources, day, "09:00", 130, "one")
    since = date(2026, 8, 10)

    found = report(sources, since, DAY).suggestions
    assert [suggested(one).text for one in found] == ["one: over 2 h on 3 days, and no goal"]
    sources.all_pins = [goal("finish", "one", at(20, "10:00"))]
    assert report(sources, since, DAY).suggestions == ()


def test_one_project_alone():
    sources = ListSources(at(13, "18:00"))
    worked(sources, 13, "09:00", 60, "one")
    worked(sources, 13, "10:00", 60, "two")
    sources.all_pins = [
        goal("a", "one", at(20, "10:00")),
        Pin(id=2, kind="goal", text="b", project="two", created=at(1, "08:00")),
    ]

    found = report(sources, DAY, DAY, project="One")

    assert list(found.hours) == ["one"]


def test_csv_is_exact_and_no_formula():
    sources = ListSources(at(13, "18:00"))
    worked(sources, 13, "09:00", 61, "=cmd()")

    rows = list(csv.reader(io.StringIO(written(report(sources, DAY, DAY), "csv"))))

    assert rows == [["date", "project", "seconds", "hours"], ["2026-08-13", "'=cmd()", "3660.000", "1.0167"]]


def test_json_holds_the_same():
    sources = ListSources(at(13, "18:00"))
    worked(sources, 13, "09:00", 61, "one")

    found = json.loads(written(report(sources, DAY, DAY), "json"))

    assert found["hours"] == [{"project": "one", "date": "2026-08-13", "seconds": 3660.0}]


def test_an_empty_stretch_says_so():
    assert "Nothing was recorded." in written(report(ListSources(at(13, "18:00")), DAY, DAY))


@pytest.mark.parametrize(
    ("minutes", "said"), [(0, ""), (7, ""), (8, "0.25"), (60, "1"), (127, "2"), (128, "2.25")]
)
def test_hours_are_rounded_to_quarters(minutes: int, said: str):
    assert ENGLISH.quarter_hours(timedelta(minutes=minutes).total_seconds()) == said


@pytest.mark.parametrize(("minutes", "said"), [((20, 20), True), ((15, 20), False), ((30, 45), False)])
def test_figures_that_do_not_add_up_say_why(minutes: tuple[int, int], said: bool):
    sources = ListSources(at(14, "18:00"))
    for day, lasted in zip((13, 14), minutes, strict=True):
        worked(sources, day, "09:00", lasted, "one")

    told = written(report(sources, DAY, DAY + timedelta(days=1)))

    assert ("Each figure is rounded by itself" in told) == said


def test_a_report_of_one_project_names_no_call_and_no_document_of_other_work():
    sources = ListSources(at(13, "18:00"))
    worked(sources, 13, "09:00", 30, "one")
    worked(sources, 13, "09:31", 20, app="Teams", title="Weekly of one | Microsoft Teams")
    worked(sources, 13, "11:00", 30, "two")
    worked(sources, 13, "11:31", 20, app="Word", title="plan-two.docx - Word")
    worked(sources, 13, "14:00", 20, app="Teams", title="Interview | Microsoft Teams")

    told = written(report(sources, DAY, DAY, "one"))

    assert not [word for word in ("plan-two", "Interview") if word in told]
    assert "plan-two.docx" in written(report(sources, DAY, DAY, "two"))
