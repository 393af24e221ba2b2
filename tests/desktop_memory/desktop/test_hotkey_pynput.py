"""The hotkey by pynput, on an X server that is there, was never there, and has gone.

Each in a process of its own: pynput leaves threads and sockets behind.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.desktop_session import Screen, need, screen
from tests.running import environment

__all__ = ["screen"]
pytestmark = pytest.mark.desktop

KEYS = """
import os, subprocess, sys, threading
from collectors.collector import Unavailable
from desktop_memory.desktop.hotkey import pynput
from desktop_memory.desktop.hotkey.chord import parse
from desktop_memory.errors import KnownError
heard = threading.Event()
try:
    keys = pynput.connect(heard.set)
    if sys.argv[1] == "gone":
        os.environ["DISPLAY"] = ":6099"
    keys.bind(parse("Ctrl+Alt+Z"))
except (Unavailable, KnownError) as why:
    print(type(why).__name__, why.problem, flush=True)
else:
    subprocess.run(["xdotool", "key", "ctrl+alt+z"], check=True)
    print("heard" if heard.wait(10) else "silence", flush=True)
os._exit(0)
"""


def said(home: Path, how: str, display: str) -> str:
    env = environment(home, DISPLAY=display)
    if not display:
        del env["DISPLAY"]
    done = subprocess.run(
        [sys.executable, "-c", KEYS, how], env=env, capture_output=True, text=True, check=True, timeout=60
    )
    return done.stdout.strip()


def test_the_chord_is_heard(screen: Screen, home: Path) -> None:
    need("xdotool")

    assert said(home, "there", os.environ["DISPLAY"]) == "heard"


def test_without_an_x_server_it_is_not_offered(home: Path) -> None:
    assert said(home, "none", "") == "Unavailable There is no X server here."


def test_a_server_that_has_gone_is_said_and_not_waited_for(screen: Screen, home: Path) -> None:
    assert said(home, "gone", os.environ["DISPLAY"]) == "KnownError Ctrl+Alt+Z cannot be taken here."
