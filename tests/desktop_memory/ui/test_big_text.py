"""Text is never clipped when the system's font is large, and nothing is squeezed."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QAbstractButton, QLabel, QScrollArea, QStackedLayout, QVBoxLayout, QWidget
from pytestqt.exceptions import TimeoutError as QtBotTimeout
from pytestqt.qtbot import QtBot

from desktop_memory.ui.flow import Flow
from desktop_memory.ui.pages.all import PAGES
from desktop_memory.ui.pages.page import Page
from desktop_memory.ui.pages.search import SearchPage
from desktop_memory.ui.theme import Theme
from desktop_memory.ui.window import Window
from desktop_memory.ui.words import speak
from tests.desktop_memory.ui.conftest import Stage


@pytest.mark.parametrize(
    ("language", "percent"),
    [("en", 100), ("en", 200), ("de", 125), ("de", 150), ("de", 175), ("de", 200)],
)
def test_a_window_of_900_pixels_gives_every_part_its_room(
    stage_of: Callable[..., Stage], font: QFont, qtbot: QtBot, language: str, percent: int
) -> None:
    speak(language)
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
            no_fault(window, qtbot)
        window.search_for("retry")
        assert isinstance(window.page, SearchPage)
        window.page.why.click()
        no_fault(window, qtbot)
        window.search_for("xyzzy")
        no_fault(window, qtbot)
    finally:
        speak("en")


def no_fault(window: Window, qtbot: QtBot) -> None:
    """Answers arrive, and what then stands there has its room."""
    qtbot.wait(120)
    with suppress(QtBotTimeout):
        qtbot.waitUntil(lambda: faults(window.page) == [], timeout=2_000)
    assert faults(window.page) == []


def faults(page: Page) -> list[str]:
    return clipped(page) + cut(page) + squeezed(page)


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


def cut(page: Page) -> list[str]:
    """What a page that scrolls up and down would have to be scrolled aside for."""
    return [
        f"{type(page).__name__}: {area.widget().width()} in {area.viewport().width()}"
        for area in page.findChildren(QScrollArea)
        if area.isVisible() and area.widget().width() > area.viewport().width()
    ]


def squeezed(page: Page) -> list[str]:
    """What stands lower than its parts, its text or it itself needs at its width."""
    return [
        f"{type(page).__name__}: {type(part).__name__} {part.accessibleName()[:30]} {part.height()} of {needed(part)}"
        for part in page.findChildren(QWidget)
        if part.isVisible() and part.height() < needed(part)
    ]


def needed(part: QWidget) -> int:
    laid = part.layout()
    if isinstance(laid, QStackedLayout):
        shown = laid.currentWidget()
        return 0 if shown is None else needed(shown)
    if laid is not None and laid.hasHeightForWidth():
        least = laid.minimumHeightForWidth(part.width())
    else:
        least = part.minimumHeight() or part.minimumSizeHint().height()
    return min(least, part.maximumHeight())


def test_a_part_with_too_little_room_is_found(qtbot: QtBot) -> None:
    page = QWidget()
    qtbot.addWidget(page)
    column = QVBoxLayout(page)
    column.addWidget(QLabel("words " * 40, wordWrap=True))
    page.resize(200, 300)
    page.show()

    assert squeezed(page) == []  # type: ignore[arg-type]

    page.layout().setEnabled(False)
    page.findChild(QLabel).resize(200, 10)

    assert squeezed(page) != []  # type: ignore[arg-type]
