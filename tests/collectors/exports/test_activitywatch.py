"""ActivityWatch's export as its server writes it: windows, pages, absences."""

from __future__ import annotations

import json
from collections import Counter
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from collectors.collector import Batch, Place, Unavailable
from collectors.event import Event, Gap
from collectors.exports.activitywatch import ActivityWatch
from collectors.window.describer import Describer
from tests.factories import NOON


def record(at: float, lasted: float, **data: Any) -> dict[str, Any]:
    """At so many seconds after noon."""
    return {
        "id": 7,
        "timestamp": (NOON + timedelta(seconds=at)).isoformat(),
        "duration": lasted,
        "data": data,
    }


def export(**buckets: list[dict[str, Any]]) -> dict[str, Any]:
    """As `/api/0/export` gives it, newest first."""
    names = {
        "window": "aw-watcher-window_pc",
        "afk": "aw-watcher-afk_pc",
        "web": "aw-watcher-web-firefox",
        "vim": "aw-watcher-vim_pc",
    }
    return {
        "buckets": {
            names[name]: {
                "id": names[name],
                "type": name,
                "hostname": "pc",
                "data": {},
                "events": records[::-1],
            }
            for name, records in buckets.items()
        }
    }


def read(home: Path, content: object, *, batch: int = 4_000) -> tuple[list[Event], list[Gap], Counter[str]]:
    path = home / "export.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    collector = ActivityWatch(describe=Describer(app_names={"code": "VS Code"}).event, batch=batch)
    place = Place(source=collector.source, name=str(path))
    batches: list[Batch] = []
    while not batches or batches[-1].more:
        batches.append(collector.collect(place, batches[-1].cursor if batches else None))
    skipped: Counter[str] = Counter()
    for one in batches:
        skipped.update(one.skipped)
        assert list(one.events) == sorted(one.events, key=lambda event: event.start)
    shares = [one.share for one in batches[:-1]]
    assert shares == sorted(shares)  # type: ignore[type-var]
    events = [event for one in batches for event in one.events]
    return (
        sorted(events, key=lambda event: event.start),
        [gap for one in batches for gap in one.gaps],
        skipped,
    )


def spans(events: list[Event]) -> list[tuple[str, float, float]]:
    return [
        (
            event.title,
            (event.start - NOON).total_seconds(),
            ((event.end or event.start) - NOON).total_seconds(),
        )
        for event in events
    ]


def test_windows_are_cut_where_nobody_was_there_and_that_is_a_gap(home: Path):
    events, gaps, skipped = read(
        home,
        export(
            window=[
                record(0, 600, app="code", title="a.py"),
                record(600, 1, app="x", title="blip"),
                record(601, 5_000, app="firefox", title="Film"),
            ],
            afk=[
                record(0, 900, status="not-afk"),
                record(900, 1_000, status="afk"),
                record(1_900, 4_000, status="not-afk"),
            ],
        ),
    )

    assert spans(events) == [("a.py", 0, 600), ("Film", 601, 900), ("Film", 1_900, 5_601)]
    assert [event.app for event in events] == ["VS Code", "Firefox", "Firefox"]
    assert gaps == [
        Gap(start=NOON + timedelta(seconds=900), end=NOON + timedelta(seconds=1_900), reason="idle")
    ]
    assert skipped == {"under two seconds": 1}


def test_what_its_watcher_could_not_see_is_no_window(home: Path):
    unseen = [
        record(n, 60, app=app, title=title)
        for n, (app, title) in enumerate(
            [("unknown", "unknown"), ("unknown", ""), ("", ""), ("Terminal", "")]
        )
    ]

    events, _, skipped = read(home, export(window=unseen))

    assert events == []
    assert skipped == {"no title": 4}


def test_an_absence_within_a_longer_one_does_not_end_it(home: Path):
    events, _, _ = read(
        home,
        export(
            window=[record(0, 200, app="code", title="a.py")],
            afk=[record(50, 100, status="afk"), record(60, 10, status="afk")],
        ),
    )

    assert spans(events) == [("a.py", 0, 50), ("a.py", 150, 200)]


def test_a_page_is_a_page_and_a_private_one_is_marked(home: Path):
    events, _, skipped = read(
        home,
        export(
            web=[
                record(0, 90, url="https://www.example.org/a?q=1", title="A", incognito=False),
                record(100, 5, url="https://example.com/", title="B", incognito=True),
                record(110, 5, url="about:blank", title=""),
            ]
        ),
    )

    assert [(e.kind, e.title, e.domain, e.app, e.private) for e in events] == [
        ("browser", "A", "example.org", "Firefox", False),
        ("browser", "B", "example.com", "Firefox", True),
    ]
    assert skipped == {"a page of the browser itself": 1}


def test_an_edited_file_names_its_project(home: Path):
    events, _, _ = read(
        home,
        export(
            vim=[
                record(
                    0,
                    60,
                    file="/home/me/src/billing/retry.py",
                    project="/home/me/src/billing",
                    language="python",
                )
            ]
        ),
    )

    assert [(e.kind, e.title, e.project, e.app, e.files) for e in events] == [
        ("file", "retry.py", "billing", "Vim", ("/home/me/src/billing/retry.py",))
    ]


def test_a_plain_list_of_a_buckets_events_is_read_too(home: Path):
    events, _, _ = read(home, [record(0, 60, app="code", title="a.py")])

    assert spans(events) == [("a.py", 0, 60)]


def test_reading_again_and_in_small_batches_gives_the_same_names(home: Path):
    content = export(
        window=[record(n * 10, 10, app="code", title=f"{n % 7}.py") for n in range(50)],
        afk=[record(105, 200, status="afk")],
    )

    whole, pieces = read(home, content), read(home, content, batch=3)

    assert [event.identity for event in whole[0]] == [event.identity for event in pieces[0]]
    assert whole[1:] == pieces[1:]


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        ({"timestamp": "yesterday", "duration": 1, "data": {"app": "x", "title": "y"}}, "no time"),
        ({"timestamp": "2026-08-13T12:00:00", "duration": 1, "data": {"app": "x"}}, "no time"),
        ({"timestamp": "9999-12-31T23:59:59-12:00", "duration": 1, "data": {"app": "x"}}, "no time"),
        (record(0, 1e12, app="x", title="y"), "no time"),
        (record(0, -5, app="x", title="y"), "no time"),
        (record(0, 60, app="", title=""), "no title"),
        (record(0, 60, presses=3), "a watcher that is not known here"),
        ({"n": 1}, "not a record"),
        ("nonsense", "not a record"),
        (None, "not a record"),
    ],
)
def test_what_makes_no_sense_is_counted_and_the_rest_stays(home: Path, bad: Any, reason: str):
    content = export(
        window=[record(0, 10, app="code", title="before"), bad, record(20, 10, app="code", title="after")]
    )

    events, _, skipped = read(home, content)

    assert [event.title for event in events] == ["before", "after"]
    assert skipped == {reason: 1}


def test_a_file_that_was_cut_off_gives_what_is_there(home: Path):
    content = json.dumps(export(window=[record(n * 10, 10, app="code", title=f"{n}.py") for n in range(9)]))

    events, _, skipped = read(home, content[:-90])

    assert [event.title for event in events] == [f"{n}.py" for n in range(1, 9)]
    assert skipped == {"not JSON": 1} or skipped["the file ends in the middle"] == 1


def test_a_file_that_is_gone_says_so(home: Path):
    collector = ActivityWatch(describe=Describer().event)

    with pytest.raises(Unavailable, match="cannot be read"):
        collector.collect(Place(source="activitywatch", name=str(home / "gone.json")), None)
