"""Idle time on a real sway, with keys typed by wtype."""

from __future__ import annotations

import subprocess
import time
from datetime import timedelta

import pytest

from collectors.collector import Unavailable
from collectors.idle import mutter, wayland
from collectors.idle.collector import IdleCollector
from tests.collectors.watching import watching
from tests.desktop_session import bus, eventually, need
from tests.wayland_session import Sway, sway

__all__ = ["bus", "sway"]
pytestmark = pytest.mark.desktop


def press() -> bool:
    subprocess.run(("wtype", "-k", "a"), check=True, timeout=10)
    return True


def test_idle_time_counts_from_the_last_key(sway: Sway):
    need("wtype")
    sway.window("letter")
    backend = wayland.connect(quiet_seconds=0.3)

    began = time.monotonic()
    eventually(lambda: backend.idle() > 1)
    assert time.monotonic() - began > 0.6
    press()
    pressed = time.monotonic()
    eventually(lambda: backend.idle() == 0.0)
    eventually(lambda: backend.idle() > 0.5)
    assert 0.3 < time.monotonic() - pressed < 1
    backend.close()


def test_absence_is_a_gap_from_the_last_key_to_the_next(sway: Sway):
    need("wtype")
    sway.window("letter")
    idle = IdleCollector(
        threshold=timedelta(seconds=9),  # on a busy machine a key and its release come 50 ms apart
        connects=(("Wayland", lambda: wayland.connect(quiet_seconds=0.05)),),
        connect_locks=None,
        slept=lambda: 0.0,
    )

    with watching(idle) as watch:
        press()
        pressed = idle.clock()
        eventually(lambda: watch.gaps, 20)
        press()  # one stray key
        time.sleep(1)
        assert [gap.end for gap in watch.gaps] == [None]
        eventually(lambda: press() and watch.gaps[0].end)

    assert abs(watch.gaps[0].start - pressed) < timedelta(seconds=0.5)


def test_a_bus_without_gnome_is_not_asked(bus: str):
    with pytest.raises(Unavailable):
        mutter.connect()
