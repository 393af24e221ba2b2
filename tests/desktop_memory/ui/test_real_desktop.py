"""The screens on a real X server with a window manager and a tray, driven by keys and mouse."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import pytest

from tests.desktop_session import Screen, bus, desktop, eventually, need, openbox, screen, tray_hosted  # noqa: F401

pytestmark = pytest.mark.desktop

CHECKOUT = Path(__file__).parents[3]


class Staged:
    """The staged program, and what it said."""

    def __init__(self, process: subprocess.Popen[str], display: Screen) -> None:
        self._process = process
        self.screen = display
        assert process.stdin is not None
        assert process.stdout is not None
        self._in: IO[str] = process.stdin
        self._out: IO[str] = process.stdout

    def tell(self, word: str) -> None:
        self._in.write(f"{word}\n")
        self._in.flush()

    def heard(self) -> str:
        return self._out.readline().strip()

    def active(self) -> str:
        with contextlib.suppress(subprocess.CalledProcessError):
            return self.screen.do("xdotool", "getactivewindow", "getwindowname")
        return ""

    def in_front(self, title: str) -> None:
        eventually(lambda: self.active() == title, what=f"{title} did not come to the front: {self.active()}")

    def mapped(self, title: str) -> bool:
        with contextlib.suppress(subprocess.CalledProcessError):
            return bool(self.screen.do("xdotool", "search", "--onlyvisible", "--name", title))
        return False

    def gone(self, title: str) -> None:
        eventually(lambda: not self.mapped(title), what=f"{title} is still there")


@contextlib.contextmanager
def staged(display: Screen, home: Path, show: str = "") -> Iterator[Staged]:
    env = dict(os.environ, QT_QPA_PLATFORM="xcb", QT_LOGGING_RULES="*.debug=false", BROWSER="true")
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.desktop_memory.ui.staged", str(home), show],
        cwd=CHECKOUT, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        yield Staged(process, display)
        process.stdin.write("quit\n")  # type: ignore[union-attr]
        process.stdin.flush()  # type: ignore[union-attr]
        assert process.wait(10) == 0
    finally:
        process.kill()
        _, errors = process.communicate(timeout=5)
    assert "Traceback" not in errors


POPUP = "Search Desktop Memory"


def paste(display: Screen) -> str:
    return display.do("xclip", "-o", "-selection", "clipboard")


def test_the_popup_takes_the_keyboard_and_gives_it_back(desktop: Screen, home: Path) -> None:  # noqa: F811
    need("xdotool")
    editor = desktop.window("notes.txt")
    editor.focus()
    with staged(desktop, home) as app:
        assert app.heard() == "tray"
        app.in_front("notes.txt")

        for _ in range(20):
            app.tell("search")
            app.in_front(POPUP)
            desktop.do("xdotool", "key", "Escape")
            app.in_front("notes.txt")
            app.gone(POPUP)
    editor.close()


def test_a_click_elsewhere_hides_the_popup(desktop: Screen, home: Path) -> None:  # noqa: F811
    editor = desktop.window("notes.txt")
    editor.focus()
    with staged(desktop, home) as app:
        app.heard()
        app.tell("search")
        app.in_front(POPUP)

        editor.focus()

        app.gone(POPUP)
    editor.close()


def test_typed_words_find_and_the_keys_copy(desktop: Screen, home: Path) -> None:  # noqa: F811
    need("xclip")
    with staged(desktop, home) as app:
        app.heard()
        app.tell("search")
        app.in_front(POPUP)
        desktop.do("xdotool", "type", "duplicate")
        time.sleep(0.6)

        desktop.do("xdotool", "key", "ctrl+c")
        eventually(lambda: paste(desktop).startswith("told: 09:51 · LED-731 Duplicate"))
        desktop.do("xdotool", "key", "ctrl+shift+c")
        eventually(lambda: "End of ctx" in paste(desktop))

        app.gone(POPUP)


def test_hotkey_enter_done(desktop: Screen, home: Path) -> None:  # noqa: F811
    need("xclip")
    with staged(desktop, home) as app:
        app.heard()
        app.tell("search")
        app.in_front(POPUP)

        desktop.do("xdotool", "key", "Return")

        app.gone(POPUP)
        assert paste(desktop).startswith("# Last 15 minutes · billing-api")


def test_the_popup_is_in_no_task_bar(desktop: Screen, home: Path) -> None:  # noqa: F811
    need("xprop")
    with staged(desktop, home) as app:
        app.heard()
        for _ in range(2):
            app.tell("search")
            app.in_front(POPUP)
            for state in ("SKIP_TASKBAR", "ABOVE"):
                eventually(lambda s=state: s in desktop.do("xprop", "-name", POPUP, "_NET_WM_STATE"))
            desktop.do("xdotool", "key", "Escape")
            app.gone(POPUP)


def test_the_window_comes_up_and_hides(desktop: Screen, home: Path) -> None:  # noqa: F811
    with staged(desktop, home, "window") as app:
        assert app.heard() == "tray"
        app.in_front("Desktop Memory")

        desktop.do("xdotool", "key", "ctrl+w")
        app.gone("^Desktop Memory$")
        app.tell("window")

        app.in_front("Desktop Memory")


def test_without_a_tray_the_window_opens_and_a_late_tray_is_adopted(openbox: Screen, home: Path) -> None:  # noqa: F811
    need("tint2")
    with staged(openbox, home) as app:
        assert app.heard() == "no tray"
        app.in_front("Desktop Memory")
        config = home / "tint2rc"
        config.write_text("panel_items = TSC\npanel_size = 100% 30\n")

        with openbox.start("tint2", "-c", str(config)):
            eventually(lambda: tray_hosted(openbox.display))

            assert app.heard() == "tray appeared"
            app.tell("quit")


def test_the_tray_is_there_soon(desktop: Screen, home: Path) -> None:  # noqa: F811
    began = time.monotonic()
    with staged(desktop, home) as app:
        app.heard()
        taken = time.monotonic() - began
    print("tray_seconds", round(taken, 2))
    assert taken < 8
