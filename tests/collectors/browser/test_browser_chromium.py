"""What is told of a Chromium history, and what is left out."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from collectors.browser.chromium import Chromium
from collectors.event import identity, microseconds
from tests.collectors.browser.histories import (
    CHAIN_END,
    CHAIN_START,
    MINUTE,
    NOON,
    OLD_CHROMIUM,
    TYPED,
    WHOLE,
    ChromiumHistory,
    read_all,
    titles,
    urls,
)


def test_a_visit_tells_its_page_site_time_and_how_long(
    chromium: Chromium, chromium_history: ChromiumHistory
) -> None:
    url = "https://www.postgresql.org/docs/16/explicit-locking.html"
    chromium_history.visit(
        url, "Explicit Locking", at=NOON + 7, transition=TYPED | WHOLE, visit_duration=3 * MINUTE
    )

    _, (event,), _ = read_all(chromium)

    assert event.kind == "browser"
    assert event.identity == identity("visit", url, NOON + 7)
    assert microseconds(event.start) == NOON + 7
    assert event.end == event.start + timedelta(minutes=3)
    assert (event.title, event.url, event.domain) == ("Explicit Locking", url, "postgresql.org")
    assert (event.app, event.source) == ("Google Chrome", "chromium")
    assert event.details == {"profile": "Default", "transition": "typed"}


def test_times_count_from_1601(chromium: Chromium, chromium_history: ChromiumHistory) -> None:
    chromium_history.insert(
        "urls", url="https://example.org/", title="", last_visit_time=13_231_088_400_123_456
    )
    chromium_history.insert("visits", url=1, visit_time=13_231_088_400_123_456, transition=WHOLE)

    _, (event,), _ = read_all(chromium)

    assert event.start == datetime(1601, 1, 1, tzinfo=UTC) + timedelta(microseconds=13_231_088_400_123_456)


@pytest.mark.parametrize(
    ("core", "seen"),
    [
        (0, True),
        (1, True),
        (2, True),
        (3, False),
        (4, False),
        (5, True),
        (6, True),
        (7, True),
        (8, True),
        (9, True),
        (10, False),
    ],
)
def test_only_pages_that_were_shown_count(
    chromium: Chromium, chromium_history: ChromiumHistory, core: int, seen: bool
) -> None:
    chromium_history.visit("https://example.org/", transition=core | WHOLE)

    _, events, _ = read_all(chromium)

    assert bool(events) == seen


def test_of_a_chain_of_redirects_only_the_last_page_counts(
    chromium: Chromium, chromium_history: ChromiumHistory
) -> None:
    first = chromium_history.visit("http://t.example/1", transition=TYPED | CHAIN_START)
    middle = chromium_history.visit("http://t.example/2", transition=TYPED | 0x80000000, from_visit=first)
    # as Chromium stores it: a negative number, since the highest bit is set
    last = (TYPED | CHAIN_END | 0x80000000) - (1 << 32)
    chromium_history.visit("https://example.org/", transition=last, from_visit=middle)

    _, events, _ = read_all(chromium)

    assert urls(events) == ["https://example.org/"]


def test_hidden_pages_and_visits_of_other_devices_or_imported_ones_are_left_out(
    chromium: Chromium, chromium_history: ChromiumHistory
) -> None:
    chromium_history.visit("https://hidden.example/", hidden=1)
    chromium_history.visit("https://phone.example/", originator_cache_guid="abc==")
    for number, source in enumerate((0, 2, 3, 4, 5)):
        id = chromium_history.visit(f"https://{source}.example/", at=NOON + number)
        chromium_history.insert("visit_source", id=id, source=source)
    chromium_history.visit("https://here.example/", originator_cache_guid="", at=NOON + 9)

    _, events, _ = read_all(chromium)

    assert urls(events) == ["https://2.example/", "https://here.example/"]


@pytest.mark.parametrize(
    "url",
    [
        *(
            "chrome://settings/",
            "about:blank",
            "chrome-extension://abc/page.html",
            "data:text/html,x",
            "devtools://x/",
        ),
        *(
            "javascript:void(0)",
            "blob:https://example.org/1",
            "view-source:https://example.org/",
            "edge://newtab/",
            "",
        ),
    ],
)
def test_pages_of_the_browser_itself_are_no_pages(
    chromium: Chromium, chromium_history: ChromiumHistory, url: str
) -> None:
    chromium_history.visit(url, "x")

    batches, events, _ = read_all(chromium)

    assert (events, batches[0].skipped) == ([], {})


def test_a_local_file_names_its_path(chromium: Chromium, chromium_history: ChromiumHistory) -> None:
    chromium_history.visit("file:///home/ada/Chapter%203%20%C3%BCber.pdf", "Chapter 3")

    _, (event,), _ = read_all(chromium)

    assert event.files == ("/home/ada/Chapter 3 über.pdf",)
    assert event.domain == ""


def test_time_in_front_wins_over_time_in_a_background_tab(
    chromium: Chromium, chromium_history: ChromiumHistory
) -> None:
    id = chromium_history.visit("https://example.org/", visit_duration=50 * MINUTE)
    chromium_history.insert("context_annotations", visit_id=id, total_foreground_duration=2 * MINUTE)

    _, (event,), _ = read_all(chromium)

    assert event.end == event.start + timedelta(minutes=2)


def test_a_tab_left_open_over_night_has_no_end(chromium: Chromium, chromium_history: ChromiumHistory) -> None:
    chromium_history.visit("https://example.org/", visit_duration=9 * 60 * MINUTE)

    _, (event,), _ = read_all(chromium)

    assert event.end is None
    assert event.details["duration"] == 9 * 3600


def test_what_was_searched_for_is_told(chromium: Chromium, chromium_history: ChromiumHistory) -> None:
    id = chromium_history.visit("https://wiki.nordwind.example/find?x=lock", "Results")
    chromium_history.insert(
        "keyword_search_terms", keyword_id=3, url_id=id, term="Lock order", normalized_term="lock order"
    )
    chromium_history.visit(
        "https://www.google.com/search?q=advisory+lock&hl=en", "advisory lock - Google", at=NOON + 1
    )

    _, events, _ = read_all(chromium)

    assert [event.details["searched"] for event in events] == ["Lock order", "advisory lock"]
    assert titles(events) == ["Results", "advisory lock - Google"]


def test_an_old_schema_is_read(home: Path, chromium: Chromium) -> None:
    history = ChromiumHistory(home / ".config/chromium/Profile 1/History", OLD_CHROMIUM)
    history.visit("https://example.org/", "Old")
    history.close()

    _, (event,), _ = read_all(chromium)

    assert (event.title, event.app, event.details["profile"]) == ("Old", "Chromium", "Profile 1")


def test_rows_that_make_no_sense_are_counted_and_the_rest_is_read(
    chromium: Chromium, chromium_history: ChromiumHistory
) -> None:
    chromium_history.visit("https://good.example/", "Good", at=NOON)
    chromium_history.visit("http://[bad/", "Bad address", at=NOON + 1)
    chromium_history.visit("https://far.example/", "No such year", at=(1 << 61))
    chromium_history.visit("https://bytes.example/", b"\xff\xfe title", at=NOON + 3)  # type: ignore[arg-type]
    chromium_history.db.execute("UPDATE visits SET transition = 'x' WHERE id = 1")
    chromium_history.visit("https://number.example/", 42, at=NOON + 4)  # type: ignore[arg-type]
    chromium_history.db.execute(
        "UPDATE urls SET title = CAST(x'4fc328' AS TEXT) WHERE url = 'https://number.example/'"
    )
    chromium_history.db.execute("UPDATE urls SET url = 3.5 WHERE url = 'https://good.example/'")
    chromium_history.db.execute("UPDATE visits SET transition = ? WHERE id = 1", (WHOLE,))

    batches, events, _ = read_all(chromium)

    assert urls(events) == ["https://bytes.example/", "https://number.example/"]
    assert titles(events) == ["\ufffd\ufffd title", "O\ufffd("]
    assert batches[0].skipped["malformed visit"] == 2
