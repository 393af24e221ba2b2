"""What a row says about an event."""

from __future__ import annotations

from dataclasses import replace

import pytest

from desktop_memory.ui.rows import clean, event_row, headline, marked, query_words
from tests.desktop_memory.ui.scripted import told


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (told("terminal", 13, "09:41", "git rebase main"), "git rebase main"),
        (told("window", 13, "09:41", "retry.py", app="VS Code"), "VS Code: retry.py"),
        (told("window", 13, "09:41", "", app="VS Code"), "VS Code"),
        (told("browser", 13, "09:41", "Explicit Locking"), "Explicit Locking"),
        (
            told("browser", 13, "09:41", "", url="https://a.example/b", domain="a.example"),
            "https://a.example/b",
        ),
        (told("git_commit", 13, "09:41", text="\nSubject\n\nBody"), "Subject"),
        (told("git_commit", 13, "09:41"), ""),
        (told("note", 13, "09:41", "two\nlines"), "two lines"),
        (told("file", 13, "09:41", "", files=("src/retry.py",)), "src/retry.py"),
    ],
)
def test_a_headline_is_one_line_in_the_persons_words(event: object, line: str) -> None:
    assert headline(event) == line  # type: ignore[arg-type]


def test_a_failing_command_says_its_exit_and_how_often() -> None:
    row = event_row(told("terminal", 13, "09:52", "pytest", details={"exit": 1}), count=2)

    assert row.tail == (("exit 1", "danger"), ("×2", "muted"))
    assert row.time == "09:52"


def test_a_command_that_went_well_says_nothing_of_it() -> None:
    assert event_row(told("terminal", 13, "09:52", "pytest", details={"exit": 0})).tail == ()


def test_a_commit_says_how_much_it_changed() -> None:
    event = told("git_commit", 13, "09:47", text="x", details={"insertions": 41, "deletions": 9})

    assert event_row(event).tail == (("+41 −9", "muted"),)


def test_the_chip_tells_the_place_in_search_and_the_length_in_a_log() -> None:
    page = told("browser", 13, "09:44", "Locking", minutes=3, domain="postgresql.org")

    assert event_row(page).chip == "postgresql.org"
    assert event_row(page, by="length").chip == "3 min"


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("a\nb\tc", "a b c"),
        ("evil\x1b[31mred\x00", "evil [31mred"),
        ("\u202egnp.exe", "gnp.exe"),
        ("lone \ud83d surrogate", "lone � surrogate"),
        ("日本語 ă 😀", "日本語 ă 😀"),
        ("", ""),
    ],
)
def test_a_title_cannot_break_its_row(raw: str, shown: str) -> None:
    assert clean(raw) == shown


def test_a_megabyte_of_title_is_cut() -> None:
    row = event_row(replace(told("terminal", 13, "09:41", "x" * 1_000_000), id=1))

    assert len(row.title) == 300
    assert row.title.endswith("…")
    assert len(row.tooltip) < 2000


@pytest.mark.parametrize(
    ("title", "question", "parts"),
    [
        (
            "LED-731 Duplicate charge after webhook retry",
            "duplicate charge retry",
            ["Duplicate charge", "retry"],
        ),
        ("pytest tests/test_retry.py", "retry", ["retry"]),
        ("recharge the battery", "charge", []),
        ("charges and charge", "charge", ["charge", "charge"]),
        ("冪等性キー_設計.md", "設計", ["設計"]),
        ("Café crème", "cafe", ["Café"]),
        ("ÄÖÜ", "x", []),
        ("a.b", "[.", []),
    ],
)
def test_the_words_of_the_question_are_marked(title: str, question: str, parts: list[str]) -> None:
    spots = marked(title, query_words(question))

    assert [title[a:b] for a, b in spots] == parts
