"""What bars an event: at which moments, of which kinds and names."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from collectors.event import microseconds
from desktop_memory.pipeline.coalesce import page_title
from desktop_memory.pipeline.tabs import LONG_OPEN, SLACK
from desktop_memory.store.bars import Bars, matches
from desktop_memory.store.store import Store
from tests.factories import at, event

TITLE = "Account - Google Chrome"


def sealed(name: str) -> tuple[str, ...]:
    return (f"<{name}>", f"old <{name}>")


def outcome(
    store: Store, bars: Bars, minutes: float, *, keys: tuple[bytes, ...] = (), **what: Any
) -> str | None:
    return bars.against(store.read(), keys, event(minutes, **what))


def fill(store: Store, sql: str, *rows: tuple[Any, ...]) -> None:
    with store.transaction() as connection:
        connection.executemany(sql, rows)


def test_a_pause_bars_what_begins_in_it_but_notes(store: Store) -> None:
    fill(
        store,
        "INSERT INTO pause (start, end) VALUES (?, ?)",
        (microseconds(at(10)), microseconds(at(20))),
        (microseconds(at(60)), None),
    )
    bars = Bars.read(store.read(), sealed)

    assert [outcome(store, bars, n) for n in (9, 10, 19, 20)] == [None, "paused", "paused", None]
    assert outcome(store, bars, 10_000_000) == "paused"
    assert outcome(store, bars, 15, kind="note", title="a thought") is None
    assert outcome(store, bars, 21, earliest=at(19)) == "paused"
    assert outcome(store, bars, 21, earliest=at(20)) is None
    assert outcome(store, bars, 9, earliest=at(5)) is None


def test_a_forgotten_stretch_bars_what_it_names_for_as_long_as_it_lasted(store: Store) -> None:
    fill(
        store,
        "INSERT INTO forgotten_interval (start, end, filter) VALUES (?, ?, ?)",
        (microseconds(at(10)), microseconds(at(20)), '{"app": "<Slack>"}'),
    )
    bars = Bars.read(store.read(), sealed)

    assert [outcome(store, bars, n, app="Slack") for n in (9, 10, 19, 20)] == [
        None, "forgotten", "forgotten", None
    ]  # fmt: skip
    assert outcome(store, bars, 15, app="Code") is None


def test_a_tombstone_bars_its_event_alone(store: Store) -> None:
    assert not Bars.read(store.read(), sealed).tombstones
    key = b"k" * 32
    fill(store, "INSERT INTO tombstone (key) VALUES (?)", (key,))
    bars = Bars.read(store.read(), sealed)

    assert outcome(store, bars, 0, keys=(b"other", key)) == "forgotten"
    assert outcome(store, bars, 0, keys=(b"other",)) is None


def test_a_window_stays_out_that_showed_a_hidden_page_within_a_day(store: Store) -> None:
    seen, again = at(0), at(10_000)
    fill(
        store,
        "INSERT INTO hidden_page (title, at) VALUES (?, ?)",
        *((f"<{page_title(TITLE)}>", microseconds(moment)) for moment in (seen, again)),
    )
    bars = Bars.read(store.read(), sealed)

    def shown(start: timedelta, end: timedelta | None = None, **what: Any) -> str | None:
        fields = {"kind": "window", "title": TITLE, "app": "Google Chrome", **what}
        until = None if end is None else seen + end
        return outcome(store, bars, 0, start=seen + start, end=until, **fields)

    tick = timedelta(microseconds=1)
    assert shown(-SLACK) == shown(LONG_OPEN) == "forgotten"
    assert shown(-SLACK - tick) is shown(LONG_OPEN + tick) is None
    assert shown(-timedelta(minutes=5), -SLACK) == "forgotten"
    assert shown(-timedelta(minutes=5), -SLACK - tick) is None
    assert shown(again - seen) == "forgotten"
    assert shown(SLACK, app="Notes") is None
    assert shown(SLACK, title="News - Google Chrome") is None
    assert shown(SLACK, title="", text="x") is None
    assert shown(SLACK, kind="browser") is None


@pytest.mark.parametrize(
    ("filter_", "met"),
    [
        ({}, True),
        ({"kind": ["terminal", "note"]}, True),
        ({"kind": ["note"]}, False),
        ({"app": "<Code>"}, True),
        ({"app": "old <Code>"}, True),
        ({"app": ["<Slack>", "<Code>"]}, True),
        ({"app": ["<Slack>"]}, False),
        ({"project": "<>"}, True),
        ({"project": "<x>"}, False),
        ({"kind": ["terminal"], "app": "<Slack>"}, False),
    ],
)
def test_a_filter_is_met_by_all_its_names_and_one_of_its_kinds(filter_: dict[str, Any], met: bool) -> None:
    assert matches(event(0, app="Code"), filter_, sealed) is met
