"""What is copied from the demo, through the real gate and stores, reads as the examples do."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from random import Random

import pytest
import tzlocal

from collectors.event import Event
from desktop_memory import demo, settings
from desktop_memory.app import App
from desktop_memory.assembly import SETTINGS_FILE, assemble
from desktop_memory.context.moments import stretch
from desktop_memory.demo.weave import ZONE
from desktop_memory.memory import Memory
from desktop_memory.model import ContextRequest, Query

GOLDEN = Path(__file__).parent.parent / "context" / "golden"


@pytest.fixture(autouse=True)
def in_berlin(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", demo.ZONE_NAME)
    _take_zone()
    yield
    monkeypatch.undo()
    _take_zone()


def _take_zone() -> None:
    time.tzset()
    tzlocal.reload_localzone()


@contextmanager
def memory_at(
    clock: str, folder: Path, monkeypatch: pytest.MonkeyPatch, *, indexed: bool = False
) -> Iterator[Memory]:
    """The demo at this hour of its last day, with its repositories; vectors and graph only if `indexed`."""
    now = datetime.fromisoformat(f"2026-08-13T{clock}:00+02:00")
    monkeypatch.setenv("DESKTOP_MEMORY_NOW", now.isoformat())
    settings.save(demo.settings(), folder / SETTINGS_FILE)
    demo.lay_out(folder / "home", now)
    owner = App.open(folder) if indexed else assemble(folder, owner=False)
    try:
        receipt = demo.fill(owner.memory, now, home=folder / "home")
        assert receipt.masked == 1
        assert receipt.dropped > 0  # the password manager
        if isinstance(owner, App):
            owner.catch_up(seconds=120)
        yield owner.memory
    finally:
        owner.close()


def golden(name: str) -> str:
    return _without_tag((GOLDEN / f"{name}.md").read_text(encoding="utf-8"))


def _without_tag(text: str) -> str:
    return re.sub(r"ctx-[0-9a-f]{4,}", "ctx-####", text)


def test_the_last_quarter_of_an_hour(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with memory_at("09:56", tmp_path, monkeypatch) as memory:
        copied = memory.context(ContextRequest())

    assert _without_tag(copied.text) == golden("last_minutes")


def test_the_session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with memory_at("15:33", tmp_path, monkeypatch) as memory:
        copied = memory.context(ContextRequest(this_session=True))

    assert _without_tag(copied.text) == golden("session")


def test_a_copy_of_a_session_names_the_time_that_its_list_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with memory_at("16:20", tmp_path, monkeypatch) as memory:
        sessions = memory.sessions(*(datetime(2026, 8, 13, hour, tzinfo=ZONE) for hour in (0, 13)))
        told = {
            session.id: memory.context(ContextRequest(session_id=session.id), save=False).text
            for session in sessions
        }

    assert len(told) >= 3
    for session in sessions:
        assert f", {stretch(session.active_seconds)} active" in told[session.id]


@pytest.mark.slow
def test_the_answer_to_a_question_and_where_its_day_stood(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All but a further neighbour and the counts, which depend on everything else in the fortnight."""
    with memory_at("16:20", tmp_path, monkeypatch, indexed=True) as memory:
        copied = memory.context(ContextRequest(query="when I found the calcium baseline paper"))
        stats = memory.stats()
        secret = memory.search(Query(text="STRIPE_KEY", kinds=("terminal",)))
        places = {(place.source, Path(place.place).name): place.state for place in memory.places()}

    same, _, _ = golden("query").partition("\n\n9 records")
    assert _without_tag(copied.text).startswith(same)
    assert copied.warnings == ()
    assert stats.events > 4_500
    assert secret.hits[0].event.text.startswith("STRIPE_KEY=[redacted:key] python")
    assert places == {
        ("window", "this desktop"): "ok",
        ("zsh", ".zsh_history"): "ok",
        ("firefox", "places.sqlite"): "ok",
        ("files", "Documents"): "ok",
        ("git", "billing-api"): "ok",
        ("git", "thesis-ch3"): "ok",
    }


def test_sessions_are_those_of_the_diary_and_copies_are_mostly_signal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A copied line is signal when the diary tells of it, and noise when it only came in between."""
    midnight, evening = (datetime(2026, 8, 13, *hour, tzinfo=ZONE) for hour in ((0, 0), (17, 25)))
    with memory_at("17:25", tmp_path, monkeypatch) as memory:
        sessions = memory.sessions(midnight, None)
        copies = [
            memory.context(ContextRequest(since=moment - timedelta(minutes=15), until=moment), save=False)
            for moment in _random_moments(200, evening)
        ]
        told = memory.events([source.event for copied in copies for source in copied.sources])

    spans = [f"{s.start.astimezone(ZONE):%H:%M}-{s.end.astimezone(ZONE):%H:%M}" for s in sessions]
    assert spans == ["08:11-09:24", "09:41-10:32", "10:45-12:05", "13:04-15:33", "16:07-17:25"]
    signal = {
        _likeness(one.seen): one.signal for one in demo.labelled(evening) if isinstance(one.seen, Event)
    }
    labels = [signal[_likeness(event)] for event in told if _likeness(event) in signal]
    assert len(labels) > 700
    assert sum(labels) / len(labels) >= 0.85


def _random_moments(count: int, now: datetime) -> list[datetime]:
    rng = Random(1)
    starts = [one.start for one in demo.seen(now) if isinstance(one, Event)]
    return [rng.choice(starts) + timedelta(seconds=rng.uniform(0, 60)) for _ in range(count)]


def _likeness(event: Event) -> tuple[str, datetime, str]:
    return event.kind, event.start, event.title
