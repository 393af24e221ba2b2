"""The window's thread never waits for the memory."""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable

import pytest
from PySide6.QtCore import QTimer
from pytestqt.qtbot import QtBot

from desktop_memory.ui.pages.all import PAGES
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
