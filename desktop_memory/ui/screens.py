"""All screens of the app, wired to one another."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QObject, QPoint
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QSystemTrayIcon

from desktop_memory.errors import KnownError
from desktop_memory.model import ContextRequest, CopiedContext
from desktop_memory.ui import x11
from desktop_memory.ui.actions import Actions
from desktop_memory.ui.copying import Copier, summary
from desktop_memory.ui.desk import Desk
from desktop_memory.ui.notices import Notice
from desktop_memory.ui.popup import Popup
from desktop_memory.ui.state import State, StateKeeper
from desktop_memory.ui.tray import Tray
from desktop_memory.ui.window import Window
from desktop_memory.ui.words import tr

logger = logging.getLogger(__name__)


class Hotkey(Protocol):
    """What a hotkey backend hands back."""

    @property
    def backend(self) -> str: ...
    def bind(self, keys: str) -> None: ...
    def close(self) -> None: ...


Connect = Callable[[str, Callable[[], None]], Hotkey]


class Screens(QObject):
    """Tray, window and popup; `begin` shows what there is to show."""

    def __init__(
        self,
        desk: Desk,
        *,
        kept: Path | None = None,
        composited: bool = True,
        icon: QSystemTrayIcon | None = None,
    ) -> None:
        super().__init__()
        self.desk = desk
        self.hotkey: Hotkey | None = None
        self.copier = Copier(desk)
        self.actions = Actions(desk, self.copier)
        self.keeper = StateKeeper(desk)
        self.tray = Tray(desk, self.copier, desk.settings.desktop.hotkey, icon)
        self.window = Window(desk, self.copier, self.actions, kept)
        self.popup = Popup(desk, self.copier, self.actions, composited=composited)
        self._wire()

    def _wire(self) -> None:
        bridge, tray, window, popup = self.desk.bridge, self.tray, self.window, self.popup
        self.keeper.changed.connect(self._show_state)
        bridge.search_wanted.connect(popup.toggle)
        bridge.window_wanted.connect(window.bring_up)
        bridge.copy_wanted.connect(self._copy_last)
        bridge.quit_wanted.connect(self.quit)
        tray.window_wanted.connect(window.bring_up)
        tray.search_wanted.connect(popup.open)
        tray.sources_wanted.connect(lambda: window.bring_up("SourcesPage"))
        tray.quit_wanted.connect(self.quit)
        tray.appeared.connect(self._tray_appeared)
        popup.window_wanted.connect(window.bring_up)
        window.navigation.menu_wanted.connect(self._menu)
        self.desk.notices.said.connect(self._say_beside_the_tray)
        QShortcut(QKeySequence("Ctrl+Q"), window).activated.connect(self.quit)

    def begin(self, show: str = "") -> None:
        """Show the tray; where there is none, the window instead, and say so once."""
        self.window.welcome()
        hosted = self.tray.begin()
        self._show_state(self.keeper.state)
        self.window.trayless = not hosted
        if not hosted and show != "search":
            self.window.bring_up()
            if not self.window.told_no_tray:
                self.desk.notices.say(
                    tr("This desktop shows no tray icons, so the window opened instead."),
                    tr("Closing it keeps recording. Start the app again to bring it back; Ctrl+Q quits."),
                    tone="warn",
                )
        if show == "window":
            self.window.bring_up()
        elif show == "search":
            self.popup.open()

    def take_hotkey(self, connect: Connect) -> None:
        """Let the key of the settings open the search; one that is taken is said, with what to do."""
        key = self.desk.settings.desktop.hotkey
        self.desk.rebind = lambda keys: self._rebind(connect, keys)
        try:
            self._rebind(connect, key)
        except KnownError as error:
            self.tray.show_hotkey("")
            self.keeper.add_problem(error)
            self.desk.notices.failed(error)

    def _rebind(self, connect: Connect, keys: str) -> None:
        if self.hotkey is not None:
            self.hotkey.bind(keys)
        elif keys:
            self.hotkey = connect(keys, self.desk.bridge.search)
        self.tray.show_hotkey(keys)
        self.keeper.add_problem(None)

    def look(self) -> None:
        """Ask how the app is."""
        self.keeper.look()

    def end(self) -> None:
        """Take everything from the screen."""
        self.window.keep_place()
        self.popup.hide()
        self.window.hide()
        if self.tray.icon is not None:
            self.tray.icon.hide()
        if self.hotkey is not None:
            self.hotkey.close()
        x11.close()

    def quit(self) -> None:
        QApplication.quit()

    def _show_state(self, state: State) -> None:
        self.tray.show_state(state)
        self.window.show_state(state)
        self.popup.show_state(state)

    def _menu(self, place: QPoint) -> None:
        self.tray.menu.popup(place - QPoint(0, self.tray.menu.sizeHint().height()))

    def _tray_appeared(self) -> None:
        self.window.trayless = False
        logger.info("a tray appeared")

    def _copy_last(self) -> None:
        def say(context: CopiedContext) -> None:
            self.tray.say(tr("Copied the last 15 minutes"), summary(context))

        self.copier.copy(ContextRequest(minutes=15), say)

    def _say_beside_the_tray(self, notice: Notice) -> None:
        if not self.window.isVisible() and not self.popup.isVisible():
            self.tray.say(notice.text, notice.advice)
