"""Records as untidy as real ones neither break a screen nor vanish from it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pytestqt.qtbot import QtBot

from desktop_memory.model import KINDS, Remembered
from desktop_memory.ui.leaving_out import pattern_of
from desktop_memory.ui.pages.all import PAGES
from desktop_memory.ui.rows import clean, event_row
from desktop_memory.ui.window import Window
from tests.desktop_memory.ui.conftest import Stage
from tests.desktop_memory.ui.scripted import NOW, Script, ScriptedMemory, fortnight, told

TEXTS = (
    "",
    " ",
    "\x00\x1b[31m\u202eevil\u2066",
    "lone \ud83d surrogate \udc00",
    "עברית עם english באמצע ועוד הרבה טקסט שלא נכנס בשורה אחת בכלל",
    "العربية مع نص طويل جدا لا يتسع في سطر واحد على الإطلاق وأكثر",
    "👩‍👩‍👧‍👦🏳️‍🌈 family 🇩🇪",
    "a\u0301\u0301\u0301 zalgo",
    "x" * 1_000_000,
    "line\nline\r\nline\u2028line",
    '<b>not html</b> & "quotes" [7] ## Sources',
    "冪等性キー_設計.md – billing-api" * 40,
)
DETAILS: tuple[dict[str, Any], ...] = (
    {},
    {"exit": "1"},
    {"exit": None, "insertions": 1.5, "deletions": "x"},
    {"exit": -11, "cwd": 7, "path": ["a"]},
    {"exit": 10**30, "insertions": 10**12, "deletions": 0},
)


def untidy() -> list[Remembered]:
    events = []
    for n, text in enumerate(TEXTS):
        for kind in KINDS:
            start = NOW - timedelta(minutes=n % 14 + 0.5)
            events.append(
                Remembered(
                    id=1000 + len(events), key="", identity=str(len(events)), kind=kind, start=start,
                    end=(None, start, start - timedelta(days=3), start + timedelta(days=400))[n % 4],
                    title=text, text=text, app=text[:5000], project=text[:5000], domain=text[:300], url=text[:300],
                    branch=text[:300], files=(text[:300], ""), details=DETAILS[n % len(DETAILS)], session=1,
                )
            )  # fmt: skip
    events.append(
        replace(told("note", 13, "09:00", "far past"), id=5, start=datetime(1970, 1, 1, tzinfo=UTC))
    )
    events.append(replace(told("note", 13, "09:00", "far future"), id=6, start=NOW + timedelta(days=4000)))
    return events


def test_every_page_stands_untidy_records(stage_of: Callable[..., Stage], qtbot: QtBot) -> None:
    script = fortnight()
    script.events += untidy()
    stage = stage_of(ScriptedMemory(script))
    window = Window(stage.desk, stage.copier, stage.actions)
    qtbot.addWidget(window)
    window.resize(900, 700)
    window.show()

    for number in range(len(PAGES)):
        window.go(number)
        qtbot.wait(200)
        window.grab()
    window.search_for("evil")
    qtbot.wait(400)
    window.grab()

    assert stage.notices == []


def test_a_session_of_twenty_thousand_records_is_listed(stage_of: Callable[..., Stage], qtbot: QtBot) -> None:
    script = Script()
    script.session("big", 13, "08:00", "09:50", told("note", 13, "08:00", "first"), ended="")
    script.events += [
        replace(told("terminal", 13, "08:00", f"make target-{n}"), id=n + 10, session=1,
                start=NOW - timedelta(seconds=7000 - n / 3))
        for n in range(20_000)
    ]  # fmt: skip
    stage = stage_of(ScriptedMemory(script))
    window = Window(stage.desk, stage.copier, stage.actions)
    qtbot.addWidget(window)
    window.show()
    window.go_to("TimelinePage")
    page: Any = window.page

    qtbot.waitUntil(lambda: len(page.rows.rows.rows) > 20_000, timeout=20_000)
    page.rows.scrollToBottom()
    window.grab()


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.sampled_from(KINDS),
    st.text(),
    st.text(),
    st.dictionaries(st.sampled_from(["exit", "insertions", "cwd"]), st.none() | st.integers() | st.text()),
)
def test_any_record_makes_a_row(
    qtbot: QtBot, kind: Any, title: str, app: str, details: dict[str, Any]
) -> None:
    event = replace(told(kind, 13, "09:00", title, text=title, app=app), id=1, details=details)

    row = event_row(event)

    assert "\n" not in row.title
    assert len(row.title) <= 300
    row.spoken.encode()
    row.tooltip.encode()


def test_a_bug_in_a_slot_is_logged_and_said(stage_of: Callable[..., Stage], caplog: Any) -> None:
    from desktop_memory.ui.stay import _bug

    stage = stage_of()
    try:
        raise ZeroDivisionError("the user's secret title")
    except ZeroDivisionError as error:
        _bug(stage.desk, type(error), error, error.__traceback__)

    assert "a slot met a bug" in caplog.text
    assert "ZeroDivisionError" in stage.notices[0].text
    assert "secret" not in stage.notices[0].text + stage.notices[0].advice


def test_a_rule_for_titles_like_an_untidy_one_can_be_read_and_fits_it() -> None:
    for text in TEXTS:
        title = clean(text)
        pattern = pattern_of(title)

        assert re.search(pattern, title, re.IGNORECASE) is not None
        assert len(pattern) < 600
    assert re.search(pattern_of("Payslip (July 2026) – a+b*c"), "payslip (july 2027) – a+b*c", re.IGNORECASE)
