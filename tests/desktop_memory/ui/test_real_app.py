"""The whole app on a real desktop: what happens in a window is found by a key and stands on the clipboard."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from Xlib.display import Display

from tests.desktop_memory.ui.test_real_desktop import POPUP, paste
from tests.desktop_session import Screen, bus, desktop, eventually, need, openbox, screen  # noqa: F401

pytestmark = pytest.mark.desktop

CHECKOUT = Path(__file__).parents[3]
APP = (sys.executable, "-m", "desktop_memory")


@contextlib.contextmanager
def app(home: Path, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """`desktop-memory run`, ended as a session manager ends it."""
    process = subprocess.Popen(
        [*APP, "run", *arguments], cwd=CHECKOUT, env=environment(home), stderr=subprocess.PIPE, text=True
    )
    try:
        yield process
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) == 0
    finally:
        process.kill()
        _, errors = process.communicate(timeout=5)
    assert "Traceback" not in errors, errors


def environment(home: Path) -> dict[str, str]:
    runtime = home / "runtime"
    runtime.mkdir(mode=0o700, exist_ok=True)
    env = dict(os.environ, QT_QPA_PLATFORM="xcb", XDG_RUNTIME_DIR=str(runtime))
    env.pop("WAYLAND_DISPLAY", None)
    return env


def tray_icon(display: str) -> bool:
    """Whether a tray holds a window of ours."""
    connection = Display(display)
    try:
        wanted = connection.intern_atom("_XEMBED_INFO")

        def inside(window: object) -> bool:
            for child in window.query_tree().children:  # type: ignore[attr-defined]
                with contextlib.suppress(Exception):
                    name = child.get_wm_class() or ()
                    if "desktop-memory" in name and child.get_full_property(wanted, 0) is not None:
                        return child.get_attributes().map_state == 2
                    if inside(child):
                        return True
            return False

        return inside(connection.screen().root)
    finally:
        connection.close()


def watching(home: Path) -> bool:
    """Whether the app says that it sees the window in front."""
    told = subprocess.run(
        [*APP, "status", "--json"],
        cwd=CHECKOUT,
        env=environment(home),
        capture_output=True,
        text=True,
        timeout=30,
    )
    return bool(json.loads(told.stdout).get("live", {}).get("window", {}).get("watching"))


def active(display: Screen) -> str:
    with contextlib.suppress(subprocess.CalledProcessError):
        return display.do("xdotool", "getactivewindow", "getwindowname")
    return ""


def test_what_was_in_front_is_found_by_the_hotkey_and_copied(desktop: Screen, home: Path) -> None:  # noqa: F811
    need("xdotool", "xclip")
    began = time.monotonic()
    with app(home, "--background"):
        eventually(lambda: tray_icon(desktop.display), within=30, what="no tray icon appeared")
        print("tray_seconds", round(time.monotonic() - began, 2))
        eventually(lambda: watching(home), within=30, what="the window in front is not watched")
        window = desktop.window("quarterly zebra figures.ods", app="Calc")
        window.focus()
        time.sleep(2.5)
        window.title("another sheet.ods")
        time.sleep(1.5)

        desktop.do("xdotool", "key", "ctrl+alt+z")
        eventually(lambda: active(desktop) == POPUP, what="the hotkey did not open the search")
        desktop.do("xdotool", "type", "zebra")
        time.sleep(1.5)
        desktop.do("xdotool", "key", "ctrl+c")

        eventually(lambda: "quarterly zebra figures.ods" in paste(desktop), what="the window was not found")
        desktop.do("xdotool", "key", "ctrl+shift+c")
        eventually(lambda: "End of ctx-" in paste(desktop), what="no context was copied")
        assert "quarterly zebra figures.ods" in paste(desktop)
        window.close()


def toast(display: Screen) -> list[int]:
    """Place and size of the message in the corner; empty while there is none."""
    with contextlib.suppress(subprocess.CalledProcessError):
        (window,) = display.do("xdotool", "search", "--onlyvisible", "--name", "^Desktop Memory$").split()
        said = display.do("xdotool", "getwindowgeometry", "--shell", window)
        values = dict(line.split("=") for line in said.splitlines())
        return [int(values[name]) for name in ("X", "Y", "WIDTH", "HEIGHT")]
    return []


def both_keys_taken(data: Path) -> bool:
    log = data / "log.txt"
    return log.exists() and log.read_text().count("the hotkey comes by") == 2


def test_the_second_key_copies_without_opening_anything(desktop: Screen, home: Path) -> None:  # noqa: F811
    need("xdotool", "xclip")
    data = home / "data"
    data.mkdir()
    (data / "settings.toml").write_text('[desktop]\ncopy_hotkey = "Ctrl+Alt+X"\n')
    editor = desktop.window("notes.txt")
    with app(home, "--home", str(data), "--background"):
        eventually(lambda: both_keys_taken(data), within=30, what="the keys were not taken")
        told = subprocess.run(
            [*APP, "--home", str(data), "note", "walk the zebra"],
            cwd=CHECKOUT,
            env=environment(home),
            timeout=30,
        )
        assert told.returncode == 0
        editor.focus()
        desktop.do("sh", "-c", "printf mine | xclip -selection clipboard >/dev/null 2>&1")
        desktop.do("xdotool", "key", "ctrl+alt+x")

        eventually(lambda: paste(desktop).startswith("# Last 15 minutes"), what="nothing was copied")
        assert "walk the zebra" in paste(desktop)
        assert active(desktop) == "notes.txt"
        desktop.do("xdotool", "key", "ctrl+alt+x")
        eventually(lambda: paste(desktop).startswith("# Last 60 minutes"), what="it did not widen")
        x, y, _, height = eventually(lambda: toast(desktop), what="nothing was said")
        assert active(desktop) == "notes.txt"
        desktop.do("xdotool", "mousemove", str(x + 190), str(y + height - 28), "click", "1")

        eventually(lambda: paste(desktop) == "mine", what="the clipboard was not put back")
    editor.close()


def test_a_second_start_raises_the_first(desktop: Screen, home: Path) -> None:  # noqa: F811
    with app(home, "--background"):
        eventually(lambda: tray_icon(desktop.display), within=30)

        second = subprocess.run([*APP, "run"], cwd=CHECKOUT, env=environment(home), timeout=30)

        assert second.returncode == 0
        eventually(lambda: active(desktop) == "Desktop Memory", what="the window did not come up")
        subprocess.run([*APP, "popup"], cwd=CHECKOUT, env=environment(home), timeout=30, check=True)
        eventually(lambda: active(desktop) == POPUP, what="popup did not open the search")


def test_two_starts_at_once_are_one_app(desktop: Screen, home: Path) -> None:  # noqa: F811
    both = [subprocess.Popen([*APP, "run"], cwd=CHECKOUT, env=environment(home)) for _ in range(2)]
    try:
        eventually(lambda: any(one.poll() is not None for one in both), within=40, what="both stay")
        eventually(lambda: active(desktop) == "Desktop Memory", within=30)

        assert sorted(str(one.poll()) for one in both) == ["0", "None"]
        shown = desktop.do("xdotool", "search", "--onlyvisible", "--name", "^Desktop Memory$").split()
        assert len(shown) == 1
    finally:
        for one in both:
            one.terminate()
            one.wait(20)


def test_a_taken_hotkey_does_not_stop_the_app(desktop: Screen, home: Path) -> None:  # noqa: F811
    from Xlib import XK, X

    other = Display(desktop.display)
    key = other.keysym_to_keycode(XK.string_to_keysym("z"))
    other.screen().root.grab_key(key, X.ControlMask | X.Mod1Mask, True, X.GrabModeAsync, X.GrabModeAsync)
    other.sync()
    with app(home):
        eventually(lambda: active(desktop) == "Desktop Memory", within=30)
    other.close()


def test_a_damaged_store_is_said_in_a_window(desktop: Screen, home: Path) -> None:  # noqa: F811
    folder = home / "memory"
    folder.mkdir(mode=0o700)
    (folder / "memory.sqlite").write_bytes(b"this is no database" * 1000)
    process = subprocess.Popen(
        [*APP, "run"], cwd=CHECKOUT, env=environment(home), stderr=subprocess.PIPE, text=True
    )
    try:
        eventually(lambda: active(desktop) == "Desktop Memory", within=30)
        desktop.do("xdotool", "key", "Return")
        _, said = process.communicate(timeout=20)
    finally:
        process.kill()
        process.wait()
    assert process.returncode == 1
    assert said.strip()
    assert "Traceback" not in said
    assert (folder / "memory.sqlite").read_bytes().startswith(b"this is no database")
