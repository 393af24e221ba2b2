"""The hotkey on a real X server, pressed by xdotool."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator

import pytest

from collectors.collector import Unavailable
from desktop_memory.desktop.hotkey import hotkey as hotkeys
from desktop_memory.desktop.hotkey import x11
from desktop_memory.desktop.hotkey.hotkey import Hotkey
from desktop_memory.errors import KnownError
from tests.desktop_session import Screen, eventually, need, openbox, screen, xvfb

__all__ = ["openbox", "screen"]
pytestmark = pytest.mark.desktop

BY_X = (("X11", x11.connect),)


class Presses:
    def __init__(self) -> None:
        self.count = 0
        self.threads: set[str] = set()

    def __call__(self) -> None:
        self.count += 1
        self.threads.add(threading.current_thread().name)


@pytest.fixture
def presses() -> Presses:
    return Presses()


@pytest.fixture
def hotkey(screen: Screen, presses: Presses) -> Iterator[Hotkey]:
    need("xdotool")
    hotkey = Hotkey(presses, BY_X)
    yield hotkey
    hotkey.close()


def press(screen: Screen, keys: str) -> None:
    screen.do("xdotool", "key", "--clearmodifiers", keys)


def settle() -> None:
    time.sleep(0.3)


def test_the_key_calls_once_and_no_other_does(screen: Screen, hotkey: Hotkey, presses: Presses):
    hotkey.bind("Ctrl+Alt+Z")

    press(screen, "ctrl+alt+z")
    eventually(lambda: presses.count == 1)
    for other in ("z", "ctrl+z", "alt+z", "ctrl+alt+y", "ctrl+alt+shift+z"):
        press(screen, other)
    settle()

    assert presses.count == 1
    assert presses.threads == {"hotkey"}
    assert (hotkey.keys, hotkey.backend) == ("Ctrl+Alt+Z", "X11")


def test_caps_and_num_lock_do_not_matter(screen: Screen, hotkey: Hotkey, presses: Presses):
    hotkey.bind("Ctrl+Alt+Z")

    screen.do("xdotool", "key", "Caps_Lock")
    screen.do("xdotool", "key", "ctrl+alt+z")
    eventually(lambda: presses.count == 1)
    screen.do("xdotool", "key", "Num_Lock")
    screen.do("xdotool", "key", "ctrl+alt+z")
    eventually(lambda: presses.count == 2)
    screen.do("xdotool", "key", "Caps_Lock")
    screen.do("xdotool", "key", "ctrl+alt+z")
    eventually(lambda: presses.count == 3)


def test_holding_it_calls_once(screen: Screen, hotkey: Hotkey, presses: Presses):
    hotkey.bind("Ctrl+Alt+Z")

    screen.do("xdotool", "keydown", "ctrl+alt+z")
    time.sleep(1.2)
    screen.do("xdotool", "keyup", "ctrl+alt+z")
    settle()

    assert presses.count == 1


@pytest.mark.parametrize("keys", ["super+space", "F9", "ctrl+shift+Page_Up", "alt+period"])
def test_other_keys_work_too(screen: Screen, hotkey: Hotkey, presses: Presses, keys: str):
    hotkey.bind(keys.replace("Page_Up", "PageUp").replace("period", "."))

    press(screen, keys)

    eventually(lambda: presses.count == 1)


def test_a_taken_key_is_said_and_the_one_before_stays(screen: Screen, hotkey: Hotkey, presses: Presses):
    other = Hotkey(lambda: None, BY_X)
    other.bind("Ctrl+Alt+S")
    hotkey.bind("Ctrl+Alt+Z")

    with pytest.raises(KnownError) as raised:
        hotkey.bind("Ctrl+Alt+S")
    press(screen, "ctrl+alt+z")
    eventually(lambda: presses.count == 1)
    other.close()

    assert "Ctrl+Alt+S" in raised.value.problem
    assert raised.value.advice
    assert hotkey.keys == "Ctrl+Alt+Z"
    hotkey.bind("Ctrl+Alt+S")
    press(screen, "ctrl+alt+s")
    eventually(lambda: presses.count == 2)


def test_a_key_refused_leaves_nothing_taken(screen: Screen, hotkey: Hotkey):
    """A conflict on one lock variant alone gives the others back."""
    other = Hotkey(lambda: None, BY_X)
    other.bind("Ctrl+Alt+S")
    with pytest.raises(KnownError):
        hotkey.bind("Ctrl+Alt+S")
    other.close()

    third = Hotkey(lambda: None, BY_X)
    third.bind("Ctrl+Alt+S")
    third.close()


def test_rebinding_to_itself_to_another_and_to_nothing(screen: Screen, hotkey: Hotkey, presses: Presses):
    hotkey.bind("Ctrl+Alt+Z")
    hotkey.bind("Ctrl+Alt+Z")
    press(screen, "ctrl+alt+z")
    eventually(lambda: presses.count == 1)

    hotkey.bind("Ctrl+Alt+Y")
    press(screen, "ctrl+alt+z")
    press(screen, "ctrl+alt+y")
    eventually(lambda: presses.count == 2)

    hotkey.bind("")
    press(screen, "ctrl+alt+y")
    settle()
    assert presses.count == 2
    assert hotkey.keys == ""

    hotkey.bind("Ctrl+Alt+Z")
    press(screen, "ctrl+alt+z")
    eventually(lambda: presses.count == 3)


def test_the_key_follows_the_layout(screen: Screen, hotkey: Hotkey, presses: Presses):
    need("setxkbmap")
    hotkey.bind("Ctrl+Alt+Z")

    screen.do("setxkbmap", "de")
    settle()
    screen.do("xdotool", "key", "ctrl+alt+z")  # by its label: another key than on a US keyboard
    eventually(lambda: presses.count == 1)
    screen.do("xdotool", "key", "ctrl+alt+y")
    settle()
    assert presses.count == 1

    screen.do("setxkbmap", "ru")
    settle()
    screen.do("xdotool", "keydown", "ctrl", "keydown", "alt", "key", "52", "keyup", "alt", "keyup", "ctrl")
    eventually(lambda: presses.count == 2)


def test_a_callback_that_fails_does_not_end_the_hotkey(screen: Screen, caplog: pytest.LogCaptureFixture):
    need("xdotool")
    calls = []

    def fail() -> None:
        calls.append(1)
        raise ValueError("broken window")

    hotkey = Hotkey(fail, BY_X)
    hotkey.bind("Ctrl+Alt+Z")
    press(screen, "ctrl+alt+z")
    eventually(lambda: len(calls) == 1)
    press(screen, "ctrl+alt+z")
    eventually(lambda: len(calls) == 2)
    hotkey.close()

    assert "what the hotkey starts failed" in caplog.text


def test_when_the_x_server_dies_it_says_so_and_ends(monkeypatch: pytest.MonkeyPatch):
    need("Xvfb")
    with xvfb() as display:
        monkeypatch.setenv("DISPLAY", display)
        monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
        monkeypatch.setenv("XDG_SESSION_TYPE", "x11")
        hotkey = Hotkey(lambda: None, BY_X)
        hotkey.bind("Ctrl+Alt+Z")
    eventually(lambda: not any(thread.name == "hotkey" for thread in threading.enumerate()))

    with pytest.raises(KnownError):
        hotkey.bind("Ctrl+Alt+Y")
    hotkey.close()


def test_under_wayland_it_is_left_to_others(screen: Screen, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")

    with pytest.raises(Unavailable):
        x11.connect(lambda: None)


def test_without_any_way_it_says_how_to_bind_a_key_by_hand():
    def connect(pressed):
        raise Unavailable("There is no keyboard.")

    hotkey = Hotkey(lambda: None, (("none", connect),))
    with pytest.raises(KnownError) as raised:
        hotkey.bind("Ctrl+Alt+Z")

    assert "desktop-memory popup" in raised.value.advice
    assert hotkey.tried == {"none": "There is no keyboard."}


def test_connect_gives_a_bound_key(screen: Screen, presses: Presses):
    need("xdotool")

    hotkey = hotkeys.connect("Ctrl+Alt+Z", presses)
    press(screen, "ctrl+alt+z")
    eventually(lambda: presses.count == 1)
    hotkey.close()

    press(screen, "ctrl+alt+z")
    settle()
    assert presses.count == 1


BY_PYNPUT = """
import subprocess, sys, time
from desktop_memory.desktop.hotkey import pynput
from desktop_memory.desktop.hotkey.chord import parse
presses = []
backend = pynput.connect(lambda: presses.append(1))
backend.bind(parse("Ctrl+Alt+Y"))
backend.bind(parse("Ctrl+Alt+Z"))
for keys in ("ctrl+alt+y", "ctrl+alt+z"):
    subprocess.run(["xdotool", "key", keys], check=True)
    time.sleep(0.5)
print(len(presses))
backend.close()
"""


def test_pynput_does_it_where_nothing_better_does(screen: Screen):
    pytest.importorskip("pynput")
    need("xdotool")

    assert screen.do(sys.executable, "-c", BY_PYNPUT) == "1"
