"""A real Chromium on a real X server: what its private window showed is nowhere, though no title of it says so."""

from __future__ import annotations

import os
import subprocess
import time
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from collectors.event import Event
from collectors.window import x11
from collectors.window.apps import load
from collectors.window.collector import WindowCollector
from desktop_memory.pipeline.default_lists import begins_private
from desktop_memory.resources import resource
from desktop_memory.store.store import Store
from tests.collectors.browser.real_browsers import program
from tests.collectors.watching import watching
from tests.desktop_session import Screen, eventually, openbox, running, screen
from tests.stubs import memory_over

__all__ = ["openbox", "screen"]
pytestmark = [pytest.mark.desktop, pytest.mark.browser]

FLAGS = ("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-sync", "--disable-dev-shm-usage")


def now() -> datetime:
    return datetime.now(UTC)


def test_a_private_window_of_chromium_leaves_nothing(openbox: Screen, home: Path, tmp_path: Path) -> None:
    windows = WindowCollector(
        device="d",
        connects=(("X11", x11.connect),),
        app_names=load(resource("apps.toml")),
        begins_private=begins_private,
        blip=timedelta(seconds=0.3),
    )
    command = (program("chromium"), *FLAGS, f"--user-data-dir={home}/chromium")
    store = Store.open(tmp_path / "data", clock=now)
    memory = memory_over(store, now)

    with (
        watching(windows) as watch,
        running(*command, "data:text/html,<title>Open heron</title>", env=dict(os.environ)),
    ):

        def in_front() -> str:
            with suppress(subprocess.CalledProcessError):  # no window at all
                return openbox.do("xdotool", "getactivewindow", "getwindowname")
            return ""

        def shows(title: str) -> bool:
            openbox.do("xdotool", "key", "ctrl+l")
            openbox.do("xdotool", "type", f"data:text/html,<title>{title}</title>")
            openbox.do("xdotool", "key", "Return")
            time.sleep(1.0)  # longer than what is passed over
            return title in in_front()

        eventually(lambda: "Open heron" in in_front(), 40)
        openbox.do("xdotool", "key", "ctrl+shift+n")
        eventually(lambda: "Incognito" in in_front(), 20)
        eventually(lambda: shows("Hidden quagga"), 20)
        eventually(lambda: shows("Hidden zebra"), 20)
        openbox.do("xdotool", "key", "ctrl+shift+w")
        eventually(lambda: "Open heron" in in_front(), 20)
        time.sleep(0.8)
    told = [event for event in watch.events if isinstance(event, Event) and "Hidden" in event.title]
    memory.remember(watch.events)
    store.close()

    assert {event.private for event in told} == {True}
    kept = b"".join(path.read_bytes() for path in (tmp_path / "data").rglob("*") if path.is_file())
    assert b"Open heron" in kept
    assert b"quagga" not in kept
    assert b"zebra" not in kept
    assert "strict choice" in windows.advice
