"""A real Firefox in front on a real X server: its window and its visits are one thing in the memory."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from collectors.browser.firefox import Firefox
from collectors.window import x11
from collectors.window.apps import load
from collectors.window.collector import WindowCollector
from desktop_memory.memory import Memory
from desktop_memory.model import Query
from desktop_memory.resources import resource
from desktop_memory.store.store import Store
from tests.collectors.browser import real_browsers
from tests.collectors.browser.test_browser_real import read_until
from tests.collectors.watching import watching
from tests.desktop_session import Screen, openbox, screen
from tests.stubs import memory_over

__all__ = ["openbox", "screen"]
pytestmark = [pytest.mark.desktop, pytest.mark.browser]

OTHER_DEVICES = """
    const { PlacesUtils } = ChromeUtils.importESModule("resource://gre/modules/PlacesUtils.sys.mjs");
    PlacesUtils.history.insertMany([
        { url: "SITE/phone", title: "On the phone",
          visits: [{ date: new Date(Date.now() - 3600000), transition: 1 }] },
        { url: "SITE/target", visits: [{ date: new Date(Date.now() - 7200000), transition: 2 }] },
    ]).then(() => resolve());"""


def now() -> datetime:
    return datetime.now(UTC)


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    store = Store.open(tmp_path / "data", clock=now)
    yield memory_over(store, now)
    store.close()


def test_the_tab_in_front_is_joined_with_its_visit_and_other_devices_stay_out(
    openbox: Screen, memory: Memory, tmp_path: Path
) -> None:
    """Firefox Sync and the import wizard hand their visits to `PlacesUtils.history.insertMany`."""
    history = Firefox(home=Path.home(), copies=tmp_path / "copies")
    windows = WindowCollector(
        device="d",
        connects=(("X11", x11.connect),),
        app_names=load(resource("apps.toml")),
        blip=timedelta(seconds=0.4),
    )
    with real_browsers.pages() as site, watching(windows) as watch:
        profile = Path.home() / ".mozilla/firefox/ab12.default-esr"
        browser = real_browsers.Firefox(profile, display=openbox.display)
        try:
            for number in range(6):
                browser.visit(f"{site}/redirect?{number}", stay=0.1)
            browser.run_inside(OTHER_DEVICES.replace("SITE", site))
            for path in ("/unicode", "/frame"):
                browser.visit(site + path, stay=1.0)
        finally:
            browser.quit()
        visits = read_until(history, lambda events: any(event.url == f"{site}/frame" for event in events))
    memory.remember(watch.events)
    memory.remember(visits)
    history.close()

    pages = memory._store.between(None, None, query=Query(kinds=("browser",)))
    assert "On the phone" not in [page.title for page in pages]
    assert [page.title for page in pages].count("Redirect target") == 6
    shown = {
        window.url
        for window in memory._store.between(None, None, query=Query(kinds=("window",)))
        if window.app == "Firefox"
    }
    assert shown >= {f"{site}/unicode", f"{site}/frame"}
    lines = [line.line for line in memory.now().lines if "Über" in line.line]
    assert len(lines) == 1
    assert "browser: Über 日本語 😀 | 127.0.0.1" in lines[0]
