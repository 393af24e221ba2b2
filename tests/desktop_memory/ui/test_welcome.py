"""The first start: four quiet steps, shown once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from desktop_memory import settings as settings_file
from desktop_memory.errors import KnownError
from desktop_memory.ui.pages.all import PAGES
from desktop_memory.ui.pages.page import Page
from desktop_memory.ui.window import Window
from tests.desktop_memory.ui.conftest import Stage


@pytest.fixture
def stage(stage_of: Callable[..., Stage], tmp_path: Path) -> Stage:
    return stage_of(folder=tmp_path)


def opened(stage: Stage, qtbot: QtBot, tmp_path: Path) -> Window:
    window = Window(stage.desk, stage.copier, stage.actions, tmp_path / "window.json")
    qtbot.addWidget(window)
    window.welcome()
    window.show()
    return window


def test_four_steps_and_it_does_not_come_again(stage: Stage, qtbot: QtBot, tmp_path: Path) -> None:
    window = opened(stage, qtbot, tmp_path)
    assert window.welcoming is not None
    assert not window.navigation.isVisible()
    for step in range(4):
        assert window.welcoming is not None
        assert window.welcoming.step == step
        qtbot.mouseClick(window.welcoming._next, Qt.MouseButton.LeftButton)

    assert window.welcoming is None
    assert window.navigation.isVisible()
    window.close()
    assert opened(stage, qtbot, tmp_path).welcoming is None


def test_enter_goes_on_as_the_ring_around_next_promises(stage: Stage, qtbot: QtBot, tmp_path: Path) -> None:
    window = opened(stage, qtbot, tmp_path)
    assert window.welcoming is not None

    qtbot.keyClick(window.welcoming._next, Qt.Key.Key_Return)

    assert window.welcoming.step == 1


def test_the_pages_behind_it_are_left_alone(stage: Stage, qtbot: QtBot, tmp_path: Path) -> None:
    window = opened(stage, qtbot, tmp_path)
    assert window.welcoming is not None

    qtbot.keyClick(window, Qt.Key.Key_3, Qt.KeyboardModifier.ControlModifier)
    assert window.findChildren(Page) == []
    qtbot.mouseClick(window.welcoming._skip, Qt.MouseButton.LeftButton)

    assert [type(page) for page in window.findChildren(Page)] == [PAGES[0]]


def test_it_can_be_skipped(stage: Stage, qtbot: QtBot, tmp_path: Path) -> None:
    window = opened(stage, qtbot, tmp_path)
    assert window.welcoming is not None

    qtbot.mouseClick(window.welcoming._skip, Qt.MouseButton.LeftButton)

    assert window.welcoming is None
    assert opened(stage, qtbot, tmp_path).welcoming is None


def test_a_window_that_is_only_closed_welcomes_again(stage: Stage, qtbot: QtBot, tmp_path: Path) -> None:
    opened(stage, qtbot, tmp_path).close()

    assert opened(stage, qtbot, tmp_path).welcoming is not None


def test_a_demo_does_not_welcome(stage_of: Callable[..., Stage], qtbot: QtBot, tmp_path: Path) -> None:
    assert opened(stage_of(folder=tmp_path, demo=True), qtbot, tmp_path).welcoming is None


def test_sources_are_shown_with_their_counts_and_can_be_switched_off(
    stage: Stage, qtbot: QtBot, tmp_path: Path
) -> None:
    welcome = opened(stage, qtbot, tmp_path).welcoming
    assert welcome is not None
    welcome._turn(1)
    qtbot.waitUntil(lambda: set(welcome._switches) == {"window", "idle", "git", "firefox"})

    welcome._switches["firefox"].click()

    qtbot.waitUntil(lambda: ("reload", ()) in stage.memory.asked)
    assert settings_file.load(tmp_path / "settings.toml").sources.off == ("firefox",)
    welcome._switches["firefox"].click()
    qtbot.waitUntil(lambda: settings_file.load(tmp_path / "settings.toml").sources.off == ())


def test_a_taken_hotkey_is_said_in_the_welcome(stage: Stage, qtbot: QtBot, tmp_path: Path) -> None:
    welcome = opened(stage, qtbot, tmp_path).welcoming
    assert welcome is not None

    stage.desk.notices.failed(KnownError("Ctrl+K belongs to another program.", "Choose other keys."))

    assert welcome.strip.isVisible()
    assert "Ctrl+K" in welcome.strip.accessibleName()
