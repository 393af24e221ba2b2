"""Two keys for the app: taken in the background, refused in words, given back."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from desktop_memory.desktop.hotkey.hotkey import NoKeys
from desktop_memory.errors import KnownError
from desktop_memory.settings import HOTKEYS, load
from desktop_memory.ui.screens import Screens
from desktop_memory.ui.setting_fields import changed
from tests.desktop_memory.ui.conftest import Stage


class Desktop:
    """Has some keys already, and gives the others; `none` where it gives none at all."""

    def __init__(self, *taken: str, none: bool = False) -> None:
        self.taken, self.none = taken, none
        self.given: dict[str, str] = {}
        self.threads: set[str] = set()

    def connect(self, keys: str, pressed: Callable[[], None], what: str) -> Desktop.Key:
        key = Desktop.Key(self, what)
        key.bind(keys)
        key.press = pressed
        return key

    class Key:
        backend = "a desktop"
        press: Callable[[], None] = staticmethod(lambda: None)

        def __init__(self, desktop: Desktop, what: str) -> None:
            self._desktop, self._what = desktop, what

        def bind(self, keys: str) -> None:
            self._desktop.threads.add(threading.current_thread().name)
            if self._desktop.none:
                raise NoKeys("Programs cannot take keys on this desktop.", "Bind it by hand.")
            if keys in self._desktop.taken:
                raise KnownError(f"Another program has {keys}.", "Choose another key.")
            self._desktop.given[self._what] = keys

        def close(self) -> None:
            self._desktop.given.pop(self._what, None)


@pytest.fixture
def screens(stage: Stage, qtbot: QtBot) -> Screens:
    stage.desk.settings = changed(stage.desk.settings, "desktop", "copy_hotkey", "Ctrl+Alt+X")
    made = Screens(stage.desk)
    for window in (made.window, made.popup, made.toast):
        qtbot.addWidget(window)
    return made


def outcome(screens: Screens, qtbot: QtBot, name: str, keys: str) -> list[Exception | None]:
    told: list[Exception | None] = []
    assert screens.desk.rebind is not None
    screens.desk.rebind(name, keys, lambda: told.append(None), told.append)
    qtbot.waitUntil(lambda: bool(told))
    return told


def test_both_keys_are_taken_beside_the_windows_thread(screens: Screens, qtbot: QtBot) -> None:
    desktop = Desktop()

    screens.take_hotkeys(desktop.connect)

    qtbot.waitUntil(lambda: desktop.given == {"search": "Ctrl+Alt+Z", "copy": "Ctrl+Alt+X"})
    assert all(name.startswith("background") for name in desktop.threads)
    screens.end()
    assert desktop.given == {}


def test_a_taken_key_is_said_and_the_tray_names_none(screens: Screens, stage: Stage, qtbot: QtBot) -> None:
    screens.take_hotkeys(Desktop(*HOTKEYS).connect)

    qtbot.waitUntil(lambda: bool(stage.notices))
    assert stage.notices[0].text == f"Another program has {HOTKEYS[-1]}."
    assert screens.tray._search.text() == "Search…"
    qtbot.waitUntil(lambda: "Another program has" in screens.keeper.state.problem)
    assert outcome(screens, qtbot, "hotkey", "Ctrl+Alt+S") == [None]
    assert screens.tray._search.text() == "Search…\tCtrl+Alt+S"


def test_before_one_is_chosen_the_first_free_one_is_taken_kept_and_named(
    screens: Screens, stage: Stage, qtbot: QtBot, tmp_path: Path
) -> None:
    screens.desk.folder = tmp_path
    desktop = Desktop("Ctrl+Alt+Z")
    screens.take_hotkeys(desktop.connect)

    qtbot.waitUntil(lambda: bool(stage.notices))
    assert desktop.given["search"] == "Ctrl+Shift+Space"
    assert load(tmp_path / "settings.toml").desktop.hotkey == "Ctrl+Shift+Space"
    assert stage.notices[0].text == "Another program has Ctrl+Alt+Z: Ctrl+Shift+Space opens the search."
    assert screens.keeper.state.problem == ""


def test_rebinding_to_itself_to_a_taken_key_and_to_nothing(screens: Screens, qtbot: QtBot) -> None:
    desktop = Desktop("Ctrl+Alt+T")
    screens.take_hotkeys(desktop.connect)
    qtbot.waitUntil(lambda: len(desktop.given) == 2)

    assert outcome(screens, qtbot, "hotkey", "Ctrl+Alt+Z") == [None]
    assert isinstance(outcome(screens, qtbot, "hotkey", "Ctrl+Alt+T")[0], KnownError)
    assert desktop.given["search"] == "Ctrl+Alt+Z"
    assert outcome(screens, qtbot, "hotkey", "") == [None]
    assert desktop.given["search"] == ""
    assert outcome(screens, qtbot, "hotkey", "Ctrl+Alt+Z") == [None]


def test_our_own_two_keys_are_not_the_same(screens: Screens, qtbot: QtBot) -> None:
    screens.take_hotkeys(Desktop().connect)

    (refused,) = outcome(screens, qtbot, "copy_hotkey", "Ctrl+Alt+Z")

    assert str(refused) == "Desktop Memory uses Ctrl+Alt+Z already."


def test_where_no_key_can_be_had_the_desktops_own_shortcut_is_offered(
    screens: Screens, stage: Stage, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    from desktop_memory.desktop import own_shortcut

    written: list[tuple[str, str]] = []
    monkeypatch.setattr(own_shortcut, "here", lambda: own_shortcut.Gnome())
    monkeypatch.setattr(
        own_shortcut, "write", lambda deed, keys, _: written.append((deed, keys)) or "GNOME binds it."
    )

    screens.take_hotkeys(Desktop(none=True).connect)
    qtbot.waitUntil(lambda: bool(stage.notices))
    assert stage.notices[0].button == "Use the desktop's own shortcut"
    stage.notices[0].act()  # type: ignore[misc]

    qtbot.waitUntil(lambda: written == [("search", "Ctrl+Alt+Z"), ("copy", "Ctrl+Alt+X")])
    qtbot.waitUntil(lambda: stage.notices[-1].text == "GNOME binds it. GNOME binds it.")
