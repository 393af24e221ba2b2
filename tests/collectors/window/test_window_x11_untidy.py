"""Windows, properties and displays that are not as they should be."""

from __future__ import annotations

import gc
import socket
import time
from datetime import timedelta
from pathlib import Path

import pytest

from collectors.collector import Unavailable
from collectors.window import x11
from collectors.window.collector import WindowCollector
from tests.collectors.watching import watching
from tests.desktop_session import Screen, eventually, openbox, screen

__all__ = ["openbox", "screen"]
pytestmark = pytest.mark.desktop


@pytest.fixture
def collector() -> WindowCollector:
    connects = (("X11", x11.connect),)
    return WindowCollector(device="d", connects=connects, own_pid=-1, blip=timedelta(seconds=0.4))


@pytest.mark.parametrize(
    ("title", "kept"),
    [
        (b"caf\xe9 menu", "caf\ufffd menu"),
        (b"half \xed\xa0\x80 bell\x07", "half"),
        ("日本語 😀 ă".encode(), "日本語 😀 ă"),
        (b"x" * 250_000, "x" * 1000),
    ],
)
def test_untidy_titles_are_kept_as_far_as_they_can_be(
    openbox: Screen, collector: WindowCollector, title: bytes, kept: str
):
    window = openbox.window("before")
    window.focus()

    with watching(collector) as watch:
        window.title(title)
        eventually(lambda: watch.titles)

    assert watch.titles[-1].startswith(kept)
    watch.titles[-1].encode("utf-8")


def test_an_old_program_names_its_window_in_latin_1(openbox: Screen, collector: WindowCollector):
    from Xlib import Xatom

    window = openbox.window("new")
    window.xid.delete_property(window.connection.get_atom("_NET_WM_NAME"))
    window.xid.change_property(Xatom.WM_NAME, Xatom.STRING, 8, b"caf\xe9")
    window.focus()

    with watching(collector) as watch:
        watch.until_told("café")


def test_a_window_that_closes_ends_although_the_window_manager_goes_on_naming_it(
    openbox: Screen, collector: WindowCollector
):
    """openbox leaves the last window in _NET_ACTIVE_WINDOW, and the X server gives its number to the next program."""
    window = openbox.window("first")
    window.focus()

    with watching(collector) as watch:
        watch.until_told("first")
        window.close()
        eventually(lambda: not watch.events[-1].open, within=5, what="it stays in front")
        again = openbox.window("second")
        assert again.xid.id == window.xid.id
        again.focus()
        watch.until_told("second")
        again.title("third")
        watch.until_told("third")


def test_a_root_window_that_names_what_is_not_there_is_survived(screen: Screen, collector: WindowCollector):
    """No window manager here: the test itself says which window is in front."""
    from Xlib import Xatom

    window = screen.window("real")
    root, atom = window.connection.screen().root, window.connection.get_atom("_NET_ACTIVE_WINDOW")

    def in_front(kind: int, size: int, value: list[int] | bytes) -> None:
        root.change_property(atom, kind, size, value)
        window.connection.sync()
        time.sleep(0.3)

    with watching(collector) as watch:
        in_front(Xatom.WINDOW, 32, [0x7FFFFFF])
        in_front(Xatom.STRING, 8, b"nonsense")
        in_front(Xatom.WINDOW, 32, [])
        in_front(Xatom.WINDOW, 32, [root.id])
        in_front(Xatom.WINDOW, 32, [window.xid.id])
        watch.until_told("real")

    assert watch.failed is None


@pytest.mark.parametrize(
    ("name", "kind", "size", "value"),
    [
        ("WM_CLASS", "STRING", 8, b"\xff\xfe"),
        ("WM_CLASS", "STRING", 8, b""),
        ("WM_CLASS", "CARDINAL", 32, [1, 2]),
        ("_NET_WM_PID", "CARDINAL", 32, [0xFFFFFFFF]),
        ("_NET_WM_PID", "STRING", 8, b"12"),
        ("_NET_WM_NAME", "CARDINAL", 32, [7]),
        ("_NET_WM_NAME", "COMPOUND_TEXT", 8, b"\x1b%Gcaf\xc3\xa9"),
    ],
)
def test_properties_of_any_shape_are_survived(
    openbox: Screen, collector: WindowCollector, name: str, kind: str, size: int, value: list[int] | bytes
):
    window = openbox.window("before")
    window.focus()

    with watching(collector) as watch:
        window._property(name, kind, size, value)
        window.connection.sync()
        time.sleep(0.3)
        window.title("after")
        watch.until_told("after")

    assert watch.failed is None


def test_a_broken_authority_file_keeps_nobody_out(
    screen: Screen, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    broken = tmp_path / "Xauthority"
    broken.write_bytes(b"\x01\x00\x00\xff\x00")
    monkeypatch.setenv("XAUTHORITY", str(broken))

    backend = x11.connect()
    front = backend.front()
    backend.close()

    assert front is None


@pytest.mark.filterwarnings(
    "ignore::pytest.PytestUnraisableExceptionWarning"
)  # python-xlib leaves its socket open
@pytest.mark.parametrize("display", ["nonsense", ":99999", "host.invalid:0", ":98"])
def test_a_display_that_is_not_there_is_a_stated_problem(monkeypatch: pytest.MonkeyPatch, display: str):
    monkeypatch.setenv("DISPLAY", display)

    with pytest.raises(Unavailable) as raised:
        x11.connect()
    advice = raised.value.advice
    del raised
    gc.collect()

    assert advice


def test_a_local_server_that_is_gone_is_not_sought_in_the_network(monkeypatch: pytest.MonkeyPatch):
    asked: list[int] = []

    class Sockets(socket.socket):
        def connect(self, address: object) -> None:
            asked.append(self.family)
            self.close()
            raise ConnectionRefusedError

    monkeypatch.setattr("Xlib.support.unix_connect.socket.socket", Sockets)
    monkeypatch.setenv("DISPLAY", ":797")

    with pytest.raises(Unavailable):
        x11.connect()

    assert asked == [socket.AF_UNIX]
