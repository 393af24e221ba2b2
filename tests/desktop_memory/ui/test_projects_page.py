"""Projects, driven as a person does: a rule with its count, another name, merging, archiving, undoing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from desktop_memory.project import ProjectChange
from desktop_memory.settings import Privacy, Settings
from desktop_memory.ui.pages.projects import ProjectsPage
from tests.desktop_memory.ui.conftest import Stage
from tests.desktop_memory.ui.scripted import NOW, empty

pytestmark = pytest.mark.qt_log_ignore("grabbing the keyboard", extend=True)


@pytest.fixture
def stage(stage_of: Callable[..., Stage], tmp_path: Path) -> Stage:
    return stage_of(folder=tmp_path, settings=Settings(privacy=Privacy(walled_projects=("billing-api",))))


@pytest.fixture
def page(stage: Stage, qtbot: QtBot) -> ProjectsPage:
    made = shown(stage, qtbot)
    qtbot.waitUntil(lambda: "billing-api" in titles(made))
    return made


def shown(stage: Stage, qtbot: QtBot) -> ProjectsPage:
    page = ProjectsPage(stage.desk, stage.copier, stage.actions)
    qtbot.addWidget(page)
    page.resize(980, 720)
    page.show()
    page.refresh()
    return page


def titles(page: ProjectsPage) -> list[str]:
    return [f"# {row.title}" if row.style == "header" else row.title for row in page.rows.rows.rows]


def choose(page: ProjectsPage, title: str) -> None:
    page.rows.choose(titles(page).index(title))
    page.rows.setFocus()


def entry(page: ProjectsPage, title: str, word: str) -> QAction:
    choose(page, title)
    page._menu(page.rows.selected(), QPoint(0, 0))
    menu = page.findChildren(QMenu)[-1]
    found = next(action for action in menu.actions() if action.text() == word)
    menu.hide()
    return found


def asked(stage: Stage, name: str) -> list[tuple[Any, ...]]:
    return [what for said, what in stage.memory.asked if said == name]


def test_a_rule_tells_its_count_while_it_is_written(page: ProjectsPage, stage: Stage, qtbot: QtBot) -> None:
    qtbot.keyClicks(page.editor.pattern, "retention")
    assert not page.editor.add.isEnabled()
    qtbot.waitUntil(lambda: page.editor.told.text() == "3 records match.")

    qtbot.keyClicks(page.editor.project, "Client A")
    qtbot.waitUntil(page.editor.add.isEnabled)
    qtbot.keyClick(page.editor.project, Qt.Key.Key_Return)

    qtbot.waitUntil(lambda: "Title: retention → Client A" in titles(page))
    assert asked(stage, "rule") == [("Client A", "retention")]
    assert page.editor.pattern.text() == ""
    notice = stage.notices[-1]
    assert (notice.button, notice.text) == (
        "Undo", "New records that match go to “Client A”, stored ones follow."
    )  # fmt: skip
    assert notice.act is not None
    notice.act()
    qtbot.waitUntil(lambda: asked(stage, "undo_project_change") == [(1,)])


def test_a_pattern_that_cannot_be_used_is_said_at_once(
    page: ProjectsPage, stage: Stage, qtbot: QtBot
) -> None:
    qtbot.keyClicks(page.editor.project, "P")
    qtbot.keyClicks(page.editor.pattern, "[")

    qtbot.waitUntil(lambda: "cannot be read" in page.editor.told.text())
    qtbot.keyClick(page.editor.pattern, Qt.Key.Key_Return)

    assert not page.editor.add.isEnabled()
    assert asked(stage, "rule") == []


def test_enter_renames_and_escape_leaves_it(page: ProjectsPage, stage: Stage, qtbot: QtBot) -> None:
    choose(page, "thesis-ch3")
    qtbot.keyClick(page.rows, Qt.Key.Key_F2)
    assert page.bar.isVisible()
    qtbot.keyClick(page.bar.name, Qt.Key.Key_Escape)
    assert not page.bar.isVisible()

    qtbot.keyClick(page.rows, Qt.Key.Key_Return)
    page.bar.name.setText("Dissertation 博士論文")
    qtbot.keyClick(page.bar.name, Qt.Key.Key_Return)

    qtbot.waitUntil(lambda: asked(stage, "rename") == [("Dissertation 博士論文", "thesis-ch3")])


def test_merging_asks_into_what_and_says_that_a_wall_grows(
    page: ProjectsPage, stage: Stage, qtbot: QtBot
) -> None:
    entry(page, "thesis-ch3", "Merge into…").trigger()
    qtbot.waitUntil(page.bar.isVisible)

    page.bar.other.setCurrentIndex(page.bar.other.findText("notes"))
    assert page.bar.asks.text() == "4 records of “thesis-ch3” go to"
    page.bar.other.setCurrentIndex(page.bar.other.findText("billing-api"))
    assert page.bar.asks.text().startswith("One of them is walled: both will be.")
    page.bar.yes.click()

    qtbot.waitUntil(lambda: asked(stage, "merge") == [("billing-api", "thesis-ch3")])


def test_delete_archives_and_brings_a_way_back(page: ProjectsPage, stage: Stage, qtbot: QtBot) -> None:
    choose(page, "inbox")
    qtbot.keyClick(page.rows, Qt.Key.Key_Delete)

    qtbot.waitUntil(lambda: titles(page)[-2:] == ["# Archived", "inbox"])
    assert stage.notices[-1].text == "“inbox” is archived."
    entry(page, "inbox", "Offer again").trigger()
    qtbot.waitUntil(lambda: "# Archived" not in titles(page))


def test_a_change_under_way_shows_how_far_it_is_and_can_be_cancelled(
    page: ProjectsPage, stage: Stage, qtbot: QtBot
) -> None:
    stage.memory.following = ProjectChange(
        id=7, what="rule", project="P", other="x", at=NOW, running=True, done=0.4, moved=1200
    )
    page.refresh()
    qtbot.waitUntil(page.following.isVisible)
    assert (page.following.bar.value(), page.following.told.text()) == (400, "1,200 records moved so far")

    page.following.stop.click()

    qtbot.waitUntil(lambda: asked(stage, "undo_project_change") == [(7,)])
    qtbot.waitUntil(lambda: not page.following.isVisible())


def test_without_projects_it_says_how_to_get_one(
    stage_of: Callable[..., Stage], qtbot: QtBot, tmp_path: Path
) -> None:
    stage = stage_of(empty(), folder=tmp_path)
    page = shown(stage, qtbot)

    qtbot.waitUntil(lambda: bool(asked(stage, "projects")))
    assert page._stack.currentWidget() is page._empty
