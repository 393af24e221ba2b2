"""The memory as a whole, in Settings: backed up with a strip that cancels, gone back to, shared."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QFileDialog
from pytestqt.qtbot import QtBot

from desktop_memory.app import App
from desktop_memory.model import Query
from desktop_memory.ui.encrypting import go_back
from desktop_memory.ui.long_work import Told, WorkStrip
from desktop_memory.ui.pages.settings import SettingsPage
from desktop_memory.ui.stay import stay
from desktop_memory.ui.theme import Theme
from desktop_memory.ui.window import Window
from tests.desktop_memory.ui.conftest import Stage


@pytest.fixture
def folder(home: Path) -> Path:
    app = App.open(home / "memory")
    app.memory.note("marzipan for the party")
    app.close()
    return home / "memory"


@pytest.fixture
def opened(stage_of: Callable[..., Stage], qtbot: QtBot, folder: Path) -> tuple[Stage, Window, SettingsPage]:
    stage = stage_of(folder=folder)
    window = Window(stage.desk, stage.copier, stage.actions)
    qtbot.addWidget(window)
    window.show()
    window.go_to("SettingsPage")
    assert isinstance(window.page, SettingsPage)
    return stage, window, window.page


def test_a_backup_is_written_where_one_says(
    opened: tuple[Stage, Window, SettingsPage], qtbot: QtBot, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage, window, page = opened
    target = home / "kept.zip"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, **__: (str(target), ""))

    page.storage.backup.click()

    qtbot.waitUntil(lambda: window.strip.notice.text.startswith("Backed up: 1 record"))
    assert "manifest.json" in zipfile.ZipFile(target).namelist()
    assert ("note_backup", (str(target), 1)) in stage.memory.asked


def test_work_that_takes_long_is_told_and_cancelled(
    opened: tuple[Stage, Window, SettingsPage], qtbot: QtBot, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, window, page = opened
    strip = window.findChild(WorkStrip)
    assert strip is not None
    assert not strip.isVisible()
    from desktop_memory.transfer import backup
    from desktop_memory.transfer.backup import Cancelled

    def slow(_folder: Path, _target: Path, _now: object, told: Told) -> None:
        while not told("copying", 0.4):
            pass
        raise Cancelled

    monkeypatch.setattr(backup, "make", slow)
    page.storage.back_up(home / "kept.zip")
    qtbot.waitUntil(lambda: strip.bar.value() == 40)
    assert strip.told.text() == "Backing up to kept.zip"
    page.storage.back_up(home / "other.zip")
    assert window.strip.notice.text == "Something else is still going on: Backing up to kept.zip"

    strip.stop.click()

    qtbot.waitUntil(lambda: window.strip.notice.text == "Cancelled. Nothing was changed.")
    assert not strip.isVisible()


def test_a_backup_is_gone_back_to(qapp: QApplication, qtbot: QtBot, folder: Path, home: Path) -> None:
    from desktop_memory.clock import clock
    from desktop_memory.transfer import backup

    backup.make(folder, home / "kept.zip", clock(), lambda _what, _share: False)
    app = App.open(folder)
    app.memory.note("written after the backup")
    app.close()

    said, error = go_back(folder, home / "kept.zip", Theme("light"))

    assert error is None
    assert "What was there before is in" in said
    app = App.open(folder)
    found = [hit.event.title for hit in app.memory.search(Query(kinds=("note",))).hits]
    app.close()
    assert found == ["marzipan for the party"]


def test_the_app_closes_goes_back_and_opens_again(qapp: QApplication, folder: Path, home: Path) -> None:
    from desktop_memory.clock import clock
    from desktop_memory.transfer import backup

    backup.make(folder, home / "kept.zip", clock(), lambda _what, _share: False)
    asked: list[Window] = []

    def step() -> None:
        for window in QApplication.topLevelWidgets():
            if not isinstance(window, Window) or not window.isVisible():
                continue
            if not asked:
                asked.append(window)
                window.go_to("SettingsPage")
                window.page.storage._go_back(home / "kept.zip")  # type: ignore[attr-defined]
            elif window is not asked[0]:
                timer.stop()
                QApplication.quit()

    timer = QTimer(interval=200)
    timer.timeout.connect(step)
    timer.start()

    assert stay(qapp, folder, None, "window", demo=True) == 0

    (aside,) = [path.parent for path in folder.rglob("memory.sqlite") if path.parent != folder]
    assert aside.name.startswith("before-restore-")


def test_a_backup_is_looked_at_before_the_memory_goes_back(
    opened: tuple[Stage, Window, SettingsPage], qtbot: QtBot, folder: Path, home: Path
) -> None:
    from desktop_memory.clock import clock
    from desktop_memory.transfer import backup

    stage, _, page = opened
    gone_back_to: list[Path] = []
    stage.desk.go_back_to = gone_back_to.append
    backup.make(folder, home / "kept.zip", clock(), lambda _what, _share: False)
    page.storage.restore.look_at(home / "kept.zip")
    qtbot.waitUntil(page.storage.restore.sure.isVisible)
    assert "kept.zip holds 1 record of " in page.storage.restore.told.text()
    assert gone_back_to == []

    page.storage.restore.sure.click()

    assert gone_back_to == [home / "kept.zip"]


def test_a_file_that_is_no_backup_leaves_the_memory_as_it_is(
    qapp: QApplication, qtbot: QtBot, folder: Path, home: Path
) -> None:
    (home / "letter.zip").write_text("dear Ana")
    before = (folder / "memory.sqlite").read_bytes()

    _, error = go_back(folder, home / "letter.zip", Theme("light"))

    assert error is not None
    assert (folder / "memory.sqlite").read_bytes() == before


def test_a_folder_is_shared_with_a_passphrase_typed_twice(
    opened: tuple[Stage, Window, SettingsPage], qtbot: QtBot, home: Path
) -> None:
    stage, _, page = opened
    sharing = page.storage.sharing
    sharing.share_with(home)
    qtbot.waitUntil(sharing.again.isVisible)

    sharing.passphrase.setText("one")
    sharing.sure.click()
    assert sharing.told.text() == "Type the same passphrase twice."
    sharing.again.setText("one")
    sharing.sure.click()

    qtbot.waitUntil(sharing.off.isVisible)
    assert ("share_on", (str(home), "one", False)) in stage.memory.asked
    assert sharing.told.text() == f"{home}, 2 machines"
    stage.desk.app.share_remove("b")
    sharing.refresh()
    qtbot.waitUntil(lambda: sharing.told.text() == f"{home}, 1 machine")
    assert sharing.passphrase.text() == ""
    sharing.off.click()
    qtbot.waitUntil(sharing.on.isVisible)


def test_a_long_exchange_with_the_folder_is_told_and_cancelled(
    opened: tuple[Stage, Window, SettingsPage], qtbot: QtBot, home: Path
) -> None:
    stage, window, page = opened
    stage.desk.app.share_on(str(home), "one")
    stage.desk.app.exchanging.set()  # type: ignore[attr-defined]
    sharing, strip = page.storage.sharing, window.findChild(WorkStrip)
    sharing.refresh()
    qtbot.waitUntil(sharing.now.isVisible)

    sharing.now.click()
    qtbot.waitUntil(lambda: strip.bar.value() == 40)
    assert not sharing.now.isVisible()
    strip.stop.click()

    qtbot.waitUntil(lambda: window.strip.notice.text.startswith("Stopped half way. What was done stays"))
    qtbot.waitUntil(sharing.now.isVisible)
    assert not strip.isVisible()


def test_a_folder_without_a_passphrase_is_shared_after_saying_what_that_means(
    opened: tuple[Stage, Window, SettingsPage], qtbot: QtBot, home: Path
) -> None:
    stage, _, page = opened
    sharing = page.storage.sharing
    sharing.share_with(home)
    qtbot.waitUntil(sharing.without.isVisible)

    sharing.without.click()
    assert "its provider too" in sharing.told.text()
    assert not sharing.sure.isVisible()
    sharing.plain.click()

    qtbot.waitUntil(sharing.off.isVisible)
    assert ("share_on", (str(home), "", True)) in stage.memory.asked
    assert sharing.told.text() == f"{home}, 2 machines, unencrypted"


def test_a_machine_that_is_no_more_is_taken_out(
    opened: tuple[Stage, Window, SettingsPage], qtbot: QtBot, home: Path
) -> None:
    stage, window, page = opened
    stage.desk.app.share_on(str(home), "one")
    page.storage.refresh()
    machines = page.storage.sharing.machines
    qtbot.waitUntil(lambda: "b" in machines.lines)
    line = machines.lines["b"]
    assert line.told.text() == "Machine b · 9 days ago"

    line.ask.click()
    assert line.keep.hasFocus()
    line.sure.click()

    qtbot.waitUntil(lambda: not machines.lines)
    assert window.strip.notice.text == "Its part is out of the folder. What came from it stays here."


def test_another_memory_is_looked_at_before_it_is_taken_in(
    opened: tuple[Stage, Window, SettingsPage], qtbot: QtBot, folder: Path, home: Path
) -> None:
    from desktop_memory.clock import clock
    from desktop_memory.transfer import backup

    stage, window, page = opened
    kept = home / "kept.zip"
    backup.make(folder, kept, clock(), lambda _what, _share: False)
    merge = page.storage.merge
    merge.look_at(kept)
    qtbot.waitUntil(merge.sure.isVisible)
    assert merge.told.text().startswith("kept.zip holds 1 record of ")

    merge.cancel.click()
    assert ("merge", (str(kept),)) not in stage.memory.asked
    merge.look_at(kept)
    qtbot.waitUntil(merge.sure.isVisible)
    merge.sure.click()

    qtbot.waitUntil(lambda: window.strip.notice.text == "Taken in: 5 new, 3 known already.")
    assert window.strip.notice.advice == (
        "2 goals and notes came along. 3 decisions about projects came along. Left out by a rule: 1."
    )


@pytest.mark.parametrize("name", ["memory", "letter.zip", "nothing"])
def test_what_is_no_other_memory_is_said_before_anything_is_asked(
    opened: tuple[Stage, Window, SettingsPage], qtbot: QtBot, home: Path, name: str
) -> None:
    _, window, page = opened
    (home / "letter.zip").write_text("dear Ana")
    merge = page.storage.merge

    merge.look_at(home / name)

    qtbot.waitUntil(lambda: window.strip.notice.tone == "danger")
    assert not merge.sure.isVisible()


def test_all_pages_can_be_reached_on_a_low_screen(opened: tuple[Stage, Window, SettingsPage]) -> None:
    _, window, _ = opened

    window.resize(900, 420)

    last, state = window.navigation.items[-1], window.navigation.state
    assert window.height() == 420
    assert last.mapTo(window, last.rect().bottomLeft()).y() < state.mapTo(window, state.rect().topLeft()).y()


def test_settings_have_a_key_of_their_own(opened: tuple[Stage, Window, SettingsPage]) -> None:
    _, window, _ = opened

    assert window.navigation.items[-1].toolTip() == "Ctrl+,"
