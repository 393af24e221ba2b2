"""The composer and the copies that were made, driven as a person does."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from PySide6.QtCore import QDateTime, Qt, QUrl
from pytestqt.qtbot import QtBot

from desktop_memory.model import ContextRequest
from desktop_memory.ui.pages.context import ContextPage
from desktop_memory.ui.pages.timeline import TimelinePage
from desktop_memory.ui.request_form import CHOSEN, SESSION, STRETCH
from desktop_memory.ui.window import Window
from tests.desktop_memory.ui.conftest import Stage
from tests.desktop_memory.ui.scripted import NOW, empty, local


def open_on(stage: Stage, qtbot: QtBot) -> ContextPage:
    """The page alone: a whole window takes a while to build."""
    page = ContextPage(stage.desk, stage.copier, stage.actions)
    qtbot.addWidget(page)
    page.resize(996, 780)
    page.show()
    page.refresh()
    return page


def in_a_window(stage: Stage, qtbot: QtBot) -> ContextPage:
    window = Window(stage.desk, stage.copier, stage.actions, None)
    qtbot.addWidget(window)
    window.resize(1180, 780)
    window.show()
    window.go_to("ContextPage")
    page = window.page
    assert isinstance(page, ContextPage)
    return page


@pytest.fixture
def page(stage: Stage, qtbot: QtBot) -> ContextPage:
    made = open_on(stage, qtbot)
    qtbot.waitUntil(made.pane._button.isEnabled)
    qtbot.waitUntil(lambda: bool(lines(made)))
    return made


def lines(page: ContextPage) -> list[str]:
    return [row.title for row in page.lines.rows.rows.rows]


def asked(stage: Stage) -> ContextRequest:
    found: ContextRequest = [what[0] for name, what in stage.memory.asked if name == "context"][-1]
    return found


def place(page: ContextPage, text: str) -> int:
    return next(n for n, title in enumerate(lines(page)) if text in title)


def test_a_line_is_struck_out_by_space_and_taken_back(page: ContextPage, stage: Stage, qtbot: QtBot) -> None:
    before = [title.split("] ")[-1] for title in lines(page)]
    at = place(page, "git rebase main")
    page.lines.rows.choose(at)

    qtbot.keyClick(page.lines.rows, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: "git rebase main" not in page.pane._preview.toPlainText())
    assert [t.split("] ")[-1] for t in lines(page)] == before, "it keeps its place, unticked"
    assert page.lines.rows.rows.rows[at].state == "not ticked"

    page.lines._back.click()
    qtbot.waitUntil(lambda: "git rebase main" in page.pane._preview.toPlainText())
    assert page.lines.rows.rows.rows[at].state == "ticked"


def test_what_is_copied_lacks_the_lines_that_were_struck_out(
    page: ContextPage, stage: Stage, qtbot: QtBot, clipboard: Any
) -> None:
    page.lines.rows.choose(place(page, "git rebase main"))
    qtbot.keyClick(page.lines.rows, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: "git rebase main" not in page.pane._preview.toPlainText())

    qtbot.mouseClick(page.pane._button, Qt.MouseButton.LeftButton)

    qtbot.waitUntil(lambda: clipboard.text().startswith("# Last"))
    assert "git rebase main" not in clipboard.text()


def test_another_subject_begins_with_all_its_lines(page: ContextPage, qtbot: QtBot) -> None:
    page.lines.rows.choose(0)
    qtbot.keyClick(page.lines.rows, Qt.Key.Key_Space)
    assert page.lines.struck

    page.form.budget.setText("900")
    qtbot.waitUntil(
        lambda: page.pane._subject is not None and page.pane._subject.request.budget_tokens == 900
    )
    assert page.lines.struck, "a knob keeps what was struck out"
    page.form.what.button(1).click()

    qtbot.waitUntil(lambda: page.pane._title.text() == "Last hour")
    assert not page.lines.struck


def test_a_walled_project_is_let_in_by_a_tick(page: ContextPage, stage: Stage, qtbot: QtBot) -> None:
    stage.memory.walled = {"Client A": 4}
    page.refresh()
    qtbot.waitUntil(lambda: "Client A: 4 records" in lines(page))
    row = page.lines.rows.rows.rows[place(page, "Client A")]
    assert (row.chip, row.state) == ("walled", "not ticked")

    page.lines.rows.choose(place(page, "Client A"))
    qtbot.keyClick(page.lines.rows, Qt.Key.Key_Space)

    qtbot.waitUntil(lambda: asked(stage).let_in == ("Client A",))
    qtbot.waitUntil(lambda: page.lines.rows.rows.rows[place(page, "Client A")].state == "ticked")


def test_what_was_masked_is_told_by_kind(page: ContextPage) -> None:
    assert lines(page)[-2:] == ["Masked", "key 1"]


def test_a_session_is_chosen_from_the_latest(page: ContextPage, stage: Stage, qtbot: QtBot) -> None:
    page.form.what.button(SESSION).click()
    qtbot.waitUntil(lambda: page.form.session.count() > 3)
    assert page.form.session.itemText(0) == "Today · billing-api · 09:41–09:56"

    page.form.session.setCurrentIndex(1)
    page.form.session.activated.emit(1)

    inbox = next(s for s in stage.memory.all_sessions if s.projects == ("inbox",))
    qtbot.waitUntil(lambda: page.pane._title.text() == "inbox, 08:08–09:26")
    assert page.form.subject().request.session_id == inbox.id  # type: ignore[union-attr]


def test_a_stretch_is_typed_as_two_times(page: ContextPage, qtbot: QtBot) -> None:
    page.form.what.button(STRETCH).click()
    for field, clock in ((page.form.stretch.since, "08:00"), (page.form.stretch.until, "09:10")):
        field.setDateTime(QDateTime.fromSecsSinceEpoch(int(local(13, clock).timestamp())))

    qtbot.waitUntil(lambda: page.pane._title.text() == "08:00–09:11")
    request = page.form.subject().request  # type: ignore[union-attr]
    assert (request.since, request.until) == (local(13, "08:00"), local(13, "09:11"))
    page.form.stretch.since.setDateTime(QDateTime.fromSecsSinceEpoch(int(local(13, "09:30").timestamp())))
    assert page.form.subject() is None


def test_what_a_pane_offers_can_be_changed_first(stage: Stage, qtbot: QtBot) -> None:
    page = in_a_window(stage, qtbot)
    window = page.window()
    assert isinstance(window, Window)
    window.go_to("TimelinePage")
    timeline = window.page
    assert isinstance(timeline, TimelinePage)
    qtbot.waitUntil(timeline.pane._adjust.isVisible)
    qtbot.waitUntil(lambda: timeline.pane._title.text() == "This session")

    timeline.pane._adjust.click()

    assert window.page is page
    assert page.form.what.checkedId() == CHOSEN
    qtbot.waitUntil(lambda: page.pane._title.text() == "This session")
    qtbot.waitUntil(page.pane._button.isEnabled)
    assert asked(stage).session_id is not None
    assert not page.pane._adjust.isVisible()


def test_the_copies_stand_newest_first_with_whom_they_went_to(page: ContextPage, qtbot: QtBot) -> None:
    page.views.button(1).click()
    qtbot.waitUntil(lambda: page.copies.rows.rows.rowCount() == 2)
    rows = page.copies.rows.rows.rows

    assert rows[0].second == "Today 09:54 · 10 records · ~390 tokens · Markdown"
    assert rows[1].second == "Yesterday 09:56 · 18 records · ~1,210 tokens · XML · to Claude Desktop"
    qtbot.waitUntil(lambda: page.copies.detail.title.text() == "Last 15 minutes · billing-api")
    sources = page.copies.detail.sources.rows.rows
    assert sources[0].title.startswith("[1] 09:41")
    assert (sources[-1].title, sources[-1].selectable) == ("[12] forgotten since", False)


def test_a_number_in_a_checked_answer_jumps_to_its_record(stage: Stage, qtbot: QtBot) -> None:
    page = in_a_window(stage, qtbot)
    page.views.button(1).click()
    check = page.copies.detail.check
    qtbot.waitUntil(lambda: check.tag == "ctx-7f3a")
    check.text.setPlainText("You ran git rebase main [1].")
    check.check()
    qtbot.waitUntil(lambda: check.checked is not None)
    assert 'href="record:1"' in check.findings.toHtml()

    check.findings.anchorClicked.emit(QUrl("record:1"))

    window = page.window()
    assert isinstance(window, Window)
    qtbot.waitUntil(lambda: isinstance(window.page, TimelinePage))
    timeline: Any = window.page
    qtbot.waitUntil(lambda: timeline.rows.current() is not None)
    assert timeline.rows.current().title == "git rebase main"


def test_a_record_that_was_forgotten_since_is_said(page: ContextPage, stage: Stage, qtbot: QtBot) -> None:
    page.views.button(1).click()
    qtbot.waitUntil(lambda: page.copies.detail.sources.rows.rowCount() > 3)
    stage.memory.kept = stage.memory.kept[-3:]

    page.copies.detail.sources.choose(0)
    qtbot.keyClick(page.copies.detail.sources, Qt.Key.Key_Return)

    qtbot.waitUntil(lambda: bool(stage.notices))
    assert stage.notices[-1].text == "That record was forgotten since."


def test_an_answer_that_names_another_copy_is_checked_against_that(
    page: ContextPage, stage: Stage, qtbot: QtBot
) -> None:
    page.views.button(1).click()
    check = page.copies.detail.check
    qtbot.waitUntil(lambda: check.tag == "ctx-7f3a")
    check.text.setPlainText("You ran git rebase main [1]. From ctx-11b0.")
    check.check()

    qtbot.waitUntil(lambda: page.copies.detail.title.text().startswith("Context for"))
    assert page.copies.rows.current().key == ("copy", "ctx-11b0")  # type: ignore[union-attr]
    assert check.checked is not None, "what was found stays"
    page.copies.rows.choose(0)
    qtbot.waitUntil(lambda: check.checked is None)


def test_older_copies_come_when_one_scrolls(page: ContextPage, stage: Stage, qtbot: QtBot) -> None:
    from dataclasses import replace

    first = stage.memory.all_copies[0]
    stage.memory.all_copies = [
        replace(first, tag=f"ctx-{n:04x}", at=NOW - timedelta(minutes=n)) for n in range(90)
    ]
    page.views.button(1).click()
    qtbot.waitUntil(lambda: page.copies.rows.rows.rowCount() == 40)
    for count in (80, 90):
        page.copies.rows.scrollToBottom()
        page.copies.rows.rows.fetchMore(page.copies.rows.rootIndex())
        qtbot.waitUntil(lambda count=count: page.copies.rows.rows.rowCount() == count)
    assert not page.copies.rows.rows.more


def test_before_the_first_copy_it_says_what_will_stand_there(
    stage_of: Callable[..., Stage], qtbot: QtBot
) -> None:
    memory = empty()
    memory.all_copies = []
    page = open_on(stage_of(memory), qtbot)
    page.views.button(1).click()

    qtbot.waitUntil(lambda: page.copies._stack.currentIndex() == 1)
    assert page.copies._empty._title.text() == "No copy was made yet"
