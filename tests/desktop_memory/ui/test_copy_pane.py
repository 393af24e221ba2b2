"""The copy pane shows what would be copied, copies it, and says so."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from desktop_memory.errors import KnownError
from desktop_memory.model import ContextRequest
from desktop_memory.ui import clipboard as clipboards
from desktop_memory.ui.copy_pane import CopyPane, Subject
from tests.desktop_memory.ui.conftest import Stage
from tests.desktop_memory.ui.scripted import empty

LAST = Subject(title="Last 15 minutes", request=ContextRequest(minutes=15), project="billing-api")


@pytest.fixture
def pane(stage: Stage, qtbot: QtBot) -> CopyPane:
    made = CopyPane(stage.desk, stage.copier)
    qtbot.addWidget(made)
    made.show()
    return made


def test_it_shows_the_exact_text_and_what_it_weighs(pane: CopyPane, stage: Stage, qtbot: QtBot) -> None:
    pane.show_subject(LAST)

    qtbot.waitUntil(pane._button.isEnabled)
    assert pane._preview.toPlainText() == stage.memory.context(LAST.request, save=False).text
    assert pane._weight.text().startswith("11 records · ~")
    assert pane._masked.text() == "1 masked"
    assert "branch fix/LED-731, 2 ahead" in pane._facts.accessibleName()


def test_looking_saves_nothing_and_copying_does(
    pane: CopyPane, stage: Stage, qtbot: QtBot, clipboard: Any
) -> None:
    pane.show_subject(LAST)
    qtbot.waitUntil(pane._button.isEnabled)

    qtbot.mouseClick(pane._button, Qt.MouseButton.LeftButton)

    qtbot.waitUntil(lambda: pane._button.text() == "Copied")
    assert clipboard.text().startswith("# Last 15 minutes")
    assert [what[1] for name, what in stage.memory.asked if name == "context"] == [False, True]
    qtbot.waitUntil(lambda: pane._button.text() == "Copy context", timeout=3000)


def test_an_empty_context_leaves_the_clipboard_alone(
    stage_of: Callable[..., Stage], qtbot: QtBot, clipboard: Any
) -> None:
    stage = stage_of(empty())

    stage.copier.copy(LAST.request)

    qtbot.waitUntil(lambda: bool(stage.notices))
    assert clipboard.text() == "what was there before"
    assert "nothing was copied" in stage.notices[0].text
    assert stage.notices[0].advice


def test_with_nothing_to_copy_the_button_rests(stage_of: Callable[..., Stage], qtbot: QtBot) -> None:
    stage = stage_of(empty())
    pane = CopyPane(stage.desk, stage.copier)
    qtbot.addWidget(pane)

    pane.show_subject(LAST)

    qtbot.waitUntil(lambda: "nothing to copy" in pane._preview.toPlainText())
    assert not pane._button.isEnabled()


def test_a_clipboard_that_takes_nothing_is_said(
    pane: CopyPane, stage: Stage, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clipboards, "_holds", lambda *_: False)

    stage.copier.copy(LAST.request)

    qtbot.waitUntil(lambda: bool(stage.notices))
    assert stage.notices[0].tone == "danger"
    assert stage.notices[0].text == "The clipboard did not take the text."
    assert pane._button.text() == "Copy context"


def test_another_way_is_tried_where_qt_cannot(monkeypatch: pytest.MonkeyPatch, clipboard: Any) -> None:
    monkeypatch.setattr(clipboards, "_holds", lambda *_: False)
    copied: list[str] = []

    clipboards.put("text", copied.append)

    assert copied == ["text"]


def test_a_failing_memory_is_said_in_the_pane(pane: CopyPane, stage: Stage, qtbot: QtBot) -> None:
    def fails(*_: object, **__: object) -> None:
        raise KnownError("The store is busy.", "Try again in a moment.")

    stage.memory.context = fails  # type: ignore[assignment]
    pane.show_subject(LAST)

    qtbot.waitUntil(lambda: "busy" in pane._preview.toPlainText())
    assert "Try again" in pane._preview.toPlainText()
    assert not pane._button.isEnabled()


def test_a_late_answer_never_comes_up_under_another_title(pane: CopyPane, stage: Stage, qtbot: QtBot) -> None:
    stage.memory.goes.clear()
    pane.show_subject(LAST)
    qtbot.waitUntil(lambda: any(name in ("context", "standing") for name, _ in stage.memory.asked))

    pane.show_subject(Subject(title="This session", request=ContextRequest(this_session=True)))
    pane._settle.stop()
    stage.memory.goes.set()
    qtbot.wait(200)

    assert not pane._button.isEnabled()
    assert pane._preview.toPlainText() == ""
