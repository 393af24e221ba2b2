"""What is told of a Firefox history, and what is left out."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from collectors.browser.firefox import Firefox
from collectors.event import identity, microseconds
from tests.collectors.browser.histories import FIREFOX, MINUTE, NOON, FirefoxHistory, read_all, titles, urls


def test_a_visit_tells_its_page_site_time_and_how_long(
    firefox: Firefox, firefox_history: FirefoxHistory
) -> None:
    firefox_history.visit("https://gdpr-info.eu/art-17-gdpr/", "Art. 17 GDPR", at=NOON + 345_678, kind=2)
    firefox_history.insert(
        "moz_places_metadata", place_id=1, created_at=NOON // 1000 + 400, total_view_time=600_000
    )

    _, (event,), _ = read_all(firefox)

    assert event.identity == identity("visit", "https://gdpr-info.eu/art-17-gdpr/", NOON + 345_678)
    assert microseconds(event.start) == NOON + 345_678
    assert event.end == event.start + timedelta(minutes=10)
    assert (event.title, event.domain) == ("Art. 17 GDPR", "gdpr-info.eu")
    assert (event.app, event.source) == ("Firefox", "firefox")
    assert event.details == {"profile": "ab12.default-release", "transition": "typed"}


@pytest.mark.parametrize(
    ("kind", "seen"),
    [
        (1, True),
        (2, True),
        (3, True),
        (4, False),
        (5, True),
        (6, True),
        (7, False),
        (8, False),
        (9, True),
        (None, True),
    ],
)
def test_only_pages_that_were_shown_count(
    firefox: Firefox, firefox_history: FirefoxHistory, kind: int | None, seen: bool
) -> None:
    firefox_history.visit("https://example.org/", kind=kind)

    _, events, _ = read_all(firefox)

    assert bool(events) == seen


def test_of_a_chain_of_redirects_only_the_last_page_counts(
    firefox: Firefox, firefox_history: FirefoxHistory
) -> None:
    first = firefox_history.visit("http://t.example/1", "Moved", at=NOON)
    second = firefox_history.visit("http://t.example/2", "Moved", at=NOON + MINUTE, kind=6, from_visit=first)
    firefox_history.visit("https://example.org/", "There", at=NOON + 2 * MINUTE, kind=5, from_visit=second)

    _, events, _ = read_all(firefox)

    assert titles(events) == ["There"]


def test_a_page_that_sends_on_at_once_was_only_passed(
    firefox: Firefox, firefox_history: FirefoxHistory
) -> None:
    passed = firefox_history.visit("https://example.org/go", None, at=NOON)
    stayed = firefox_history.visit("https://example.org/there", "There", at=NOON + 50_000, from_visit=passed)
    firefox_history.visit("https://example.org/next", "Next", at=NOON + 100_000, from_visit=stayed)
    firefox_history.visit("https://example.org/untitled.txt", None, at=NOON + MINUTE)

    _, events, _ = read_all(firefox)

    assert titles(events) == ["There", "Next", ""]


def test_hidden_pages_and_pages_of_the_browser_are_left_out(
    firefox: Firefox, firefox_history: FirefoxHistory
) -> None:
    firefox_history.visit("https://frame.example/", hidden=1)
    for url in ("about:preferences", "moz-extension://x/y.html", "place:sort=8", "resource://x/"):
        firefox_history.visit(url)

    _, events, _ = read_all(firefox)

    assert events == []


def test_a_schema_without_view_times_is_read(home: Path, firefox: Firefox) -> None:
    history = FirefoxHistory(home / ".librewolf/x.default/places.sqlite", FIREFOX)
    history.visit("https://example.org/", "Page")
    history.close()

    _, (event,), _ = read_all(firefox)

    assert (event.title, event.end, event.app) == ("Page", None, "LibreWolf")


def test_a_visit_without_a_page_or_a_time_is_passed_over(
    firefox: Firefox, firefox_history: FirefoxHistory
) -> None:
    firefox_history.insert("moz_historyvisits", place_id=99, visit_date=NOON, visit_type=1)
    firefox_history.visit("https://example.org/never", at=NOON)
    firefox_history.db.execute("UPDATE moz_historyvisits SET visit_date = NULL")
    firefox_history.visit("https://example.org/", at=NOON)

    _, events, _ = read_all(firefox)

    assert urls(events) == ["https://example.org/"]


def test_what_is_in_the_wal_file_only_is_read(firefox: Firefox, firefox_history: FirefoxHistory) -> None:
    firefox_history.db.execute("PRAGMA journal_mode = WAL")
    firefox_history.db.execute("PRAGMA wal_autocheckpoint = 0")
    firefox_history.db.execute("PRAGMA locking_mode = EXCLUSIVE")
    firefox_history.visit("https://example.org/", "In the log")

    _, events, _ = read_all(firefox)

    assert titles(events) == ["In the log"]
