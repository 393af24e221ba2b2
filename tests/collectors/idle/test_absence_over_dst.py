"""Away while the local clock is changed: real time goes on, and so do spans, gaps and sessions."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from collectors.event import Event, Gap
from collectors.idle.absence import Absence
from collectors.window.backend import window
from collectors.window.spans import Spans
from desktop_memory.store.store import Store
from tests.factories import FakeClock, event
from tests.stubs import memory_over

AUTUMN = datetime(2026, 10, 25, 1, tzinfo=UTC)
SPRING = datetime(2026, 3, 29, 1, tzinfo=UTC)


@pytest.fixture(autouse=True)
def berlin(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "Europe/Berlin")
        time.tzset()
        yield
    time.tzset()


def minute(change: datetime, minutes: float) -> datetime:
    return change + timedelta(minutes=minutes)


def told(change: datetime) -> list[Event | Gap]:
    """At work until five minutes before the clock is changed, back twenty minutes after."""
    spans = Spans(
        device="d", describe=lambda w: Event(identity="", kind="window", start=change, title=w.title)
    )
    absence = Absence()
    seen: list[Event | Gap] = [*spans.front(window("notes"), minute(change, -20))]
    for passed in range(-19, 25):
        at = minute(change, passed)
        idle = 0.0 if passed <= -5 or passed >= 20 else (passed + 5) * 60.0
        if (left := absence.leaves(at, idle)) is not None:
            seen += [*spans.away(left), Gap(start=left, reason="idle")]
            since = left
        elif (back := absence.returns(at, idle)) is not None:
            spans.back(back)
            seen += [Gap(start=since, end=back, reason="idle"), *spans.front(window("mail"), back)]
        seen += spans.tick(at)
    return [*seen, *spans.stop(minute(change, 25))]


@pytest.mark.parametrize(("change", "offsets"), [(AUTUMN, [120, 60]), (SPRING, [60, 120])])
def test_the_chain_stays_sorted_and_the_sessions_part_where_the_absence_was(
    tmp_path: Path, change: datetime, offsets: list[int]
) -> None:
    store = Store.open(tmp_path / "data", clock=FakeClock(minute(change, 30)))
    try:
        memory = memory_over(store, FakeClock(minute(change, 30)))
        # A history that comes later tells commands of both sides, the later first.
        commands = [
            event(start=minute(change, at), utc_offset=offset, text=f"make {at}")
            for at, offset in zip((22, -10), reversed(offsets), strict=True)
        ]
        for one in (*told(change), *commands):
            memory.remember([one])

        chain = store.between(None, None)
        sessions = store.sessions(None, None)
    finally:
        store.close()

    assert [(e.title or e.text, e.start, e.end, e.utc_offset) for e in chain] == [
        ("notes", minute(change, -20), minute(change, -5), offsets[0]),
        ("make -10", minute(change, -10), None, offsets[0]),
        ("mail", minute(change, 20), minute(change, 25), offsets[1]),
        ("make 22", minute(change, 22), None, offsets[1]),
    ]
    assert all(one.start <= other.start for one, other in itertools.pairwise(chain))
    assert [(s.start, s.end, s.ended_by) for s in sessions] == [
        (minute(change, -20), minute(change, -5), "idle"),
        (minute(change, 20), minute(change, 25), ""),
    ]
