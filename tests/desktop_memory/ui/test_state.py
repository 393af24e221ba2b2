"""What the app says it is doing."""

from __future__ import annotations

import threading
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from PySide6.QtWidgets import QSystemTrayIcon
from pytestqt.qtbot import QtBot

from desktop_memory.app import App
from desktop_memory.model import Pause, PlaceStatus, Stats
from desktop_memory.ui.state import StateKeeper, state_of
from desktop_memory.ui.tray import Tray
from tests.desktop_memory.ui.conftest import Stage
from tests.desktop_memory.ui.scripted import NOW

STATS = Stats(events=9000, today=4812, last_id=9000)
GOOD = PlaceStatus(source="git", place="/home/ada/x", state="ok", today=3)
BAD = PlaceStatus(source="firefox", place="default", state="failing", advice="its database is locked")
ABSENT = PlaceStatus(source="window", place="", state="unavailable", advice="install the GNOME extension")


def test_it_records() -> None:
    state = state_of(STATS, None, [GOOD, replace(GOOD, place="/home/ada/y")], NOW)

    assert (state.kind, state.text, state.short) == (
        "recording",
        "Recording · 4,812 today",
        "recording · 1 source",
    )


def test_a_pause_says_until_when() -> None:
    state = state_of(STATS, Pause(start=NOW, until=NOW + timedelta(minutes=15)), [GOOD], NOW)
    assert (state.kind, state.text) == ("paused", "Paused until 10:11")

    state = state_of(STATS, Pause(start=NOW, until=NOW + timedelta(days=1)), [GOOD], NOW)
    assert state.text == "Paused until Fri 14 Aug 09:56"

    assert state_of(STATS, Pause(start=NOW), [GOOD], NOW).text == "Paused until resumed"


def test_a_failing_source_is_named_with_its_remedy() -> None:
    state = state_of(STATS, None, [GOOD, BAD], NOW)

    assert (state.kind, state.problem) == ("degraded", "Firefox history: its database is locked")
    assert state.text == "Recording · 1 source fails"


def test_a_source_that_this_machine_lacks_is_no_failure_but_its_remedy_is_told() -> None:
    state = state_of(STATS, None, [GOOD, ABSENT], NOW)

    assert (state.kind, state.problem) == ("recording", "Window in front: install the GNOME extension")


def test_it_never_says_recording_when_nothing_records() -> None:
    assert state_of(STATS, None, [BAD], NOW).text == "Not recording: no source works"
    assert state_of(STATS, None, [BAD], NOW).kind == "error"
    assert state_of(STATS, None, [], NOW).text == "Not recording: no source was looked at yet"
    assert state_of(replace(STATS, today=0), None, [GOOD], NOW).text == "Watching · nothing yet today"


def test_what_watches_counts_before_it_has_told_anything() -> None:
    state = state_of(replace(STATS, today=0), None, [], NOW, ["window", "idle"])

    assert (state.kind, state.text, state.short) == (
        "recording", "Watching · nothing yet today", "recording · 2 sources",
    )  # fmt: skip


def test_a_change_is_noticed(stage: Stage, qtbot: QtBot) -> None:
    keeper = StateKeeper(stage.desk)
    with qtbot.waitSignal(keeper.changed):
        keeper.look()

    with qtbot.waitSignal(keeper.changed) as changed:
        stage.desk.app.pause(timedelta(minutes=15))

    assert changed.args[0].kind == "paused"


def test_a_memory_that_fails_is_an_error_and_said(stage: Stage, qtbot: QtBot) -> None:
    from desktop_memory.errors import KnownError

    def fails() -> None:
        raise KnownError("The disk is full.", "Free some space.")

    stage.memory.stats = fails  # type: ignore[assignment,method-assign]
    keeper = StateKeeper(stage.desk)
    with qtbot.waitSignal(keeper.changed) as changed:
        keeper.look()

    assert (changed.args[0].kind, changed.args[0].text) == ("error", "The disk is full.")


def test_a_part_that_has_a_problem_is_named_with_its_remedy() -> None:
    state = state_of(STATS, None, [GOOD], NOW, problems={"vectors": "It hangs. Start the app again."})

    assert (state.kind, state.text) == ("degraded", "Recording · Search by meaning has a problem")
    assert state.problem == "Search by meaning: It hangs. Start the app again."


def test_where_nothing_can_be_written_it_does_not_record() -> None:
    problems = {
        "store": "The disk is full: nothing new can be stored. Free some space.",
        "graph": "It rests.",
    }
    state = state_of(STATS, None, [GOOD], NOW, problems=problems)

    assert (state.kind, state.text) == ("error", "Not recording: nothing can be written")
    assert state.problem.endswith("Free some space.")


def test_a_writer_that_hangs_shows_in_the_tray_by_another_shape(
    stage: Stage, qtbot: QtBot, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desktop_memory.app._PROBE_SECONDS", 0.1)
    monkeypatch.setattr("desktop_memory.standstill.LONGEST_STEP", 0.5)
    monkeypatch.setattr("desktop_memory.ui.state.PEEK_MS", 100)
    app, goes_on = App.open(home / "memory"), threading.Event()
    stage.desk.app, stage.desk.memory = app, app.memory  # type: ignore[assignment]
    tray = Tray(stage.desk, stage.copier, icon=QSystemTrayIcon())
    keeper = StateKeeper(stage.desk)
    keeper.changed.connect(tray.show_state)

    def hang() -> None:
        with app.parts.store.transaction():
            goes_on.wait(20)

    app.start(record=False)
    keeper.look()
    qtbot.waitUntil(lambda: "not looked at" not in tray.icon.toolTip(), timeout=10_000)
    before = tray.icon.icon().pixmap(22, 22).toImage()
    hanging = threading.Thread(target=hang)
    hanging.start()
    qtbot.waitUntil(lambda: tray.state.text == "Not recording: nothing can be written", timeout=10_000)

    assert tray.icon.icon().pixmap(22, 22).toImage() != before
    assert tray.icon.toolTip().splitlines()[1] == "Not recording: nothing can be written"
    assert "start the app again" in tray.icon.toolTip().splitlines()[2]
    goes_on.set()
    hanging.join()
    qtbot.waitUntil(lambda: "written" not in tray.state.text, timeout=10_000)
    app.close()
