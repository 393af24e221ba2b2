"""On a real X server a hotkey is recorded even where another program, or ourselves, have it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.desktop_session import Screen, eventually, openbox, screen  # noqa: F401

pytestmark = pytest.mark.desktop

CHECKOUT = Path(__file__).parents[3]
FIELD = """
from PySide6.QtWidgets import QApplication, QLineEdit, QVBoxLayout, QWidget
from desktop_memory.ui.hotkey_recorder import HotkeyRecorder
app = QApplication([])
window = QWidget()
window.setWindowTitle("A field")
column = QVBoxLayout(window)
other, recorder = QLineEdit(), HotkeyRecorder("Ctrl+Alt+Z")
recorder.recorded.connect(lambda keys: print(keys or "none", flush=True))
column.addWidget(other)
column.addWidget(recorder)
window.resize(300, 100)
window.move(100, 100)
window.show()
app.exec()
"""


@pytest.fixture
def field(openbox: Screen) -> Iterator[subprocess.Popen[str]]:  # noqa: F811
    env = dict(os.environ, QT_QPA_PLATFORM="xcb")
    process = subprocess.Popen(
        [sys.executable, "-c", FIELD], cwd=CHECKOUT, env=env, stdout=subprocess.PIPE, text=True
    )
    try:
        eventually(lambda: named(openbox) == "A field", what="the field did not come up")
        yield process
    finally:
        process.terminate()
        process.communicate(timeout=5)


def named(screen: Screen) -> str:  # noqa: F811
    try:
        return screen.do("xdotool", "getactivewindow", "getwindowname")
    except subprocess.CalledProcessError:
        return ""


def taken(screen: Screen) -> Any:  # noqa: F811
    """Another program that has Ctrl+Alt+K."""
    from Xlib import XK, X
    from Xlib.display import Display

    other = Display(screen.display)
    code = other.keysym_to_keycode(XK.string_to_keysym("k"))
    other.screen().root.grab_key(code, X.ControlMask | X.Mod1Mask, True, X.GrabModeAsync, X.GrabModeAsync)
    other.sync()
    return other


def pressed(other: Any) -> int:
    """How often the other program got its key since the last look."""
    from Xlib import X

    other.sync()
    return [other.next_event().type for _ in range(other.pending_events())].count(X.KeyPress)


def press_into(screen: Screen, keys: str) -> None:  # noqa: F811
    screen.do(
        "xdotool", "search", "--name", "A field", "mousemove", "--window", "%1", "150", "75", "click", "1"
    )
    screen.do("xdotool", "sleep", "0.2", "key", keys)


def test_a_key_of_another_program_is_recorded_and_all_keys_are_free_again(
    openbox: Screen,  # noqa: F811
    field: subprocess.Popen[str],
) -> None:
    assert field.stdout is not None
    other = taken(openbox)

    press_into(openbox, "ctrl+alt+k")
    assert field.stdout.readline() == "Ctrl+Alt+K\n"
    assert pressed(other) == 0
    press_into(openbox, "BackSpace")
    assert field.stdout.readline() == "none\n"
    press_into(openbox, "Escape")

    openbox.do("xdotool", "sleep", "0.2", "key", "ctrl+alt+k")
    eventually(lambda: pressed(other), what="the keys were not given back")
    other.close()
