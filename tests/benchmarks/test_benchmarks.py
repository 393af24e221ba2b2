"""The benchmarks' years look like life, and the benchmarks themselves still run."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from tests.benchmarks import answers, encryption, imports
from tests.benchmarks.generator import stream
from tests.benchmarks.world import world


def test_titles_repeat_nights_are_free_and_weekends_quiet() -> None:
    events = list(stream(20_000))

    titles = [event.title for event in events if event.kind == "window"]
    assert 1 - len(set(titles)) / len(titles) == pytest.approx(0.87, abs=0.03)
    assert {event.start.hour for event in events}.isdisjoint(range(5))
    weekend = sum(event.start.weekday() >= 5 for event in events)
    assert 0 < weekend < len(events) * 0.15
    pauses = [b.start - a.start for a, b in pairwise(events)]
    assert sum(pause.total_seconds() > 600 for pause in pauses) > 100


def test_the_same_seed_gives_the_same_events_in_order_of_time() -> None:
    events = list(stream(2_000))

    assert events == list(stream(2_000))
    assert events != list(stream(2_000, seed=8))
    assert [event.start for event in events] == sorted(event.start for event in events)
    assert len({event.identity for event in events}) == 2_000


def test_a_small_run_measures_every_question(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with world(tmp_path / "memory") as made:
        made.grow(600)
        answers.measure(made)
        imports.measure(made, tmp_path / "raw")

    told = capsys.readouterr().out
    for name in ("search by words", "three months", "working memory", "session", "connected", "ratio"):
        assert name in told


def test_plain_and_encrypted_are_measured_in_turn(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(encryption, "IMPORTED", 1_000)

    encryption.measure(tmp_path, 600)

    told = capsys.readouterr().out
    assert told.count(" 1.5\n") == 4
    assert not (tmp_path / "encrypted" / "memory.sqlite").read_bytes().startswith(b"SQLite")
