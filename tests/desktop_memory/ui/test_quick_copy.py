"""The key that copies without opening anything, and what the corner of the screen says of it."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QMimeData, Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop_memory.model import ContextRequest
from desktop_memory.ui.screens import Screens
from tests.desktop_memory.ui.conftest import Stage


@pytest.fixture
def screens(stage: Stage, qtbot: QtBot) -> Screens:
    made = Screens(stage.desk)
    for window in (made.window, made.popup, made.toast, made.preview):
        qtbot.addWidget(window)
    return made


def requests(stage: Stage) -> list[ContextRequest]:
    return [what[0] for name, what in stage.memory.asked if name == "context" and what[1]]


def buttons(screens: Screens) -> list[str]:
    return [button.text() for button in screens.toast.deeds.buttons]


def said(screens: Screens) -> str:
    return screens.toast.notice.text if screens.toast.isVisible() else ""


def test_it_copies_and_says_what(screens: Screens, stage: Stage, qtbot: QtBot, clipboard: Any) -> None:
    stage.desk.bridge.copy()

    qtbot.waitUntil(screens.toast.isVisible)
    assert said(screens) == (
        "Copied 11 records, ~189 tokens, billing-api 09:41–09:55, 1 secret masked"
    )  # fmt: skip
    assert clipboard.text().startswith("# Last 15 minutes")
    assert buttons(screens) == ["Preview", "Put my clipboard back"]
    assert not screens.window.isVisible()
    assert not screens.popup.isVisible()


def test_pressed_again_it_widens_to_an_hour_and_to_the_session(
    screens: Screens, stage: Stage, qtbot: QtBot, clipboard: Any
) -> None:
    for count in (1, 2, 3, 4):
        stage.desk.bridge.copy()
        qtbot.waitUntil(lambda n=count: len(requests(stage)) == n)  # type: ignore[misc]

    assert requests(stage) == [
        ContextRequest(minutes=15), ContextRequest(minutes=60), *[ContextRequest(this_session=True)] * 2,
    ]  # fmt: skip


def test_after_a_while_it_begins_anew(screens: Screens, stage: Stage, qtbot: QtBot, clipboard: Any) -> None:
    stage.desk.bridge.copy()
    qtbot.waitUntil(screens.toast.isVisible)

    screens.quick._pressed.invalidate()
    stage.desk.bridge.copy()

    qtbot.waitUntil(lambda: len(requests(stage)) == 2)
    assert requests(stage)[1] == ContextRequest(minutes=15)


def test_after_several_copies_the_persons_own_clipboard_comes_back(
    screens: Screens, stage: Stage, qtbot: QtBot, clipboard: Any
) -> None:
    for count in (1, 2):
        screens.quick._pressed.invalidate()
        stage.desk.bridge.copy()
        qtbot.waitUntil(lambda n=count: len(requests(stage)) == n)  # type: ignore[misc]
        qtbot.waitUntil(lambda: clipboard.text() == screens.quick._ours)

    screens.quick.put_back()

    assert clipboard.text() == "what was there before"


def test_the_former_clipboard_comes_back_with_its_formats(
    screens: Screens, stage: Stage, qtbot: QtBot, clipboard: Any
) -> None:
    rich = QMimeData()
    rich.setText("mine")
    rich.setHtml("<b>mine</b>")
    clipboard.setMimeData(rich)
    for _ in range(2):
        stage.desk.bridge.copy()
        qtbot.waitUntil(screens.toast.isVisible)
    qtbot.waitUntil(lambda: len(requests(stage)) == 2 and clipboard.text().startswith("# "))

    qtbot.mouseClick(screens.toast.deeds.buttons[1], Qt.MouseButton.LeftButton)

    assert clipboard.text() == "mine"
    assert "<b>mine</b>" in clipboard.mimeData().html()
    assert not screens.tray._put_back.isVisible()


def test_the_tray_puts_it_back_by_keyboard(
    screens: Screens, stage: Stage, qtbot: QtBot, clipboard: Any
) -> None:
    assert not screens.tray._put_back.isVisible()
    stage.desk.bridge.copy()
    qtbot.waitUntil(lambda: screens.tray._put_back.isVisible())

    screens.tray._put_back.trigger()

    assert clipboard.text() == "what was there before"


def test_the_preview_shows_the_exact_text(
    screens: Screens, stage: Stage, qtbot: QtBot, clipboard: Any
) -> None:
    stage.desk.bridge.copy()
    qtbot.waitUntil(lambda: bool(buttons(screens)))

    qtbot.mouseClick(screens.toast.deeds.buttons[0], Qt.MouseButton.LeftButton)

    assert screens.preview.text.toPlainText() == clipboard.text()
    qtbot.keyClick(screens.preview, Qt.Key.Key_Escape)
    assert not screens.preview.isVisible()


def test_an_empty_stretch_leaves_the_clipboard_alone(
    screens: Screens, stage: Stage, qtbot: QtBot, clipboard: Any
) -> None:
    stage.memory.kept = []

    stage.desk.bridge.copy()

    qtbot.waitUntil(screens.toast.isVisible)
    assert said(screens) == "Nothing was recorded there, so nothing was copied."
    assert clipboard.text() == "what was there before"


def test_where_qt_cannot_read_the_clipboard_the_desktops_program_does(
    screens: Screens, stage: Stage, qtbot: QtBot, clipboard: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desktop_memory.ui.clipboard._out_of_reach", lambda: True)
    put: list[str] = []
    stage.desk.other_clipboard = put.append
    stage.desk.read_clipboard = lambda: "from wl-paste"

    stage.desk.bridge.copy()
    qtbot.waitUntil(lambda: len(buttons(screens)) == 2)
    screens.toast.deeds.buttons[1].click()

    assert [text.split(" ·")[0] for text in put] == ["# Last 15 minutes", "from wl-paste"]


def test_forgetting_empties_a_clipboard_that_holds_some_of_it(
    screens: Screens, stage: Stage, qtbot: QtBot, clipboard: Any
) -> None:
    stage.desk.bridge.copy()
    qtbot.waitUntil(lambda: clipboard.text().startswith("# "))
    stage.memory.kept.pop()
    stage.memory.tell()

    qtbot.waitUntil(lambda: clipboard.text() == "")


def test_forgetting_leaves_a_clipboard_alone_that_holds_something_else(
    screens: Screens, stage: Stage, qtbot: QtBot, clipboard: Any
) -> None:
    stage.desk.bridge.copy()
    qtbot.waitUntil(lambda: clipboard.text().startswith("# "))
    clipboard.setText("written since")
    asked = len(stage.memory.asked)
    stage.memory.kept.pop()
    stage.memory.tell()

    qtbot.waitUntil(lambda: "events" in [name for name, _ in stage.memory.asked[asked:]])
    QApplication.processEvents()
    assert clipboard.text() == "written since"


def test_what_a_command_copied_is_guarded_too(
    screens: Screens, stage: Stage, qtbot: QtBot, clipboard: Any
) -> None:
    from datetime import timedelta

    from desktop_memory.store.copies import SavedCopy
    from tests.desktop_memory.ui.scripted import NOW

    copied = stage.memory.context(ContextRequest(minutes=15))
    stage.memory.all_copies = [
        SavedCopy(
            tag=copied.tag, at=NOW - timedelta(minutes=1), title="", format="markdown", tokens=1, records=1
        )
    ]
    clipboard.setText(copied.text)
    screens.guard.take_lent(copied.text)
    qtbot.waitUntil(lambda: screens.guard._events != ())

    stage.memory.kept.pop()
    stage.memory.tell()

    qtbot.waitUntil(lambda: clipboard.text() == "")
