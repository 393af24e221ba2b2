"""Reading on: batches, late titles, rewritten databases, renamed profiles, trouble."""

from __future__ import annotations

import json
import shutil
import sqlite3
import stat
from pathlib import Path

import pytest

from collectors.browser.chromium import Chromium
from collectors.browser.firefox import Firefox
from collectors.browser.history import OVERLAP_US
from collectors.collector import Place, Unavailable
from collectors.event import microseconds
from tests.collectors.browser.histories import (
    MINUTE,
    NOON,
    ChromiumHistory,
    FirefoxHistory,
    read_all,
    titles,
    urls,
)
from tests.permissions import unreadable


def test_years_of_history_come_newest_first_and_oldest_first_within_a_batch(
    home: Path, copies: Path, chromium_history: ChromiumHistory
) -> None:
    for number in range(7):
        chromium_history.visit(f"https://example.org/{number}", f"{number}", at=NOON + number * MINUTE)

    batches, _, _ = read_all(Chromium(home=home, copies=copies, batch=3))

    assert [titles(batch.events) for batch in batches] == [["4", "5", "6"], ["1", "2", "3"], ["0"]]
    assert [batch.more for batch in batches] == [True, True, False]


def test_visits_of_one_microsecond_are_all_told_across_batches(
    home: Path, copies: Path, firefox_history: FirefoxHistory, chromium_history: ChromiumHistory
) -> None:
    for number in range(7):
        firefox_history.visit(f"https://example.org/{number}")
        chromium_history.visit(f"https://example.org/{number}")

    for family in (Firefox, Chromium):
        _, events, _ = read_all(family(home=home, copies=copies, batch=2))

        assert sorted(urls(events)) == [f"https://example.org/{number}" for number in range(7)]


def test_only_what_is_new_is_told_the_second_time(
    chromium: Chromium, chromium_history: ChromiumHistory
) -> None:
    chromium_history.visit("https://example.org/old", at=NOON - OVERLAP_US - MINUTE)
    chromium_history.visit("https://example.org/1", at=NOON)
    _, _, cursor = read_all(chromium)
    chromium_history.visit("https://example.org/2", at=NOON + MINUTE)

    _, events, _ = read_all(chromium, json.loads(json.dumps(cursor)))

    assert urls(events) == ["https://example.org/1", "https://example.org/2"]


def test_a_title_and_an_end_that_come_late_are_told_again(
    chromium: Chromium, chromium_history: ChromiumHistory
) -> None:
    chromium_history.visit("https://example.org/", "")
    _, (first,), cursor = read_all(chromium)
    chromium_history.db.execute("UPDATE urls SET title = 'At last'")
    chromium_history.db.execute("UPDATE visits SET visit_duration = 5000000")

    _, (again,), _ = read_all(chromium, cursor)

    assert again.identity == first.identity
    assert (first.title, again.title) == ("", "At last")
    assert (first.end, again.end is None) == (None, False)


def test_a_page_that_changed_its_title_keeps_the_old_one_for_the_visit_before(
    firefox: Firefox, firefox_history: FirefoxHistory
) -> None:
    firefox_history.visit("https://ci.example/builds", "Build 51 failed", at=NOON)
    _, _, cursor = read_all(firefox)
    firefox_history.visit("https://ci.example/builds", "Build 52 passed", at=NOON + MINUTE)

    _, events, _ = read_all(firefox, cursor)

    assert [(event.title, microseconds(event.start)) for event in events] == [
        ("Build 52 passed", NOON + MINUTE)
    ]


@pytest.mark.usefixtures("copies")
def test_an_unchanged_file_is_not_opened(
    chromium: Chromium, chromium_history: ChromiumHistory, monkeypatch: pytest.MonkeyPatch
) -> None:
    chromium_history.visit("https://example.org/")
    _, _, cursor = read_all(chromium)
    (place,) = chromium.places()
    monkeypatch.setattr(Path, "open", lambda *_: pytest.fail("a file was opened"))

    batch = chromium.collect(place, cursor)

    assert batch.events == ()
    assert batch.cursor is cursor


def test_a_large_history_that_changes_all_the_time_is_copied_seldom(
    home: Path, copies: Path, chromium_history: ChromiumHistory, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [0.0]
    monkeypatch.setattr("collectors.browser.history.COPIED_EACH_SECOND", 1_000)
    chromium = Chromium(home=home, copies=copies, clock=lambda: now[0])
    chromium_history.visit("https://example.org/1")
    _, _, cursor = read_all(chromium)
    chromium_history.visit("https://example.org/2", at=NOON + MINUTE)
    _, soon, cursor = read_all(chromium, cursor)
    now[0] = (chromium_history.path.stat().st_size / 1_000) ** 2 + 1

    _, later, _ = read_all(chromium, cursor)

    assert soon == []
    assert "https://example.org/2" in urls(later)


def test_a_renamed_profile_tells_the_same_identities(
    home: Path, chromium: Chromium, chromium_history: ChromiumHistory
) -> None:
    chromium_history.visit("https://example.org/")
    _, before, _ = read_all(chromium)
    (home / ".config/google-chrome/Default").rename(home / ".config/google-chrome/Profile 2")

    _, after, _ = read_all(chromium)

    assert [event.identity for event in after] == [event.identity for event in before]
    assert after[0].details["profile"] == "Profile 2"


def test_a_history_that_was_cleared_and_began_again_is_read_on(home: Path, firefox: Firefox) -> None:
    path = home / ".mozilla/firefox/x.default/places.sqlite"
    old = FirefoxHistory(path)
    for number in range(5):
        old.visit(f"https://old.example/{number}", at=NOON + number)
    old.close()
    _, _, cursor = read_all(firefox)
    path.unlink()
    new = FirefoxHistory(path)
    new.visit("https://new.example/", at=NOON + MINUTE)
    new.close()

    _, events, _ = read_all(firefox, cursor)

    assert urls(events) == ["https://new.example/"]


def test_a_clock_that_was_wrong_by_years_loses_nothing(
    firefox: Firefox, firefox_history: FirefoxHistory
) -> None:
    firefox_history.visit("https://future.example/", at=NOON * 2)
    _, _, cursor = read_all(firefox)
    firefox_history.visit("https://now.example/", at=NOON)

    _, events, _ = read_all(firefox, cursor)

    assert "https://now.example/" in urls(events)


def test_reading_goes_on_after_a_crash_with_what_came_meanwhile(
    home: Path, copies: Path, chromium_history: ChromiumHistory
) -> None:
    for number in range(6):
        chromium_history.visit(f"https://example.org/{number}", f"{number}", at=NOON + number * MINUTE)
    crashed = Chromium(home=home, copies=copies, batch=2)
    (place,) = crashed.places()
    first = crashed.collect(place, None)
    chromium_history.visit("https://example.org/new", "new", at=NOON + 9 * MINUTE)
    left_behind = list(copies.iterdir())

    _, rest, _ = read_all(Chromium(home=home, copies=copies, batch=2), first.cursor)

    assert len(left_behind) == 1
    assert list(copies.iterdir()) == []
    assert titles(first.events) == ["4", "5"]
    assert set(titles(rest)) == {"0", "1", "2", "3", "4", "5", "new"}
    assert "new" in titles(rest)[:2]
    assert titles(rest)[-2:] == ["0", "1"]


def test_copies_are_private_and_gone_afterwards(
    home: Path, copies: Path, chromium_history: ChromiumHistory
) -> None:
    for number in range(3):
        chromium_history.visit(f"https://example.org/{number}", at=NOON + number)
    chromium = Chromium(home=home, copies=copies, batch=2)
    (place,) = chromium.places()
    first = chromium.collect(place, None)
    during = [copies, *copies.rglob("*")]
    modes = {stat.S_IMODE(path.stat().st_mode) for path in during}

    chromium.collect(place, first.cursor)

    assert len(during) >= 3
    assert modes <= {0o700, 0o600}
    assert list(copies.iterdir()) == []


def test_the_original_is_only_read(home: Path, chromium: Chromium, chromium_history: ChromiumHistory) -> None:
    chromium_history.visit("https://example.org/")
    chromium_history.close()
    folder = chromium_history.path.parent
    before = {path.name: (path.stat().st_mtime_ns, path.read_bytes()) for path in folder.iterdir()}

    read_all(chromium)

    assert {path.name: (path.stat().st_mtime_ns, path.read_bytes()) for path in folder.iterdir()} == before


def test_a_transaction_under_way_is_not_seen_half(
    chromium: Chromium, chromium_history: ChromiumHistory
) -> None:
    db = chromium_history.db
    db.execute("PRAGMA locking_mode = EXCLUSIVE")
    db.execute("PRAGMA cache_size = 5")
    chromium_history.visit("https://example.org/before", at=NOON)
    db.execute("BEGIN")
    for number in range(500):
        chromium_history.visit(f"https://example.org/{number}", "x" * 500, at=NOON + number)
    assert Path(f"{chromium_history.path}-journal").stat().st_size > 0

    _, during, cursor = read_all(chromium)
    db.execute("COMMIT")
    _, after, _ = read_all(chromium, cursor)

    assert urls(during) == ["https://example.org/before"]
    assert len(after) == 501


def test_a_file_that_the_browser_just_made_is_empty(home: Path, firefox: Firefox) -> None:
    path = home / ".mozilla/firefox/x.default/places.sqlite"
    path.parent.mkdir(parents=True)
    path.touch()

    _, events, cursor = read_all(firefox)
    history = FirefoxHistory(path)
    history.visit("https://example.org/")
    history.close()
    _, later, _ = read_all(firefox, cursor)

    assert (events, urls(later)) == ([], ["https://example.org/"])


@pytest.mark.parametrize("content", [b"no database", b"SQLite format 3\0" + b"\xff" * 8_000])
def test_a_file_that_is_no_database_is_unavailable(
    home: Path, copies: Path, firefox: Firefox, content: bytes
) -> None:
    path = home / ".mozilla/firefox/x.default/places.sqlite"
    path.parent.mkdir(parents=True)
    path.write_bytes(content)

    with pytest.raises(Unavailable) as caught:
        read_all(firefox)

    assert str(path) in caught.value.problem
    assert path.read_bytes() == content
    assert list(copies.iterdir()) == []


def test_a_database_of_another_kind_is_unavailable(home: Path, firefox: Firefox) -> None:
    path = home / ".mozilla/firefox/x.default/places.sqlite"
    path.parent.mkdir(parents=True)
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE something (else_ TEXT)")
    db.close()

    with pytest.raises(Unavailable):
        read_all(firefox)


def test_a_history_without_permission_is_unavailable(
    firefox: Firefox, firefox_history: FirefoxHistory, copies: Path
) -> None:
    (place,) = firefox.places()

    with (
        unreadable(firefox_history.path, handed_over=copies),
        pytest.raises(Unavailable, match=r"places\.sqlite cannot be read: Permission denied"),
    ):
        firefox.collect(place, None)


def test_an_unchanged_history_whose_permissions_went_says_so_at_the_next_look(
    firefox: Firefox, firefox_history: FirefoxHistory, copies: Path
) -> None:
    firefox_history.visit("https://example.org/")
    (place,) = firefox.places()
    _, _, cursor = read_all(firefox)
    assert cursor is not None

    with (
        unreadable(firefox_history.path, handed_over=copies),
        pytest.raises(Unavailable, match="Permission denied"),
    ):
        firefox.collect(place, cursor)

    assert firefox.collect(place, cursor).events == ()


def test_a_full_disk_is_said_before_anything_is_copied(
    chromium: Chromium, chromium_history: ChromiumHistory, monkeypatch: pytest.MonkeyPatch
) -> None:
    chromium_history.visit("https://example.org/")
    usage = shutil.disk_usage("/")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=1_000))

    with pytest.raises(Unavailable, match="not enough space"):
        read_all(chromium)


def test_a_profile_that_is_gone_is_unavailable(firefox: Firefox) -> None:
    with pytest.raises(Unavailable, match="is gone"):
        firefox.collect(Place(source="firefox", name="/nowhere/places.sqlite"), None)


def test_a_damaged_cursor_starts_again_from_the_beginning(
    firefox: Firefox, firefox_history: FirefoxHistory
) -> None:
    firefox_history.visit("https://example.org/")

    for cursor in (
        {},
        {"mark": "", "told": "x", "stretches": []},
        {"mark": 1, "told": [1, 1 << 80], "stretches": 4},
    ):
        _, events, _ = read_all(firefox, cursor)
        assert urls(events) == ["https://example.org/"]


def test_an_empty_history_is_fine(firefox: Firefox, firefox_history: FirefoxHistory) -> None:
    _, events, cursor = read_all(firefox)
    firefox_history.visit("https://example.org/first")
    _, later, _ = read_all(firefox, cursor)

    assert events == []
    assert urls(later) == ["https://example.org/first"]


def test_a_first_reading_tells_how_far_it_has_come(
    chromium_history: ChromiumHistory, home: Path, copies: Path
) -> None:
    for number in range(10):
        chromium_history.visit(f"https://example.org/{number}", at=NOON + number * MINUTE)

    batches, _, _ = read_all(Chromium(home=home, copies=copies, batch=3))

    shares = [batch.share for batch in batches if batch.share is not None]
    assert shares == sorted(set(shares))
    assert shares[0] == pytest.approx(2 / 9)
    assert 0 < shares[-1] <= 1
