"""Indexing rests on battery and while others need the computer, and only then."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from desktop_memory import app as app_module
from desktop_memory import pace as pace_module
from desktop_memory import settings
from desktop_memory.app import App
from desktop_memory.desktop.power import Burden
from desktop_memory.pace import Pace


class Time:
    """Passes only while somebody waits."""

    def __init__(self) -> None:
        self.now = 0.0

    def monotonic(self) -> float:
        return self.now


class Waiting(threading.Event):
    def __init__(self, time: Time) -> None:
        super().__init__()
        self.time = time

    def wait(self, timeout: float | None = None) -> bool:
        self.time.now += timeout or 0.0
        return self.is_set()


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Time:
    made = Time()
    monkeypatch.setattr(pace_module, "time", made)
    return made


def after_a_step(time: Time, burdens: Iterator[Burden], *, wanted: bool = True, took: float = 2.0) -> float:
    """How long it rests after a step of so many seconds."""
    pace = Pace(lambda: next(burdens), wanted=lambda: wanted)

    def work(stop: threading.Event) -> bool:
        time.now += took
        return True

    begun = time.now
    assert pace.step(work, Waiting(time))
    return time.now - begun - took


def always(burden: Burden) -> Iterator[Burden]:
    while True:
        yield burden


def test_it_goes_at_full_speed_when_nothing_speaks_against_it(time: Time) -> None:
    assert after_a_step(time, always("")) == 0
    assert after_a_step(time, always("on battery"), wanted=False) == 0


def test_on_battery_it_takes_one_step_a_minute(time: Time) -> None:
    assert after_a_step(time, always("on battery")) == pace_module.BATTERY_REST


def test_on_a_busy_computer_it_takes_a_fifth_of_the_time(time: Time) -> None:
    assert after_a_step(time, always("the computer is busy")) == 8
    assert after_a_step(time, always("the computer is busy"), took=60) == 30


def test_once_plugged_in_it_goes_on(time: Time) -> None:
    def plugged_in_later() -> Iterator[Burden]:
        yield from ("on battery", "on battery")
        yield from always("")

    assert after_a_step(time, plugged_in_later()) == 10


def test_the_last_step_needs_no_rest_and_stopping_waits_for_none(time: Time) -> None:
    stop = Waiting(time)
    pace = Pace(lambda: "on battery", wanted=lambda: True)

    assert not pace.step(lambda stop: False, stop)
    stop.set()
    assert pace.step(lambda stop: True, stop)
    assert time.now == 0


def test_the_setting_is_on_and_the_status_says_why_it_is_slower(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app_module, "burden", lambda: "on battery")
    app = App.open(home / "memory")
    stop = threading.Event()
    stepped = threading.Thread(target=lambda: app._pace.step(lambda stop: True, stop))
    stepped.start()

    def slower() -> Any:
        return app.status()["vectors"].get("slower")

    while not slower():
        stop.wait(0.01)
    assert slower() == "on battery"
    stop.set()
    stepped.join()
    app.close()
    assert settings.Memory().yields
