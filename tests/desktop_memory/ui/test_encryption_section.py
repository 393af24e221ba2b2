"""Encryption in the window: a key is shown and confirmed, the screens close, and open again on an encrypted memory."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop_memory import encryption
from desktop_memory.app import App
from desktop_memory.errors import KnownError
from desktop_memory.ui.encryption import Encryption
from desktop_memory.ui.stay import stay
from desktop_memory.ui.theme import Theme
from desktop_memory.ui.unlocking import UnlockWindow, open_app
from desktop_memory.ui.window import Window
from desktop_memory.vault import header as headers
from desktop_memory.vault import unlocking
from tests.desktop_memory.ui.conftest import Stage
from tests.keyrings import cheap, file_keyring, no_keyring

__all__ = ["cheap", "file_keyring", "no_keyring"]


@pytest.fixture
def folder(home: Path) -> Path:
    app = App.open(home / "memory")
    app.memory.note("marzipan for the party")
    app.close()
    return home / "memory"


def test_the_key_is_shown_and_confirmed_before_anything_is_encrypted(
    stage_of: Callable[..., Stage], qtbot: QtBot, folder: Path, file_keyring: Path
) -> None:
    wanted: list[object] = []
    stage = stage_of(folder=folder, switch_encryption=wanted.append)
    section = Encryption(stage.desk)
    qtbot.addWidget(section)
    section.show()
    qtbot.waitUntil(lambda: section.on.isVisible())
    assert not section.passphrase.isVisible()

    section.on.click()
    qtbot.waitUntil(lambda: section.key.isVisible())

    assert not section.sure_on.isEnabled()
    section.last.setText("zzzz")
    assert not section.sure_on.isEnabled()
    section.last.setText(section.key.text()[-4:].lower())
    section.sure_on.click()
    (planned,) = wanted
    assert isinstance(planned, encryption.Plan)
    assert section.key.text() == ""
    assert not encryption.state(folder).encrypted


def test_giving_up_leaves_no_key_behind(
    stage_of: Callable[..., Stage], qtbot: QtBot, folder: Path, file_keyring: Path
) -> None:
    section = Encryption(stage_of(folder=folder, switch_encryption=lambda plan: None).desk)
    qtbot.addWidget(section)
    section.show()
    qtbot.waitUntil(lambda: section.on.isVisible())
    section.on.click()
    qtbot.waitUntil(lambda: section.key.isVisible())
    assert "Desktop Memory" in file_keyring.read_text()

    section.keep.click()

    qtbot.waitUntil(lambda: section.on.isVisible() and file_keyring.read_text() == "{}")
    assert section.key.text() == ""


def test_without_a_keyring_it_asks_for_a_passphrase_twice(
    stage_of: Callable[..., Stage], qtbot: QtBot, folder: Path, no_keyring: None
) -> None:
    stage = stage_of(folder=folder, switch_encryption=lambda plan: None)
    section = Encryption(stage.desk)
    qtbot.addWidget(section)
    section.show()
    qtbot.waitUntil(lambda: section.passphrase.isVisible())

    section.passphrase.setText("four words of mine")
    section.on.click()
    assert "differ" in section.told.text()
    section.passphrase.setText("short")
    section.again.setText("short")
    section.on.click()
    qtbot.waitUntil(lambda: any("characters" in notice.text for notice in stage.notices))
    qtbot.waitUntil(lambda: section.on.isEnabled())
    section.passphrase.setText("four words of mine")
    section.again.setText("four words of mine")
    section.on.click()

    qtbot.waitUntil(lambda: section.key.isVisible())


def test_an_encrypted_memory_offers_another_key_and_the_way_back(
    stage_of: Callable[..., Stage], qtbot: QtBot, folder: Path, file_keyring: Path
) -> None:
    planned = encryption.plan()
    encryption.turn_on(folder, planned, lambda share: False)
    wanted: list[object] = []
    section = Encryption(stage_of(folder=folder, switch_encryption=wanted.append).desk)
    qtbot.addWidget(section)
    section.show()
    qtbot.waitUntil(lambda: section.off.isVisible())
    assert "keyring" in section.told.text()

    section.new_key.click()
    qtbot.waitUntil(lambda: section.key.isVisible())
    header = headers.load(folder)
    assert header is not None
    unlocking.unlock(header, section.key.text())
    section.refresh()
    qtbot.wait(50)
    assert section.key.isVisible(), "until somebody has seen it"
    section.keep.click()
    qtbot.waitUntil(lambda: section.off.isVisible())
    section.off.click()
    assert section.sure_off.isVisible()
    section.sure_off.click()

    assert wanted == [None]


def test_the_app_closes_encrypts_and_opens_again(
    qapp: QApplication, qtbot: QtBot, folder: Path, file_keyring: Path
) -> None:
    seen: list[str] = []

    def step() -> None:
        windows = [w for w in QApplication.topLevelWidgets() if isinstance(w, Window) and w.isVisible()]
        if not windows:
            return
        section = windows[0].findChild(Encryption)
        if section is None:
            windows[0].bring_up("PrivacyPage")
        elif section.on.isVisible() and section.on.isEnabled():
            section.on.click()
        elif section.last.isVisible():
            section.last.setText(section.key.text()[-4:])
            section.sure_on.click()
        elif section.off.isVisible():
            seen.append(section.told.text())
            timer.stop()
            QApplication.quit()
        elif not section.isVisible():
            windows[0].bring_up("PrivacyPage")

    timer = QTimer(interval=50)
    timer.timeout.connect(step)
    timer.start()
    (folder / "welcomed").touch()

    assert stay(qapp, folder, None, "window", demo=True) == 0

    assert len(seen) == 1
    assert encryption.state(folder).encrypted
    assert b"marzipan" not in (folder / "memory.sqlite").read_bytes()
    app = App.open(folder)
    try:
        assert [line.line for line in app.memory.now().lines if "marzipan" in line.line]
    finally:
        app.close()


def test_a_locked_memory_asks_until_it_opens(qapp: QApplication, folder: Path, file_keyring: Path) -> None:
    planned = encryption.plan()
    encryption.turn_on(folder, planned, lambda share: False)
    unlocking.forget(planned.header)
    file_keyring.write_text("{}")
    told: list[str] = []

    def type_in() -> None:
        window = next(
            w for w in QApplication.topLevelWidgets() if isinstance(w, UnlockWindow) and w.isVisible()
        )
        window.typed.setText("something else")
        window.typed.returnPressed.emit()
        told.append(window.told.text())
        window.typed.setText(planned.recovery_key)
        window.typed.returnPressed.emit()

    QTimer.singleShot(0, type_in)
    open_app(folder, Theme("light")).close()

    assert "neither the passphrase nor the recovery key" in told[0]
    assert "Desktop Memory" in file_keyring.read_text(), "kept for the next start"


def test_closing_the_question_leaves_it_locked(qapp: QApplication, folder: Path, file_keyring: Path) -> None:
    planned = encryption.plan()
    encryption.turn_on(folder, planned, lambda share: False)
    unlocking.forget(planned.header)
    file_keyring.write_text("{}")

    def close() -> None:
        next(
            w for w in QApplication.topLevelWidgets() if isinstance(w, UnlockWindow) and w.isVisible()
        ).close()

    QTimer.singleShot(0, close)
    with pytest.raises(KnownError, match="encrypted"):
        open_app(folder, Theme("light"))
