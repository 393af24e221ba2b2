"""Connections, driven as a person does."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from desktop_memory.ui.about import About, Way
from desktop_memory.ui.pages.connections import ConnectionsPage
from desktop_memory.ui.pages.now import NowPage
from desktop_memory.ui.row_list import RowList
from desktop_memory.ui.thing_chip import ThingChip
from desktop_memory.ui.window import Window
from tests.desktop_memory.ui.conftest import Stage
from tests.desktop_memory.ui.scripted import empty


def build(stage: Stage, qtbot: QtBot) -> Window:
    window = Window(stage.desk, stage.copier, stage.actions, None)
    qtbot.addWidget(window)
    window.resize(1180, 720)
    window.show()
    return window


@pytest.fixture
def window(stage: Stage, qtbot: QtBot) -> Window:
    return build(stage, qtbot)


def alone(stage: Stage, qtbot: QtBot) -> ConnectionsPage:
    """The page alone: a whole window takes a while to build."""
    page = ConnectionsPage(stage.desk, stage.copier, stage.actions)
    qtbot.addWidget(page)
    page.resize(996, 720)
    page.show()
    page.refresh()
    return page


@pytest.fixture
def page(stage: Stage, qtbot: QtBot) -> ConnectionsPage:
    return alone(stage, qtbot)


def turn_to(page: ConnectionsPage, stage: Stage, qtbot: QtBot, title: str) -> None:
    page.show_about(About(event=next(e for e in stage.memory.kept if title in (e.title, e.text))))
    qtbot.waitUntil(lambda: page._title.text() == title)


def page_of(window: Window) -> ConnectionsPage:
    assert isinstance(window.page, ConnectionsPage)
    return window.page


def titles(rows: RowList) -> list[str]:
    return [row.title for row in rows.rows.rows]


def from_now(window: Window, qtbot: QtBot, title: str) -> ConnectionsPage:
    """As a person does: choose a record on Now and press the key."""
    now = window.page
    assert isinstance(now, NowPage)
    qtbot.waitUntil(lambda: title in titles(now.rows))
    now.rows.choose(titles(now.rows).index(title))
    qtbot.keyClick(now.rows, Qt.Key.Key_L, Qt.KeyboardModifier.ControlModifier)
    page = page_of(window)
    qtbot.waitUntil(lambda: page._title.text() == title)
    return page


def test_a_records_connections_open_by_key_with_both_lists(window: Window, qtbot: QtBot) -> None:
    page = from_now(window, qtbot, "LED-731 take advisory lock before charge")

    assert "Explicit Locking – PostgreSQL 16" in titles(page.led.rows)
    assert "Freeze and tick: controlling time in tests" in titles(page.came.rows)
    assert page.came.rows.rows.rows[0].second.startswith("just after · Today 09:")
    qtbot.waitUntil(lambda: page.pane._title.text().startswith("Around LED-731"))


def test_a_chip_goes_on_and_the_arrows_lead_back_and_forward(window: Window, qtbot: QtBot) -> None:
    page = from_now(window, qtbot, "LED-731 take advisory lock before charge")
    chip = next(c for c in page.findChildren(ThingChip) if c.text() == "billing-api")

    qtbot.mouseClick(chip, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: page._title.text() == "billing-api")
    qtbot.keyClick(page.led.rows, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    qtbot.waitUntil(lambda: page._title.text().startswith("LED-731"))
    assert page._forward.isEnabled()
    qtbot.keyClick(page.led.rows, Qt.Key.Key_Right, Qt.KeyboardModifier.AltModifier)
    qtbot.waitUntil(lambda: page._title.text() == "billing-api")
    assert not page._forward.isEnabled()


def test_more_asks_for_a_longer_list(page: ConnectionsPage, stage: Stage, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: page._title.text() == "billing-api")
    qtbot.waitUntil(page.came._more.isVisible)

    qtbot.mouseClick(page.came._more, Qt.MouseButton.LeftButton)

    qtbot.waitUntil(lambda: len(titles(page.came.rows)) > 12)
    assert [what[3] for name, what in stage.memory.asked if name == "connections"][-1] == 36


def test_one_list_at_a_time_holds_the_selection(page: ConnectionsPage, stage: Stage, qtbot: QtBot) -> None:
    turn_to(page, stage, qtbot, "Explicit Locking – PostgreSQL 16")

    page.led.rows.choose(0)
    page.came.rows.choose(0)

    assert page.led.rows.selected() == []
    chosen = page.came.rows.selected()[0].title
    qtbot.waitUntil(lambda: page.pane._title.text() == f"Around {chosen}")


def test_a_name_is_looked_up_and_an_unknown_one_is_said(
    page: ConnectionsPage, stage: Stage, qtbot: QtBot
) -> None:
    page.look_up.setText("thesis-ch3")
    qtbot.keyClick(page.look_up, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: page._title.text() == "thesis-ch3")

    page.look_up.setText("no such thing")
    qtbot.keyClick(page.look_up, Qt.Key.Key_Return)

    qtbot.waitUntil(lambda: bool(stage.notices))
    assert "no such thing" in stage.notices[-1].text
    assert page._title.text() == "thesis-ch3"


def test_without_anything_recorded_it_says_how_to_get_there(
    stage_of: Callable[..., Stage], qtbot: QtBot
) -> None:
    page = alone(stage_of(empty()), qtbot)

    qtbot.waitUntil(lambda: page._stack.currentWidget() is page._empty)
    assert page._empty._title.text() == "What belongs together will stand here"


def test_what_was_forgotten_meanwhile_is_said(page: ConnectionsPage, stage: Stage, qtbot: QtBot) -> None:
    gone = stage.memory.kept[0]
    stage.memory.kept = stage.memory.kept[1:]
    page.show_about(About(event=gone))

    qtbot.waitUntil(lambda: page._empty._title.text() == "It is no longer in the memory")


def test_narrow_lists_stand_below_each_other(page: ConnectionsPage, qtbot: QtBot) -> None:
    page.resize(560, 700)
    qtbot.waitUntil(lambda: page.came.y() > page.led.y())
    assert page.led.width() == page.came.width()


def test_the_way_drops_what_was_ahead_and_keeps_fifty_steps() -> None:
    way = Way()
    for n in range(60):
        way.go(About(name=str(n)))
    way.step(-1)
    way.go(About(name="aside"))
    way.go(About(name="aside"))

    assert not way.can_go_forward
    assert way.step(-1) == About(name="58")
    assert sum(1 for _ in iter(lambda: way.step(-1), None)) == 48
