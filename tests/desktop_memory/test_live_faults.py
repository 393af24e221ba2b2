"""What the desktop throws at a recorder: floods, huge texts, half characters, clocks that are set."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from collectors.collector import Collector
from collectors.event import Event
from collectors.window.backend import window
from collectors.window.describer import Describer
from collectors.window.spans import Spans
from desktop_memory import app as app_module
from desktop_memory.app import App
from desktop_memory.engine import Engine
from desktop_memory.graph import projector
from desktop_memory.graph.engine import EngineError
from desktop_memory.graph.follow import Follower
from desktop_memory.memory import Memory
from desktop_memory.model import Query
from desktop_memory.store.store import Store
from desktop_memory.watched import sources_of
from tests.factories import FakeClock, at, event
from tests.stubs import memory_over

HALF = b"half \xe2\x82 of it"
"""The first two bytes of a euro sign."""


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(at(60))


@pytest.fixture
def store(home: Path, clock: FakeClock) -> Iterator[Store]:
    opened = Store.open(home / "memory", clock=clock)
    yield opened
    opened.close()


@pytest.fixture
def memory(store: Store, clock: FakeClock) -> Memory:
    return memory_over(store, clock)


def test_ten_thousand_titles_a_second_are_a_row_each_half_minute_at_most(
    store: Store, memory: Memory
) -> None:
    spans = Spans(device="d", describe=Describer(app_names={}, editors=()).event)
    told: list[Event] = []
    began = time.process_time()
    for number in range(30_000):
        told += spans.front(
            window(f"frame {number * 7919} of a film", app_id="player", pid=1, key="1"),
            at(0) + number * timedelta(microseconds=100),
        )
    told += spans.stop(at(0) + timedelta(seconds=3))
    took = time.process_time() - began
    memory.remember(told)

    began = time.process_time()
    for _ in range(30_000):
        replace(told[0], title="x")
    bare = time.process_time() - began
    assert store.count() <= 2
    assert len(told) <= 4
    assert took < bare * 20


def test_a_title_of_ten_megabytes_costs_no_more_than_its_beginning(store: Store, memory: Memory) -> None:
    title = "€uro " * 2_000_000
    size = store.path.stat().st_size

    receipt = memory.remember([event(1, kind="window", title=title, text=""), event(2, text=title)])

    assert receipt.new == 2
    assert max(len(found.title) + len(found.text) for found in store.between(None, None)) < 25_000
    assert store.path.stat().st_size - size < 1_000_000


def broken_histories(home: Path) -> None:
    """Every history of this home with half a character in it, and a whole line after it."""
    (home / ".bash_history").write_bytes(HALF + b"\nls whole-bash\n")
    (home / ".zsh_history").write_bytes(b": 1786615200:0;" + HALF + b"\n: 1786615201:0;ls whole-zsh\n")
    fish = home / ".local/share/fish"
    fish.mkdir(parents=True)
    (fish / "fish_history").write_bytes(
        b"- cmd: " + HALF + b"\n  when: 1786615202\n- cmd: ls whole-fish\n  when: 1786615203\n"
    )
    profile = home / ".mozilla/firefox/a.default"
    profile.mkdir(parents=True)
    with sqlite3.connect(profile / "places.sqlite") as places:
        places.executescript(
            """CREATE TABLE moz_places (id INTEGER PRIMARY KEY, url TEXT, title TEXT, hidden INTEGER DEFAULT 0,
                rev_host TEXT, frecency INTEGER, last_visit_date INTEGER, guid TEXT, description TEXT);
            CREATE TABLE moz_historyvisits (id INTEGER PRIMARY KEY, from_visit INTEGER, place_id INTEGER,
                visit_date INTEGER, visit_type INTEGER, session INTEGER, source INTEGER);"""
        )
        for number, title in enumerate((HALF, b"whole page"), 1):
            places.execute(
                "INSERT INTO moz_places (id, url, title) VALUES (?, ?, CAST(? AS TEXT))",
                (number, f"https://example.org/{number}", title),
            )
            places.execute(
                "INSERT INTO moz_historyvisits VALUES (?, 0, ?, ?, 1, 0, 0)",
                (number, number, 1_786_615_204_123_456 + number),
            )
    places.close()
    work = home / "work"
    git = ["git", "-C", str(work), "-c", "user.name=A", "-c", "user.email=a@example.org"]
    subprocess.run(["git", "init", "-q", str(work)], check=True)
    message = work / "message"
    for text in (HALF, b"whole commit"):
        message.write_bytes(text)
        (work / "file").write_bytes(text)
        subprocess.run([*git, "add", "file"], check=True)
        commit = [*git, "-c", "i18n.commitEncoding=utf-8", "commit", "-q", "-F", str(message)]
        subprocess.run(commit, check=True, capture_output=True)


def test_half_a_character_in_any_history_costs_at_most_itself(home: Path) -> None:
    broken_histories(home)
    app = App.open(home / "memory")
    memory, store = app.memory, app.parts.store
    found = [one for one in sources_of(app.parts) if isinstance(one, Collector)]
    working = Engine(memory, store, found, poll_seconds=60, clock=lambda: datetime.now(UTC))

    working.collect()

    texts = {text for found in store.all_events() for text in (found.title, found.text)}
    assert {"ls whole-bash", "ls whole-zsh", "ls whole-fish", "whole page", "whole commit"} <= texts
    assert [place for place in memory.places() if place.state == "failing"] == []
    for text in texts:
        text.encode("utf-8")
    app.close()


def test_half_a_character_over_the_socket_and_to_an_import_is_refused_or_kept_out(home: Path) -> None:
    from desktop_memory.errors import UsageError
    from desktop_memory.ipc.client import ask

    app = App.open(home / "memory")
    app.start(record=False)
    try:
        with pytest.raises(UsageError):
            ask(home / "memory", "memory", "note", b'[["' + HALF + b'"], {"$map": {}}]')
        line = json.dumps({"kind": "note", "start": at(0).isoformat(), "title": "half \ud83d a pair"})
        app.memory.import_lines([line])
        assert app.memory.search(Query(text="pair")).hits[0].event.title.encode("utf-8")
    finally:
        app.close()


def test_the_clock_set_back_and_forward_leaves_spans_in_order_and_nothing_doubled(
    store: Store, memory: Memory, clock: FakeClock
) -> None:
    spans = Spans(device="d", describe=Describer(app_names={}, editors=()).event)
    editor = window("work", app_id="editor", pid=1, key="1")
    for minute in (0, 0.5, 1, 61, 61.5, 1.5, 2, 2.5):  # an hour forward, and back again
        memory.remember(spans.front(editor, at(minute)))
    memory.remember(spans.stop(at(3)))

    found = store.between(None, None)
    assert all(one.end is not None and one.end >= one.start for one in found)
    assert sum((one.end - one.start for one in found if one.end), timedelta(0)) <= timedelta(minutes=4)
    assert len({one.start for one in found}) == len(found)


def test_summer_time_and_another_zone_while_it_runs_move_no_event(
    store: Store, memory: Memory, clock: FakeClock
) -> None:
    berlin, tokyo = ZoneInfo("Europe/Berlin"), ZoneInfo("Asia/Tokyo")
    before = datetime(2026, 10, 25, 2, 59, tzinfo=berlin)
    after = datetime(2026, 10, 25, 2, 1, tzinfo=berlin, fold=1)  # two minutes later
    landed = after.astimezone(tokyo) + timedelta(minutes=2)
    clock.now = landed.astimezone(UTC)
    for number, moment in enumerate((before, after, landed)):
        offset = moment.utcoffset()
        assert offset is not None
        minutes = int(offset.total_seconds()) // 60
        memory.remember([event(start=moment.astimezone(UTC), text=f"step {number}", utc_offset=minutes)])

    found = store.between(None, None)
    assert [one.text for one in found] == ["step 0", "step 1", "step 2"]
    assert (found[2].start - found[0].start) == timedelta(minutes=4)
    assert [one.utc_offset for one in found] == [120, 60, 540]
    assert len({one.session for one in found}) == 1


@pytest.fixture
def app(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[App]:
    monkeypatch.setattr(app_module, "sources_of", lambda parts: ())
    made = App.open(home / "memory")
    yield made
    made.close()


def test_a_model_that_hangs_lets_search_answer_by_words_and_is_replaced(app: App) -> None:
    assert app.parts.models is not None
    app.memory.remember([event(1, text="make the harbour lights")])
    app.catch_up(60)
    embedder = app.parts.models.embedder._embedder
    child = embedder._child
    os.kill(child.pid, signal.SIGSTOP)
    child._deadline = 1.0

    begun = time.monotonic()
    found = app.memory.search(Query(text="harbour"))
    took = time.monotonic() - begun

    assert [hit.event.text for hit in found.hits] == ["make the harbour lights"]
    assert any("words" in warning for warning in found.warnings)
    assert took < 6
    again = app.memory.search(Query(text="harbour"))
    until = time.monotonic() + 60
    while again.warnings and time.monotonic() < until:
        time.sleep(0.2)
        again = app.memory.search(Query(text="harbour"))
    assert again.warnings == ()
    assert embedder._child.pid != child.pid


def test_a_graph_that_raises_is_said_and_made_anew_while_the_store_answers(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    app.memory.remember([event(n) for n in range(5)])
    app.catch_up(0)

    def raises(*_: object) -> bool:
        raise EngineError("Kuzu fails")

    step, build = Follower.step, projector.build
    monkeypatch.setattr(Follower, "step", raises)
    monkeypatch.setattr(projector, "build", raises)
    app.memory.remember([event(9, text="meanwhile")])
    app._projector.start()
    until = time.monotonic() + 20
    while "graph" not in app.problems() and time.monotonic() < until:
        time.sleep(0.05)

    assert "The graph could not be made anew. Free some space" in app.problems()["graph"]
    assert app.memory.search(Query(text="meanwhile")).hits
    monkeypatch.setattr(Follower, "step", step)
    monkeypatch.setattr(projector, "build", build)
    app._projector.wake()
    while app.problems() and time.monotonic() < until:
        time.sleep(0.05)
    assert app.memory.stats().graph["behind"] == 0
    app._projector.stop()
