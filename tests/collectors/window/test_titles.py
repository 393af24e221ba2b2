"""Titles: what is kept, and what counts as the same."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from collectors.window.titles import LIMIT, clean, normal


@pytest.mark.parametrize(
    ("raw", "kept"),
    [
        ("a\x00b\tc\r\n d\x9f", "a b c d"),
        ("lone \ud800 half", "lone \ufffd half"),
        ("Docs - Microsoft\u200b Edge", "Docs - Microsoft Edge"),
        ("\u202eevil\u202c.txt", "evil .txt"),
        ("  日本語 😀  ", "日本語 😀"),
        ("family 👨\u200d👩\u200d👧", "family 👨\u200d👩\u200d👧"),
        ("", ""),
    ],
)
def test_a_title_becomes_one_clean_line(raw: str, kept: str):
    assert clean(raw) == kept


def test_a_title_of_ten_megabytes_is_cut():
    assert clean("x" * 10_000_000) == "x" * LIMIT


@given(st.text(st.characters(exclude_categories=())))
@settings(deadline=None)
def test_whatever_a_title_holds_it_can_be_stored(raw: str):
    kept = clean(raw)

    assert kept == kept.encode("utf-8").decode("utf-8")
    assert len(kept) <= LIMIT
    assert kept == clean(kept)
    normal(kept)


@pytest.mark.parametrize(
    "ticking",
    [
        ("⠋ building", "⠙ building", "building"),
        ("(3) Inbox - Gmail", "(4) Inbox - Gmail", "Inbox - Gmail"),
        ("Inbox (12) - me@example.com", "Inbox (1,024) - me@example.com".replace(",", "")),
        ("[2] Slack", "Slack"),
        ("42% copying a.zip", "43.5 % copying a.zip"),
        ("Break 04:59", "Break 04:58"),
        ("1:02:03 / 2:00:00 film.mkv - mpv", "1:02:04 / 2:00:00 film.mkv - mpv"),
        ("● retry.py - shop - Visual Studio Code", "retry.py - shop - Visual Studio Code"),
        ("*notes.txt - gedit", "notes.txt - gedit"),
        ("Loading.", "Loading..", "Loading...", "Loading…", "Loading"),
        ("Game 60 fps", "Game 59 fps"),
        ("letter.odt", "letter.odt (Not Responding)"),
        ("download 1.2MB/s", "download 900 kB/s"),
        ("✳ Thinking (12s · esc)", "✶ Thinking (13s · esc)"),
        ("- make", "\\ make", "| make", "/ make", "make"),
    ],
)
def test_what_only_ticks_is_the_same(ticking: tuple[str, ...]):
    assert len({normal(title) for title in ticking}) == 1


@pytest.mark.parametrize(
    "different",
    [
        ("copy (1).pdf", "copy (2).pdf"),
        ("Halloween (1978) - IMDb", "Halloween (2018) - IMDb"),
        ("Chapter 1", "Chapter 2"),
        ("issue #12", "issue #13"),
        ("Hits of the 80s", "Hits of the 90s"),
        ("8 GB RAM", "16 GB RAM"),
        ("~/src", "~/doc"),
        ("v1.2", "v1.3"),
    ],
)
def test_what_means_something_else_is_not(different: tuple[str, ...]):
    assert len({normal(title) for title in different}) == len(different)
