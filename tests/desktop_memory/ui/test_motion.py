"""The popup and messages fade in, unless the system asks for less motion."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from desktop_memory.ui import motion
from desktop_memory.ui.motion import FADE_MS, Fade, motion_welcome

pytestmark = pytest.mark.qt_log_ignore("window opacity", extend=True)


@pytest.fixture
def fading(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> tuple[QWidget, Fade]:
    monkeypatch.setattr(motion, "_FADING", ("offscreen",))
    window = QWidget()
    qtbot.addWidget(window)
    return window, Fade(window)


def test_it_is_whole_within_the_time_of_the_drawings(fading: tuple[QWidget, Fade], qtbot: QtBot) -> None:
    window, fade = fading
    fade.wanted = True

    fade.begin()
    window.show()

    assert window.windowOpacity() < 0.5
    qtbot.waitUntil(lambda: window.windowOpacity() == 1.0, timeout=FADE_MS * 20)
    assert not fade.running


def test_without_motion_it_is_there_at_once(fading: tuple[QWidget, Fade]) -> None:
    window, fade = fading

    fade.begin()
    window.show()

    assert window.windowOpacity() == 1.0
    assert not fade.running


def test_where_a_window_has_no_opacity_nothing_is_tried(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    fade = Fade(window)
    fade.wanted = True

    fade.begin()

    assert not fade.running


@pytest.mark.parametrize(
    ("kde", "gnome", "welcome"),
    [("", "true", True), ("", "false", False), ("0", "true", False), ("0.5", "true", True), ("x", "", True)],
)
def test_the_systems_wish_is_asked(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kde: str, gnome: str, welcome: bool
) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    (tmp_path / "gsettings").write_text(f"#!/bin/sh\necho '{gnome}'\n")
    (tmp_path / "gsettings").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    if kde:
        (home / ".config").mkdir()
        (home / ".config" / "kdeglobals").write_text(f"[KDE]\nAnimationDurationFactor={kde}\n")

    assert motion_welcome() is welcome
