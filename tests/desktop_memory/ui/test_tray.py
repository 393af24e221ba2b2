"""The tray's menu does what it says, and a tray that comes late is adopted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QSystemTrayIcon
from pytestqt.qtbot import QtBot

from desktop_memory.model import ContextRequest
from desktop_memory.ui.screens import Screens
from desktop_memory.ui.shell_menu import ShellMenu
from desktop_memory.ui.state import State
from desktop_memory.ui.tray import Tray, until_tomorrow
from desktop_memory.ui.tray_icon import tray_icon
from tests.desktop_memory.ui.conftest import Stage
from tests.desktop_memory.ui.scripted import NOW


def entries(menu: QMenu) -> dict[str, QAction]:
    found: dict[str, QAction] = {}
    for action in menu.actions():
        inner = action.menu()
        if isinstance(inner, QMenu):
            found |= entries(inner)
        found[action.text().split("\t")[0]] = action
    return found


@pytest.fixture
def tray(stage: Stage) -> Tray:
    return Tray(stage.desk, stage.copier, "Ctrl+Alt+Z")


def test_the_menu_holds_what_one_needs(tray: Tray) -> None:
    assert list(entries(tray.menu)) == [
        "", "Open Desktop Memory", "Search…", "Copy context of the last 15 minutes",
        "Copy context of the last hour", "Copy context of this session",
        "Put my clipboard back",
        "for 15 minutes", "for an hour", "until tomorrow", "until resumed", "Pause", "Resume",
        "the last 10 minutes", "the last hour", "Forget", "Bring back what was forgotten", "Quit",
    ]  # fmt: skip
    assert entries(tray.menu)["Search…"].text() == "Search…\tCtrl+Alt+Z"


def test_copying_from_the_menu_fills_the_clipboard(
    tray: Tray, stage: Stage, qtbot: QtBot, clipboard: Any
) -> None:
    entries(tray.menu)["Copy context of the last 15 minutes"].trigger()

    qtbot.waitUntil(lambda: clipboard.text().startswith("# Last 15 minutes"))
    assert ("context", (ContextRequest(minutes=15), True)) in stage.memory.asked


@pytest.mark.parametrize(
    ("entry", "until"),
    [
        ("for 15 minutes", NOW + timedelta(minutes=15)),
        ("for an hour", NOW + timedelta(hours=1)),
        ("until tomorrow", datetime(2026, 8, 14, 4, 0, tzinfo=UTC)),
        ("until resumed", None),
    ],
)
def test_pausing_from_the_menu(
    tray: Tray, stage: Stage, qtbot: QtBot, entry: str, until: datetime | None
) -> None:
    entries(tray.menu)[entry].trigger()

    qtbot.waitUntil(lambda: stage.memory.pause_until is not None)
    assert stage.memory.pause_until is not None
    assert stage.memory.pause_until.until == until


def test_while_paused_the_menu_offers_to_resume(tray: Tray, stage: Stage, qtbot: QtBot) -> None:
    stage.desk.app.pause(None)
    tray.show_state(State(kind="paused", text="Paused until resumed"))
    menu = entries(tray.menu)

    assert menu["Resume"].isVisible()
    assert not menu["Pause"].isVisible()
    menu["Resume"].trigger()
    qtbot.waitUntil(lambda: stage.memory.pause_until is None)


def test_the_states_differ_by_shape(qtbot: QtBot) -> None:
    """Also without colour: each icon has other grey pixels."""
    from PySide6.QtGui import QImage

    pictures = []
    for kind in ("recording", "paused", "degraded", "error"):
        image = tray_icon(kind).pixmap(22, 22).toImage().convertToFormat(QImage.Format.Format_Grayscale8)
        middle = [image.pixelColor(x, y).red() > 180 for x in range(7, 15) for y in range(7, 15)]
        pictures.append(tuple(middle))

    assert len(set(pictures)) == 4


def test_tomorrow_begins_in_the_morning_of_this_place() -> None:
    assert until_tomorrow(NOW) == datetime(2026, 8, 14, 4, 0, tzinfo=UTC) - NOW
    late = datetime(2026, 10, 24, 22, 0, tzinfo=UTC)
    assert late + until_tomorrow(late) == datetime(2026, 10, 26, 5, 0, tzinfo=UTC)


def test_without_a_tray_the_window_opens_and_says_so_once(
    stage: Stage, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    monkeypatch.setattr(QSystemTrayIcon, "isSystemTrayAvailable", staticmethod(lambda: False))
    kept = tmp_path / "window.json"
    first = Screens(stage.desk, kept=kept)
    qtbot.addWidget(first.window)
    first.begin()
    first.end()
    second = Screens(stage.desk, kept=kept)
    qtbot.addWidget(second.window)
    second.begin()

    assert second.window.isVisible()
    assert [notice.text for notice in stage.notices] == [
        "This desktop shows no tray icons, so the window opened instead."
    ]
    second.end()


@pytest.mark.qt_log_ignore("systemTrayWindowChanged", extend=True)
def test_a_tray_that_comes_late_is_adopted(
    stage: Stage, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    hosted = False
    monkeypatch.setattr(QSystemTrayIcon, "isSystemTrayAvailable", staticmethod(lambda: hosted))
    monkeypatch.setattr("desktop_memory.ui.tray.LOOK_FOR_TRAY_MS", 30)
    tray = Tray(stage.desk, stage.copier)
    assert not tray.begin()
    qtbot.wait(80)
    assert tray.icon is None

    hosted = True

    with qtbot.waitSignal(tray.appeared):
        pass
    assert tray.icon is not None
    tray.icon.hide()


@pytest.mark.qt_log_ignore("grabbing the keyboard", extend=True)
def test_pause_and_quit_can_be_reached_from_the_window(stage: Stage, qtbot: QtBot) -> None:
    screens = Screens(stage.desk)
    qtbot.addWidget(screens.window)
    screens.window.show()

    screens.window.navigation._menu.click()

    assert screens.tray.menu.isVisible()
    screens.tray.menu.close()
    screens.end()


def test_forgetting_from_the_menu_acts_at_once_and_comes_back(stage: Stage, qtbot: QtBot) -> None:
    screens = Screens(stage.desk)
    for window in (screens.window, screens.popup, screens.toast):
        qtbot.addWidget(window)
    menu = entries(screens.tray.menu)
    before = len(stage.memory.kept)
    assert not menu["Bring back what was forgotten"].isVisible()

    menu["the last 10 minutes"].trigger()

    qtbot.waitUntil(screens.toast.isVisible)
    assert len(stage.memory.kept) == before - 8
    assert screens.toast.notice.text == "8 items from 09:47–09:55 forgotten."
    assert [b.text() for b in screens.toast.deeds.buttons] == [
        "Undo", "Pause 15 min", "Never record VS Code",
    ]  # fmt: skip
    assert menu["Bring back what was forgotten"].isVisible()
    menu["Bring back what was forgotten"].trigger()
    qtbot.waitUntil(lambda: len(stage.memory.kept) == before)
    qtbot.waitUntil(lambda: not menu["Bring back what was forgotten"].isVisible())


def test_what_is_forgotten_is_gone_from_the_popup_before_it_is_shown_again(
    stage: Stage, qtbot: QtBot
) -> None:
    screens = Screens(stage.desk)
    for window in (screens.window, screens.popup, screens.toast):
        qtbot.addWidget(window)
    screens.popup.open()
    qtbot.waitUntil(lambda: screens.popup._start is not None)
    screens.popup.hide()

    entries(screens.tray.menu)["the last hour"].trigger()
    qtbot.waitUntil(screens.toast.isVisible)
    screens.popup.open()

    assert [row.title for row in screens.popup.rows.rows.rows] == ["Copy last 15 minutes"]


class Bar:
    """A shell's top bar."""

    def __init__(self) -> None:
        self.shown: tuple[str, str, list[tuple[str, str]]] = ("", "", [])
        self.choose: Callable[[str], None] = lambda key: None

    def connect(self, choose: Callable[[str], None]) -> Bar:
        self.choose = choose
        return self

    def show(self, status: str, state: str, entries: Sequence[tuple[str, str]]) -> None:
        self.shown = (status, state, list(entries))

    def close(self) -> None:
        self.shown = ("", "", [])


def test_a_shell_carries_the_menu_and_follows_it(stage: Stage, tray: Tray, qtbot: QtBot) -> None:
    bar = Bar()
    menu = ShellMenu(stage.desk, tray, bar.connect)
    tray.show_state(State(kind="recording", text="Recording · 12 today"))

    qtbot.waitUntil(lambda: bar.shown[0] == "Recording · 12 today")
    texts = [text for _, text in bar.shown[2]]
    assert texts[1:5] == [
        "Open Desktop Memory", "Search…", "", "Copy context of the last 15 minutes",
    ]  # fmt: skip
    assert "Pause for 15 minutes" in texts
    assert "Resume" not in texts
    bar.choose(next(key for key, text in bar.shown[2] if text == "Pause until resumed"))

    qtbot.waitUntil(lambda: stage.memory.pause_until is not None)
    tray.show_state(State(kind="paused", text="Paused until resumed"))
    qtbot.waitUntil(lambda: "Resume" in [text for _, text in bar.shown[2]])
    assert bar.shown[1] == "paused"
    menu.close()


def test_the_demo_offers_neither_a_pause_nor_its_end(stage_of: Callable[..., Stage]) -> None:
    stage = stage_of(demo=True)
    tray = Tray(stage.desk, stage.copier)

    tray.show_state(State(kind="paused", text="Demo · this computer is not recorded"))

    shown = entries(tray.menu)
    assert not shown["Pause"].isVisible()
    assert not shown["Resume"].isVisible()
