"""How long the machine has slept: the clock that counts sleep against the one that does not."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

LEAST = 3.0
"""Seconds; less is the two clocks' own difference."""


def connect() -> Callable[[], float]:
    """A function that gives the seconds slept since it was last called."""
    clocks = _clocks()
    if clocks is None:
        return lambda: 0.0
    return Sleep(*clocks)


class Sleep:
    """Compares `running`, which counts sleep, with `awake`, which does not."""

    def __init__(self, running: Callable[[], float], awake: Callable[[], float]) -> None:
        self._running, self._awake = running, awake
        self._ahead = running() - awake()

    def __call__(self) -> float:
        ahead = self._running() - self._awake()
        slept, self._ahead = ahead - self._ahead, ahead
        return slept if slept >= LEAST else 0.0


def _clocks() -> tuple[Callable[[], float], Callable[[], float]] | None:
    if sys.platform == "linux":
        return _read(time.CLOCK_BOOTTIME), _read(time.CLOCK_MONOTONIC)
    if sys.platform == "darwin":
        # mach_continuous_time and mach_absolute_time, see clock_gettime(3) of macOS.
        return _read(time.CLOCK_MONOTONIC), _read(time.CLOCK_UPTIME_RAW)
    if sys.platform == "win32":
        return _windows_clocks()
    return None


def _read(clock: int) -> Callable[[], float]:
    return lambda: time.clock_gettime(clock)


def _windows_clocks() -> tuple[Callable[[], float], Callable[[], float]]:
    """QueryInterruptTime and QueryUnbiasedInterruptTime: 100 ns units, with and without sleep."""
    import ctypes

    kernel = ctypes.WinDLL("kernel32")  # type: ignore[attr-defined,unused-ignore]

    def awake() -> float:
        units = ctypes.c_ulonglong()
        kernel.QueryUnbiasedInterruptTime(ctypes.byref(units))
        return units.value / 1e7

    kernel.GetTickCount64.restype = ctypes.c_ulonglong
    return (lambda: kernel.GetTickCount64() / 1e3), awake
