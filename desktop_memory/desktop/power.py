"""Whether the computer runs on its battery, or is busy with something else."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Literal

Burden = Literal["", "on battery", "the computer is busy"]

SUPPLIES = Path("/sys/class/power_supply")
_BUSY = 0.75
"""Of all processors, beside the one that indexing itself may take."""
_UNPLUGGED = 0


def burden(supplies: Path = SUPPLIES, load: Callable[[], float] | None = None) -> Burden:
    """What speaks for going slower; empty when nothing does, or nothing tells."""
    if on_battery(supplies):
        return "on battery"
    others = (load or _load)() - 1
    return "the computer is busy" if others > _BUSY * (os.cpu_count() or 1) else ""


def on_battery(supplies: Path = SUPPLIES) -> bool:
    """Whether the computer's own battery is what it runs on."""
    if sys.platform == "win32":
        return _windows_line() == _UNPLUGGED
    if sys.platform == "darwin":
        return _draws_from_battery(_pmset())
    return _discharges(supplies)


def _discharges(supplies: Path) -> bool:
    """By the kernel's Documentation/ABI/testing/sysfs-class-power; batteries of mice have the scope Device."""
    plugged, discharging = False, False
    with suppress(OSError):
        for supply in supplies.iterdir():
            kind = _read(supply / "type")
            if kind in ("Mains", "USB"):
                plugged |= _read(supply / "online") == "1"
            elif kind == "Battery" and _read(supply / "scope") != "Device":
                discharging |= _read(supply / "status") == "Discharging"
    return discharging and not plugged


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="ascii", errors="replace").strip()
    except OSError:
        return ""


def _windows_line() -> int:
    """ACLineStatus of GetSystemPowerStatus: 0 is unplugged, 1 plugged in, 255 unknown."""
    import ctypes

    status = ctypes.create_string_buffer(12)
    if not ctypes.windll.kernel32.GetSystemPowerStatus(status):  # type: ignore[attr-defined,unused-ignore]
        return 255
    return status.raw[0]


def _pmset() -> str:
    with suppress(OSError, subprocess.SubprocessError):
        done = subprocess.run(
            ["/usr/bin/pmset", "-g", "batt"], capture_output=True, text=True, timeout=5, check=False
        )
        return done.stdout
    return ""


def _draws_from_battery(said: str) -> bool:
    """The first line of `pmset -g batt`: Now drawing from 'Battery Power'."""
    return "'Battery Power'" in said.partition("\n")[0]


def _load() -> float:
    """Processes that want to run, over the last minute; 0 where the system does not say (Windows)."""
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
