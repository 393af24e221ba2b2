"""Pins: put in order, and changed by what a chat suggests."""

from __future__ import annotations

import json
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot

from desktop_memory.context.updates import Proposal, read_updates
from desktop_memory.model import Pin
from desktop_memory.ui.pages.pins import PinsPage
from desktop_memory.ui.window import Window
from tests.desktop_memory.ui.conftest import Stage
from tests.desktop_memory.ui.scripted import BERLIN, NOW

ALT = Qt.KeyboardModifier.AltModifier
ANSWER = """Here is the plan. At the end, what should be kept:

```json
{"additions": [{"kind": "decision", "text": "key = event id + attempt"}, {"kind": "note", "text": ""}],
 "done": ["Chapter 3 methods to Ana"], "removals": ["something that is not there"], "summary": "We chose a key."}
```
"""


@pytest.fixture
def page(stage: Stage, qtbot: QtBot) -> PinsPage:
    stage.memory.all_pins += [
        Pin(id=id_, kind="note", text=text, created=NOW)
        for id_, text in ((3, "one"), (4, "two"), (5, "three"))
    ]
    window = Window(stage.desk, stage.copier, stage.actions)
    qtbot.addWidget(window)
    window.resize(1180, 720)
    window.show()
    window.go_to("PinsPage")
    assert isinstance(window.page, PinsPage)
    made = window.page
    qtbot.waitUntil(lambda: len(texts(made)) == 7)
    return made


def texts(page: Any) -> list[str]:
    return [f"# {row.title}" if row.style == "header" else row.title for row in page.rows.rows.rows]


def offered(page: PinsPage) -> list[tuple[str, str]]:
    return [(row.state, row.title) for row in page.suggestions.panel.list.rows.rows]


def test_alt_and_the_arrows_put_a_pin_in_another_place(page: PinsPage, stage: Stage, qtbot: QtBot) -> None:
    page.rows.choose(texts(page).index("three"))

    for _ in range(4):
        qtbot.keyClick(page.rows, Qt.Key.Key_Up, ALT)

    assert texts(page)[-4:] == ["# Notes", "three", "one", "two"]
    qtbot.waitUntil(lambda: [pin.text for pin in stage.memory.all_pins][2:] == ["three", "one", "two"])
    assert page.rows.current().title == "three"  # type: ignore[union-attr]


def test_dragging_stays_within_the_group(page: PinsPage, stage: Stage, qtbot: QtBot) -> None:
    place = texts(page).index("one")
    start = page.rows.visualRect(page.rows.rows.index(place)).center()

    qtbot.mousePress(page.rows.viewport(), Qt.MouseButton.LeftButton, pos=start)
    for y in (20, 60, 400):
        qtbot.mouseMove(page.rows.viewport(), start + QPoint(0, y))
        drag(page, start + QPoint(0, y))
    qtbot.mouseRelease(page.rows.viewport(), Qt.MouseButton.LeftButton, pos=start + QPoint(0, 400))

    assert texts(page)[-3:] == ["two", "three", "one"]
    qtbot.waitUntil(lambda: ("order_pins", ((4, 5, 3),)) in stage.memory.asked)


def drag(page: PinsPage, place: QPoint) -> None:
    """A move with the button held, which qtbot's own has not."""
    from PySide6.QtCore import QEvent, QPointF
    from PySide6.QtGui import QMouseEvent
    from PySide6.QtWidgets import QApplication

    viewport = page.rows.viewport()
    event = QMouseEvent(
        QEvent.Type.MouseMove, QPointF(place), QPointF(viewport.mapToGlobal(place)), Qt.MouseButton.NoButton,
        Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier,
    )  # fmt: skip
    QApplication.sendEvent(viewport, event)


def test_a_chats_answer_becomes_a_diff_to_tick(page: PinsPage, stage: Stage, qtbot: QtBot) -> None:
    page.field.setText(ANSWER)

    qtbot.waitUntil(page.suggestions.panel.isVisible)
    assert page.field.text() == ""
    assert offered(page) == [
        ("ticked", "key = event id + attempt"), ("", "…"), ("ticked", "Chapter 3 methods to Ana"),
        ("", "something that is not there"),
    ]  # fmt: skip
    assert page.suggestions.panel._about.text() == "We chose a key."
    page.suggestions.panel.list.setFocus()
    page.suggestions.panel.list.choose(0)
    qtbot.keyClick(page.suggestions.panel.list, Qt.Key.Key_Space)
    assert page.suggestions.panel.take.text() == "Take 1"
    qtbot.mouseClick(page.suggestions.panel.take, Qt.MouseButton.LeftButton)

    qtbot.waitUntil(lambda: texts(page)[-2:] == ["# Done", "Chapter 3 methods to Ana"])
    assert not page.suggestions.panel.isVisible()
    assert "key = event id + attempt" not in texts(page)
    assert stage.notices[-1].button == "Undo"
    stage.notices[-1].act()  # type: ignore[misc]
    qtbot.waitUntil(lambda: "# Done" not in texts(page))


def test_text_with_braces_that_is_no_update_stays_a_note(page: PinsPage, qtbot: QtBot) -> None:
    page.field.setText('{"level": "info"} means nothing')

    assert page.field.text() == '{"level": "info"} means nothing'
    assert not page.suggestions.panel.isVisible()


def test_a_broken_block_is_said(page: PinsPage, stage: Stage, qtbot: QtBot) -> None:
    page.field.setText('{"additions": [')

    qtbot.waitUntil(lambda: bool(stage.notices))
    assert stage.notices[-1].text == "There is no block of updates in this text."


def test_proposals_wait_one_after_the_other(page: PinsPage, stage: Stage, qtbot: QtBot) -> None:
    for id_, client, text in ((1, "claude-code", "first"), (2, "cursor", "second")):
        block = json.loads(json.dumps({"additions": [{"kind": "note", "text": text}]}))
        updates = read_updates(block, stage.memory.all_pins, BERLIN)
        stage.memory.all_proposals.append(
            Proposal(id=id_, at=NOW, client=client, state="waiting", updates=updates)
        )
    page.refresh()
    panel = page.suggestions.panel
    qtbot.waitUntil(panel.isVisible)
    assert panel._title.text() == "claude-code suggests · 1 more"

    qtbot.mouseClick(panel.take, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: panel._title.text() == "cursor suggests")
    qtbot.waitUntil(lambda: "first" in texts(page))
    panel.dropped.emit(panel.offer)

    qtbot.waitUntil(lambda: not panel.isVisible())
    assert stage.memory.all_proposals == []
    assert "second" not in texts(page)


def test_a_suggested_goal_says_that_it_is_one_and_when_it_is_due(page: PinsPage, qtbot: QtBot) -> None:
    page.field.setText(
        '{"additions": [{"kind": "goal", "text": "Write release notes", "due": "2026-08-20"}]}'
    )

    qtbot.waitUntil(page.suggestions.panel.isVisible)

    assert [row.second for row in page.suggestions.panel.list.rows.rows] == ["Pin · Goal · due Thu 20 Aug"]
