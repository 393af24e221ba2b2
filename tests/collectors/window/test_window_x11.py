"""Watching real windows on a real X server with a real window manager."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import time
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest

from collectors.collector import LiveCollector, Unavailable
from collectors.idle.presence import Presence
from collectors.window import meetings, x11
from collectors.window.apps import load
from collectors.window.collector import WindowCollector
from collectors.window.spans import BLIP
from desktop_memory.resources import resource
from tests.collectors.watching import watching
from tests.desktop_session import Screen, eventually, managed, need, openbox, screen, xvfb

__all__ = ["openbox", "screen"]
pytestmark = pytest.mark.desktop

BY_X11 = (("X11", x11.connect),)


@pytest.fixture
def collector() -> WindowCollector:
    """A collector to which the windows of this process are as good as any other's."""
    return WindowCollector(
        device="d",
        connects=BY_X11,
        app_names=load(resource("apps.toml")),
        own_pid=-1,
        blip=timedelta(seconds=0.4),
    )


def test_it_is_a_live_collector(collector: WindowCollector):
    assert isinstance(collector, LiveCollector)
    assert collector.source == "window"


def test_focus_and_titles_become_spans_that_meet(openbox: Screen, collector: WindowCollector):
    need("xdotool")
    editor, browser = openbox.window("retry.py", "Gedit"), openbox.window("News", "firefox-esr")
    editor.focus()

    with watching(collector) as watch:
        watch.until_told("retry.py")
        openbox.do("xdotool", "windowactivate", "--sync", str(browser.xid.id))
        watch.until_told("retry.py", "News")
        openbox.do("xdotool", "set_window", "--name", "Weather", str(browser.xid.id))
        browser.title("Weather")
        watch.until_told("retry.py", "News", "Weather")
        assert collector.backend == "X11"

    assert [event.app for event in watch.events] == ["Gedit", "Firefox", "Firefox"]
    assert all(event.kind == "window" and event.source == "window" for event in watch.events)
    assert watch.events[0].details == {"class": "Gedit", "pid": os.getpid()}
    assert not any(event.open for event in watch.events)
    for earlier, later in pairwise(watch.events):
        assert earlier.end == later.start
    assert collector.backend == ""


def test_a_dialog_that_flashes_by_leaves_no_trace(openbox: Screen, collector: WindowCollector):
    collector.blip = BLIP
    editor = openbox.window("retry.py")
    editor.focus()

    with watching(collector) as watch:
        watch.until_told("retry.py")
        dialog = openbox.window("Save?", "Dialog")
        dialog.focus()
        dialog.close()
        editor.focus()
        time.sleep(1)

    assert watch.titles == ["retry.py"]


def test_a_title_that_spins_ten_times_a_second_is_one_event(openbox: Screen, collector: WindowCollector):
    terminal = openbox.window("⠋ make", "Kitty")
    terminal.focus()

    with watching(collector) as watch:
        for step in range(35):
            terminal.title(f"{'⠋⠙⠹⠸'[step % 4]} make ({step})")
            time.sleep(0.1)

    assert len(watch.events) == 1
    assert watch.events[0].end is not None
    assert (watch.events[0].end - watch.events[0].start).total_seconds() > 3


def test_nothing_is_told_of_windows_without_a_name(openbox: Screen, collector: WindowCollector):
    window = openbox.window("", "Blank")
    window.focus()

    with watching(collector) as watch:
        time.sleep(0.6)
        window.title("unknown")
        time.sleep(1)

    assert watch.told == []


@pytest.mark.parametrize(
    ("pid", "app"), [(os.getpid(), "Any"), (-1, "desktop-memory")], ids=["process", "name"]
)
def test_our_own_window_is_not_told_of(openbox: Screen, collector: WindowCollector, pid: int, app: str):
    collector.own_pid = pid
    window = openbox.window("Search", app)
    window.focus()

    with watching(collector) as watch:
        time.sleep(1)

    assert watch.told == []


def test_while_nobody_is_there_nothing_is_told(openbox: Screen, collector: WindowCollector):
    presence = Presence()
    collector.presence = presence
    window = openbox.window("film")
    window.focus()

    with watching(collector) as watch:
        watch.until_told("film")
        left = watch.events[0].start
        presence.leave("locked", left)
        eventually(lambda: not watch.events[0].open)
        window.title("credits")
        time.sleep(1)
        assert watch.titles == ["film"]
        presence.back("locked", collector.clock())
        watch.until_told("film", "credits")

    assert watch.events[0].end == left


def test_when_the_x_server_dies_the_span_is_closed_and_the_watch_says_so(
    home: Path, monkeypatch: pytest.MonkeyPatch, collector: WindowCollector
):
    need("Xvfb", "openbox")
    with contextlib.ExitStack() as later:
        with xvfb() as display:
            monkeypatch.setenv("DISPLAY", display)
            screen = Screen(display)
            later.enter_context(screen.start("openbox", "--sm-disable"))
            eventually(lambda: managed(display))
            screen.window("work").focus()
            watch = later.enter_context(watching(collector))
            watch.until_told("work")
        eventually(lambda: watch.failed)
        screen.close_windows()

    assert isinstance(watch.failed, Unavailable)
    assert [event.open for event in watch.events] == [False]


def test_without_any_desktop_it_is_unavailable_and_says_why(
    monkeypatch: pytest.MonkeyPatch, collector: WindowCollector
):
    monkeypatch.delenv("DISPLAY", raising=False)

    with pytest.raises(Unavailable) as raised:
        collector.watch(lambda event: None, threading.Event())

    assert raised.value.advice
    assert "DISPLAY" in collector.tried["X11"]


ASK_PYWINCTL = """
from collectors.window import pywinctl
backend = pywinctl.connect()
print(backend.front())
"""


def test_the_portable_fallback_sees_the_same(openbox: Screen):
    need("xrandr", "xset")
    one, other = openbox.window("one"), openbox.window("other")
    one.focus()
    other.focus()

    # In a process of its own: PyWinCtl keeps the connections that it opens when it is imported.
    seen = openbox.do(sys.executable, "-c", ASK_PYWINCTL)

    assert "title='other'" in seen
    assert f"pid={os.getpid()}" in seen
    assert f"key='{other.xid.id}'" in seen


TRY_PYWINCTL = """
from collectors.window import pywinctl
try:
    pywinctl.connect()
except Exception as error:
    print(repr(error))
"""


def test_a_fallback_that_leaves_the_program_as_it_is_imported_is_just_unavailable(
    openbox: Screen, monkeypatch: pytest.MonkeyPatch
):
    # Without xrandr in its path PyWinCtl calls sys.exit().
    monkeypatch.setenv("PATH", "/nowhere")
    said = openbox.do(sys.executable, "-c", TRY_PYWINCTL)

    assert "Unavailable('PyWinCtl cannot be loaded: SystemExit')" in said


def test_the_first_desktop_that_works_is_taken_and_why_the_others_could_not_is_kept(openbox: Screen):
    def connect():
        raise Unavailable("There is no sway.", "Log in to sway.")

    collector = WindowCollector(device="d", connects=(("sway", connect), *BY_X11, ("never", connect)))
    with watching(collector):
        eventually(lambda: collector.backend)
        assert collector.backend == "X11"

    assert collector.tried == {"sway": "There is no sway."}


def test_watching_costs_nothing_while_nothing_happens(openbox: Screen, collector: WindowCollector):
    window = openbox.window("still")
    window.focus()

    with watching(collector) as watch:
        watch.until_told("still")
        time.sleep(0.5)
        before, began = time.process_time(), time.monotonic()
        time.sleep(4)
        busy, passed = time.process_time() - before, time.monotonic() - began

    assert busy / passed < 0.005


def test_a_meeting_in_front_is_told_to_the_presence(openbox: Screen, collector: WindowCollector):
    collector.meetings = meetings.load(resource("meetings.toml"))
    call, editor = openbox.window("Zoom Meeting", "zoom"), openbox.window("retry.py")
    call.focus()

    with watching(collector):
        eventually(lambda: collector.presence.engaged)
        editor.focus()
        eventually(lambda: not collector.presence.engaged)
        call.focus()
        eventually(lambda: collector.presence.engaged)

    assert not collector.presence.engaged


def test_a_better_backend_that_starts_later_is_taken_without_a_break(
    openbox: Screen, collector: WindowCollector
):
    ready = threading.Event()

    def better():
        if not ready.is_set():
            raise Unavailable("It has not started yet.", "Wait.")
        backend = x11.connect()
        backend.name = "better"
        return backend

    def partial():
        backend = x11.connect()
        backend.advice = "It does not see everything."
        return backend

    collector.connects, collector.look_for_better = (("better", better), ("partial", partial)), 0.3
    openbox.window("letter").focus()

    with watching(collector) as watch:
        watch.until_told("letter")
        assert collector.backend == "X11"
        assert collector.advice == "It does not see everything. Wait."
        time.sleep(0.5)
        assert collector.backend == "X11"
        ready.set()
        eventually(lambda: collector.backend == "better")
        assert collector.advice == ""
        time.sleep(0.5)

    assert watch.titles == ["letter"]
    assert collector.tried == {}


def test_a_clock_set_forward_adds_no_time(openbox: Screen, collector: WindowCollector):
    ahead = timedelta(0)
    collector.clock = lambda: datetime.now(UTC) + ahead
    window = openbox.window("one")
    window.focus()

    with watching(collector) as watch:
        watch.until_told("one")
        ahead = timedelta(hours=2)
        window.title("two")
        watch.until_told("two")

    lengths = [event.end - event.start for event in watch.events if event.end]
    assert sum(lengths, timedelta(0)) < timedelta(minutes=1)


def test_something_new_in_front_asks_whether_somebody_is_back(openbox: Screen, collector: WindowCollector):
    window = openbox.window("one")
    window.focus()
    looks: list[int] = []

    with collector.presence.asking(lambda: looks.append(1)), watching(collector) as watch:
        watch.until_told("one")
        collector.presence.leave("idle", collector.clock())
        time.sleep(0.3)
        assert looks == []
        window.title("two")
        eventually(lambda: looks)
