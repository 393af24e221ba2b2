"""Work elsewhere, results here."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from desktop_memory.ui.background import Background


@pytest.fixture
def background(qtbot: QtBot) -> Iterator[Background]:
    made = Background()
    yield made
    made.close()


def test_the_task_runs_elsewhere_and_its_result_comes_back_here(background: Background, qtbot: QtBot) -> None:
    here = threading.get_ident()
    seen: list[tuple[int, int]] = []

    background.run(threading.get_ident, lambda there: seen.append((there, threading.get_ident())))

    qtbot.waitUntil(lambda: bool(seen))
    assert seen[0][0] != here
    assert seen[0][1] == here


def test_a_failure_comes_back_here_too(background: Background, qtbot: QtBot) -> None:
    errors: list[Exception] = []

    background.run(lambda: 1 // 0, failed=errors.append)

    qtbot.waitUntil(lambda: bool(errors))
    assert isinstance(errors[0], ZeroDivisionError)


def test_a_failure_that_nobody_takes_is_told(background: Background, qtbot: QtBot) -> None:
    with qtbot.waitSignal(background.trouble) as told:
        background.run(lambda: 1 // 0)

    assert isinstance(told.args[0], ZeroDivisionError)


def test_only_the_newest_of_a_lane_is_shown(background: Background, qtbot: QtBot) -> None:
    first_may_end = threading.Event()
    shown: list[str] = []
    background.run(lambda: first_may_end.wait(5) and "old", shown.append, lane="search")  # type: ignore[arg-type]
    background.run(lambda: "new", shown.append, lane="search")
    qtbot.waitUntil(lambda: shown == ["new"])

    first_may_end.set()
    background.run(lambda: "done", shown.append)
    qtbot.waitUntil(lambda: "done" in shown)
    qtbot.wait(50)

    assert shown == ["new", "done"]


def test_what_waits_behind_a_newer_one_never_begins(qtbot: QtBot) -> None:
    background = Background(threads=1)
    busy = threading.Event()
    ran: list[int] = []
    background.run(lambda: busy.wait(5))
    for n in range(5):
        background.run(lambda n=n: ran.append(n), lane="search")

    busy.set()

    qtbot.waitUntil(lambda: bool(ran))
    background.close()
    assert ran == [4]


def test_an_owner_that_is_gone_gets_nothing(background: Background, qtbot: QtBot) -> None:
    from shiboken6 import delete

    owner, go, shown = QObject(), threading.Event(), []
    background.run(lambda: go.wait(5), shown.append, owner=owner)
    delete(owner)

    go.set()
    background.run(lambda: None, lambda _: shown.append("after"))

    qtbot.waitUntil(lambda: "after" in shown)
    assert shown == ["after"]


def test_closing_does_not_wait_for_what_never_returns(qtbot: QtBot, caplog: pytest.LogCaptureFixture) -> None:
    background, go = Background(threads=1), threading.Event()
    background.run(lambda: go.wait(30))

    with caplog.at_level(logging.INFO):
        background.close(timeout=0.1)

    go.set()
    assert not background._threads[0].join(5)
