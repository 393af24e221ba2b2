"""The timeline page's calendar, cards, gestures, and what is done with a whole session."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QDesktopServices, QNativeGestureEvent, QPointingDevice
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop_memory.ui.heat_strip import HeatStrip
from desktop_memory.ui.pages.connections import ConnectionsPage
from desktop_memory.ui.pages.timeline import TimelinePage
from desktop_memory.ui.reopening import things, ticked_first
from desktop_memory.ui.rows import Row, events_of
from desktop_memory.ui.theme import Theme
from desktop_memory.ui.timeline_card import card
from desktop_memory.ui.window import Window
from tests.desktop_memory.ui.conftest import Stage
from tests.desktop_memory.ui.scripted import ScriptedMemory, fortnight, local, told


@pytest.fixture
def timeline(stage: Stage, qtbot: QtBot) -> TimelinePage:
    return open_on(stage, qtbot)


def open_on(stage: Stage, qtbot: QtBot) -> TimelinePage:
    """The page alone: a whole window takes a while to build."""
    page = TimelinePage(stage.desk, stage.copier, stage.actions)
    qtbot.addWidget(page)
    stage.actions.timeline_wanted.connect(page.show_event)
    stage.actions.reopen_wanted.connect(lambda event: page.show_event(event, reopen=True))
    page.resize(996, 760)
    page.show()
    page.refresh()
    return filled(page, qtbot)


def in_a_window(stage: Stage, qtbot: QtBot) -> TimelinePage:
    window = Window(stage.desk, stage.copier, stage.actions, None)
    qtbot.addWidget(window)
    window.resize(1180, 760)
    window.show()
    window.go_to("TimelinePage")
    page = window.page
    assert isinstance(page, TimelinePage)
    return filled(page, qtbot)


def filled(page: TimelinePage, qtbot: QtBot) -> TimelinePage:
    qtbot.waitUntil(lambda: not page.view.marks.empty)
    qtbot.waitUntil(lambda: bool(page.rows.rows.rows))
    return page


def titles(page: Any) -> list[str]:
    return [row.title for row in page.rows.rows.rows]


def window_of(page: TimelinePage) -> Window:
    window = page.window()
    assert isinstance(window, Window)
    return window


def button(page: TimelinePage, says: str) -> Any:
    return next(b for b in page.bar.buttons if b.accessibleName() == says)


def test_the_calendar_tells_a_day_and_goes_to_it(timeline: TimelinePage, qtbot: QtBot) -> None:
    heat = timeline.heat
    fourth = date(2026, 8, 4)

    assert heat.told(fourth).startswith("Tuesday 4 August · ")
    assert heat.told(date(2026, 7, 31)) == "Friday 31 July · nothing recorded"
    assert heat.told(date(2025, 12, 31)) == "Wednesday 31 December 2025 · nothing recorded"
    qtbot.mouseClick(heat, Qt.MouseButton.LeftButton, pos=heat.box_of(fourth).center().toPoint())
    qtbot.waitUntil(lambda: timeline._title.text() == "Tuesday 4 August")
    qtbot.keyClick(heat, Qt.Key.Key_End)
    qtbot.waitUntil(lambda: timeline._title.text() == "Thursday 13 August")
    assert heat.accessibleDescription().startswith("Thursday 13 August")


def test_each_square_is_the_day_it_was_painted_for(qapp: QApplication, qtbot: QtBot) -> None:
    heat = HeatStrip(Theme("light"))
    qtbot.addWidget(heat)
    today = date(2026, 8, 13)
    heat.show()
    heat.show_days({today: 100.0}, today)
    for width in (160, 340, 900):
        heat.resize(width, heat.sizeHint().height())
        for back in (0, 3, 6, 7, 50):
            day = date.fromordinal(today.toordinal() - back)
            assert heat.day_at(heat.box_of(day).center()) == day
            assert heat.rect().contains(heat.box_of(day).toAlignedRect())
    assert heat.day_at(QPointF(heat.width() - 2.0, heat.box_of(date(2026, 8, 9)).bottom())) is None


def test_two_fingers_on_a_touchpad_zoom_at_the_pointer(timeline: TimelinePage) -> None:
    view, place = timeline.view, QPointF(500, 100)
    at, length = view.frame_now().at(500), view.until - view.since
    pad = QPointingDevice.primaryPointingDevice()

    for _ in range(4):
        gesture = QNativeGestureEvent(
            Qt.NativeGestureType.ZoomNativeGesture, pad, 2, place, place,
            view.viewport().mapToGlobal(place), 0.1, QPointF(),
        )  # fmt: skip
        QApplication.sendEvent(view.viewport(), gesture)

    assert view.until - view.since == pytest.approx(length / 1.1**4)
    assert view.frame_now().at(500) == pytest.approx(at, abs=0.5)


def test_the_whole_day_comes_back_after_zooming(timeline: TimelinePage, qtbot: QtBot) -> None:
    view = timeline.view
    since, until = view.since, view.until
    height = view.sizeHint().height()
    view.look_at(local(13, "09:30").timestamp(), local(13, "09:31").timestamp())
    assert timeline._told.text() == "09:30–09:31 · nothing recorded", "its scale holds no mark"
    view.show_marks(replace(view.marks, lanes={}))
    assert view.sizeHint().height() == height, "what lies below stays where it is"

    qtbot.keyClick(view, Qt.Key.Key_0)

    qtbot.waitUntil(lambda: (view.since, view.until) == (since, until))


def test_the_card_stands_out_and_takes_no_markup_from_what_was_recorded() -> None:
    assert card("<b>x</b>\n09:41 & more") == "<b>&lt;b&gt;x&lt;/b&gt;</b><br>09:41 &amp; more"
    assert card("") == ""


def test_the_head_sums_up_what_is_in_view(timeline: TimelinePage, stage: Stage) -> None:
    today = [e for e in stage.memory.kept if e.start >= local(13, "00:00")]

    assert timeline._told.text() == f"2 sessions · 1 h 24 min active · {len(today)} records"


def test_the_session_before_and_after_is_a_press_away(timeline: TimelinePage, qtbot: QtBot) -> None:
    button(timeline, "Session before").click()
    assert timeline.bar.title.text().startswith("inbox")
    button(timeline, "Session before").click()
    qtbot.waitUntil(lambda: timeline._title.text() == "Wednesday 12 August")


def test_connections_of_the_chosen_record_or_the_project(stage: Stage, qtbot: QtBot) -> None:
    timeline = in_a_window(stage, qtbot)
    window = window_of(timeline)
    button(timeline, "Connections").click()
    page = window.page
    assert isinstance(page, ConnectionsPage)
    qtbot.waitUntil(lambda: page._title.text() == "billing-api")

    window.go_to("TimelinePage")
    place = timeline.rows.rows.place_of_event(next(r.event.id for r in timeline.rows.rows.rows if r.event))
    timeline.rows.choose(place)
    timeline.view.setFocus()
    qtbot.keyClick(timeline.view, Qt.Key.Key_L, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: page._title.text() == titles(timeline)[place or 0])


def test_a_forgotten_session_goes_from_the_list_and_comes_back_by_undo(
    timeline: TimelinePage, stage: Stage, qtbot: QtBot
) -> None:
    count = len(stage.memory.kept)

    button(timeline, "Forget all of it").click()

    qtbot.waitUntil(lambda: bool(stage.notices))
    assert stage.notices[-1].button == "Undo"
    assert len(stage.memory.kept) < count
    assert stage.notices[-1].act is not None
    stage.notices[-1].act()
    qtbot.waitUntil(lambda: len(stage.memory.kept) == count)


def test_a_selection_leaves_out_what_lies_between(timeline: TimelinePage, stage: Stage, qtbot: QtBot) -> None:
    timeline.rows.choose(0)
    flags = timeline.rows.selectionModel().SelectionFlag.Select
    timeline.rows.selectionModel().select(timeline.rows.rows.index(2), flags)

    subject = timeline.pane._subject
    assert subject is not None
    first, between, last = (set(keys_of(row)) for row in timeline.rows.rows.rows[:3])
    assert between <= set(subject.request.without)
    assert not (first | last) & set(subject.request.without)
    assert subject.request.since == local(13, "09:41")
    assert subject.title.startswith("2 records, 09:41–")


def keys_of(row: Row) -> list[str]:
    return [f"event:{id_}" for id_ in events_of([row])]


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the desktop was asked to open."""
    found: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: found.append(url.toString()) is None)
    return found


def with_files(*, pages: int = 2, folder: Path) -> ScriptedMemory:
    """Today's last session with a file that is there, one that is gone, and pages."""
    script = fortnight()
    last = script.sessions[-1]
    kept = folder / "plan.md"
    kept.write_text("plan", encoding="utf-8")
    for n, path in enumerate((kept, folder / "gone.md")):
        file = told("file", 13, f"09:5{n}", path.name, minutes=5)
        script.events.append(
            replace(file, id=900 + n, session=last.id, project="billing-api", files=(str(path),))
        )
    for n in range(pages):
        page = told("browser", 13, "09:43", f"page {n}", minutes=1)
        script.events.append(
            replace(page, id=1000 + n, session=last.id, url=f"https://example.org/{n}", domain="example.org")
        )
    return ScriptedMemory(script)


def test_what_is_ticked_opens_again_longest_first(
    stage_of: Callable[..., Stage], qtbot: QtBot, tmp_path: Path, opened: list[str]
) -> None:
    stage = stage_of(with_files(folder=tmp_path))
    timeline = open_on(stage, qtbot)

    button(timeline, "Open its pages and files again").click()
    again = timeline.again
    qtbot.waitUntil(lambda: "plan.md" in titles(again))
    assert titles(again)[0] == "plan.md", "five minutes, longer than any page"
    gone = again.rows.rows.rows[titles(again).index("gone.md")]
    assert (gone.chip, gone.selectable) == ("no longer there", False)
    assert again._told.text() == "1 file is no longer there."

    again.rows.choose(titles(again).index("page 1"))
    qtbot.keyClick(again.rows, Qt.Key.Key_Space)
    ticked = len(again._ticked)
    qtbot.mouseClick(again.open, Qt.MouseButton.LeftButton)

    assert len(opened) == ticked
    assert opened[0] == f"file://{tmp_path}/plan.md"
    assert "https://example.org/1" not in opened
    assert stage.notices[-1].text == f"Opened {ticked}."
    assert timeline._stack.currentIndex() == 0


def test_more_than_ten_are_asked_about_first(
    stage_of: Callable[..., Stage], qtbot: QtBot, tmp_path: Path, opened: list[str]
) -> None:
    timeline = open_on(stage_of(with_files(pages=14, folder=tmp_path)), qtbot)
    button(timeline, "Open its pages and files again").click()
    again = timeline.again
    qtbot.waitUntil(lambda: len(titles(again)) > 14)
    assert len(again._ticked) == 10

    again.all.click()
    again.open.click()
    assert opened == []
    assert again._told.text() == f"That opens {len(again._ticked)} windows or tabs at once."
    again.cancel.click()
    assert timeline._stack.currentWidget() is again
    again.open.click()
    again.open.click()
    assert len(opened) == len(again._ticked) > 10


def test_a_page_without_a_program_is_said(
    stage_of: Callable[..., Stage], qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: url.scheme() == "file")
    stage = stage_of(with_files(folder=tmp_path))
    timeline = open_on(stage, qtbot)
    timeline.reopen()
    qtbot.waitUntil(timeline.again.open.isEnabled)

    timeline.again.open.click()

    assert stage.notices[-1].tone == "warn", stage.notices
    assert stage.notices[-1].text == "Opened 1."
    assert "No program opened https://" in stage.notices[-1].advice


def test_a_menu_opens_the_list_of_another_days_session(
    stage: Stage, timeline: TimelinePage, qtbot: QtBot
) -> None:
    event = next(e for e in stage.memory.kept if "Robust F0" in e.title)

    stage.actions.reopen_wanted.emit(event)

    qtbot.waitUntil(lambda: timeline._stack.currentWidget() is timeline.again)
    qtbot.waitUntil(lambda: "Robust F0 estimation in week-long recordings" in titles(timeline.again))


def test_a_page_seen_twice_stands_once_with_both_times() -> None:
    one = replace(told("browser", 13, "09:00", "A", minutes=2), url="https://example.org/a#top")
    two = replace(told("browser", 13, "09:30", "A", minutes=1), url="https://example.org/a/")
    bad = replace(told("browser", 13, "09:40", "B", minutes=1), url="javascript:alert(1)")

    found = things([one, two, bad])

    assert [(thing.title, thing.seconds) for thing in found] == [("A", 180.0)]
    assert ticked_first(found) == {"https://example.org/a/"}
