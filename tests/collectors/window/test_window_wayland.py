"""Watching real windows on a real sway, by its own IPC and by the protocol it shares with other compositors."""

from __future__ import annotations

import json
import os
import socket
import struct
import threading
import time
from datetime import timedelta
from itertools import pairwise
from pathlib import Path

import pytest

from collectors.collector import Unavailable
from collectors.window import sway as sway_ipc
from collectors.window import wlroots
from collectors.window.collector import WindowCollector
from tests.collectors.watching import watching
from tests.desktop_session import eventually
from tests.wayland_session import Sway, headless_sway, sway

__all__ = ["sway"]
pytestmark = pytest.mark.desktop

WAYS = {"sway": sway_ipc.connect, "wlroots": wlroots.connect}


@pytest.fixture(params=list(WAYS))
def collector(request: pytest.FixtureRequest) -> WindowCollector:
    way = request.param
    return WindowCollector(device="d", connects=((way, WAYS[way]),), own_pid=-1, blip=timedelta(seconds=0.3))


def test_focus_titles_and_an_empty_workspace(sway: Sway, collector: WindowCollector):
    editor = sway.window("retry.py", "gedit")

    with watching(collector) as watch:
        watch.until_told("retry.py")
        assert collector.backend == collector.connects[0][0]
        browser = sway.window("News 日本語", "org.mozilla.firefox")
        watch.until_told("retry.py", "News 日本語")
        browser.title("Weather")
        browser.wayland.round_trip()
        watch.until_told("retry.py", "News 日本語", "Weather")
        editor.title("not in front")
        editor.wayland.round_trip()
        sway.do("[app_id=gedit] focus")
        watch.until_told("Weather", "not in front")
        sway.do("workspace 2")
        eventually(lambda: not watch.events[-1].open)

    assert [event.app for event in watch.events] == ["Gedit", "Firefox", "Firefox", "Gedit"]
    for earlier, later in pairwise(watch.events):
        assert earlier.end == later.start


def test_closing_the_last_window_ends_its_span(sway: Sway, collector: WindowCollector):
    window = sway.window("letter")

    with watching(collector) as watch:
        watch.until_told("letter")
        window.close()
        closed = collector.clock()
        eventually(lambda: not watch.events[0].open)

    assert watch.events[0].end is not None
    assert abs(watch.events[0].end - closed) < timedelta(seconds=1)


def test_watching_costs_nothing_while_nothing_happens(sway: Sway, collector: WindowCollector):
    sway.window("still")

    with watching(collector) as watch:
        watch.until_told("still")
        time.sleep(0.5)
        before, began = time.process_time(), time.monotonic()
        time.sleep(2)
        busy, passed = time.process_time() - before, time.monotonic() - began

    assert busy / passed < 0.005


@pytest.mark.parametrize("way", list(WAYS))
def test_when_the_compositor_ends_the_watch_says_so(way: str, monkeypatch: pytest.MonkeyPatch):
    with headless_sway() as session:
        monkeypatch.setenv("XDG_RUNTIME_DIR", str(session.runtime))
        monkeypatch.setenv("WAYLAND_DISPLAY", session.display)
        monkeypatch.setenv("SWAYSOCK", session.socket)
        backend = WAYS[way]()
        collector = WindowCollector(device="d", connects=((way, lambda: backend),), own_pid=-1)
        context = watching(collector)
        watch = context.__enter__()
        eventually(lambda: collector.backend)
    eventually(lambda: watch.failed)
    context.__exit__(None, None, None)

    assert isinstance(watch.failed, Unavailable)


def test_without_wayland_both_say_why(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    for variable in ("WAYLAND_DISPLAY", "SWAYSOCK", "I3SOCK", "XDG_RUNTIME_DIR"):
        monkeypatch.delenv(variable, raising=False)
    for connect in WAYS.values():
        with pytest.raises(Unavailable):
            connect()

    monkeypatch.setenv("WAYLAND_DISPLAY", str(tmp_path / "gone"))
    monkeypatch.setenv("SWAYSOCK", str(tmp_path / "gone"))
    for connect in WAYS.values():
        with pytest.raises(Unavailable):
            connect()


def test_a_session_without_the_variable_is_found_by_its_socket(sway: Sway, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("SWAYSOCK")
    sway.window("found")

    backend = sway_ipc.connect()
    front = backend.front()
    backend.close()

    assert front is not None
    assert front.title == "found"
    assert front.pid == os.getpid()


@pytest.mark.parametrize(
    "said", [b"HTTP/1.1 400 Bad Request\r\n\r\n", b"i3-ipc\xff\xff\xff\xff\x02\0\0\0", b""]
)
def test_something_else_behind_the_socket_is_not_taken_for_sway(
    said: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    path = tmp_path / "s"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen()
        monkeypatch.setenv("SWAYSOCK", str(path))

        def serve() -> None:
            connection, _ = listener.accept()
            with connection:
                connection.recv(100)
                connection.sendall(said)

        thread = threading.Thread(target=serve, name="not sway")
        thread.start()
        with pytest.raises(Unavailable):
            sway_ipc.connect()
        thread.join()


def test_the_focus_is_found_wherever_it_is_in_the_tree():
    window = {"focused": True, "pid": 7, "name": "deep", "nodes": [], "floating_nodes": []}
    tree = {"nodes": [{"focused": False, "nodes": [], "floating_nodes": [{"nodes": [window]}]}]}

    assert sway_ipc.focused(tree) == window
    assert sway_ipc.focused({"focused": True, "type": "workspace", "nodes": []}) is None
    assert sway_ipc.focused({"nodes": [{"focused": True, "window": 4194, "name": "i3"}]}) is not None


def test_a_message_that_comes_in_pieces_is_read_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def message(kind: int, value: object) -> bytes:
        payload = json.dumps(value).encode()
        return struct.pack("=6sII", b"i3-ipc", len(payload), kind) + payload

    ours, its = socket.socketpair()

    def serve() -> None:
        its.recv(100)
        its.sendall(message(2, {"success": True}))
        its.recv(100)
        its.sendall(message(1 << 31 | 3, {"change": "new"}) + message(4, {"nodes": []}))

    thread = threading.Thread(target=serve, name="sway")
    thread.start()
    backend = sway_ipc.Sway(ours)
    thread.join()
    event = message(1 << 31 | 3, {"change": "focus", "container": {"id": 1, "name": "slow", "pid": 9}})
    assert backend.front() is None
    its.sendall(event[:7])
    assert backend.front() is None
    its.sendall(event[7:30])
    assert backend.front() is None
    its.sendall(event[30:])
    front = backend.front()
    backend.close()
    its.close()

    assert front is not None
    assert front.title == "slow"
