"""Qt without a screen, and the screens over a scripted memory."""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtGui import QFont, QGuiApplication
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop_memory.ui.actions import Actions
from desktop_memory.ui.background import Background
from desktop_memory.ui.bridge import Bridge
from desktop_memory.ui.copying import Copier
from desktop_memory.ui.desk import Desk
from desktop_memory.ui.notices import Notice, Notices
from desktop_memory.ui.theme import Theme
from tests.desktop_memory.ui.scripted import ScriptedApp, ScriptedMemory


class PatientBot(QtBot):
    """Waits on a busy computer too: the screens must come to it, not within a time."""

    def waitUntil(self, callback: Callable[[], bool | None], *, timeout: int = 60_000) -> None:
        super().waitUntil(callback, timeout=timeout)

    def waitSignal(self, signal: Any, *, timeout: int = 60_000, **named: Any) -> Any:
        return super().waitSignal(signal, timeout=timeout, **named)


@pytest.fixture
def qtbot(qapp: QApplication, request: pytest.FixtureRequest) -> QtBot:
    return PatientBot(request)


@pytest.fixture(autouse=True)
def no_quit_left(qapp: QApplication) -> Iterator[None]:
    """A quit that met no running loop would end every later one at once."""
    yield
    QTimer.singleShot(0, qapp.exit)  # not quit, which a window may refuse
    qapp.exec()


@pytest.fixture(scope="session")
def qapp_args() -> list[str]:
    return ["desktop-memory"]


@pytest.fixture(autouse=True)
def berlin(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Local times are those of the script."""
    monkeypatch.setenv("TZ", "Europe/Berlin")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.fixture(autouse=True)
def garbage_on_qts_thread() -> Iterator[None]:
    """As in the app: Qt's objects are never collected on another thread, which would end the process."""
    gc.disable()
    yield
    gc.collect()
    gc.enable()


@dataclass
class Stage:
    """A desk over a scripted memory, and what was said on it."""

    memory: ScriptedMemory
    desk: Desk
    copier: Copier
    actions: Actions
    notices: list[Notice] = field(default_factory=list)


@pytest.fixture
def font() -> QFont:
    made = QFont("Inter")
    made.setPixelSize(14)
    return made


@pytest.fixture
def stage_of(qapp: QApplication, font: QFont) -> Iterator[Callable[..., Stage]]:
    """Builds a stage over a memory; the fortnight's when none is given."""
    stages: list[Stage] = []

    def build(memory: ScriptedMemory | None = None, look: str = "light", **more: Any) -> Stage:
        memory = memory or ScriptedMemory()
        bridge = Bridge()
        memory.changed.append(bridge.notify)
        desk = Desk(
            memory=memory, app=ScriptedApp(memory), background=Background(), bridge=bridge,
            theme=Theme(look, font=font), notices=Notices(), clock=memory.clock, **more,
        )  # fmt: skip
        copier = Copier(desk)
        stage = Stage(memory, desk, copier, Actions(desk, copier))
        desk.notices.said.connect(stage.notices.append)
        stages.append(stage)
        return stage

    yield build
    for stage in stages:
        stage.memory.goes.set()
        stage.memory.changed.clear()
        stage.desk.background.close()


@pytest.fixture
def stage(stage_of: Callable[..., Stage]) -> Stage:
    return stage_of()


@pytest.fixture
def clipboard(qapp: QApplication) -> Iterator[Any]:
    found = QGuiApplication.clipboard()
    found.setText("what was there before")
    yield found
    found.clear()


os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
