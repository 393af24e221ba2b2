"""Pins, sources, privacy and settings, driven as a person does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence, QTextCursor
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from desktop_memory import settings as settings_file
from desktop_memory.errors import KnownError
from desktop_memory.model import Query
from desktop_memory.settings import Settings
from desktop_memory.ui.pages.context import ContextPage
from desktop_memory.ui.pages.now import NowPage
from desktop_memory.ui.pages.pins import PinsPage
from desktop_memory.ui.pages.privacy import PrivacyPage
from desktop_memory.ui.pages.report import ReportPage
from desktop_memory.ui.pages.settings import SettingsPage
from desktop_memory.ui.pages.sources import SourcesPage
from desktop_memory.ui.setting_fields import changed, declared
from desktop_memory.ui.window import Window
from tests.desktop_memory.ui.conftest import Stage
from tests.desktop_memory.ui.scripted import empty

pytestmark = pytest.mark.qt_log_ignore("grabbing the keyboard", extend=True)


@pytest.fixture
def stage(stage_of: Callable[..., Stage], tmp_path: Path) -> Stage:
    return stage_of(folder=tmp_path)


@pytest.fixture
def window(stage: Stage, qtbot: QtBot) -> Window:
    made = Window(stage.desk, stage.copier, stage.actions)
    qtbot.addWidget(made)
    made.resize(1180, 720)
    made.show()
    return made


def turn(window: Window, kind: type[Any]) -> Any:
    window.go_to(kind.__name__)
    assert isinstance(window.page, kind)
    return window.page


def titles(page: Any) -> list[str]:
    return [f"# {row.title}" if row.style == "header" else row.title for row in page.rows.rows.rows]


def asked(stage: Stage, name: str) -> list[tuple[Any, ...]]:
    return [what for said, what in stage.memory.asked if said == name]


# pins


def test_a_goal_is_pinned_and_done(window: Window, stage: Stage, qtbot: QtBot) -> None:
    pins = turn(window, PinsPage)
    qtbot.waitUntil(lambda: len(titles(pins)) == 3)

    qtbot.keyClicks(pins.field, "ship it")
    qtbot.keyClick(pins.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: "ship it" in titles(pins))
    assert pins.field.text() == ""

    pins.rows.setFocus()
    pins.rows.choose(1)
    qtbot.keyClick(pins.rows, Qt.Key.Key_Space)

    qtbot.waitUntil(
        lambda: titles(pins)[-2:] == ["# Done", "LED-731: a retried webhook must not charge twice"]
    )


def test_a_removed_pin_comes_back_by_undo(window: Window, stage: Stage, qtbot: QtBot) -> None:
    pins = turn(window, PinsPage)
    qtbot.waitUntil(lambda: len(titles(pins)) == 3)
    pins.rows.choose(2)

    qtbot.keyClick(pins.rows, Qt.Key.Key_Delete)
    qtbot.waitUntil(lambda: "Chapter 3 methods to Ana" not in titles(pins))
    qtbot.mouseClick(window.strip.deeds.buttons[0], Qt.MouseButton.LeftButton)

    qtbot.waitUntil(lambda: "Chapter 3 methods to Ana" in titles(pins))


def test_the_kind_is_chosen_by_a_chip(window: Window, stage: Stage, qtbot: QtBot) -> None:
    pins = turn(window, PinsPage)
    pins._kinds.button(2).click()
    pins.field.setText("invoices ten years")
    qtbot.keyClick(pins.field, Qt.Key.Key_Return)

    qtbot.waitUntil(lambda: stage.memory.all_pins[-1].text == "invoices ten years")
    assert stage.memory.all_pins[-1].kind == "decision"


# sources


def test_sources_say_how_they_fare_and_what_would_help(window: Window, qtbot: QtBot) -> None:
    sources = turn(window, SourcesPage)

    qtbot.waitUntil(lambda: len(titles(sources)) > 5)
    rows = {row.title: row for row in sources.rows.rows.rows}
    assert rows["Window in front"].second == "Watching by X11"
    assert rows["Away, locked, asleep"].second == "Install libxss1."
    assert rows["Away, locked, asleep"].tint == "danger"
    assert "XScreenSaver: not there" in rows["Away, locked, asleep"].tooltip
    assert rows["Firefox history · default"].second == "61 today · last record 09:56"
    assert rows["Search by meaning"].second == "ready for 4,100 texts"
    assert rows["Connections"].second == "12 records behind"
    assert sources._about.text().startswith("Recording · 4,812 today")
    assert "hidden" not in sources._about.text()


def test_sources_say_how_many_of_the_kept_records_rules_hide(
    window: Window, stage: Stage, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = stage.memory.stats()
    monkeypatch.setattr(stage.memory, "stats", lambda: replace(kept, hidden=1_200))

    sources = turn(window, SourcesPage)

    qtbot.waitUntil(lambda: "records kept · 1,200 of them hidden by rules" in sources._about.text())


def test_reading_now_says_what_was_new(window: Window, stage: Stage, qtbot: QtBot) -> None:
    sources = turn(window, SourcesPage)

    qtbot.mouseClick(sources._read, Qt.MouseButton.LeftButton)
    assert not sources._read.isEnabled()

    qtbot.waitUntil(lambda: bool(stage.notices))
    assert stage.notices[0].text == "Read 12 records, 3 of them new"
    assert sources._read.isEnabled()


def test_no_source_yet_says_what_to_do(stage_of: Callable[..., Stage], qtbot: QtBot) -> None:
    memory = empty()
    bare = memory.stats()
    memory.stats = lambda: replace(bare, vectors={}, graph={})  # type: ignore[method-assign]
    stage = stage_of(memory)
    window = Window(stage.desk, stage.copier, stage.actions)
    qtbot.addWidget(window)
    window.show()
    sources = turn(window, SourcesPage)
    qtbot.wait(100)

    assert sources._stack.currentWidget() is sources._empty


# privacy


def test_the_tester_says_why(window: Window, stage: Stage, qtbot: QtBot) -> None:
    privacy = turn(window, PrivacyPage)

    privacy.tester.app.setText("KeePassXC")
    assert privacy.tester.answer.text().startswith("It would not be recorded:")
    privacy.tester.app.setText("Editor")
    assert privacy.tester.answer.text().startswith("It would be recorded:")


def test_a_new_rule_acts_and_is_kept(window: Window, stage: Stage, qtbot: QtBot, tmp_path: Path) -> None:
    privacy = turn(window, PrivacyPage)
    window.activateWindow()
    privacy.tester.app.setText("Slack")
    box = privacy.form.controls["privacy", "exclude_apps"]
    box.setFocus()
    qtbot.waitUntil(box.hasFocus)
    box.setPlainText("Slack\n\n  Signal ")

    privacy.tester.app.setFocus()

    qtbot.waitUntil(lambda: bool(asked(stage, "reload")))
    assert settings_file.load(tmp_path / "settings.toml").privacy.exclude_apps == ("Slack", "Signal")
    qtbot.waitUntil(lambda: privacy.tester.answer.text() == "It would not be recorded: excluded app: Slack.")


def test_a_broken_pattern_is_named(window: Window, stage: Stage) -> None:
    privacy = turn(window, PrivacyPage)
    stage.desk.settings = changed(stage.desk.settings, "privacy", "exclude_titles", ("(",))

    privacy.tester.title.setText("anything")

    assert "exclude_titles" in privacy.tester.answer.text()


def test_forgetting_shows_its_count_first_and_can_be_undone(
    window: Window, stage: Stage, qtbot: QtBot
) -> None:
    privacy = turn(window, PrivacyPage)
    before = len(stage.memory.kept)

    privacy.forgetting.ask_since(10)
    qtbot.waitUntil(privacy.forgetting.yes.isVisible)
    assert privacy.forgetting.told.text().startswith("8 records, from Thu 13 Aug 09:47 to Thu 13 Aug 09:55")
    assert len(stage.memory.kept) == before

    qtbot.mouseClick(privacy.forgetting.yes, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: len(stage.memory.kept) == before - 8)
    assert asked(stage, "forget")[0][2] is False
    qtbot.waitUntil(lambda: [b.text() for b in window.strip.deeds.buttons] == ["Undo"])
    qtbot.mouseClick(window.strip.deeds.buttons[0], Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: len(stage.memory.kept) == before)


def test_an_app_or_a_site_can_be_forgotten(window: Window, stage: Stage, qtbot: QtBot) -> None:
    privacy = turn(window, PrivacyPage)
    for name, query in (("Slack", Query(app="Slack")), ("stripe.com", Query(domain="stripe.com"))):
        privacy.forgetting.name.setText(name)
        qtbot.keyClick(privacy.forgetting.name, Qt.Key.Key_Return)
        qtbot.waitUntil(lambda query=query: (query,) in asked(stage, "preview_forget"))

    privacy.forgetting.name.setText("Nowhere")
    qtbot.keyClick(privacy.forgetting.name, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: privacy.forgetting.told.text() == "There is nothing of that.")
    assert not privacy.forgetting.yes.isVisible()


# taking out, from any list


def entry(menu: QMenu, text: str) -> QAction:
    return next(action for action in menu.actions() if action.text().split("\t")[0] == text)


def test_a_row_can_be_forgotten_and_taken_back(window: Window, stage: Stage, qtbot: QtBot) -> None:
    now = turn(window, NowPage)
    qtbot.waitUntil(lambda: len(titles(now)) == 10)
    place = titles(now).index("pytest tests/test_retry.py -k backoff")
    now.rows.choose(place)
    ids = now.rows.current().members

    qtbot.keyClick(now.rows, Qt.Key.Key_Delete)

    qtbot.waitUntil(lambda: "pytest tests/test_retry.py -k backoff" not in titles(now))
    assert len(ids) == 2
    assert asked(stage, "forget")[0][1:] == (ids, False)
    qtbot.waitUntil(lambda: [b.text() for b in window.strip.deeds.buttons] == ["Undo"])
    window.strip.deeds.buttons[0].click()
    qtbot.waitUntil(lambda: "pytest tests/test_retry.py -k backoff" in titles(now))


def test_a_site_is_never_recorded_again_and_what_is_there_can_go(
    window: Window, stage: Stage, qtbot: QtBot, tmp_path: Path
) -> None:
    now = turn(window, NowPage)
    qtbot.waitUntil(lambda: len(titles(now)) == 10)
    place = titles(now).index("LED-731 Duplicate charge after webhook retry")
    from PySide6.QtCore import QPoint

    menu = stage.actions.menu([now.rows.rows.rows[place]], QPoint(10, 10), window)
    entry(menu, "Never record atlassian.net").trigger()
    menu.close()

    qtbot.waitUntil(lambda: window.strip.notice.text == "atlassian.net: not recorded from now on.")
    assert settings_file.load(tmp_path / "settings.toml").privacy.exclude_domains == ("atlassian.net",)
    assert window.strip.notice.advice == "1 already stored."
    window.strip.deeds.buttons[0].click()
    qtbot.waitUntil(lambda: "LED-731 Duplicate charge after webhook retry" not in titles(now))


# settings


def test_every_setting_has_a_control_with_its_help(window: Window, stage: Stage) -> None:
    privacy = turn(window, PrivacyPage)
    forms = {
        **turn(window, SettingsPage).form.controls,
        **privacy.form.controls,
        **privacy.retention.form.controls,
    }

    assert set(forms) == {(field.section, field.name) for field in declared(Settings())}
    assert all(made.accessibleName() for made in forms.values())


def test_a_setting_is_kept_when_it_is_changed(
    window: Window, stage: Stage, qtbot: QtBot, tmp_path: Path
) -> None:
    page = turn(window, SettingsPage)
    number = page.form.controls["sources", "poll_seconds"]

    number.setText("30")
    number.editingFinished.emit()
    page.form.controls["sources", "git_all_authors"].click()

    qtbot.waitUntil(lambda: len(asked(stage, "reload")) == 2)
    kept = settings_file.load(tmp_path / "settings.toml")
    assert kept.sources.poll_seconds == 30
    assert kept.sources.git_all_authors


def test_the_theme_changes_at_once(window: Window, stage: Stage, qtbot: QtBot) -> None:
    page = turn(window, SettingsPage)
    box = page.form.controls["desktop", "theme"]

    box.setCurrentIndex(box.findData("dark"))
    box.activated.emit(box.currentIndex())

    assert stage.desk.theme.palette.dark
    stage.desk.theme.choose("light")


def test_a_hotkey_is_recorded_bound_and_kept(
    window: Window, stage: Stage, qtbot: QtBot, tmp_path: Path
) -> None:
    bound: list[tuple[str, str]] = []

    def rebind(
        name: str, keys: str, then: Callable[[], object], failed: Callable[[Exception], object]
    ) -> None:
        bound.append((name, keys))
        then()

    stage.desk.rebind = rebind
    page = turn(window, SettingsPage)
    recorder = page.form.controls["desktop", "hotkey"]
    both = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier

    qtbot.keyClick(recorder, Qt.Key.Key_Control, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClick(recorder, Qt.Key.Key_K, both)

    assert bound == [("hotkey", "Ctrl+Shift+K")]
    qtbot.waitUntil(lambda: settings_file.load(tmp_path / "settings.toml").desktop.hotkey == "Ctrl+Shift+K")
    qtbot.keyClick(recorder, Qt.Key.Key_Backspace)
    assert bound[-1] == ("hotkey", "")


def test_a_taken_hotkey_is_said_and_the_old_one_stays(window: Window, stage: Stage, qtbot: QtBot) -> None:
    def taken(
        name: str, keys: str, then: Callable[[], object], failed: Callable[[Exception], object]
    ) -> None:
        failed(KnownError(f"{keys} belongs to another program.", "Choose other keys."))

    stage.desk.rebind = taken
    page = turn(window, SettingsPage)
    recorder = page.form.controls["desktop", "hotkey"]

    qtbot.keyClick(recorder, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)

    assert window.strip.notice.text == "Ctrl+K belongs to another program."
    assert recorder.text() == "Ctrl+Alt+Z"
    assert stage.desk.settings.desktop.hotkey == "Ctrl+Alt+Z"


def test_a_folder_that_cannot_be_written_is_said_and_nothing_changes(
    window: Window, stage: Stage, qtbot: QtBot, tmp_path: Path
) -> None:
    stage.desk.folder = tmp_path / "a file" / "inside"
    (tmp_path / "a file").write_text("")
    page = turn(window, SettingsPage)

    page.form.controls["sources", "git_all_authors"].click()

    qtbot.waitUntil(lambda: window.strip.notice.text.startswith("The settings cannot be saved"))
    assert not stage.desk.settings.sources.git_all_authors


def test_settings_are_found_by_words(window: Window, qtbot: QtBot) -> None:
    page = turn(window, SettingsPage)

    page.field.setText("repositories")
    shown = [text for holder, _, text in page.form._rows if holder.isVisible()]
    assert len(shown) == 2
    page.field.setText("xyzzy")

    assert page._none.isVisible()
    assert not any(holder.isVisible() for holder, _, _ in page.form._rows)


def test_autostart_shows_what_is_true(window: Window, qtbot: QtBot, home: Path) -> None:
    page = turn(window, SettingsPage)
    qtbot.waitUntil(lambda: page._autostart.toolTip() != "")
    assert not page._autostart.isChecked()

    page._autostart.click()

    qtbot.waitUntil(lambda: (home / ".config" / "autostart" / "desktop-memory.desktop").is_file())
    qtbot.waitUntil(page._autostart.isChecked)
    page._autostart.click()
    qtbot.waitUntil(lambda: not (home / ".config" / "autostart" / "desktop-memory.desktop").exists())


# context


def test_the_composer_shows_what_it_would_copy(window: Window, stage: Stage, qtbot: QtBot) -> None:
    context = turn(window, ContextPage)
    qtbot.waitUntil(context.pane._button.isEnabled)
    assert context.pane._title.text() == "Last 15 minutes"

    context.form.what.button(4).click()
    qtbot.keyClicks(context.form.query, "charge")
    context.form.question.setText("What is left to do?")
    context.form.budget.setText("900")
    context.form.format.setCurrentIndex(1)
    context.form.format.activated.emit(1)

    qtbot.waitUntil(lambda: context.pane._title.text() == "Context for “charge”")
    request = context.form.subject().request
    assert (request.query, request.question) == ("charge", "What is left to do?")
    assert (request.budget_tokens, request.format, request.redaction) == (900, "xml", "strict")


@pytest.mark.parametrize(
    ("typed", "budget"), [("", None), ("abc", None), ("5", 200), ("99999999", 16_000), ("²", None)]
)
def test_a_budget_out_of_bounds_is_brought_within(window: Window, typed: str, budget: int | None) -> None:
    context = turn(window, ContextPage)

    context.form.budget.setText(typed)

    assert context.form.subject().request.budget_tokens == budget


def test_a_missing_subject_offers_nothing(window: Window, qtbot: QtBot) -> None:
    context = turn(window, ContextPage)

    context.form.what.button(4).click()

    qtbot.waitUntil(lambda: context.pane._title.text() == "Copy context")
    assert not context.pane._button.isEnabled()


def test_an_answer_is_checked_claim_by_claim(window: Window, stage: Stage, qtbot: QtBot) -> None:
    context = turn(window, ContextPage)
    context.check.text.setPlainText("You ran git rebase main [1]. The deploy of release 9.4 went well [2].")

    context.check.check()

    qtbot.waitUntil(lambda: context.check.checked is not None)
    told = context.check.findings.toPlainText()
    assert told.splitlines()[:2] == ["You ran git rebase main. [1]", "✓ supported"]
    assert told.splitlines()[2:] == [
        "The deploy of release 9.4 went well. [2]",
        "? not in the records · not there: 9.4",
    ]
    assert context.check._told.text().startswith("Against ctx-7f3a: ")


# report


def test_the_report_turns_by_week_and_month_and_is_copied(
    window: Window, stage: Stage, qtbot: QtBot, clipboard: Any
) -> None:
    report = turn(window, ReportPage)
    qtbot.waitUntil(lambda: report.text.toPlainText().startswith("# 2026-08-10 to 2026-08-16"))
    assert not report._next.isEnabled()

    report._turn(-1)
    qtbot.waitUntil(lambda: report.text.toPlainText().startswith("# 2026-08-03 to 2026-08-09"))
    report._length.button(1).click()
    qtbot.waitUntil(lambda: report.text.toPlainText().startswith("# 2026-08-01 to 2026-08-31"))

    report.copy("csv")
    qtbot.waitUntil(lambda: clipboard.text().startswith("told: records,"))
    assert stage.notices[-1].text == "Copied the report"


def test_a_copied_report_says_what_walls_kept_back(
    window: Window, stage: Stage, qtbot: QtBot, clipboard: Any
) -> None:
    report = turn(window, ReportPage)
    stage.memory.walled = {"nordwind": 12}

    report.copy("markdown")

    qtbot.waitUntil(lambda: clipboard.text().startswith("told: # 2026-08-10"))
    assert stage.notices[-1].text == "Copied without 12 records of walled projects"


def test_what_is_chosen_of_the_report_is_copied_as_others_may_see_it(
    window: Window, stage: Stage, qtbot: QtBot, clipboard: Any
) -> None:
    report = turn(window, ReportPage)
    qtbot.waitUntil(lambda: report.text.toPlainText().startswith("# 2026-08-10"))
    report.text.moveCursor(QTextCursor.MoveOperation.Start)
    report.text.moveCursor(QTextCursor.MoveOperation.NextWord)
    report.text.moveCursor(QTextCursor.MoveOperation.End, QTextCursor.MoveMode.KeepAnchor)

    qtbot.keySequence(report.text, QKeySequence(QKeySequence.StandardKey.Copy))

    qtbot.waitUntil(lambda: clipboard.text().startswith("told: 2026-08-10 to 2026-08-16"))
    assert report.text.createMimeDataFromSelection().text() == ""


def test_the_report_of_one_project(window: Window, stage: Stage, qtbot: QtBot) -> None:
    report = turn(window, ReportPage)

    report.project.setText("billing-api")
    report.project.editingFinished.emit()

    qtbot.waitUntil(lambda: any(what[2] == "billing-api" for what in asked(stage, "report")))


# the report as a file, what is being read, the house


def test_the_report_is_saved_as_a_file(window: Window, stage: Stage, qtbot: QtBot, tmp_path: Path) -> None:
    page = turn(window, ReportPage)

    page.write(tmp_path / "week.csv")
    qtbot.waitUntil(lambda: bool(stage.notices))
    assert (tmp_path / "week.csv").read_text(encoding="utf-8") == stage.memory.report(*page.span(), "", "csv")
    assert stage.notices[-1].text == "Saved week.csv"

    page.write(tmp_path / "no such folder" / "week.csv")
    qtbot.waitUntil(lambda: len(stage.notices) == 2)
    assert "cannot be written" in stage.notices[-1].text


def test_a_first_import_is_shown_and_can_be_stopped(window: Window, stage: Stage, qtbot: QtBot) -> None:
    page = turn(window, SourcesPage)
    stage.desk.app.now_reading = [  # type: ignore[attr-defined]
        {"source": "firefox", "place": "/home/ada/default", "read": 12400, "new": 12400, "share": 0.4}
    ]

    qtbot.waitUntil(page.reading.told.isVisible)
    assert page.reading.told.text() == "Reading Firefox history · default: 12,400 so far"
    assert page.reading.bar.value() == 40
    qtbot.mouseClick(page.reading.stop, Qt.MouseButton.LeftButton)

    qtbot.waitUntil(lambda: len(asked(stage, "cancel_reading")) == 1)
    assert not page.reading.told.isVisible()
    qtbot.waitUntil(lambda: bool(stage.notices))
    assert "Read now goes on" in stage.notices[-1].text


def test_todays_coverage_names_what_was_not_seen(window: Window, qtbot: QtBot) -> None:
    page = turn(window, SourcesPage)

    qtbot.waitUntil(lambda: "watched" in page._about.text())
    assert "today 1 h 33 min of 1 h 48 min watched, away 15 min" in page._about.text()


def test_settings_tell_the_size_and_the_models(window: Window, qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / "graph").mkdir()
    (tmp_path / "graph" / "one").write_bytes(b"x" * 2_000_000)
    (tmp_path / "memory.sqlite").write_bytes(b"x" * 3_100_000)
    page = turn(window, SettingsPage)

    qtbot.waitUntil(lambda: page.house.size.text() == "5 MB (records 3 MB, connections 2 MB)")
    model = page.form.controls["memory", "model"]
    assert [model.itemText(n) for n in range(model.count())] == ["all-MiniLM-L6-v2"]


def test_a_client_is_let_in_and_out(stage: Stage, qtbot: QtBot, home: Path) -> None:
    import json

    (home / ".cursor").mkdir()
    config = home / ".cursor" / "mcp.json"
    config.write_text('{"mcpServers": {"mine": {"command": "x"}}}')
    window = Window(stage.desk, stage.copier, stage.actions)
    qtbot.addWidget(window)
    window.show()
    page = turn(window, SettingsPage)
    switch = page.house.switches["cursor"]

    switch.click()
    qtbot.waitUntil(lambda: "desktop-memory" in json.loads(config.read_text())["mcpServers"])
    entry = json.loads(config.read_text())["mcpServers"]["desktop-memory"]
    assert entry["args"][-3:] == ["mcp", "serve", "cursor"]
    assert str(stage.desk.folder) in entry["args"]
    qtbot.waitUntil(lambda: any("once it is started again" in said.text for said in stage.notices))
    switch.click()

    qtbot.waitUntil(lambda: list(json.loads(config.read_text())["mcpServers"]) == ["mine"])


def test_a_rule_that_cannot_be_read_is_said_and_does_not_stay_in_the_file(
    window: Window, stage: Stage, qtbot: QtBot, tmp_path: Path
) -> None:
    from desktop_memory.pipeline.gate import Gate

    gate = Gate(Settings().privacy)
    stage.desk.app.reload = lambda: gate.take(settings_file.load(tmp_path / "settings.toml").privacy)  # type: ignore[method-assign]
    page = turn(window, PrivacyPage)
    box = page.form.controls["privacy", "pause_schedule"]
    for text, kept in (("Mon-Fri 12:00-13:00", True), ("at noon", False)):
        box.setFocus()
        box.setPlainText(text)
        page.tester.app.setFocus()
        if kept:
            qtbot.waitUntil(lambda: bool(gate.rests))

    qtbot.waitUntil(lambda: bool(stage.notices))
    assert stage.notices[-1].text == "'at noon' names no day or time."
    kept_now = settings_file.load(tmp_path / "settings.toml").privacy.pause_schedule
    assert kept_now == stage.desk.settings.privacy.pause_schedule == ("Mon-Fri 12:00-13:00",)


def test_words_and_what_rules_leave_out_are_forgotten_after_a_count(
    window: Window, stage: Stage, qtbot: QtBot
) -> None:
    privacy = turn(window, PrivacyPage)
    forgetting = privacy.forgetting

    words = next(event for event in stage.memory.kept if event.app != "Slack").title
    forgetting.name.setText(words)
    qtbot.keyClick(forgetting.name, Qt.Key.Key_Return)
    qtbot.waitUntil(forgetting.yes.isVisible)
    assert (Query(text=words),) in asked(stage, "preview_forget")
    forgetting.no.click()
    forgetting.ask_excluded()
    qtbot.waitUntil(forgetting.yes.isVisible)

    assert "excluded app: Slack" in forgetting.told.text()
    qtbot.mouseClick(forgetting.yes, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not any(event.app == "Slack" for event in stage.memory.kept))


def test_the_page_tells_where_secrets_were_masked(window: Window, qtbot: QtBot) -> None:
    privacy = turn(window, PrivacyPage)

    qtbot.waitUntil(lambda: len(privacy.masked.labels) == 6)

    assert [line.text() for line in privacy.masked.labels[1:3]] == ["3", "token in Commands, from terminal"]
