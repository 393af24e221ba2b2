"""The window's thread never waits for the memory."""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QTimer
from PySide6.QtGui import QContextMenuEvent, QDesktopServices
from PySide6.QtWidgets import QAbstractButton, QApplication, QFileDialog, QWidget
from pytestqt.qtbot import QtBot

from desktop_memory.ui.pages.all import PAGES
from desktop_memory.ui.row_list import RowList
from desktop_memory.ui.screens import Screens
from tests.desktop_memory.ui.conftest import Stage
from tests.desktop_memory.ui.scripted import ScriptedMemory

GAP = 1.0
"""Seconds between two ticks of a 5 ms timer, on a loaded machine; a screen that waits would take 20."""


@pytest.mark.parametrize("stuck", [True, False])
def test_screens_answer_while_the_memory_does_not(
    stage_of: Callable[..., Stage], qtbot: QtBot, stuck: bool
) -> None:
    memory = ScriptedMemory()
    stage = stage_of(memory)
    screens = Screens(stage.desk)
    qtbot.addWidget(screens.window)
    qtbot.addWidget(screens.popup)
    screens.window.show()
    screens.popup.open()
    qtbot.wait(400)
    if stuck:
        memory.goes.clear()
    ticks: list[float] = []
    timer = QTimer(interval=5)
    timer.timeout.connect(lambda: ticks.append(time.perf_counter()))
    timer.start()

    acts: list[Callable[[], object]] = [
        *(lambda n=n: screens.window.go(n) for n in range(len(PAGES))),
        screens.popup.open,
        lambda: screens.popup.field.setText("charge"),
        memory.tell,
        screens.keeper.look,
        screens.tray.copy_last.trigger,
        lambda: screens.window.resize(900, 700),
    ]
    for act in acts:
        act()
        qtbot.wait(40)

    gaps = [b - a for a, b in itertools.pairwise(ticks)]
    print("longest_gap_ms", round(max(gaps) * 1000, 1))
    memory.goes.set()
    assert max(gaps) < GAP
    assert threading.current_thread().name not in memory.threads
    assert memory.threads
    screens.end()


def test_every_question_is_asked_elsewhere(stage: Stage, qtbot: QtBot) -> None:
    screens = Screens(stage.desk)
    qtbot.addWidget(screens.window)
    qtbot.addWidget(screens.popup)
    screens.window.show()
    screens.look()
    screens.popup.open()
    screens.popup.field.setText("retry")
    for number in range(len(PAGES)):
        screens.window.go(number)
        qtbot.wait(60)

    asked = {name for name, _ in stage.memory.asked}
    assert {"sessions", "timeline", "search", "standing", "context", "stats"} <= asked
    assert all(name.startswith("background-") for name in stage.memory.threads)
    screens.end()


@pytest.mark.qt_log_ignore("grabbing the keyboard", extend=True)
def test_no_button_and_no_menu_waits_for_the_memory(
    stage_of: Callable[..., Stage], qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for asks in ("getSaveFileName", "getOpenFileName"):
        monkeypatch.setattr(QFileDialog, asks, lambda *_, **__: (str(tmp_path / "kept"), ""))
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_, **__: str(tmp_path))
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda _url: True)
    memory = ScriptedMemory()
    stage = stage_of(memory, folder=tmp_path)
    screens = Screens(stage.desk)
    window = screens.window
    qtbot.addWidget(window)
    window.resize(1200, 900)
    window.show()
    for number in range(len(PAGES)):
        window.go(number)
        qtbot.wait(80)
    memory.goes.clear()
    memory.threads.clear()
    slow: list[str] = []
    pressed = 0

    for number in range(len(PAGES)):
        window.go(number)
        qtbot.wait(20)
        acts = [(part.text() or part.accessibleName(), part.click) for part in pressable(window.page)]
        acts += [(f"menu of {rows.accessibleName()}", partial(menu, rows)) for rows in lists(window.page)]
        for name, act in acts:
            began = time.perf_counter()
            act()
            QApplication.processEvents()
            pressed += 1
            if time.perf_counter() - began > GAP:
                slow.append(f"{type(window.page).__name__}: {name}")
            if (menu_shown := QApplication.activePopupWidget()) is not None:
                menu_shown.close()

    memory.goes.set()
    assert slow == []
    assert pressed > 60
    assert threading.current_thread().name not in memory.threads
    screens.end()


def pressable(page: QWidget) -> list[QAbstractButton]:
    return [part for part in page.findChildren(QAbstractButton) if part.isVisible() and part.isEnabled()]


def lists(page: QWidget) -> list[RowList]:
    return [rows for rows in page.findChildren(RowList) if rows.isVisible() and rows.rows.rowCount()]


def menu(rows: RowList) -> None:
    """The menu key on the first row."""
    rows.step(1)
    reason = QContextMenuEvent.Reason.Keyboard
    QApplication.sendEvent(rows, QContextMenuEvent(reason, QPoint(5, 5), rows.mapToGlobal(QPoint(5, 5))))
