"""Damaged histories: no crash, no hang, and the original stays as it is."""

from __future__ import annotations

import random
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collectors.browser.chromium import Chromium
from collectors.browser.firefox import Firefox
from collectors.browser.searches import searched
from collectors.browser.visit import Visit, event
from collectors.collector import Unavailable
from tests.collectors.browser.histories import MINUTE, NOON, ChromiumHistory, FirefoxHistory, read_all

ROUNDS = 60


@pytest.mark.parametrize("family", ["chromium", "firefox"])
def test_flipped_and_missing_bytes_never_crash(home: Path, copies: Path, family: str) -> None:
    paths = {"chromium": ".config/chromium/Default/History", "firefox": ".mozilla/firefox/a/places.sqlite"}
    path = home / paths[family]
    family_of: dict[str, type[Chromium] | type[Firefox]] = {"chromium": Chromium, "firefox": Firefox}
    source = family_of[family](home=home, copies=copies)
    whole = _some_history(path, family)
    random.seed(family)
    outcomes = {"read": 0, "unavailable": 0}
    for _ in range(ROUNDS):
        path.write_bytes(_damaged(whole))
        try:
            _, events, _ = read_all(source)
        except Unavailable:
            outcomes["unavailable"] += 1
        else:
            outcomes["read"] += 1
            assert all(one.kind == "browser" for one in events)
    assert outcomes["read"] > 0
    assert outcomes["unavailable"] > 0
    assert list(copies.iterdir()) == []


def test_a_damaged_wal_file_never_crashes(home: Path, firefox: Firefox) -> None:
    history = FirefoxHistory(home / ".mozilla/firefox/a/places.sqlite")
    history.db.execute("PRAGMA journal_mode = WAL")
    history.db.execute("PRAGMA wal_autocheckpoint = 0")
    for number in range(100):
        history.visit(f"https://example.org/{number}", "Title", at=NOON + number * MINUTE)
    wal = Path(f"{history.path}-wal")
    whole, main = wal.read_bytes(), history.path.read_bytes()
    random.seed(1)
    for _ in range(ROUNDS):
        folder = home / ".mozilla/firefox/a"
        history.path.write_bytes(main)
        (folder / "places.sqlite-wal").write_bytes(_damaged(whole))
        try:
            read_all(firefox)
        except Unavailable:
            continue
    history.close()


@given(
    st.text(max_size=300),
    st.text(max_size=100),
    st.integers(-(1 << 63), (1 << 63) - 1),
    st.integers(0, 1 << 62),
)
def test_any_row_gives_an_event_or_a_stated_error(url: str, title: str, at: int, stayed: int) -> None:
    visit = Visit(id=1, at=at, url=f"https:{url}", title=title, transition="link", stayed=stayed)

    try:
        made = event(visit, app="Firefox", source="firefox", profile="p")
    except (ValueError, OverflowError):
        return

    assert made is None or made.kind == "browser"


@given(st.text(max_size=300))
def test_any_query_gives_words_or_none(query: str) -> None:
    assert isinstance(searched(urlsplit(f"https://www.google.com/search?{query}")), str)


def _some_history(path: Path, family: str) -> bytes:
    history = ChromiumHistory(path) if family == "chromium" else FirefoxHistory(path)
    for number in range(300):
        history.visit(f"https://example.org/{number}", f"Title {number}", at=NOON + number * MINUTE)
    history.close()
    return path.read_bytes()


def _damaged(whole: bytes) -> bytes:
    data = bytearray(whole)
    for _ in range(random.choice((1, 5, 50, 500))):
        data[random.randrange(len(data))] = random.randrange(256)
    return bytes(data[: random.randrange(len(data))] if random.random() < 0.3 else data)
