"""Text is never clipped when the system's font is large."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QAbstractButton, QLabel, QScrollArea, QWidget
from pytestqt.exceptions import TimeoutError as QtBotTimeout
from pytestqt.qtbot import QtBot

from desktop_memory.ui.flow import Flow
from desktop_memory.ui.pages.all import PAGES
from desktop_memory.ui.pages.page import Page
from desktop_memory.ui.theme import Theme
from desktop_memory.ui.window import Window
from desktop_memory.ui.words import speak
from tests.desktop_memory.ui.conftest import Stage


@pytest.mark.parametrize("percent", [100, 125, 200])
def test_buttons_and_labels_have_room_for_their_text(
    stage_of: Callable[..., Stage], font: QFont, qtbot: QtBot, percent: int
) -> None:
    stage = stage_of()
    big = QFont(font)
    big.setPixelSize(14 * percent // 100)
    stage.desk.theme = Theme("light", font=big)
    window = Window(stage.desk, stage.copier, stage.actions)
    qtbot.addWidget(window)
    window.resize(1000 * percent // 100, 800 * percent // 100)
    window.show()
    for number in range(len(PAGES)):
        window.go(number)
        qtbot.wait(150)
        qtbot.waitUntil(lambda: clipped(window.page) == [], timeout=10_000)


def clipped(page: Page) -> list[str]:
    """The buttons and labels in view that are smaller than their text."""
    found = []
    for part in page.findChildren(QWidget):
        if not part.isVisible() or not isinstance(part, (QAbstractButton, QLabel)) or not part.text():
            continue
        if isinstance(part, QLabel) and part.wordWrap():
            short = part.height() < part.heightForWidth(part.width())
        else:
            need = part.minimumSizeHint()
            short = part.width() < need.width() or part.height() < need.height()
        if short:
            found.append(f"{type(page).__name__}: {part.text()[:40]} {part.size()}")
    return found


def test_chips_go_on_in_the_next_line(qtbot: QtBot) -> None:
    holder = QWidget()
    qtbot.addWidget(holder)
    flow = Flow(6, holder)
    parts = [QLabel() for _ in range(5)]
    for part in parts:
        part.setFixedSize(100, 20)
        flow.addWidget(part)

    holder.resize(320, 200)
    holder.show()

    assert [(part.x(), part.y()) for part in parts] == [(0, 0), (106, 0), (212, 0), (0, 26), (106, 26)]
    assert flow.heightForWidth(320) == 46
    assert flow.heightForWidth(1000) == 20
    assert flow.minimumSize() == QSize(100, 20)


@pytest.mark.parametrize("percent", [100, 150])
def test_a_window_of_900_pixels_is_enough_for_large_german_text(
    stage_of: Callable[..., Stage], font: QFont, qtbot: QtBot, percent: int
) -> None:
    speak("de")
    stage = stage_of()
    big = QFont(font)
    big.setPixelSize(14 * percent // 100)
    stage.desk.theme = Theme("light", font=big)
    window = Window(stage.desk, stage.copier, stage.actions)
    qtbot.addWidget(window)
    window.resize(900, 780)
    window.show()
    try:
        for number in range(len(PAGES)):
            window.go(number)
            qtbot.wait(300)
            with suppress(QtBotTimeout):
                qtbot.waitUntil(lambda: clipped(window.page) + cut(window.page) == [])
            assert clipped(window.page) + cut(window.page) == []
    finally:
        speak("en")


def cut(page: Page) -> list[str]:
    """What a page that scrolls up and down would have to be scrolled aside for."""
    return [
        f"{type(page).__name__}: {area.widget().width()} in {area.viewport().width()}"
        for area in page.findChildren(QScrollArea)
        if area.isVisible() and area.widget().width() > area.viewport().width()
    ]
