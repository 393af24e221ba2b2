"""What the demo's fortnight holds, and that it is the same every time."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter, defaultdict
from datetime import datetime, timedelta
from itertools import pairwise

import pytest

from collectors.event import KINDS, Event, Gap
from desktop_memory import demo
from desktop_memory.demo.weave import ZONE

HEADING = datetime(2026, 8, 13, 9, 56, tzinfo=ZONE)


@pytest.fixture(scope="module")
def events() -> list[Event]:
    return [one for one in demo.seen() if isinstance(one, Event)]


def test_it_holds_about_five_thousand_events_of_every_kind_and_three_projects(events: list[Event]) -> None:
    projects = Counter(event.project for event in events if event.project)

    assert 4_500 <= len(events) <= 5_500
    assert {event.kind for event in events} == set(KINDS)
    assert set(projects) == {"billing-api", "thesis-ch3", "Nordwind AG, retention review"}
    assert len({event.start.astimezone(ZONE).date() for event in events}) == 14


def test_it_is_the_same_in_another_process(events: list[Event]) -> None:
    code = (
        "import json; from desktop_memory import demo; from collectors.event import Event;"
        "print(json.dumps([e.identity for e in demo.seen() if isinstance(e, Event)]))"
    )

    other = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert json.loads(other.stdout) == [event.identity for event in events]


def test_identities_are_unique_and_times_run_forward(events: list[Event]) -> None:
    assert len({event.identity for event in events}) == len(events)
    assert [event.start for event in events] == sorted(event.start for event in events)
    assert all(event.end is None or event.end >= event.start for event in events)


def test_one_window_is_in_front_at_a_time(events: list[Event]) -> None:
    """A visit and the browser's window that shows it overlap; nothing else does."""
    front = [event for event in events if event.kind in ("window", "browser") and "Edge" not in event.app]

    overlaps = [
        (before.title, after.title)
        for before, after in pairwise(front)
        if before.end is not None and before.end > after.start + timedelta(seconds=1)
    ]

    assert overlaps == []


def test_nothing_is_seen_while_nobody_is_there(events: list[Event]) -> None:
    gaps = [one for one in demo.seen() if isinstance(one, Gap)]

    inside = [
        (gap.start, event.title or event.text)
        for gap in gaps
        for event in events
        if gap.end is not None and gap.start < event.start < gap.end
    ]

    assert inside == []
    assert {gap.reason for gap in gaps} == {"idle", "locked", "asleep", "not running"}


def test_titles_repeat_as_in_life_and_have_every_script(events: list[Event]) -> None:
    windows = [event.title for event in events if event.kind == "window"]
    text = "".join(event.title + event.text for event in events)

    assert 0.85 <= 1 - len(set(windows)) / len(windows) < 0.99
    assert "冪等性キー" in text
    assert "🏔️" in text
    assert "ΔF/F" in text


def test_no_page_stands_for_two_addresses_or_for_filler(events: list[Event]) -> None:
    urls: dict[str, set[str]] = defaultdict(set)
    for event in events:
        if event.kind == "browser":
            urls[event.title].add(event.url)

    assert {title: found for title, found in urls.items() if len(found) > 1 and "#482" not in title} == {}
    assert not [title for title in urls if title.startswith(("Page ", "Example", "Lorem"))]
    assert len(urls) > 150


def test_a_failing_test_is_run_again_until_it_passes(events: list[Event]) -> None:
    runs: dict[str, list[int]] = defaultdict(list)
    for event in events:
        if event.kind == "terminal" and event.text.startswith("pytest"):
            runs[event.text].append(event.details["exit"])

    mended = [codes for codes in runs.values() if codes[0] == 1 and codes[-1] == 0]
    assert len(mended) >= 9


def test_it_stops_at_the_hour_that_is_asked_for() -> None:
    early = [one for one in demo.seen(HEADING) if isinstance(one, Event)]

    assert early[-1].title == "Freeze and tick: controlling time in tests"
    assert all(event.start < HEADING and (event.end is None or event.end <= HEADING) for event in early)


def test_it_moves_with_the_day_it_ends_on() -> None:
    here = demo.seen()
    later = demo.seen(demo.NOW + timedelta(days=7))

    assert len(later) == len(here)
    assert {b.start - a.start for a, b in zip(here, later, strict=True)} == {timedelta(days=7)}


def test_most_of_the_time_goes_into_what_the_diary_tells(events: list[Event]) -> None:
    spent: Counter[bool] = Counter()
    for woven in demo.labelled():
        if isinstance(woven.seen, Event) and woven.seen.kind == "window" and woven.seen.end is not None:
            spent[woven.signal] += round((woven.seen.end - woven.seen.start).total_seconds())

    assert spent[True] > 4 * spent[False]
