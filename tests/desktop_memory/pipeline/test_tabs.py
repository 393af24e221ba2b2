"""Which page a browser's window showed."""

from __future__ import annotations

from typing import Any

import pytest

from collectors.event import Event
from desktop_memory.pipeline.tabs import Pages, is_browser, same_browser, without_shown
from tests.factories import event


def visit(minutes: float, title: str, url: str = "", **what: Any) -> Event:
    address = url or f"https://example.org/{title}"
    return event(minutes, kind="browser", title=title, url=address, app="Firefox", **what)


def window(minutes: float, until: float, title: str, **what: Any) -> Event:
    return event(minutes, until=until, kind="window", title=title, **{"app": "Firefox", **what})


def test_a_window_showed_the_page_that_is_called_the_same() -> None:
    page = visit(1, "Explicit Locking")

    for title in (
        "Explicit Locking — Mozilla Firefox",
        "Explicit Locking - Mozilla Firefox",
        "(3) Explicit Locking — Mozilla Firefox",
    ):
        assert Pages([visit(0, "Something else"), page]).certain(window(1.05, 4, title)) is page


@pytest.mark.parametrize(
    ("shown", "why"),
    [
        (window(1, 4, "Explicit Lock — Mozilla Firefox"), "another title"),
        (window(-9, -8, "Explicit Locking — Mozilla Firefox"), "before the visit"),
        (window(60 * 30, 60 * 31, "Explicit Locking — Mozilla Firefox"), "a day later"),
        (window(1, 4, "Explicit Locking - Google Chrome", app="Chrome"), "another browser"),
        (window(1, 4, ""), "no title"),
        (window(1, 4, "Mozilla Firefox"), "no page"),
    ],
)
def test_a_window_is_not_taken_for_a_page_it_did_not_show(shown: Event, why: str) -> None:
    assert Pages([visit(1, "Explicit Locking")]).certain(shown) is None, why


def test_a_tab_come_back_to_hours_later_is_known_when_only_one_page_was_called_so() -> None:
    first, second = visit(1, "Dashboard", "https://a.example/"), visit(2, "Dashboard", "https://b.example/")
    shown = window(180, 190, "Dashboard — Mozilla Firefox")

    assert Pages([first]).certain(shown) is first
    assert Pages([first, second]).certain(shown) is None


def test_soon_after_two_pages_of_one_name_the_later_one_is_meant() -> None:
    first, second = visit(1, "Dashboard", "https://a.example/"), visit(2, "Dashboard", "https://b.example/")

    assert Pages([first, second]).certain(window(2, 9, "Dashboard — Mozilla Firefox")) is second


def test_a_visit_without_a_title_is_the_one_that_began_with_the_window() -> None:
    nameless = event(1, kind="browser", text="-", url="https://example.org/spa", app="Firefox")
    other = event(1.02, kind="browser", text="-", url="https://example.org/other", app="Firefox")

    assert Pages([nameless]).certain(window(1.03, 3, "Issue 482 — Mozilla Firefox")) is nameless
    assert Pages([nameless, other]).certain(window(1.03, 3, "Issue 482 — Mozilla Firefox")) is None
    assert Pages([nameless]).certain(window(1.2, 3, "Issue 482 — Mozilla Firefox")) is None


def test_a_window_with_an_address_belongs_to_the_visit_of_that_address() -> None:
    page = visit(1, "Old title", "https://example.org/a")
    shown = window(2, 3, "New title — Mozilla Firefox", url="https://example.org/a")

    assert Pages([page, visit(2, "b")]).shown_by(shown) is page


def test_of_a_page_and_its_window_the_page_stays() -> None:
    page, other = visit(1, "Explicit Locking"), window(3, 4, "PR #482 — Mozilla Firefox")
    editor = window(4, 5, "Explicit Locking", app="Notes")

    kept = without_shown([page, window(1, 2, "Explicit Locking — Mozilla Firefox"), other, editor])

    assert kept == [page, other, editor]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Chrome", "Google Chrome", True),
        ("firefox-esr", "Firefox", True),
        ("Edge", "Microsoft Edge", True),
        ("Brave", "brave-browser", True),
        ("Chromium", "Google Chrome", False),
        ("Firefox", "LibreWolf", False),
        ("", "Firefox", True),
    ],
)
def test_browsers_are_told_apart_by_their_own_name(one: str, other: str, same: bool) -> None:
    assert same_browser(one, other) is same


def test_browsers_are_known_by_all_their_names() -> None:
    assert is_browser("firefox-esr")
    assert is_browser("Google Chrome")
    assert not is_browser("Files")
