"""Hits become groups; meaning comes in without moving what is under the cursor."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from desktop_memory.model import Hit
from desktop_memory.ui.arrange import grouped, merged
from desktop_memory.ui.folding import folded_rows
from desktop_memory.ui.rows import Row, header
from tests.desktop_memory.ui.scripted import fortnight, told

TODAY = date(2026, 8, 13)


def row(name: str) -> Row:
    return Row(key=("event", name), title=name)


def names(rows: list[Row]) -> list[str]:
    return [f"# {r.title}" if r.style == "header" else r.title for r in rows]


def test_hits_stand_under_their_session_best_first() -> None:
    script = fortnight()
    sessions = {session.id: session for session in script.sessions}
    chosen = [e for e in script.events if "charge" in (e.title + e.text) or "Idempotent" in e.title]
    hits = [Hit(event=event, score=1) for event in reversed(chosen)]

    rows = grouped(hits, sessions, ["charge"], TODAY)

    assert names(rows) == [
        "# Today · billing-api · 09:41–09:56",
        "LED-731 Duplicate charge after webhook retry",
        "LED-731 take advisory lock before charge",
        "# Tue 11 Aug · billing-api · 14:02–15:31",
        "Idempotent requests · Stripe API reference",
    ]


def test_without_sessions_hits_stand_under_their_day() -> None:
    hits = [
        Hit(event=told("note", 12, "09:00", "a"), score=1),
        Hit(event=told("note", 4, "09:00", "b"), score=1),
    ]

    assert names(grouped(hits, {}, [], TODAY)) == ["# Yesterday", "a", "# Tue 4 Aug", "b"]


def test_what_is_above_the_cursor_stays_when_meaning_arrives() -> None:
    shown = [header("A"), row("a1"), row("a2"), header("B"), row("b1")]
    fresh = [header("C"), row("c1"), header("A"), row("a3"), row("a1"), header("B"), row("b1"), row("a2")]

    rows = merged(shown, fresh, keep=2)

    assert names(rows) == ["# A", "a1", "a3", "# C", "c1", "# B", "b1", "a2"]


def test_a_kept_row_that_the_answer_lacks_is_still_there() -> None:
    assert names(merged([header("A"), row("a1")], [header("B"), row("b1")], keep=2)) == [
        "# A",
        "a1",
        "# B",
        "b1",
    ]


def test_nothing_kept_is_just_the_answer() -> None:
    assert names(merged([row("x")], [header("A"), row("a")], keep=0)) == ["# A", "a"]


@given(
    st.lists(st.integers(0, 30), unique=True), st.lists(st.integers(0, 30), unique=True), st.integers(0, 40)
)
def test_merging_loses_and_doubles_nothing(old: list[int], new: list[int], keep: int) -> None:
    shown = [header("day", 0), *(row(str(n)) for n in old)]
    fresh = [header("day", 0), *(row(str(n)) for n in new)]

    rows = merged(shown, fresh, keep)

    keys = [r.key for r in rows if r.style != "header"]
    assert rows[: min(keep, len(shown))] == shown[:keep]
    assert len(keys) == len(set(keys))
    assert {r.key for r in fresh if r.style != "header"} <= set(keys)


def test_repeats_become_one_row_and_trifles_a_count() -> None:
    script = fortnight()
    session = script.sessions[-1]

    rows = folded_rows([e for e in script.events if e.session == session.id])

    assert [r.title for r in rows].count("pytest tests/test_retry.py -k backoff") == 1
    assert next(r for r in rows if r.title.endswith("backoff")).tail[-1] == ("×2", "muted")
    assert rows[-1].title == "1 trivial folded"
    assert "git status" not in [r.title for r in rows]
    times = [r.time for r in rows[:-1]]
    assert times == sorted(times)


def test_a_trifle_that_failed_is_no_trifle() -> None:
    rows = folded_rows([told("terminal", 13, "09:00", "ls", details={"exit": 2})])

    assert [r.title for r in rows] == ["ls"]


def test_documents_of_one_program_stand_in_one_row() -> None:
    spans = [
        told("window", 13, "09:00", "retry.py - Visual Studio Code", minutes=3, app="Code"),
        told("window", 13, "09:03", "test_retry.py - Visual Studio Code", minutes=3, app="Code"),
    ]

    rows = folded_rows([replace(event, id=n) for n, event in enumerate(spans, 1)])

    assert [(row.title, row.chip, row.time) for row in rows] == [
        ("VS Code: retry.py, test_retry.py", "6 min", "09:00")
    ]
    assert rows[0].members == (1, 2)


def test_what_was_folded_is_in_the_tooltip() -> None:
    rows = folded_rows([told("terminal", 13, "09:00", "ls -l"), told("terminal", 13, "09:01", "git status")])

    assert [row.title for row in rows] == ["2 trivial folded"]
    assert rows[0].tooltip == "ls, git status"
