"""Histories written by real browsers, read while they run and after they quit."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from collectors.browser.chromium import Chromium
from collectors.browser.firefox import Firefox
from collectors.browser.history import Histories
from collectors.collector import Cursor, Unavailable
from collectors.event import Event
from tests.collectors.browser import real_browsers
from tests.collectors.browser.histories import read_all

pytestmark = pytest.mark.browser

SEEN = [
    ("/", "Home page"),
    ("/target", "Redirect target"),
    ("/frame", "Page with a frame"),
    ("/late", "Late title"),
    ("/after-meta", "After meta refresh"),
    ("/unicode", "Über 日本語 😀"),
    ("/downloads", "Downloads"),
]


@pytest.fixture
def site() -> Iterator[str]:
    with real_browsers.pages() as address:
        yield address


def go_everywhere(browser: real_browsers.Chromium | real_browsers.Firefox, site: str) -> None:
    for path in ("/", "/redirect", "/frame", "/late", "/meta", "/unicode", "/downloads"):
        browser.visit(site + path, stay=1.2)


def read_until(source: Histories, satisfied: Callable[[list[Event]], bool]) -> list[Event]:
    """Read on for half a minute at most: browsers write some seconds late, and no file at first."""
    cursor: Cursor | None = None
    known: dict[str, Event] = {}
    until = time.monotonic() + 30
    while time.monotonic() < until:
        if list(source.places()):
            with suppress(Unavailable):
                _, events, cursor = read_all(source, cursor)
                known.update({event.identity: event for event in events})
            if satisfied(list(known.values())):
                break
        time.sleep(0.5)
    return sorted(known.values(), key=lambda event: event.start)


def pages_of(events: list[Event]) -> list[Event]:
    return [event for event in events if event.kind == "browser" and not event.url.startswith("file:")]


def check_download(events: list[Event], site: str, home: Path) -> None:
    (file,) = [event for event in events if event.kind == "file"]
    assert file.title == "robust-f0.pdf"
    assert file.files == (str(home / "Downloads" / "robust-f0.pdf"),)
    assert file.url == f"{site}/downloads"
    assert file.details["from"] == f"{site}/files/robust-f0.pdf"
    assert Path(file.files[0]).exists()


def test_chromium_writes_what_is_read(home: Path, chromium: Chromium, site: str) -> None:
    browser = real_browsers.Chromium(home / ".config/chromium")
    try:
        go_everywhere(browser, site)
        browser.click("it", downloads=home / "Downloads")
        running = read_until(chromium, lambda events: len(events) >= 5 and events[-1].title != "")
    finally:
        browser.quit()

    everything = read_until(chromium, lambda events: len(events) > len(SEEN))
    after = pages_of(everything)

    check_download(everything, site, home)
    assert [(event.url.removeprefix(site), event.title) for event in after] == SEEN
    assert {event.app for event in after} == {"Chromium"}
    assert {event.domain for event in after} == {"127.0.0.1"}
    assert all(event.end is not None and event.end > event.start for event in after[:-1])
    assert len(running) >= 5
    assert {event.identity for event in running} <= {event.identity for event in everything}
    assert all(abs(event.start.timestamp() - time.time()) < 300 for event in after)


def test_firefox_writes_what_is_read(home: Path, firefox: Firefox, site: str) -> None:
    browser = real_browsers.Firefox(home / ".mozilla/firefox/ab12.default-esr")
    try:
        go_everywhere(browser, site)
        browser.click("it", downloads=home / "Downloads")
        running = read_until(firefox, lambda events: len(events) >= len(SEEN) and events[-1].title != "")
    finally:
        browser.quit()

    everything = read_until(firefox, lambda events: len(events) > len(SEEN))
    after = pages_of(everything)

    check_download(everything, site, home)
    assert [(event.url.removeprefix(site), event.title) for event in after] == SEEN
    assert {event.app for event in after} == {"Firefox"}
    assert [event.details["transition"] for event in after][:2] == ["link", "redirect"]
    assert all(event.end is not None and event.end > event.start for event in after[:-1])
    assert {event.identity for event in running} <= {event.identity for event in everything}
    assert all(abs(event.start.timestamp() - time.time()) < 300 for event in after)


def test_firefox_is_found_where_it_makes_its_own_profile(home: Path, firefox: Firefox, site: str) -> None:
    process = subprocess.Popen(
        [real_browsers.program("firefox-esr"), "--headless", "--no-remote", f"{site}/unicode"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        events = read_until(firefox, lambda events: any(event.title.startswith("Über") for event in events))
    finally:
        process.terminate()
        process.wait(timeout=30)

    assert f"{site}/unicode" in [event.url for event in events]


def test_a_second_run_tells_what_is_new_and_what_may_have_changed(
    home: Path, chromium: Chromium, site: str
) -> None:
    cursor = None
    told: list[list[str]] = []
    for path in ("/", "/unicode"):
        browser = real_browsers.Chromium(home / ".config/chromium")
        try:
            browser.visit(site + path)
        finally:
            browser.quit()
        _, events, cursor = read_all(chromium, cursor)
        told.append([event.title for event in events])
    (place,) = chromium.places()

    again = chromium.collect(place, cursor)

    assert told == [["Home page"], ["Home page", "Über 日本語 😀"]]
    assert again.events == ()
