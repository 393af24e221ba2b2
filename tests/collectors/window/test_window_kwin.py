"""Watching real windows on a real KWin, by a script within it. Needs kwin-wayland."""

from __future__ import annotations

import contextlib
import time
from datetime import timedelta

import pytest

from collectors.bus import Bus
from collectors.collector import Unavailable
from collectors.idle import wayland
from collectors.wayland import Wayland
from collectors.window import kwin as backend
from collectors.window.collector import WindowCollector
from tests.collectors.watching import watching
from tests.desktop_session import bus, eventually, need
from tests.wayland_session import headless_kwin, kwin, kwin_takes_scripts, shown

__all__ = ["bus", "kwin"]
pytestmark = pytest.mark.desktop


@pytest.fixture
def collector() -> WindowCollector:
    connects = (("KWin", backend.connect),)
    return WindowCollector(device="d", connects=connects, own_pid=-1, blip=timedelta(seconds=0.3))


def test_focus_titles_and_no_window_at_all(kwin: None, collector: WindowCollector):
    with watching(collector) as watch, shown("retry.py", "gedit") as editor:
        watch.until_told("retry.py")
        with shown("News 日本語", "org.mozilla.firefox") as browser:
            watch.until_told("retry.py", "News 日本語")
            browser.title("Weather")
            browser.wayland.round_trip()
            watch.until_told("News 日本語", "Weather")
        watch.until_told("Weather", "retry.py")
        editor.close()
        eventually(lambda: not watch.events[-1].open)
        assert collector.backend == "KWin"

    assert [event.app for event in watch.events] == ["Gedit", "Firefox", "Firefox", "Gedit"]


def test_a_window_that_does_not_answer_keeps_its_title(kwin: None, collector: WindowCollector):
    """KWin asks a window that comes to the front whether it lives; these never answer."""
    with watching(collector) as watch, shown("letter", "gedit"):
        watch.until_told("letter")
        with shown("other", "kate"):
            watch.until_told("letter", "other")
            time.sleep(3)
        watch.until_told("other", "letter")


def test_two_windows_of_one_title_are_not_numbered(kwin: None, collector: WindowCollector):
    with watching(collector) as watch, shown("letter", "gedit"), shown("letter", "kate"):
        eventually(lambda: len(watch.events) >= 1 and watch.events[-1].app == "Kate")

    assert set(watch.titles) == {"letter"}


def test_the_script_is_gone_afterwards_and_one_left_behind_is_replaced(kwin: None):
    asked = Bus("session")

    def loaded() -> bool:
        name = "desktop-memory-front"
        return bool(
            asked.call("org.kde.KWin", "/Scripting", "org.kde.kwin.Scripting.isScriptLoaded", "s", name)[0]
        )

    crashed = backend.connect()
    crashed._bus.close()
    assert loaded()
    second = backend.connect()
    with shown("letter", "gedit"):
        eventually(lambda: (front := second.front()) and front.title == "letter")
    second.close()
    assert not loaded()
    asked.close()


def test_when_kwin_ends_the_watch_says_so(
    bus: str, monkeypatch: pytest.MonkeyPatch, collector: WindowCollector
):
    need("kwin_wayland")
    with contextlib.ExitStack() as later:
        with headless_kwin() as runtime:
            monkeypatch.setenv("XDG_RUNTIME_DIR", str(runtime))
            monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-k")
            eventually(kwin_takes_scripts, 20)
            watch = later.enter_context(watching(collector))
            eventually(lambda: collector.backend)
        eventually(lambda: watch.failed)

    assert isinstance(watch.failed, Unavailable)


def test_idle_time_counts_from_the_last_move_of_the_pointer(kwin: None):
    pointer = Wayland()
    fake = pointer.bind("org_kde_kwin_fake_input", 4)
    pointer.request(fake, 0, "test", "moves the pointer")
    idle = wayland.connect(quiet_seconds=0.3)

    assert idle.name == "ext-idle-notify"
    eventually(lambda: idle.idle() > 1)
    pointer.request(fake, 1, 5 << 8, 5 << 8)
    pointer.round_trip()
    moved = time.monotonic()
    eventually(lambda: idle.idle() == 0.0)
    eventually(lambda: idle.idle() > 0.5)
    assert 0.3 < time.monotonic() - moved < 1
    idle.close()
    pointer.close()
