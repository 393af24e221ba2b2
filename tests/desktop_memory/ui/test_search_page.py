"""Search: facets with counts, why a hit is there, pinning it."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from desktop_memory.model import Hit, Query
from desktop_memory.ui.facets import Chosen, facets
from desktop_memory.ui.pages.search import SearchPage
from desktop_memory.ui.why import reasons
from tests.desktop_memory.ui.conftest import Stage
from tests.desktop_memory.ui.scripted import NOW, local, told

HITS = [
    Hit(
        event=replace(told("browser", 13, "09:00", "docs", domain="a.org", app="Firefox"), id=1, project="x"),
        score=1,
    ),
    Hit(
        event=replace(told("browser", 12, "09:00", "docs", domain="a.org", app="Firefox"), id=2, project="y"),
        score=1,
    ),
    Hit(
        event=replace(told("terminal", 13, "09:00", "make", details={"exit": 2}), id=3, project="x"), score=1
    ),
]


@pytest.fixture
def page(stage: Stage, qtbot: QtBot) -> SearchPage:
    made = SearchPage(stage.desk, stage.copier, stage.actions)
    qtbot.addWidget(made)
    made.resize(996, 720)
    made.show()
    made.refresh()
    return made


def titles(page: SearchPage) -> list[str]:
    return [row.title for row in page.rows.rows.rows if row.event]


def entries(menu: QMenu) -> list[str]:
    return [entry.text() for entry in menu.actions() if not entry.isSeparator()]


def settled(page: SearchPage, qtbot: QtBot, text: str) -> None:
    page.search_for(text)
    qtbot.waitUntil(lambda: page._found is not None and page._found.settled and bool(page.rows.rows.rows))


def test_each_dimension_is_counted_without_its_own_choice() -> None:
    found = facets(HITS, Chosen(project="x"))

    assert list(found.counts["project"]) == [("x", 2), ("y", 1)]
    assert list(found.counts["kind"]) == [("Commands", 1), ("Pages", 1)]
    assert list(found.counts["day"]) == [(date(2026, 8, 13), 2)]
    assert found.of("failed", True) == 1
    assert found.of("site", "a.org") == 1
    assert facets(HITS, Chosen(kinds=frozenset({"Pages"}))).of("failed", True) == 0


def test_choices_become_filters_of_the_query() -> None:
    chosen = Chosen().take("kind", "Commits").take("day", date(2026, 8, 13)).take("site", "a.org")

    query = chosen.narrowed(Query(text="x"))

    assert query.kinds == ("git_commit", "git_stash", "git_staged", "git_checkout")
    assert (query.since, query.until, query.domain) == (local(13, "00:00"), local(14, "00:00"), "a.org")
    assert not chosen.take("kind", "Commits").take("day", None).take("site", None)


def test_a_day_of_25_hours_is_asked_for_whole() -> None:
    query = Chosen(day=date(2026, 10, 25)).narrowed(Query())

    assert query.since is not None
    assert query.until is not None
    assert (query.until - query.since).total_seconds() == 25 * 3600


def test_chips_tell_how_many_there_are_before_anything_is_typed(page: SearchPage, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: page.facets.kinds["Commits"].text() == "Commits 2")
    menu = page.facets.menu_of("project")

    assert entries(menu)[:2] == ["notes\t21", "billing-api\t14"]


def test_a_project_is_chosen_from_the_list_and_taken_away(page: SearchPage, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: bool(page.facets._facets.counts))
    menu = page.facets.menu_of("project")
    next(entry for entry in menu.actions() if entry.text().startswith("thesis-ch3")).trigger()

    qtbot.waitUntil(lambda: {r.event.project for r in page.rows.rows.rows if r.event} == {"thesis-ch3"})
    assert page.facets.lists["project"].text() == "Project: thesis-ch3"
    assert page.facets.lists["project"].isChecked()
    again = page.facets.menu_of("project")
    assert entries(again)[0] == "All projects"
    again.actions()[0].trigger()
    qtbot.waitUntil(lambda: not page.rows.rows.rows)
    assert page.facets.lists["project"].text() == "Project"


def test_counts_follow_the_question(page: SearchPage, qtbot: QtBot) -> None:
    settled(page, qtbot, "charge")
    qtbot.waitUntil(lambda: page.facets.kinds["Commits"].text() == "Commits 1")
    menu = page.facets.menu_of("day")

    assert entries(menu)[0].startswith("Today\t")
    assert page.facets.kinds["Commands"].text().startswith("Commands")


def test_why_a_hit_is_there_stands_in_the_drawer(page: SearchPage, qtbot: QtBot) -> None:
    settled(page, qtbot, "charge")
    page.rows.choose(1)
    qtbot.keyClick(page.rows, Qt.Key.Key_I, Qt.KeyboardModifier.ControlModifier)

    assert page.drawer.isVisible()
    assert page.drawer.title.text() == f"Why “{titles(page)[0]}”?"
    assert page.drawer.facts.accessibleName().startswith("words charge")
    page.rows.choose(None)
    assert not page.drawer.pin.isEnabled()


def test_reasons_are_told_in_plain_words() -> None:
    hit = replace(HITS[2], lanes=("text", "meaning"), relevance=0.41, coverage=0.5, usage=0.2, judged=0.7)

    told_ = [f"{fact.label} {fact.value}{fact.rest}" for fact in reasons(hit, ["make"], 2, 9, NOW)]

    assert told_ == [
        "words make · 50 % of the question", "meaning near · 0.41", "when Today 09:00",
        "use opened, copied or pinned before · 0.20", "second look 0.70 of 1", "place 2 of 9 · 1.00",
    ]  # fmt: skip


def test_a_result_is_pinned_and_unpinned_by_undo(page: SearchPage, stage: Stage, qtbot: QtBot) -> None:
    settled(page, qtbot, "advisory lock before")
    page.rows.choose(1)
    page.why.click()
    before = len(stage.memory.all_pins)

    page.drawer.pin.click()

    qtbot.waitUntil(lambda: bool(stage.notices))
    assert stage.memory.all_pins[-1].text == "LED-731 take advisory lock before charge"
    assert stage.memory.all_pins[-1].project == "billing-api"
    assert stage.notices[-1].act is not None
    stage.notices[-1].act()
    qtbot.waitUntil(lambda: len(stage.memory.all_pins) == before)
