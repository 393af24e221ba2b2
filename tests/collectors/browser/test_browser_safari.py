"""Safari's history, from databases built row by row: there is no Safari here to write one."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from collectors.browser.copy import mark
from collectors.browser.safari import Safari
from collectors.collector import Unavailable
from tests.collectors.browser.histories import History, read_all, titles

SAFARI = """
CREATE TABLE history_items (id INTEGER PRIMARY KEY AUTOINCREMENT, url TEXT NOT NULL UNIQUE, domain_expansion TEXT NULL,
    visit_count INTEGER NOT NULL DEFAULT 1);
CREATE TABLE history_visits (id INTEGER PRIMARY KEY AUTOINCREMENT, history_item INTEGER NOT NULL,
    visit_time REAL NOT NULL, title TEXT NULL, load_successful BOOLEAN NOT NULL DEFAULT 1,
    http_non_get BOOLEAN NOT NULL DEFAULT 0, synthesized BOOLEAN NOT NULL DEFAULT 0,
    redirect_source INTEGER NULL UNIQUE, redirect_destination INTEGER NULL UNIQUE, origin INTEGER NOT NULL DEFAULT 0);
CREATE INDEX history_visits__last_visit ON history_visits (history_item, visit_time DESC, synthesized ASC);
"""
THEN = 797_160_000.123_456  # seconds since 2001


class SafariHistory(History):
    def visit(self, title: str, *, at: float = THEN, **more: object) -> None:
        item = self.insert("history_items", url=f"https://www.example.org/{title}")
        self.insert("history_visits", history_item=item, visit_time=at, title=title, **more)


@pytest.fixture
def safari(home: Path, copies: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Safari]:
    monkeypatch.setattr("sys.platform", "darwin")
    source = Safari(home=home, copies=copies)
    yield source
    source.close()


@pytest.fixture
def history(home: Path) -> Iterator[SafariHistory]:
    history = SafariHistory(home / "Library/Safari/History.db", SAFARI)
    yield history
    history.close()


def test_times_count_from_2001_and_the_title_stands_with_the_visit(
    safari: Safari, history: SafariHistory
) -> None:
    history.visit("Page")

    _, (event,), _ = read_all(safari)

    assert event.start == datetime(2001, 1, 1, tzinfo=UTC) + timedelta(
        seconds=797_160_000, microseconds=123_456
    )
    assert (event.title, event.domain, event.app, event.source) == ("Page", "example.org", "Safari", "safari")


def test_redirects_other_devices_and_failed_loads_are_left_out(
    safari: Safari, history: SafariHistory
) -> None:
    history.visit("sent on", redirect_destination=99)
    history.visit("arrived", redirect_source=98)
    history.visit("phone", origin=1)
    history.visit("made up", synthesized=1)
    history.visit("failed", load_successful=0)

    _, events, _ = read_all(safari)

    assert titles(events) == ["arrived"]


def test_years_come_in_batches_without_gaps(
    home: Path, copies: Path, safari: Safari, history: SafariHistory
) -> None:
    for number in range(50):
        history.visit(f"{number}", at=THEN + number * 0.000_001 * (1 if number < 20 else 1_000_003))
    safari.batch = 7

    _, events, _ = read_all(safari)

    assert sorted(titles(events), key=int) == [str(number) for number in range(50)]
    assert len({event.identity for event in events}) == 50


def test_what_is_new_is_read_on(safari: Safari, history: SafariHistory) -> None:
    history.visit("first")
    _, _, cursor = read_all(safari)
    history.visit("second", at=THEN + 60)

    _, events, _ = read_all(safari, cursor)

    assert titles(events)[-1] == "second"


def test_named_profiles_are_places_of_their_own(home: Path, safari: Safari, history: SafariHistory) -> None:
    folder = home / "Library/Containers/com.apple.Safari/Data/Library/Safari/Profiles/8A3B"
    SafariHistory(folder / "History.db", SAFARI).close()

    assert [place.name for place in safari.places()] == [str(history.path), str(folder / "History.db")]


def test_without_full_disk_access_the_remedy_is_said(
    home: Path, history: SafariHistory, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(Path, "stat", refuse)

    with pytest.raises(Unavailable) as caught:
        mark(home / "Library/Safari/History.db")

    assert "Full Disk Access" in caught.value.advice


def test_there_is_none_on_other_systems(home: Path, copies: Path, history: SafariHistory) -> None:
    assert list(Safari(home=home, copies=copies).places()) == []
