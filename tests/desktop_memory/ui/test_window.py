"""The window and its pages, driven as a person does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QStackedWidget
from pytestqt.qtbot import QtBot

from desktop_memory.model import ContextRequest
from desktop_memory.ui.copy_pane import Subject
from desktop_memory.ui.empty import Empty
from desktop_memory.ui.pages.now import NowPage
from desktop_memory.ui.pages.page import Page
from desktop_memory.ui.pages.pins import PinsPage
from desktop_memory.ui.pages.search import SearchPage
from desktop_memory.ui.pages.timeline import TimelinePage
from desktop_memory.ui.row_list import RowList
from desktop_memory.ui.window import Window
from tests.desktop_memory.ui.conftest import Stage
from tests.desktop_memory.ui.scripted import empty, local, told


def build(stage: Stage, qtbot: QtBot, kept: Path | None = None) -> Window:
    window = Window(stage.desk, stage.copier, stage.actions, kept)
    qtbot.addWidget(window)
    window.resize(1180, 720)
    window.show()
    return window


@pytest.fixture
def window(stage: Stage, qtbot: QtBot) -> Window:
    return build(stage, qtbot)


def titles(rows: RowList) -> list[str]:
    return [row.title for row in rows.rows.rows]


def in_view(stack: QStackedWidget) -> str:
    return type(stack.currentWidget()).__name__


def turn(window: Window, kind: type[Any]) -> Any:
    window.go_to(kind.__name__)
    assert isinstance(window.page, kind)
    return window.page


def test_a_page_is_built_when_it_is_first_looked_at(window: Window, qtbot: QtBot) -> None:
    first = window.page
    qtbot.keyClick(window, Qt.Key.Key_3, Qt.KeyboardModifier.ControlModifier)
    second = window.page
    qtbot.keyClick(window, Qt.Key.Key_1, Qt.KeyboardModifier.ControlModifier)

    assert window.page is first
    assert {type(page) for page in window.findChildren(Page)} == {NowPage, SearchPage}
    assert isinstance(second, SearchPage)


def test_now_lists_the_last_minutes_newest_first(window: Window, qtbot: QtBot) -> None:
    now = turn(window, NowPage)

    qtbot.waitUntil(lambda: len(titles(now.rows)) == 10)
    assert titles(now.rows)[0] == "Freeze and tick: controlling time in tests"
    assert now._about.text() == "billing-api · since 09:41 · 14 min active · VS Code, Firefox"
    assert now.makeup.accessibleName() == "VS Code 6 min · 3 pages · 6 commands · 1 commit"


def test_now_shows_what_is_pinned_and_leads_to_it(window: Window, stage: Stage, qtbot: QtBot) -> None:
    stage.memory.all_pins[0] = replace(stage.memory.all_pins[0], due=local(14, "12:00"))
    now = turn(window, NowPage)
    qtbot.waitUntil(lambda: "due" in now.pins.accessibleName())
    assert now.pins.accessibleName() == (
        "Pins: LED-731: a retried webhook must not charge twice due Fri 14 Aug; Chapter 3 methods to Ana"
    )

    qtbot.keyClick(now.pins, Qt.Key.Key_Space)

    assert type(window.page) is PinsPage


def test_now_is_live(window: Window, stage: Stage, qtbot: QtBot) -> None:
    now = turn(window, NowPage)
    qtbot.waitUntil(lambda: len(titles(now.rows)) == 10)
    event = told("window", 13, "09:55", "brand new", minutes=1, app="Editor")
    from dataclasses import replace

    stage.memory.kept.append(replace(event, id=900))
    stage.memory.tell()

    qtbot.waitUntil(lambda: titles(now.rows)[0] == "Editor: brand new")


def test_now_can_look_further_back(window: Window, qtbot: QtBot) -> None:
    now = turn(window, NowPage)

    qtbot.mouseClick(now._choice.button(60), Qt.MouseButton.LeftButton)

    qtbot.waitUntil(lambda: "sudo apt upgrade" in titles(now.rows))
    qtbot.waitUntil(lambda: now.pane._title.text() == "Last hour")


def test_choosing_a_row_offers_its_context(window: Window, qtbot: QtBot) -> None:
    now = turn(window, NowPage)
    qtbot.waitUntil(lambda: len(titles(now.rows)) == 10)

    now.rows.choose(0)
    assert now.pane._title.text() == "Around Freeze and tick: controlling time in tests"
    now.rows.choose(None)

    qtbot.waitUntil(lambda: now.pane._title.text() == "Last 15 minutes")


def test_before_anything_happened_every_page_says_what_will_appear(
    stage_of: Callable[..., Stage], qtbot: QtBot
) -> None:
    window = build(stage_of(empty()), qtbot)
    for kind in (NowPage, TimelinePage, SearchPage):
        shown = turn(window, kind)
        qtbot.waitUntil(lambda shown=shown: in_view(shown._stack) == "Empty")
        qtbot.wait(60)
        message = shown._stack.currentWidget()
        assert isinstance(message, Empty)
        assert message._title.text()
        assert message._advice.text()


def test_search_finds_as_one_types(window: Window, qtbot: QtBot) -> None:
    search = turn(window, SearchPage)

    qtbot.keyClicks(search.field, "charge")

    qtbot.waitUntil(lambda: "LED-731 take advisory lock before charge" in titles(search.rows))
    qtbot.waitUntil(lambda: search.pane._title.text() == "Context for “charge”")


def test_a_chip_narrows_the_search(window: Window, stage: Stage, qtbot: QtBot) -> None:
    search = turn(window, SearchPage)
    search.search_for("retry")

    qtbot.mouseClick(search.facets.kinds["Commands"], Qt.MouseButton.LeftButton)

    qtbot.waitUntil(
        lambda: (
            all(row.event.kind == "terminal" for row in search.rows.rows.rows if row.event)
            and "pytest tests/test_retry.py" in titles(search.rows)
        )
    )


def test_failed_commands_alone_can_be_asked_for(window: Window, qtbot: QtBot) -> None:
    search = turn(window, SearchPage)

    qtbot.mouseClick(search.facets.failed, Qt.MouseButton.LeftButton)

    qtbot.waitUntil(
        lambda: {t for t in titles(search.rows) if "pytest" in t} == {"pytest tests/test_retry.py -k backoff"}
    )


def test_down_goes_from_the_field_into_the_results(window: Window, qtbot: QtBot) -> None:
    search = turn(window, SearchPage)
    search.search_for("charge")
    qtbot.waitUntil(lambda: len(titles(search.rows)) > 2)

    qtbot.keyClick(search.field, Qt.Key.Key_Down)

    assert search.rows.hasFocus()
    assert search.rows.current() is not None


def test_more_results_come_when_one_scrolls(stage_of: Callable[..., Stage], qtbot: QtBot) -> None:
    from tests.desktop_memory.ui.scripted import ScriptedMemory, fortnight

    window = build(stage_of(ScriptedMemory(fortnight(dense=180))), qtbot)
    search = turn(window, SearchPage)
    search.search_for("thing")
    qtbot.waitUntil(lambda: search._found is not None and search._found.settled)
    first = len(titles(search.rows))

    for _ in range(6):
        search.rows.scrollToBottom()
        qtbot.wait(60)

    assert first < 60
    assert sum(t.startswith("thing") or ": thing" in t for t in titles(search.rows)) == 180


def test_the_timeline_opens_on_today_with_its_last_session(window: Window, qtbot: QtBot) -> None:
    timeline = turn(window, TimelinePage)

    qtbot.waitUntil(lambda: "git rebase main" in titles(timeline.rows))
    assert timeline._title.text() == "Thursday 13 August"
    assert timeline.bar.title.text() == "billing-api · 09:41–09:56 · 14 min active"
    assert titles(timeline.rows)[-1] == "1 trivial folded"
    assert not timeline._next.isEnabled()
    qtbot.waitUntil(timeline.pane._button.isEnabled)
    assert timeline.pane._title.text() == "This session"


def test_days_can_be_turned(window: Window, qtbot: QtBot) -> None:
    timeline = turn(window, TimelinePage)
    qtbot.waitUntil(lambda: bool(titles(timeline.rows)))

    timeline._turn(-1)

    qtbot.waitUntil(lambda: timeline._title.text() == "Wednesday 12 August")
    qtbot.waitUntil(lambda: "Word: retention-schedule-v2.docx" in titles(timeline.rows))
    timeline.heat.day_picked.emit(date(2026, 8, 4))
    qtbot.waitUntil(lambda: timeline._title.text() == "Tuesday 4 August")


def test_a_click_on_a_session_fills_the_list(window: Window, qtbot: QtBot) -> None:
    timeline = turn(window, TimelinePage)
    qtbot.waitUntil(lambda: not timeline.view.marks.empty)
    frame = timeline.view.frame_now()
    inbox = next(s for s in timeline.view.marks.sessions if s.projects == ("inbox",))

    qtbot.mouseClick(
        timeline.view.viewport(), Qt.MouseButton.LeftButton, pos=frame.session(inbox).center().toPoint()
    )

    assert timeline.bar.title.text().startswith("inbox · 08:08–09:26")
    assert "Thunderbird: Inbox – ada@example.org" in titles(timeline.rows)


def test_a_click_on_a_mark_points_at_its_record(window: Window, qtbot: QtBot) -> None:
    timeline = turn(window, TimelinePage)
    qtbot.waitUntil(lambda: not timeline.view.marks.empty)
    frame = timeline.view.frame_now()
    x = frame.x(local(13, "09:47").timestamp()) + 1
    lane = list(timeline.view.marks.lanes).index("git")

    qtbot.mouseClick(
        timeline.view.viewport(),
        Qt.MouseButton.LeftButton,
        pos=QPointF(x, frame.lane(lane).center().y()).toPoint(),
    )

    assert timeline.rows.current().title == "LED-731 take advisory lock before charge"
    assert timeline.pane._title.text() == "Around LED-731 take advisory lock before charge"


def test_the_pointer_is_told_what_is_under_it(window: Window, qtbot: QtBot) -> None:
    timeline = turn(window, TimelinePage)
    qtbot.waitUntil(lambda: not timeline.view.marks.empty)
    view, frame = timeline.view, timeline.view.frame_now()
    lane = list(view.marks.lanes).index("browser")
    page = QPointF(frame.x(local(13, "09:45").timestamp()), frame.lane(lane).center().y())
    block = QPointF(frame.x(local(13, "08:30").timestamp()), frame.sessions_top + 5)

    assert view.told_at(page).startswith("Explicit Locking – PostgreSQL 16\nhttps://www.postgresql.org")
    assert view.told_at(block).startswith("inbox\n08:08–09:26 · 1 h 10 min active\nThunderbird")
    assert view.told_at(QPointF(frame.x(local(13, "09:30").timestamp()), 30)) == "away\n09:26–09:41 · 15 min"
    assert view.told_at(QPointF(frame.x(local(13, "11:30").timestamp()), 100)) == ""


def test_a_drag_chooses_a_stretch(window: Window, stage: Stage, qtbot: QtBot) -> None:
    timeline = turn(window, TimelinePage)
    qtbot.waitUntil(lambda: not timeline.view.marks.empty)
    frame, port = timeline.view.frame_now(), timeline.view.viewport()
    a, b = (QPoint(round(frame.x(local(13, clock).timestamp())), 200) for clock in ("08:00", "09:10"))

    qtbot.mousePress(port, Qt.MouseButton.LeftButton, pos=a)
    qtbot.mouseMove(port, b)
    qtbot.mouseRelease(port, Qt.MouseButton.LeftButton, pos=b)

    assert "sudo apt upgrade" in titles(timeline.rows)
    assert "git rebase main" not in titles(timeline.rows)
    assert timeline.pane._title.text().startswith("0")


def test_the_wheel_zooms_where_the_pointer_is(window: Window, qtbot: QtBot) -> None:
    timeline = turn(window, TimelinePage)
    qtbot.waitUntil(lambda: not timeline.view.marks.empty)
    view = timeline.view
    place = QPointF(500, 100)
    at, length = view.frame_now().at(500), view.until - view.since

    wheel(view, place, QPoint(0, 240))

    assert view.until - view.since < length * 0.8
    assert view.frame_now().at(500) == pytest.approx(at, abs=0.5)


def test_shift_and_the_wheel_pan(window: Window, qtbot: QtBot) -> None:
    timeline = turn(window, TimelinePage)
    qtbot.waitUntil(lambda: not timeline.view.marks.empty)
    view = timeline.view
    since, length = view.since, view.until - view.since

    wheel(view, QPointF(500, 100), QPoint(0, -120), Qt.KeyboardModifier.ShiftModifier)

    assert view.since > since
    assert view.until - view.since == pytest.approx(length)


def wheel(view: Any, place: QPointF, turned: QPoint, keys: Any = Qt.KeyboardModifier.NoModifier) -> None:
    event = QWheelEvent(
        place, view.viewport().mapToGlobal(place), QPoint(), turned, Qt.MouseButton.NoButton, keys,
        Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(view.viewport(), event)


def test_the_keys_zoom_pan_and_step_through_sessions(window: Window, qtbot: QtBot) -> None:
    timeline = turn(window, TimelinePage)
    qtbot.waitUntil(lambda: not timeline.view.marks.empty)
    view = timeline.view
    length = view.until - view.since

    qtbot.keyClick(view, Qt.Key.Key_Plus)
    assert view.until - view.since == pytest.approx(length * 0.7)
    qtbot.keyClick(view, Qt.Key.Key_Minus)
    qtbot.keyClick(view, Qt.Key.Key_Right)
    assert view.until - view.since == pytest.approx(length)
    qtbot.keyClick(view, Qt.Key.Key_Up)
    assert timeline.bar.title.text().startswith("inbox")
    for _ in range(60):
        qtbot.keyClick(view, Qt.Key.Key_Plus)
    assert view.until - view.since == pytest.approx(60)


def test_zooming_out_loads_what_comes_into_view(window: Window, stage: Stage, qtbot: QtBot) -> None:
    timeline = turn(window, TimelinePage)
    qtbot.waitUntil(lambda: not timeline.view.marks.empty)
    for _ in range(5):
        qtbot.keyClick(timeline.view, Qt.Key.Key_Minus)

    qtbot.waitUntil(lambda: any(s.projects == ("Client A",) for s in timeline.view.marks.sessions))
    assert timeline._title.text() == "Wed 12 Aug – Fri 14 Aug 2026"
    assert timeline._loaded.exact

    for _ in range(9):
        qtbot.keyClick(timeline.view, Qt.Key.Key_Minus)
    qtbot.waitUntil(lambda: timeline._loaded is not None and not timeline._loaded.exact)
    assert len(timeline.view.marks.sessions) == len(stage.memory.all_sessions)
    session = next(s for s in stage.memory.all_sessions if s.projects == ("Client A",))
    timeline.show_session(session)
    qtbot.waitUntil(lambda: "Word: retention-schedule-v2.docx" in titles(timeline.rows))


def test_a_record_can_be_shown_in_the_timeline(window: Window, stage: Stage, qtbot: QtBot) -> None:
    event = next(e for e in stage.memory.kept if "Robust F0" in e.title)

    stage.actions.timeline_wanted.emit(event)

    timeline = window.page
    assert isinstance(timeline, TimelinePage)
    qtbot.waitUntil(lambda: timeline.rows.current() is not None)
    assert timeline.rows.current().title == "Robust F0 estimation in week-long recordings"  # type: ignore[union-attr]
    assert timeline._title.text() == "Tuesday 4 August"


def test_size_place_and_page_are_remembered(stage: Stage, qtbot: QtBot, tmp_path: Path) -> None:
    kept = tmp_path / "window.json"
    first = build(stage, qtbot, kept)
    first.setGeometry(40, 60, 700, 500)
    first.go_to("SearchPage")
    first.close()

    second = Window(stage.desk, stage.copier, stage.actions, kept)
    qtbot.addWidget(second)

    assert (second.x(), second.y(), second.width(), second.height()) == (40, 60, 700, 500)
    assert type(second.page) is SearchPage


def test_a_window_from_a_screen_that_is_gone_opens_on_this_one(
    stage: Stage, qtbot: QtBot, tmp_path: Path
) -> None:
    kept = tmp_path / "window.json"
    kept.write_text('{"x": 9000, "y": 9000, "width": 700, "height": 500, "screen": "gone", "page": 7}')

    window = Window(stage.desk, stage.copier, stage.actions, kept)
    qtbot.addWidget(window)

    assert window.screen().availableGeometry().contains(window.geometry())


@pytest.mark.parametrize("broken", ["", "[]", "{", '{"x": "a"}', "\xff"])
def test_a_broken_place_file_is_like_none(stage: Stage, qtbot: QtBot, tmp_path: Path, broken: str) -> None:
    kept = tmp_path / "window.json"
    kept.write_text(broken, encoding="latin-1")

    window = Window(stage.desk, stage.copier, stage.actions, kept)
    qtbot.addWidget(window)

    assert type(window.page) is NowPage


def test_below_a_thousand_pixels_the_pane_lies_under_the_list(window: Window, qtbot: QtBot) -> None:
    now = turn(window, NowPage)
    assert now.pane.x() > now._stack.parentWidget().x()

    window.resize(900, 720)
    qtbot.waitUntil(lambda: now.pane.mapTo(now, QPoint()).y() > 100)

    assert now.pane.width() == now._stack.width()
    window.resize(1180, 720)
    qtbot.waitUntil(lambda: now.pane.height() == now._stack.parentWidget().height())


def test_the_pages_have_keys(window: Window, qtbot: QtBot) -> None:
    qtbot.keyClick(window, Qt.Key.Key_3, Qt.KeyboardModifier.ControlModifier)
    assert type(window.page) is SearchPage
    qtbot.keyClick(window, Qt.Key.Key_1, Qt.KeyboardModifier.ControlModifier)
    assert type(window.page) is NowPage


def test_an_error_stays_until_it_is_closed(window: Window, stage: Stage, qtbot: QtBot) -> None:
    from desktop_memory.errors import KnownError

    stage.desk.notices.failed(
        KnownError("The disk is full.", "Free some space; recording goes on by itself.")
    )

    assert window.strip.isVisible()
    assert window.strip.accessibleName() == "The disk is full. Free some space; recording goes on by itself."
    stage.desk.notices.say("Copied")
    assert window.strip.notice.text == "Copied"


def test_a_bug_is_said_without_its_details(
    window: Window, stage: Stage, caplog: pytest.LogCaptureFixture
) -> None:
    stage.desk.notices.failed(ZeroDivisionError("secret title"))

    assert "ZeroDivisionError" in window.strip.notice.text
    assert "secret" not in window.strip.accessibleName()
    assert "a screen's request failed" in caplog.text


def test_the_keyboard_goes_back_to_the_page_when_a_message_is_answered(
    window: Window, stage: Stage, qtbot: QtBot
) -> None:
    window.activateWindow()
    window.go_to("PinsPage")
    stage.desk.notices.say("Removed one.", button="Undo", act=lambda: None)
    qtbot.waitUntil(lambda: bool(window.strip.deeds.buttons))
    undo = window.strip.deeds.buttons[0]
    undo.setFocus()

    qtbot.keyClick(undo, Qt.Key.Key_Return)

    assert window.focusWidget() is window.page.field  # type: ignore[attr-defined]


def test_a_word_without_end_makes_no_page_wider_than_the_window(
    window: Window, stage: Stage, qtbot: QtBot
) -> None:
    window.resize(900, 700)
    page = turn(window, NowPage)
    qtbot.waitUntil(lambda: page.rows.rows.rowCount() > 0)

    page.pane.show_subject(Subject(title="Around " + "x" * 300, request=ContextRequest(minutes=15)))
    qtbot.wait(100)

    assert page.width() <= 900 - window.navigation.width()
    assert page.pane.height() < 400
    assert page.pane._button.mapTo(window, page.pane._button.rect().topRight()).x() < 900
