"""The benchmarks' years look like life, and the benchmarks themselves still run."""

from __future__ import annotations

import platform
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

import pytest

from desktop_memory import app as app_module
from desktop_memory import clock
from tests.benchmarks import answers, encryption, imports, report, soak, table
from tests.benchmarks.generator import ZONE, is_free, stream, years
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


def test_years_have_holidays_and_summer_time() -> None:
    events = list(years(20_000, a_day=260))

    days = {event.start.astimezone(ZONE).date() for event in events}
    assert (max(days) - min(days)).days > 90
    assert not any(is_free(datetime(day.year, day.month, day.day, tzinfo=UTC)) for day in days)
    assert {event.utc_offset for event in events} == {60, 120}
    assert {event.start.astimezone(ZONE).hour for event in events}.isdisjoint(range(3, 8))
    assert [event.start for event in events] == sorted(event.start for event in events)


def test_a_short_soak_says_what_it_grew_by(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clock, "clock", clock.clock)
    monkeypatch.setattr(app_module, "sources_of", app_module.sources_of)

    soak.Soak(folder=tmp_path / "memory", hours=0.1, meaning=False).run()

    told = capsys.readouterr().out
    for name in ("slope", "WAL", "MB a day", "changes kept"):
        assert name in told


def test_what_is_printed_becomes_a_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "benchmarks.md").write_text(f"# Old\n\nold\n\n{report.APART}\n\n4 million | 5\n")
    with report.report(tmp_path / "benchmarks.md", "make bench-report"):
        table.heading("At 600 events")
        table.row("search | words", table.Timing(middle=2, p95=3), table.Timing(middle=1, p95=1), "20 ms")
        table.row("session", table.Timing(middle=12.5, p95=30))
        print("\nSources\n  git alone 1.2 s")

    page = (tmp_path / "benchmarks.md").read_text()
    assert "|  | ms | p95 | bare | ratio | to reach |" in page
    assert "| search \\| words | 2.00 | 3.00 | 1.00 | 2.0 | 20 ms |" in page
    assert "| session | 12.50 | 30.00 |  |  |  |" in page
    assert "## Sources\n\n```text\n  git alone 1.2 s\n```" in page
    assert f"Python {platform.python_version()}" in page
    assert page.endswith(f"```\n\n{report.APART}\n\n4 million | 5\n")
    assert "old" not in page
    assert "| load | " in page
    assert "session" in capsys.readouterr().out
