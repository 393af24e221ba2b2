"""How fast to index: at full speed, or with rests on battery and while others need the computer."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from desktop_memory.desktop.power import Burden

BATTERY_REST = 60.0
_REST_FOR_WORK = 4.0
_LONGEST_REST = 30.0
_LOOK_SECONDS = 5.0


class Pace:
    """Rests after a step: a minute on battery, four times the step's length on a busy computer."""

    def __init__(self, burden: Callable[[], Burden], *, wanted: Callable[[], bool]) -> None:
        self._burden = burden
        self._wanted = wanted
        self.slowed: Burden = ""
        """Why it rests now or did after the last step."""

    def step(self, work: Callable[[threading.Event], bool], stop: threading.Event) -> bool:
        """Do one step of the work, and rest if there is more to do."""
        begun = time.monotonic()
        more = work(stop)
        if more:
            self._rest(time.monotonic() - begun, stop)
        else:
            self.slowed = ""
        return more

    def _rest(self, worked: float, stop: threading.Event) -> None:
        """After so many seconds of work; ends with `stop`, and once nothing speaks for resting any more."""
        begun = time.monotonic()
        while not stop.is_set():
            self.slowed = self._burden() if self._wanted() else ""
            left = begun + self._length(worked) - time.monotonic()
            if left <= 0:
                return
            stop.wait(min(left, _LOOK_SECONDS))

    def _length(self, worked: float) -> float:
        if self.slowed == "on battery":
            return BATTERY_REST
        return min(worked * _REST_FOR_WORK, _LONGEST_REST) if self.slowed else 0.0
