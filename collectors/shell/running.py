"""Since when the shells that run now have been running: no command they write later can be older."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

_PROC = Path("/proc")


def running_since(shell: str) -> int:
    """When this user's oldest running shell of this name started, in µs since 1970; now, if none runs.

    Where processes cannot be listed, the time at which the machine was started.
    """
    now = time.time_ns() // 1_000
    if not (_PROC / "self" / "stat").exists():
        return now - _up_us()
    started = [up_us for process in _processes() if (up_us := _started(process, shell)) is not None]
    return now - _up_us() + min(started) if started else now


def _processes() -> list[str]:
    try:
        return [name for name in os.listdir(_PROC) if name.isdigit()]
    except OSError:
        return []


def _started(process: str, shell: str) -> int | None:
    """When this shell started, in microseconds after boot; None for any other process."""
    folder = _PROC / process
    try:
        if os.stat(folder).st_uid != os.getuid():
            return None
        stat = (folder / "stat").read_bytes()
    except OSError:
        return None
    name = stat[stat.find(b"(") + 1 : stat.rfind(b")")]
    fields = stat[stat.rfind(b")") + 2 :].split()
    if name != shell.encode() or len(fields) < 20:
        return None
    return int(fields[19]) * 1_000_000 // os.sysconf("SC_CLK_TCK")


def _up_us() -> int:
    """How long the machine has been up, sleep included."""
    clock = getattr(time, "CLOCK_BOOTTIME", None) or getattr(time, "CLOCK_MONOTONIC", None)
    if clock is None or sys.platform == "win32":
        return time.monotonic_ns() // 1_000
    return time.clock_gettime_ns(clock) // 1_000
