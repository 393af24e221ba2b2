"""browserexport's merged history, as `browserexport merge --json` writes it."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from collectors.collector import Place
from collectors.event import Event, microseconds
from collectors.exports.browserexport import BrowserExport
from tests.collectors.shell.terminal import Reader

VISITS = [
    {
        "url": "https://example.org/a b/日本?q=1%25",
        "dt": 1786615200.123457,
        "metadata": {"title": "A", "description": None, "preview_image": None, "duration": 12},
    },
    {"url": "https://www.example.com/", "dt": 1786615300.0, "metadata": None},
]


def read(home: Path, text: str, *, batch: int = 4_000) -> tuple[list[Event], Counter[str]]:
    (home / "history.json").write_text(text)
    reader = Reader(
        BrowserExport(batch=batch), Place(source="browserexport", name=str(home / "history.json"))
    )
    return reader.read(), reader.skipped


@pytest.mark.parametrize("form", ["list", "lines"])
def test_each_visit_with_its_microsecond_and_an_address_that_browsers_write(home: Path, form: str):
    text = json.dumps(VISITS) if form == "list" else "\n".join(map(json.dumps, VISITS))

    events, skipped = read(home, text, batch=1)

    assert [(event.url, event.title, event.domain) for event in events] == [
        ("https://example.org/a%20b/%E6%97%A5%E6%9C%AC?q=1%25", "A", "example.org"),
        ("https://www.example.com/", "", "example.com"),
    ]
    assert microseconds(events[0].start) == 1_786_615_200_123_457
    assert events[0].end is not None
    assert (events[0].end - events[0].start).total_seconds() == 12
    assert not skipped


def test_what_makes_no_sense_is_counted(home: Path):
    bad = [
        {"url": "https://a.example/"},
        {"url": 3, "dt": 1.0},
        {"dt": "x", "url": "https://a.example/"},
        7,
        {"url": "https://a.example/", "dt": 1e300},
        {"url": "chrome://newtab/", "dt": 1786615200.0},
    ]

    events, skipped = read(home, json.dumps([*bad, VISITS[1]]))

    assert len(events) == 1
    assert skipped == {"malformed visit": 5, "a page of the browser itself": 1}
