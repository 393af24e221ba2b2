"""Near-duplicates become one line, different things never do."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from desktop_memory.model import Remembered
from desktop_memory.pipeline.coalesce import (
    DETAIL_LIMIT,
    LISTED_FILES,
    collapse,
    command_line,
    detail,
    discriminators,
    embedding_text,
    line,
    normalise,
    page_title,
)
from tests.factories import event

BERLIN = ZoneInfo("Europe/Berlin")


def remembered(minutes: float = 0, **what: Any) -> Remembered:
    seen = event(minutes, **what)
    values = {name: getattr(seen, name) for name in type(seen).__dataclass_fields__}
    return Remembered(**values, id=round(minutes * 100) + 1, key=f"{minutes}")


def window(minutes: float, title: str, app: str = "Firefox") -> Remembered:
    return remembered(minutes, kind="window", app=app, title=title)


def counts(*events: Remembered, similar: Any = None) -> list[int]:
    return [count for _, count in collapse(events, similar)]


def always(one: Remembered, other: Remembered) -> bool:
    return True


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("(3) Inbox — Mozilla Firefox", "Inbox — Mozilla Firefox"),
        ("Inbox (12) - Google Chrome", "Inbox (13) - Google Chrome"),
        ("⠋ build", "⠙ build"),
        ("Downloading 41%", "Downloading 99%"),
        ("Song 1:05 / 3:00", "Song 2:44 / 3:00"),
        ("● retry.py - app", "retry.py - app"),
        ("A page — Mozilla Firefox", "A page"),
        ("A page - Google Chrome", "A page - Chromium"),
        ("A page and 3 more pages - Personal - Microsoft Edge", "A page - Microsoft Edge"),
        ("A   page", "a page"),
    ],
)
def test_titles_that_only_tick_are_the_same(one: str, other: str):
    assert normalise(window(0, one)) == normalise(window(1, other))
    assert counts(window(0, one), window(1, other)) == [2]


@pytest.mark.parametrize(
    ("what", "read"),
    [
        ({"text": "make  all\n", "title": "a terminal"}, "make all"),
        ({"kind": "browser", "title": "(3) Inbox", "text": "a body"}, "inbox"),
        ({"kind": "browser", "title": "", "text": "Inbox"}, "inbox"),
        ({"kind": "git_commit", "title": "Fix  it", "text": "and more"}, "Fix it"),
        ({"kind": "note", "title": "", "text": "a  thought"}, "a thought"),
    ],
)
def test_commands_are_compared_by_their_text_all_else_by_its_title_if_it_has_one(
    what: dict[str, Any], read: str
):
    assert normalise(remembered(0, **what)) == read


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("PR #482 fix retries", "PR #483 fix retries"),
        ("pytest – 2 failed", "pytest – 14 passed"),
        ("report-v1 final", "report-v2 final"),
        ("notes_a open", "notes_b open"),
        ("see a/b", "see a/c"),
        ("Python 3.11 docs", "Python 3.12 docs"),
        ("Halloween (1978)", "Halloween (2018)"),
        ("copy (1).pdf", "copy (2).pdf"),
    ],
)
def test_no_likeness_joins_what_an_identifier_tells_apart(one: str, other: str):
    assert counts(window(0, one), window(1, other), similar=always) == [1, 1]


def test_what_means_the_same_is_one_when_the_model_says_so():
    one, other = window(0, "How to lock rows"), window(1, "How to lock a row")

    assert counts(one, other) == [1, 1]
    assert counts(one, other, similar=always) == [2]
    assert counts(one, other, similar=lambda a, b: False) == [1, 1]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"text": "pytest", "details": {"exit": 0}}, {"text": "pytest", "details": {"exit": 1}}),
        (
            {"kind": "git_commit", "title": "wip", "details": {"hash": "a"}},
            {"kind": "git_commit", "title": "wip", "details": {"hash": "b"}},
        ),
        (
            {"kind": "git_stash", "title": "wip", "files": ("a",)},
            {"kind": "git_stash", "title": "wip", "files": ("b",)},
        ),
        (
            {"kind": "browser", "title": "Docs", "url": "https://x.org/a"},
            {"kind": "browser", "title": "Docs", "url": "https://x.org/b"},
        ),
    ],
)
def test_exit_codes_commits_files_and_pages_keep_events_apart(one: dict[str, Any], other: dict[str, Any]):
    assert counts(remembered(0, **one), remembered(1, **other), similar=always) == [1, 1]


def test_a_query_of_an_address_does_not_make_another_page():
    pages = [{"kind": "browser", "title": "Docs", "url": f"https://x.org/a?utm={n}#p{n}"} for n in range(3)]

    assert counts(*(remembered(n, **page) for n, page in enumerate(pages))) == [3]


def test_the_newer_replaces_the_older_and_other_kinds_in_between_do_not_matter():
    first, last = remembered(0, text="make"), remembered(3, text="make")
    between = window(1, "A page")

    assert collapse([first, between, last]) == [(between, 1), (last, 2)]


def test_only_the_last_of_its_kind_is_compared():
    makes = [remembered(n, text=text) for n, text in enumerate(["make", "ls", "make"])]

    assert counts(*makes) == [1, 1, 1]


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ({"text": "git commit \\\n  -m x"}, "git commit -m x"),
        ({"text": "x" * 300}, "x" * 119 + "…"),
        ({"kind": "browser", "title": "Docs", "domain": "x.org"}, "Docs | x.org"),
        ({"kind": "git_commit", "title": "fix", "files": tuple("abcdefg")}, "fix · a, b, c, d, e +2"),
        ({"kind": "git_staged", "title": "staged", "files": tuple("abcdefg")}, "a, b, c, d, e +2"),
        ({"kind": "git_checkout", "title": "checkout feature/x"}, "feature/x"),
        ({"kind": "window", "app": "Word", "title": "plan.docx"}, "Word — plan.docx"),
        ({"kind": "note", "title": "a thought"}, "a thought"),
    ],
)
def test_each_kind_reads_as_one_line(what: dict[str, Any], said: str):
    assert detail(event(**what)) == said


def test_a_line_has_local_time_kind_and_count():
    seen = remembered(90, text="make", details={"exit": 2})

    assert line(seen, 3, zone=BERLIN) == "[13:30] terminal: make (exit 2) ×3"
    assert line(seen, 1, zone=BERLIN, dated=True) == "[2026-08-13 13:30] terminal: make (exit 2)"


def test_a_line_is_right_on_both_sides_of_a_clock_change():
    before = remembered(text="a", start=datetime(2026, 10, 25, 0, 30, tzinfo=UTC))
    after = remembered(text="b", start=datetime(2026, 10, 25, 1, 30, tzinfo=UTC))

    assert line(before, 1, zone=BERLIN).startswith("[02:30]")
    assert line(after, 1, zone=BERLIN).startswith("[02:30]")
    assert line(after, 1, zone=ZoneInfo("Asia/Kolkata")).startswith("[07:00]")


def test_what_is_embedded_is_short_and_without_what_ticks():
    assert embedding_text(event(kind="browser", title="Docs", domain="x.org")) == "Docs | x.org"
    assert (
        embedding_text(event(kind="window", app="Firefox", title="Docs — Mozilla Firefox"))
        == "Firefox — Docs"
    )
    assert embedding_text(event(kind="git_commit", title="fix", files=tuple("ab"))) == "fix\na b"
    assert len(embedding_text(event(text="x" * 9_000))) == 2_000
    many = tuple(f"file_{n}" for n in range(30))
    assert "file_19" in embedding_text(event(kind="git_commit", title="fix", files=many))
    assert "file_20" not in embedding_text(event(kind="git_commit", title="fix", files=many))


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("make  all\n", "make all"),
        ("cd src\nmake", "cd src ⏎ make"),
        ("docker run \\\n   --rm \\\r\n img", "docker run --rm img"),
        ("\n\n", ""),
        ("x" * 120, "x" * 120),
        ("x" * 121, "x" * 119 + "…"),
        ("x" * 118 + " yy", "x" * 118 + "…"),
        ("x" * 1_000, "x" * 119 + "…"),
        ("x" * 2_000, "x" * 100 + "… (2,000 characters)"),
        ("y" * 300 + " … [cut, 1,048,576 characters]", "y" * 96 + "… (1,048,576 characters)"),
    ],
)
def test_a_command_is_one_line_that_says_where_it_was_more(text, line):
    assert command_line(text) == line
    assert len(command_line(text)) <= 120


@pytest.mark.parametrize(
    "browser",
    [
        "Mozilla Firefox", "Firefox", "Firefox Developer Edition", "Firefox Nightly", "Google Chrome", "Chromium",
        "Chromium Web Browser", "Microsoft Edge", "Microsoft\u200b Edge", "Brave", "Brave Browser", "Vivaldi", "Opera",
        "Safari", "LibreWolf", "Waterfox", "Floorp", "Zen Browser", "Tor Browser", "Yandex", "Arc", "Falkon",
        "Konqueror", "qutebrowser", "Google Chrome (Incognito)",
    ],
)  # fmt: skip
def test_every_browser_s_name_at_the_end_of_a_title_is_left_out(browser: str):
    assert page_title(f"Docs — {browser}") == "docs"
    assert page_title(f"Docs and 2 more pages - Work - {browser}") == "docs"


PAGE = "https://a.org/x?q=1?r#top#end"


def told_apart(**what: Any) -> Any:
    return discriminators(event(0, **what))


def test_a_page_is_told_by_its_address_without_question_and_place():
    page = told_apart(kind="browser", url=PAGE, title="A", text="")
    for rest in ("", "#top", "#top#end", "?q=2", "#a?b"):
        alike = f"https://a.org/x{rest}"
        assert told_apart(kind="browser", url=alike, title="A", text="") == page
    assert told_apart(kind="browser", url="https://a.org/y", title="A", text="") != page


def test_a_window_is_told_by_no_address():
    shown = told_apart(kind="window", app="Firefox", url=PAGE, title="A", text="")
    assert shown == told_apart(kind="window", app="Firefox", title="A", text="")


def test_the_judge_of_likeness_is_asked_about_these_two():
    one, other = remembered(0, text="fix the parser"), remembered(1, text="mend the parser")
    asked = []

    def similar(first: Remembered, second: Remembered) -> bool:
        asked.append((first, second))
        return True

    assert counts(one, other, similar=similar) == [2]
    assert asked == [(one, other)]


@pytest.mark.parametrize(
    ("what", "count", "dated", "told"),
    [
        ({"text": "make"}, 1, False, "terminal: make"),
        ({"text": "make", "details": {"exit": 0}}, 2, False, "terminal: make ×2"),
        ({"text": "make", "details": {"exit": 1}}, 3, False, "terminal: make (exit 1) ×3"),
        ({"kind": "git_commit", "title": "Fix it", "files": ("a", "b")}, 1, False, "commit: Fix it · a, b"),
        ({"kind": "git_stash", "title": "WIP", "files": ("a",)}, 1, False, "stash: WIP · a"),
        ({"kind": "git_staged", "title": "staged  it"}, 1, False, "staged: staged it"),
        ({"kind": "git_staged", "title": "staged", "files": ("a",)}, 1, False, "staged: a"),
        ({"kind": "browser", "url": "https://a.org/x?q=1?r", "domain": "a.org"}, 1, False,
         "browser: https://a.org/x | a.org"),
    ],
)  # fmt: skip
def test_a_line_tells_all_of_it(what: dict[str, Any], count: int, dated: bool, told: str):
    seen = event(0, **{"text": "", **what})
    assert line(seen, count, zone=UTC, dated=dated) == f"[{seen.start:%H:%M}] {told}"
    guessed = event(0, approx=True, **{"text": "", **what})
    assert line(guessed, count, zone=UTC).startswith("[~")


def test_long_lists_and_titles_are_cut_and_say_so():
    names = tuple(f"f{n}" for n in range(LISTED_FILES))
    assert detail(event(0, kind="git_staged", text="", files=names)) == ", ".join(names)
    assert detail(event(0, kind="git_staged", text="", files=(*names, "g", "h"))) == ", ".join(names) + " +2"
    whole = "x" * DETAIL_LIMIT
    assert detail(event(0, kind="note", text=whole)) == whole
    assert detail(event(0, kind="note", text=whole + "y")) == "x" * (DETAIL_LIMIT - 1) + "…"
    assert detail(event(0, kind="note", text="xy " * DETAIL_LIMIT))[-4:] == " xy…"
    assert (
        detail(event(0, kind="note", text="x" * (DETAIL_LIMIT - 2) + " yy")) == "x" * (DETAIL_LIMIT - 2) + "…"
    )


@pytest.mark.parametrize(
    ("what", "wanted"),
    [
        ({"kind": "browser", "title": "Docs — Mozilla Firefox", "domain": "a.org"}, "Docs | a.org"),
        ({"kind": "git_stash", "text": "WIP", "files": ("a", "b")}, "WIP\na b"),
        ({"kind": "git_staged", "text": "two files", "files": ("a", "b")}, "two files\na b"),
        ({"kind": "window", "app": "Code", "title": "● retry.py"}, "Code — retry.py"),
        ({"kind": "window", "app": "Code", "title": "retry.py (unsaved)"}, "Code — retry.py"),
    ],
)
def test_what_stands_for_it_in_search_by_meaning(what: dict[str, Any], wanted: str):
    assert embedding_text(event(0, **{"text": "", **what})) == wanted
