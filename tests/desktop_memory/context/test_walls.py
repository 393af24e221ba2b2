"""Whose wall is open: what was asked for, let in, in front, or chosen by hand."""

from __future__ import annotations

import pytest

from desktop_memory.context.walls import (
    closed,
    closed_around,
    closed_beside,
    hits_kept_from,
    in_front,
    kept_from,
    pins_kept_from,
)
from desktop_memory.model import ContextRequest, Hit, Remembered
from tests.examples import ListSources, at, goal

HAND, CLIENT = ContextRequest(), ContextRequest(opened_by_hand=False)


def sources_of(*projects: str) -> tuple[ListSources, list[Remembered]]:
    sources = ListSources(at(13, "17:00"))
    sources.walls = frozenset({"Zebra", "Owl"})
    events = [
        sources.add("terminal", at(13, f"16:{minute:02}"), text="make", project=project)
        for minute, project in enumerate(projects)
    ]
    return sources, events


@pytest.mark.parametrize(
    ("request_", "walls"),
    [
        (HAND, {"zebra", "owl"}),
        (ContextRequest(project="ZEBRA"), {"owl"}),
        (ContextRequest(let_in=("Owl", "horse")), {"zebra"}),
        (ContextRequest(project="horse"), {"zebra", "owl"}),
    ],
)
def test_a_wall_is_open_to_who_asks_for_it_or_lets_it_in(request_: ContextRequest, walls: set[str]):
    assert closed(request_, sources_of()[0]) == walls


@pytest.mark.parametrize(
    ("request_", "walls"),
    [(HAND, {"owl"}), (CLIENT, {"zebra", "owl"}), (ContextRequest(project="horse"), {"zebra", "owl"})],
)
def test_what_stands_in_front_is_open_to_who_chose_it_by_hand(request_: ContextRequest, walls: set[str]):
    sources, events = sources_of("owl", "ZEBRA", "", "", "", "ZEBRA")
    assert closed_beside(events, request_, sources) == walls


def test_around_an_event_its_project_is_open_to_who_chose_it_by_hand():
    sources, (event,) = sources_of("Zebra")
    assert closed_around(event, HAND, sources) == {"owl"}
    assert closed_around(event, CLIENT, sources) == {"zebra", "owl"}


def test_what_stays_behind_a_wall_is_counted_by_its_project():
    _, events = sources_of("Zebra", "horse", "Zebra", "", "owl")
    walls = {"zebra", "owl"}

    assert kept_from(events, walls) == ([events[1], events[3]], {"Zebra": 2, "owl": 1})
    hits = [Hit(event=event, score=1.0) for event in events]
    assert hits_kept_from(hits, walls) == ([hits[1], hits[3]], {"Zebra": 2, "owl": 1})
    pins = [goal("a", "Zebra", at(14, "10:00")), goal("b", "horse", at(14, "10:00"))]
    assert pins_kept_from(pins, walls) == [pins[1]]


@pytest.mark.parametrize(
    ("projects", "front"),
    [
        ((), ""),
        (("", ""), ""),
        (("b", "a", "b"), "b"),
        (("a", "b", "b", "a"), "a"),
        (("a", "a", "a", "b", "b"), "a"),
        (("b", "a", "", ""), "a"),
    ],
)
def test_in_front_is_what_most_belong_to_the_latest_of_equals(projects: tuple[str, ...], front: str):
    assert in_front(sources_of(*projects)[1]) == front
