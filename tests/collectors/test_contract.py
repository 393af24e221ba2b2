"""What every source promises, and what none does with damaged files. A new source is found here by itself."""

from __future__ import annotations

import json
import os
import random
import shutil
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from collectors.collector import Batch, Collector, Cursor, LiveCollector, Place, Unavailable
from collectors.event import KINDS, Event, Gap
from tests.collectors.written import SECOND, WRITERS, added, every, places_of, written

HOME = Path("/nowhere")
ASKED = [name for name, source in every(HOME).items() if isinstance(source, Collector)]
LIVE = [name for name, source in every(HOME).items() if isinstance(source, LiveCollector)]
EXPORTS = ("activitywatch", "browserexport")
MOST_TURNS = 50


@pytest.fixture(autouse=True)
def without_a_desktop(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No display is there."""
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "SWAYSOCK", "DBUS_SESSION_BUS_ADDRESS"):
        monkeypatch.delenv(name, raising=False)


def turns(collector: Collector, place: Place, cursor: Cursor | None = None) -> list[Batch]:
    """Turns until nothing is left, each from the cursor that a store gives back."""
    batches: list[Batch] = []
    while not batches or batches[-1].more:
        assert len(batches) < MOST_TURNS, "it does not come to an end"
        batch = collector.collect(place, cursor)
        cursor = json.loads(json.dumps(batch.cursor))
        batches.append(batch)
    return batches


def events_of(batches: Sequence[Batch]) -> list[Event]:
    return [event for batch in batches for event in batch.events]


def source(name: str, home: Path) -> tuple[Collector, list[Place]]:
    collector = every(home)[name]
    assert isinstance(collector, Collector)
    return collector, places_of(collector, home)


@pytest.fixture
def prepared(name: str, home: Path) -> list[Path]:
    return written(name, home)


def check(event: Event) -> None:
    assert event.identity
    assert event.kind in KINDS
    assert event.source
    for moment in filter(None, (event.start, event.end, event.earliest)):
        assert moment.utcoffset() == timedelta(0)
    assert event.end is None or event.end >= event.start
    assert event.utc_offset is None or -15 * 60 < event.utc_offset < 15 * 60
    assert event.title or event.text or event.url or event.files
    json.dumps(dict(event.details))
    f"{event.title}{event.text}{event.project}{event.identity}{event.details}{event.files}".encode()


def test_every_source_has_something_written_for_it() -> None:
    assert set(WRITERS) == set(ASKED)
    assert set(LIVE) == {"window", "idle"}


@pytest.mark.parametrize("name", ASKED)
def test_a_source_tells_each_thing_once_under_a_name_that_stays(
    name: str, prepared: list[Path], home: Path
) -> None:
    collector, places = source(name, home)
    assert places
    assert len({place.name for place in places}) == len(places)
    assert all(place.source == name for place in places)

    batches = [turns(collector, place) for place in places]

    told = [event for of_place in batches for event in events_of(of_place)]
    assert told
    for event in told:
        check(event)
    assert len({event.identity for event in told}) == len(told)
    for of_place in batches:
        for batch in of_place:
            assert [event.start for event in batch.events] == sorted(event.start for event in batch.events)
            assert all(isinstance(gap, Gap) for gap in batch.gaps)
            assert batch.share is None or 0 <= batch.share <= 1


@pytest.mark.parametrize("name", ASKED)
def test_reading_on_tells_nothing_new_and_reading_anew_the_same(
    name: str, prepared: list[Path], home: Path
) -> None:
    collector, places = source(name, home)
    first = {place.name: turns(collector, place) for place in places}
    names = {event.identity for batches in first.values() for event in events_of(batches)}

    on = [turns(collector, place, first[place.name][-1].cursor) for place in places]

    assert {event.identity for batches in on for event in events_of(batches)} <= names
    if name == "shell hook":
        return  # its notes are gone once the store has them
    again, places = source(name, home)
    assert {event.identity for place in places for event in events_of(turns(again, place))} == names


@pytest.mark.parametrize("name", [name for name in ASKED if name != "their notes"])
def test_a_damaged_cursor_means_reading_anew(name: str, prepared: list[Path], home: Path) -> None:
    collector, places = source(name, home)
    first = {place.name: turns(collector, place) for place in places}
    names = {event.identity for batches in first.values() for event in events_of(batches)}

    for path in prepared:
        if path.exists():  # another file with the same in it: what was read of the old one is looked at
            data = path.read_bytes()
            path.rename(path.with_name(f"{path.name}.old"))
            path.write_bytes(data)
            os.utime(path, (SECOND + 99_999, SECOND + 99_999))
            path.with_name(f"{path.name}.old").unlink()
    for place in places:
        for cursor in damaged_cursors(json.loads(json.dumps(first[place.name][-1].cursor))):
            told = events_of(turns(source(name, home)[0], place, cursor))

            assert {event.identity for event in told} <= names, cursor


@pytest.mark.parametrize("name", [name for name in ASKED if name != "their notes"])
def test_a_damaged_cursor_hides_nothing_that_is_new(name: str, prepared: list[Path], home: Path) -> None:
    collector, places = source(name, home)
    first = {place.name: turns(collector, place) for place in places}
    before = {event.identity for batches in first.values() for event in events_of(batches)}
    added(name, home)
    shutil.copytree(home, home.with_name("kept"))

    def told(place: Place, cursor: Any) -> set[str]:
        if name == "shell hook":  # reading them takes notes away
            shutil.rmtree(home / "spool")
            shutil.copytree(home.with_name("kept") / "spool", home / "spool")
        return {event.identity for event in events_of(turns(source(name, home)[0], place, cursor))}

    for place in places:
        end = json.loads(json.dumps(first[place.name][-1].cursor))
        fresh = told(place, end) - before
        assert len(fresh) == 1
        for cursor in damaged_cursors(end, ("x", *TOO_LARGE)):
            assert fresh <= told(place, cursor), cursor


BY_BATCHES = [name for name in ASKED if name not in ("shell hook", "files", "their notes", *EXPORTS)]


@pytest.mark.parametrize("name", BY_BATCHES)
def test_a_cursor_that_is_damaged_in_the_midst_of_a_long_history_loses_none_of_it(
    name: str, prepared: list[Path], home: Path
) -> None:
    collector, places = source(name, home)
    everything = {event.identity for place in places for event in events_of(turns(collector, place))}

    for place in places:
        first = in_small_batches(source(name, home)[0]).collect(place, None)
        assert first.more
        for cursor in damaged_cursors(json.loads(json.dumps(first.cursor)), ("x", -1, *TOO_LARGE)):
            rest = events_of(turns(in_small_batches(source(name, home)[0]), place, cursor))

            assert {event.identity for event in (*first.events, *rest)} == everything, cursor


def in_small_batches(collector: Collector) -> Collector:
    for holder in (collector, *vars(collector).values()):
        for size in ("batch", "batch_commands"):
            if hasattr(holder, size):
                setattr(holder, size, 3)
    return collector


NOT_THERE = object()
TOO_LARGE = (1 << 40, 1 << 61)
"""As no offset, no time and no id of a row is here, though a cursor may hold them."""


def damaged_cursors(plain: Any, values: Sequence[Any] = (NOT_THERE, None, "x", -1)) -> Iterator[Any]:
    """This value with one thing in it gone or of another kind."""
    yield from ({}, {"other": 1})
    for value in values:
        if value in TOO_LARGE:
            yield _without_numbers(plain, value)
        yield from _replaced(plain, value)


def _without_numbers(plain: Any, value: int) -> Any:
    """The same with this in the place of each number."""
    if isinstance(plain, dict):
        return {key: _without_numbers(inside, value) for key, inside in plain.items()}
    if isinstance(plain, list):
        return [_without_numbers(inside, value) for inside in plain]
    return value if type(plain) is int else plain


def _replaced(plain: Any, value: Any) -> Iterator[Any]:
    keys = list(plain) if isinstance(plain, dict) else range(min(2, len(plain)))
    for key in keys:
        inside = plain[key]
        if value is not NOT_THERE:
            changed = plain.copy()
            changed[key] = value
            yield changed
        elif isinstance(plain, dict):
            yield {other: plain[other] for other in plain if other != key}
        if isinstance(inside, (dict, list)):
            for below in _replaced(inside, value):
                changed = plain.copy()
                changed[key] = below
                yield changed


@pytest.mark.parametrize("name", ASKED)
def test_where_there_is_nothing_a_source_says_so_or_finds_nothing(name: str, home: Path) -> None:
    collector = every(home)[name]
    assert isinstance(collector, Collector)
    told: list[Place] = []
    with suppress(Unavailable):
        told += places_of(collector, home)

    assert told == []


@pytest.mark.parametrize("name", [name for name in ASKED if name not in ("git", "shell hook", "their notes")])
def test_a_place_that_is_gone_is_unavailable_with_words(name: str, prepared: list[Path], home: Path) -> None:
    collector, places = source(name, home)
    for path in prepared:
        path.unlink()

    with pytest.raises(Unavailable) as why:
        turns(collector, places[0])

    assert why.value.problem


@pytest.mark.parametrize("name", LIVE)
def test_a_watch_that_is_told_to_stop_ends_soon_or_says_why_it_cannot_be(name: str, home: Path) -> None:
    collector = every(home)[name]
    assert isinstance(collector, LiveCollector)
    stop = threading.Event()
    threading.Timer(0.3, stop.set).start()
    began = time.monotonic()

    with suppress(Unavailable):
        collector.watch(lambda seen: None, stop)

    assert time.monotonic() - began < 10


ROUNDS = {"git": 5, "firefox": 40}


@pytest.mark.parametrize("name", ASKED)
def test_damaged_bytes_never_crash_nor_hang_a_source(name: str, prepared: list[Path], home: Path) -> None:
    whole = {path: path.read_bytes() for path in prepared if path.exists()}
    read = 0
    for seed in range(ROUNDS.get(name, 15)):
        chance = random.Random(f"{name} {seed}")
        for path, data in whole.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.unlink(missing_ok=True)
            path.write_bytes(data)
        for path in chance.sample(sorted(whole), min(len(whole), chance.randint(1, 3))):
            path.unlink()
            path.write_bytes(damaged(whole[path], chance))
        shutil.rmtree(home / "copies", ignore_errors=True)
        with suppress(Unavailable):
            collector, places = source(name, home)
            for place in places:
                for event in events_of(turns(collector, place)):
                    check(event)
                    read += 1
    assert read > 0


def damaged(data: bytes, chance: random.Random) -> bytes:
    """As a bad disk, a bad editor or a power cut leaves a file."""
    out = bytearray(data)
    for _ in range(chance.choice((1, 3, 20))):
        at, length = chance.randrange(len(out) + 1), chance.randint(0, 12)
        match chance.randrange(4):
            case 0:
                del out[at : at + length]
            case 1:
                out[at:at] = chance.randbytes(length)
            case 2:
                out[at:at] = out[at : at + length * 4]
            case _:
                out[at : at + length] = bytes(
                    byte ^ (1 << chance.randrange(8)) for byte in out[at : at + length]
                )
    return bytes(out[: chance.randrange(len(out) + 1)] if chance.random() < 0.15 else out)
