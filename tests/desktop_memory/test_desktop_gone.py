"""The desktop goes and comes back under a recorder that runs: its windows are seen again by themselves."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from collectors.window import sway as sway_backend
from collectors.window import x11
from collectors.window.backend import Connect
from collectors.window.collector import WindowCollector
from desktop_memory import clock
from desktop_memory import engine as engine_module
from desktop_memory.engine import Engine
from desktop_memory.memory import Memory
from desktop_memory.model import Query
from desktop_memory.store.store import Store
from tests.desktop_session import Screen, eventually, managed, need, running
from tests.stubs import memory_over
from tests.wayland_session import headless_sway

pytestmark = pytest.mark.desktop


class Recorder:
    """An engine that watches windows by one backend, and what its memory holds."""

    def __init__(self, store: Store, name: str, connect: Connect) -> None:
        self.store = store
        self.memory: Memory = memory_over(store, clock.clock)
        source = WindowCollector(device="d", connects=((name, connect),), own_pid=-1)
        self.engine = Engine(self.memory, store, [source], poll_seconds=0.2, clock=clock.clock)

    def watches(self) -> bool:
        return bool(self.engine.live()["window"]["watching"])

    def knows(self, title: str) -> bool:
        return any(event.title == title for event in self.store.between(None, None, query=Query()))

    def says_why_not(self) -> bool:
        state = self.engine.live()["window"]
        states = [place.state for place in self.memory.places()]
        return not state["watching"] and bool(state["advice"]) and states == ["unavailable"]


@contextlib.contextmanager
def recorder(home: Path, name: str, connect: Connect) -> Iterator[Recorder]:
    store = Store.open(home / "memory", clock=clock.clock)
    made = Recorder(store, name, connect)
    made.engine.start()
    try:
        yield made
    finally:
        made.engine.stop()
        store.close()


@pytest.fixture(autouse=True)
def tried_again_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_module, "_RESTART_LIVE_SECONDS", 0.2)


@contextlib.contextmanager
def x_server(display: str) -> Iterator[Screen]:
    """An X server with a window manager on this very display."""
    socket = Path(f"/tmp/.X11-unix/X{display[1:]}")
    with running("Xvfb", display, "-screen", "0", "640x480x24", "-nolisten", "tcp", "-noreset"):
        eventually(socket.exists, what="no X server")
        screen = Screen(display)
        with screen.start("openbox", "--sm-disable"):
            eventually(lambda: managed(display), what="openbox did not start")
            yield screen
            screen.close_windows()
    eventually(lambda: not socket.exists())


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
# python-xlib leaves the socket of a server that refuses to the garbage collector.
def test_an_x_server_that_ends_and_comes_back_is_watched_again(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    need("Xvfb", "openbox")
    display = f":{700 + os.getpid() % 200}"
    monkeypatch.setenv("DISPLAY", display)
    monkeypatch.delenv("XAUTHORITY", raising=False)
    with recorder(home, "X11", x11.connect) as made:
        for title in ("before", "after"):
            with x_server(display) as screen:
                eventually(made.watches, what="the X server is not watched")
                screen.window(title).focus()
                eventually(lambda title=title: made.knows(title))
            eventually(made.says_why_not)


def test_a_compositor_that_ends_and_comes_back_is_watched_again(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    need("sway", "swaymsg")
    monkeypatch.delenv("DISPLAY", raising=False)
    with recorder(home, "sway", sway_backend.connect) as made:
        for title in ("before", "after"):
            with headless_sway() as session:
                monkeypatch.setenv("XDG_RUNTIME_DIR", str(session.runtime))
                monkeypatch.setenv("WAYLAND_DISPLAY", session.display)
                monkeypatch.setenv("SWAYSOCK", session.socket)
                eventually(made.watches, what="the compositor is not watched")
                session.window(title)
                eventually(lambda title=title: made.knows(title))
            eventually(made.says_why_not)
