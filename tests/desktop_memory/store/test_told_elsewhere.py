"""What another program's export tells again is one event with what was recorded here, in either order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import pytest

from collectors.event import Event
from desktop_memory.store.events import Incoming
from desktop_memory.store.store import Store
from tests.factories import event

AW = {"imported": "ActivityWatch"}
EXPORT = {"imported": "browserexport"}


def put(store: Store, *events: Event) -> list[str]:
    outcomes: list[str] = []
    for one in events:
        outcomes += dict(store.record([Incoming(event=one, body=one.title)])).keys()
    return outcomes


def visit(
    minutes: float, *, url: str = "https://a.example/x", identity: str, details: dict[str, str] | None = None
) -> Event:
    return event(
        minutes,
        kind="browser",
        title="A page",
        url=url,
        domain="a.example",
        identity=identity,
        details=details or {},
    )


def shifted(one: Event, **delta: float) -> Event:
    return replace(one, start=one.start + timedelta(**delta))


@pytest.mark.parametrize("ours_first", [True, False])
def test_a_page_seen_within_seconds_is_one(store, ours_first: bool):
    ours = visit(1, identity="ours")
    theirs = shifted(visit(1, identity="theirs", details=AW), seconds=3)

    order: Sequence[Event] = [ours, theirs] if ours_first else [theirs, ours]

    assert put(store, *order)[:2] == ["new", "known"]
    put(store, *order)
    assert store.count() == 1


def test_a_rounded_time_and_an_address_with_its_percent_signs_undone_are_the_same_visit(store):
    ours = visit(1, url="https://a.example/a%2Fb", identity="ours")
    theirs = shifted(
        visit(1, url="https://a.example/a/b", identity="theirs", details=EXPORT), microseconds=-2
    )

    assert put(store, ours, theirs, theirs) == ["new", "known", "known"]
    assert store.events([1])[0].url == "https://a.example/a%2Fb"


def test_another_page_another_time_and_two_exports_of_one_program_stay_apart(store):
    ours = visit(1, identity="ours")
    first = shifted(visit(1, identity="1", details=AW), minutes=5)
    second = shifted(visit(1, identity="2", details=AW), minutes=5, seconds=4)
    other = visit(1, url="https://a.example/y", identity="3", details=AW)

    put(store, ours, first, second, shifted(other, seconds=2))

    assert store.count() == 4


def test_our_own_visits_within_seconds_stay_apart_although_something_was_imported(store):
    put(store, visit(500, identity="far", details=AW))

    put(store, visit(1, identity="a"), shifted(visit(1, identity="b"), seconds=2))

    assert store.count() == 3


def window(begin: float, end: float, identity: str, **details: str) -> Event:
    return event(
        begin, until=end, kind="window", title="retry.py", app="VS Code", identity=identity, details=details
    )


def test_where_this_app_was_watching_its_own_windows_stand(store):
    put(store, window(10, 20, "ours"), window(20, 30, "ours too"))

    again = put(store, window(8, 29, "theirs", **AW), window(8, 29, "theirs", **AW))

    assert again == ["known", "known"]
    assert [(e.start.minute, e.end.minute) for e in store.events([1, 2])] == [(10, 20), (20, 30)]


def test_where_it_was_not_watching_windows_are_taken_once(store):
    put(store, window(100, 110, "ours"))

    assert put(store, window(10, 20, "theirs", **AW), window(10, 20, "theirs", **AW)) == ["new", "known"]
    assert put(store, window(95, 103, "half", **AW)) == ["new"]
    assert store.count() == 3


def test_a_store_knows_after_opening_that_something_was_imported(store, tmp_path):
    theirs = shifted(visit(1, identity="theirs", details=AW), seconds=3)
    put(store, theirs)

    again = Store.open(store.path.parent, clock=store.clock)
    try:
        assert put(again, visit(1, identity="ours")) == ["known"]
    finally:
        again.close()
