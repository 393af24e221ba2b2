"""The screens on Wayland: the popup takes the keyboard, and what it copies is on the clipboard."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.desktop_memory.ui.test_real_desktop import POPUP
from tests.desktop_session import eventually, need, running
from tests.wayland_session import Sway, sway

__all__ = ["sway"]

pytestmark = pytest.mark.desktop

CHECKOUT = Path(__file__).parents[3]


@contextlib.contextmanager
def staged(home: Path, show: str = "") -> Iterator[subprocess.Popen[str]]:
    env = dict(os.environ, QT_QPA_PLATFORM="wayland", QT_WAYLAND_DISABLE_WINDOWDECORATION="1")
    env.pop("DISPLAY", None)
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.desktop_memory.ui.staged", str(home), show],
        cwd=CHECKOUT, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        yield process
        tell(process, "quit")
        assert process.wait(10) == 0
    finally:
        process.kill()
        _, errors = process.communicate(timeout=5)
    assert "Traceback" not in errors, errors


def keyboard() -> contextlib.AbstractContextManager[subprocess.Popen[bytes]]:
    """A keyboard that stays: with each wtype alone, one is plugged in and out."""
    need("wtype", "wl-paste")
    return running("wtype", "-s", "120000")


def tell(process: subprocess.Popen[str], word: str) -> None:
    assert process.stdin is not None
    process.stdin.write(f"{word}\n")
    process.stdin.flush()


def press(*what: str) -> None:
    subprocess.run(("wtype", *what), check=True, timeout=10)


def paste() -> str:
    return subprocess.run(("wl-paste", "--no-newline"), capture_output=True, text=True, timeout=10).stdout


def test_hotkey_enter_done_on_wayland(sway: Sway, home: Path) -> None:
    with keyboard(), staged(home) as app:
        assert app.stdout is not None
        assert app.stdout.readline().strip() == "no tray"
        eventually(lambda: "Desktop Memory" in sway.titles())

        tell(app, "search")
        eventually(lambda: POPUP in sway.titles(), what="the popup did not come")
        time.sleep(0.5)
        press("-k", "Return")

        eventually(lambda: paste().startswith("# Last 15 minutes"), what="nothing was copied")
        eventually(lambda: POPUP not in sway.titles(), what="the popup stays")


def test_typing_finds_and_escape_hides_on_wayland(sway: Sway, home: Path) -> None:
    with keyboard(), staged(home, "window") as app:
        assert app.stdout is not None
        app.stdout.readline()
        tell(app, "search")
        eventually(lambda: POPUP in sway.titles())
        time.sleep(0.5)
        press("duplicate")
        time.sleep(0.8)

        press("-M", "ctrl", "-k", "c", "-m", "ctrl")

        eventually(
            lambda: paste().startswith("told: 09:51 · LED-731 Duplicate"), what="the line was not copied"
        )
        press("-k", "Escape")
        eventually(lambda: POPUP not in sway.titles())
        assert "Desktop Memory" in sway.titles()


def test_the_command_for_a_key_copies_without_a_window_on_wayland(sway: Sway, home: Path) -> None:
    need("wl-copy", "wl-paste")
    runtime_only = {name: value for name, value in os.environ.items() if name != "DISPLAY"}
    env = dict(runtime_only, QT_QPA_PLATFORM="wayland", DESKTOP_MEMORY_HOME=str(home / "data"))
    command = (sys.executable, "-m", "desktop_memory")
    with running(*command, "run", "--background", env=env, cwd=CHECKOUT):
        log = home / "data" / "log.txt"
        eventually(lambda: log.exists() and "watching windows" in log.read_text(), within=30)
        subprocess.run([*command, "note", "walk the zebra"], cwd=CHECKOUT, env=env, timeout=30, check=True)
        before = sway.titles()

        subprocess.run([*command, "popup", "--copy"], cwd=CHECKOUT, env=env, timeout=30, check=True)

        eventually(lambda: paste().startswith("# Last 15 minutes"), what="nothing was copied")
        assert "walk the zebra" in paste()
        assert sway.titles() == before
