"""The hotkey by pynput, on an X server that is there, was never there, and has gone.

pynput is an extra on Linux, where it needs a compiler; with it, the real one is asked as well.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace

import pytest

from collectors.collector import Unavailable
from desktop_memory.desktop.hotkey import pynput
from desktop_memory.desktop.hotkey.chord import parse
from desktop_memory.errors import KnownError
from tests.desktop_session import Screen, need, screen
from tests.running import environment

__all__ = ["screen"]

with_pynput = pytest.mark.skipif(find_spec("pynput") is None, reason="pynput is not installed")

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
"""In a process of its own: pynput leaves threads and sockets behind."""


def said(home: Path, how: str) -> str:
    env = environment(home, DISPLAY=os.environ["DISPLAY"])
    done = subprocess.run(
        [sys.executable, "-c", KEYS, how], env=env, capture_output=True, text=True, check=True, timeout=60
    )
    return done.stdout.strip()


class Listener(threading.Thread):
    """As pynput's: a thread that, where the desktop is gone, dies before it ever listened."""

    def __init__(self, keys: dict[str, object]) -> None:
        super().__init__(daemon=True)
        self.keys = keys

    def run(self) -> None:
        return

    def wait(self) -> None:
        threading.Event().wait()


def test_without_an_x_server_it_is_not_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.delenv("DISPLAY", raising=False)

    with pytest.raises(Unavailable, match="no X server"):
        pynput.connect(lambda: None)


def test_one_that_ends_at_once_is_said_and_not_waited_for() -> None:
    keys = pynput.Pynput(SimpleNamespace(GlobalHotKeys=Listener), lambda: None)

    with pytest.raises(KnownError, match=r"Ctrl\+Alt\+Z cannot be taken here"):
        keys.bind(parse("Ctrl+Alt+Z"))


@with_pynput
@pytest.mark.desktop
def test_the_chord_is_heard(screen: Screen, home: Path) -> None:
    need("xdotool")

    assert said(home, "there") == "heard"


@with_pynput
@pytest.mark.desktop
def test_a_server_that_has_gone_is_said(screen: Screen, home: Path) -> None:
    assert said(home, "gone") == "KnownError Ctrl+Alt+Z cannot be taken here."
