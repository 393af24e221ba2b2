"""What is copied without being a context obeys walls, names and redaction as a context does."""

from __future__ import annotations

import json
from datetime import date

import pytest

from desktop_memory.context.report import report
from desktop_memory.context.report_text import FORMATS, spoken
from desktop_memory.context.telling import tell_lines, tell_report
from desktop_memory.model import HeldBack, Pin, Remembered, Spoken, Told
from tests.examples import ListSources, at, goal

DAY = date(2026, 8, 13)


@pytest.fixture
def sources() -> ListSources:
    """A day with an open project, and a walled one that others name too."""
    made = ListSources(at(13, "18:00"))
    made.add(
        "window", at(13, "09:00"), 3600, project="open", app="VS Code", title="a.py - Visual Studio Code"
    )
    made.add(
        "window", at(13, "10:00"), 7200, project="Nordwind", app="Word", title="nordwind-offer.docx - Word"
    )
    made.add("git_commit", at(13, "11:00"), project="Nordwind", title="TODO price of the takeover")
    made.add(
        "git_commit", at(13, "12:10"), project="open", title="Mail jo@corp.example at /home/lena/open/x.py"
    )
    made.add("git_commit", at(13, "12:20"), project="open", title="Copy the table from nordwind for ACME Ltd")
    made.add(
        "note",
        at(13, "11:30"),
        project="Nordwind",
        title="decided: bid 4 million",
        details={"decision": True},
    )
    made.all_pins = [
        goal("Sign the takeover", "Nordwind", at(20, "12:00")),
        goal("Ship", "open", at(20, "12:00")),
    ]
    made.walls = frozenset({"Nordwind"})
    made.names = {"ACME Ltd": "Client A"}
    return made


SECRETS = ("nordwind", "takeover", "4 million", "acme", "jo@corp", "/home/lena")


@pytest.mark.parametrize("format", FORMATS)
def test_a_report_for_others_holds_nothing_of_a_walled_project(sources: ListSources, format: str):
    told = tell_report(sources, DAY, DAY, format=format)

    assert not [word for word in SECRETS if word in told.text.casefold()]
    assert told.held_back == (HeldBack(project="Nordwind", events=3),)
    assert "open" in told.text


def test_a_report_for_others_counts_no_hour_of_it_but_all_others(sources: ListSources):
    told = json.loads(tell_report(sources, DAY, DAY, format="json").text)

    assert [(row["project"], row["seconds"]) for row in told["hours"]] == [("open", 3600)]
    assert [goal["text"] for goal in told["goals"]] == ["Ship"]


def test_a_walled_project_that_is_asked_for_is_told(sources: ListSources):
    told = tell_report(sources, DAY, DAY, "Nordwind")

    assert "takeover" in told.text
    assert not told.held_back


def test_what_others_read_of_two_projects_with_one_alias_is_one_row(sources: ListSources):
    sources.add("window", at(13, "13:00"), 1800, project="second", app="VS Code", title="b.py")
    sources.names = {"second": "Client A", "open": "Client A"}

    told = json.loads(tell_report(sources, DAY, DAY, format="json").text)

    assert [(row["project"], row["seconds"]) for row in told["hours"]] == [("Client A", 5400)]


def lines_of(*events: Remembered) -> list[Spoken]:
    return [Spoken(text=f"09:00 · {event.title}", events=(event.id,)) for event in events]


def test_a_line_of_a_walled_project_chosen_alone_is_copied(sources: ListSources):
    told = tell_lines(sources, lines_of(sources.events[2]))

    assert told.text == "09:00 · TODO price of the takeover"


def test_lines_of_a_walled_project_among_others_are_held_back(sources: ListSources):
    told = tell_lines(sources, lines_of(sources.events[2], sources.events[3], sources.events[4]))

    assert told == Told(
        text="09:00 · Mail [redacted:email] at x.py\n09:00 · Copy the table from [redacted:project] for Client A",
        events=(sources.events[3].id, sources.events[4].id),
        masked={"email": 1, "path": 1, "project": 1, "name replaced": 1},
        held_back=(HeldBack(project="Nordwind", events=1),),
    )


def test_lines_chosen_of_a_report_leave_out_those_that_tell_of_a_walled_project(sources: ListSources):
    told = tell_lines(sources, spoken(report(sources, DAY, DAY)), project="open")

    assert not [word for word in SECRETS if word in told.text.casefold()]
    assert "| Total |" not in told.text.split("Hours")[1].split("\n", 1)[1]
    assert "- Ship" in told.text


def test_a_pin_of_a_walled_project_among_lines_of_another_is_held_back(sources: ListSources):
    pins: list[Pin] = sources.all_pins
    chosen = [Spoken(text=pin.text, projects=(pin.project,)) for pin in pins]

    told = tell_lines(sources, [*chosen, *lines_of(sources.events[0])])

    assert told.text.split("\n")[0] == "Ship"
