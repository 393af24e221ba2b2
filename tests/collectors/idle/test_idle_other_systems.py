"""What is decided about absence on systems that are not here, from answers of the shape that they give."""

from __future__ import annotations

from typing import Any

import pytest

from collectors.collector import Unavailable
from collectors.idle import macos, windows
from collectors.idle.backend import State
from collectors.idle.sleep import Sleep


def test_windows_counts_ticks_over_their_end():
    assert windows.between(1_000, 4_500) == 3.5
    assert windows.between(0xFFFF_FF00, 0x100) == 0.512


class User32:
    def __init__(self, last: int, desktop: int) -> None:
        self.last, self.desktop, self.closed = last, desktop, 0

    def GetLastInputInfo(self, info: Any) -> None:
        assert info._obj.size == 8
        info._obj.time = self.last

    def OpenInputDesktop(self, flags: int, inherit: bool, access: int) -> int:
        return self.desktop

    def CloseDesktop(self, desktop: int) -> None:
        self.closed += 1


class Kernel32:
    def GetTickCount(self) -> int:
        return 10_000


def test_windows_tells_idle_time_and_lock():
    user = User32(last=7_000, desktop=42)
    locks = windows.InputDesktop(user)

    assert windows.LastInput(user, Kernel32()).idle() == 3.0
    assert list(locks.states()) == [State()]
    assert user.closed == 1
    user.desktop = 0
    assert list(locks.states()) == [State(locked=True)]
    assert user.closed == 1


@pytest.mark.parametrize(
    ("session", "locked"),
    [
        ({"kCGSSessionOnConsoleKey": True, "kCGSSessionUserNameKey": "me"}, False),
        ({"kCGSSessionOnConsoleKey": True, "CGSSessionScreenIsLocked": True}, True),
        ({"kCGSSessionOnConsoleKey": False}, True),
        (None, False),
    ],
)
def test_macos_tells_lock(session: dict[str, Any] | None, locked: bool):
    assert macos.locked(session) is locked


@pytest.mark.parametrize(
    "connect", [windows.connect, windows.connect_locks, macos.connect, macos.connect_locks]
)
def test_elsewhere_they_are_unavailable(connect: Any):
    with pytest.raises(Unavailable):
        connect()


def test_sleep_is_what_the_one_clock_counts_and_the_other_does_not():
    running, awake = [100.0], [100.0]
    slept = Sleep(lambda: running[0], lambda: awake[0])

    running[0] += 60
    awake[0] += 60
    assert slept() == 0
    running[0] += 3630.5
    awake[0] += 30
    assert slept() == 3600.5
    assert slept() == 0
    running[0] += 2  # the clocks' own difference
    assert slept() == 0
