"""Whether somebody set the clock: it went another way than the time since the machine started."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from datetime import datetime, timedelta

_LEAST = timedelta(seconds=2)


def since_boot() -> float:
    """Seconds since the machine started, sleep included where the system can tell."""
    if sys.platform == "linux":
        return time.clock_gettime(time.CLOCK_BOOTTIME)
    if sys.platform == "darwin":
        return time.clock_gettime(time.CLOCK_MONOTONIC)  # time.monotonic() stands still in sleep there
    return time.monotonic()


class ClockWatch:
    """Asked with each reading of the clock."""

    def __init__(self, steady: Callable[[], float] = since_boot) -> None:
        self._steady = steady
        self._started: datetime | None = None

    def moved(self, at: datetime) -> timedelta:
        """By how much the clock was set since it was last asked; zero as a rule."""
        started = at - timedelta(seconds=self._steady())
        before, self._started = self._started, started
        if before is None or abs(started - before) < _LEAST:
            return timedelta(0)
        return started - before
