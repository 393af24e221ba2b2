"""All screens of the app, wired to one another."""

from __future__ import annotations

import logging
from pathlib import Path

from PySide6.QtCore import QObject, QPoint, QTimer
from PySide6.QtGui import QGuiApplication, QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QSystemTrayIcon

from desktop_memory.model import CopiedContext
from desktop_memory.receipts import Forgotten
from desktop_memory.ui import x11
from desktop_memory.ui.actions import Actions
from desktop_memory.ui.clipboard_guard import ClipboardGuard
from desktop_memory.ui.copying import Copier
from desktop_memory.ui.desk import Desk
from desktop_memory.ui.hotkeys import Connect, Hotkeys
from desktop_memory.ui.motion import motion_welcome
from desktop_memory.ui.notices import Notice
from desktop_memory.ui.popup import Popup
from desktop_memory.ui.preview import Preview
from desktop_memory.ui.quick_copy import QuickCopy
from desktop_memory.ui.roles import give_roles
from desktop_memory.ui.shell_menu import ConnectMenu, ShellMenu
from desktop_memory.ui.state import State, StateKeeper
from desktop_memory.ui.toast import Toast
from desktop_memory.ui.tray import Tray
from desktop_memory.ui.window import Window
from desktop_memory.ui.words import tr

logger = logging.getLogger(__name__)

COMES_UP_MS = 150


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
        give_roles()
        self.desk = desk
        self._composited = composited
        self.hotkeys: Hotkeys | None = None
        self.shell_menu: ShellMenu | None = None
        self.copier = Copier(desk)
        self.actions = Actions(desk, self.copier)
        self.keeper = StateKeeper(desk)
        self.tray = Tray(desk, self.copier, desk.settings.desktop.hotkey, icon)
        self.window = Window(desk, self.copier, self.actions, kept)
        self.popup = Popup(desk, self.copier, self.actions, composited=composited)
        self.toast = Toast(desk.theme, composited=composited)
        self.quick = QuickCopy(desk, self.copier)
        self.preview = Preview(desk.theme, self.quick.put_back)
        self.guard = ClipboardGuard(desk, self.copier)
        self._wire()
        desk.background.run(motion_welcome, self._let_move, owner=self)

    def _wire(self) -> None:
        bridge, tray, window, popup = self.desk.bridge, self.tray, self.window, self.popup
        self.keeper.changed.connect(self._show_state)
        bridge.search_wanted.connect(popup.toggle)
        bridge.window_wanted.connect(window.bring_up)
        bridge.copy_wanted.connect(self.quick.press)
        bridge.quit_wanted.connect(self.quit)
        tray.window_wanted.connect(window.bring_up)
        tray.search_wanted.connect(popup.open)
        tray.sources_wanted.connect(lambda: window.bring_up("SourcesPage"))
        tray.quit_wanted.connect(self.quit)
        tray.appeared.connect(self._tray_appeared)
        tray.forget_wanted.connect(self.actions.leaving.forget_last)
        tray.undo_wanted.connect(lambda: self.actions.leaving.undo())
        tray.put_back_wanted.connect(self.quick.put_back)
        self.quick.lent.connect(tray.offer_put_back)
        self.quick.preview_wanted.connect(self._preview)
        self.actions.leaving.forgot.connect(self._forgot)
        self.actions.leaving.brought_back.connect(lambda: tray.offer_undo(False))
        popup.window_wanted.connect(window.bring_up)
        window.navigation.menu_wanted.connect(self._menu)
        self.desk.notices.said.connect(self._say_in_the_corner)
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

    def take_hotkeys(self, connect: Connect) -> None:
        """Let the keys of the settings work everywhere."""
        self.hotkeys = Hotkeys(self.desk, connect)
        self.hotkeys.bound.connect(
            lambda name, keys: self.tray.show_hotkey(keys) if name == "hotkey" else None
        )
        self.hotkeys.problem.connect(self.keeper.add_problem)
        self.hotkeys.take()

    def take_shell_menu(self, connect: ConnectMenu) -> None:
        """Where no tray shows our icon, let the desktop's shell carry the menu."""
        if self.window.trayless:
            self.shell_menu = ShellMenu(self.desk, self.tray, connect)

    def look(self) -> None:
        """Ask how the app is."""
        self.keeper.look()

    def end(self) -> None:
        """Take everything from the screen."""
        self.window.keep_place()
        for window in (self.popup, self.toast, self.preview, self.window):
            window.hide()
        if self.tray.icon is not None:
            self.tray.icon.hide()
        for part in (self.hotkeys, self.shell_menu):
            if part is not None:
                part.close()
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

    def _let_move(self, welcome: bool) -> None:
        self.popup.fade.wanted = self.toast.fade.wanted = welcome and self._composited

    def _preview(self, context: CopiedContext) -> None:
        self.preview.show_context(context, lent=self.quick.can_put_back)

    def _forgot(self, gone: Forgotten) -> None:
        self.popup.forget_what_was_shown()
        self.preview.close()
        if gone.events:
            self.tray.offer_undo()

    def _say_in_the_corner(self, notice: Notice) -> None:
        """Unless the person looks at a window of ours, which says it itself; one may be just coming up."""
        QTimer.singleShot(COMES_UP_MS, self.window, lambda: self._say_if_unseen(notice))

    def _say_if_unseen(self, notice: Notice) -> None:
        if self.window.isActiveWindow() or self.popup.isVisible():
            return
        if QGuiApplication.platformName().startswith("wayland"):  # where a window cannot choose its place
            self.tray.say(notice.text, notice.advice)
        else:
            self.toast.say(notice)
