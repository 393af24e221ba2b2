"""Visits that were not made here: of other devices, and imported from another browser."""

from __future__ import annotations

import pytest

from collectors.browser.chromium import Chromium
from collectors.browser.firefox import Firefox
from tests.collectors.browser.histories import (
    MINUTE,
    NOON,
    ChromiumHistory,
    FirefoxHistory,
    read_all,
    titles,
)

FINE = 137
"""Microseconds that a clock of whole milliseconds never has."""


def links(history: FirefoxHistory, count: int, *, fine: int = FINE) -> None:
    """Pages that led to each other: surely seen here."""
    before = 0
    for number in range(count):
        at = NOON + number * MINUTE + fine * (number + 1)
        before = history.visit(f"https://here.example/{number}", f"Here {number}", at=at, from_visit=before)


def test_whole_milliseconds_among_microseconds_come_from_elsewhere(
    firefox: Firefox, firefox_history: FirefoxHistory
) -> None:
    links(firefox_history, 20)
    firefox_history.visit("https://phone.example/", "On the phone", at=NOON + 345_000)
    firefox_history.visit("https://typed.example/", "Typed here", at=NOON + 345_678, kind=2)
    firefox_history.visit("https://linked.example/", "Linked here", at=NOON + 346_000, from_visit=1)
    page = firefox_history.visit("https://looked.example/", "Looked at here", at=NOON + 347_000)
    firefox_history.insert(
        "moz_places_metadata",
        place_id=firefox_history.db.execute(
            "SELECT place_id FROM moz_historyvisits WHERE id = ?", (page,)
        ).fetchone()[0],
        created_at=NOON // 1000 + 350,
        total_view_time=4_000,
    )

    _, events, _ = read_all(firefox)

    told = set(titles(events))
    assert told >= {"Typed here", "Linked here", "Looked at here", "Here 0", "Here 7"}
    assert "On the phone" not in told


@pytest.mark.parametrize(("count", "fine"), [(8, 0), (3, FINE)], ids=["a coarse clock", "too few to tell"])
def test_where_the_clock_cannot_tell_nothing_is_left_out(
    firefox: Firefox, firefox_history: FirefoxHistory, count: int, fine: int
) -> None:
    links(firefox_history, count, fine=fine)
    firefox_history.visit("https://phone.example/", "Perhaps here", at=NOON + 345_000)

    _, events, _ = read_all(firefox)

    assert "Perhaps here" in titles(events)


def test_what_only_sync_writes_marks_a_visit(firefox: Firefox, firefox_history: FirefoxHistory) -> None:
    firefox_history.db.execute(
        "CREATE TABLE moz_historyvisits_extra (visit_id INTEGER PRIMARY KEY NOT NULL, sync_json TEXT)"
    )
    other = firefox_history.visit("https://phone.example/", "On the phone", at=NOON + 1)
    firefox_history.insert("moz_historyvisits_extra", visit_id=other, sync_json="{}")
    firefox_history.visit("https://here.example/", "Here", at=NOON + 2)

    _, events, _ = read_all(firefox)

    assert titles(events) == ["Here"]


@pytest.mark.parametrize(
    ("source", "here"), [(0, False), (1, True), (2, True), (3, False), (4, False), (5, False)]
)  # fmt: skip
def test_chromium_says_where_a_visit_comes_from(
    chromium: Chromium, chromium_history: ChromiumHistory, source: int, here: bool
) -> None:
    visit = chromium_history.visit("https://example.org/", "A page")
    chromium_history.insert("visit_source", id=visit, source=source)

    _, events, _ = read_all(chromium)

    assert bool(events) is here
