"""The tray icon: what the app is doing, and the few things one does without opening a window."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, time, timedelta
from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QSystemTrayIcon

from desktop_memory.model import ContextRequest
from desktop_memory.ui.copying import Copier, summary
from desktop_memory.ui.desk import Desk
from desktop_memory.ui.icons import icon
from desktop_memory.ui.state import State
from desktop_memory.ui.tray_icon import tray_icon
from desktop_memory.ui.words import local, tr

LOOK_FOR_TRAY_MS = 3_000
UNDO_MS = 10 * 60_000
"""How long what was forgotten can be brought back."""


class Tray(QObject):
    """Adopts a tray whenever there is one; `appeared` says when that was later than the app's start."""

    window_wanted = Signal()
    search_wanted = Signal()
    sources_wanted = Signal()
    quit_wanted = Signal()
    forget_wanted = Signal(object)
    """Carries how long back."""
    undo_wanted = Signal()
    put_back_wanted = Signal()
    changed = Signal()
    """The menu or the state is another."""
    appeared = Signal()

    def __init__(
        self, desk: Desk, copier: Copier, hotkey: str = "", icon: QSystemTrayIcon | None = None
    ) -> None:
        super().__init__()
        self._desk, self._copier = desk, copier
        self.state = State(kind="degraded", text=tr("Starting"))
        self.icon = icon
        self.menu = QMenu()
        self._hotkey = hotkey
        self._fill()
        self._look = QTimer(self, interval=LOOK_FOR_TRAY_MS)
        self._look.timeout.connect(self._adopt)
        desk.theme.follow(self, self._dress)

    def begin(self) -> bool:
        """Show the icon; False when there is no tray, which is then looked for."""
        if self.icon is not None or QSystemTrayIcon.isSystemTrayAvailable():
            self._show()
            return True
        self._look.start()
        return False

    def show_state(self, state: State) -> None:
        """Become this state: icon, tooltip, menu."""
        self.state = state
        self._status.setText(state.text)
        records = not self._desk.demo
        self._pause.menuAction().setVisible(records and state.kind != "paused")
        self._resume.setVisible(records and state.kind == "paused")
        self._dress()
        self.changed.emit()

    def say(self, title: str, text: str) -> None:
        """A short message beside the icon, for what happened without a window."""
        if self.icon is not None:
            self.icon.showMessage(title, text, self.icon.icon(), 4000)

    def show_hotkey(self, hotkey: str) -> None:
        """Name the key that opens search."""
        self._search.setText(f"{tr('Search…')}\t{hotkey}" if hotkey else tr("Search…"))

    def offer_put_back(self, there: bool) -> None:
        """Offer to give the clipboard back what it held before the key copied."""
        self._put_back.setVisible(there)
        self.changed.emit()

    def offer_undo(self, there: bool = True) -> None:
        """Offer to bring back what was forgotten, as long as that can be."""
        self._undo.setVisible(there)
        self._undoing.start() if there else self._undoing.stop()
        self.changed.emit()

    def _adopt(self) -> None:
        if QSystemTrayIcon.isSystemTrayAvailable():
            self._look.stop()
            self._show()
            self.appeared.emit()

    def _show(self) -> None:
        self.icon = self.icon or QSystemTrayIcon(self)
        self.icon.setContextMenu(self.menu)
        self.icon.activated.connect(self._activated)
        self._dress()
        self.icon.show()

    def _activated(self, reason: QSystemTrayIcon.ActivationReason) -> None:
        if reason in (QSystemTrayIcon.ActivationReason.Trigger, QSystemTrayIcon.ActivationReason.DoubleClick):
            self.window_wanted.emit()
        elif reason == QSystemTrayIcon.ActivationReason.MiddleClick:
            self.search_wanted.emit()

    def _fill(self) -> None:
        menu = self.menu
        self._status = menu.addAction("", self.sources_wanted.emit)
        menu.addSeparator()
        self._icons: list[tuple[QAction, str]] = []
        self._entry(menu, "app-window", tr("Open Desktop Memory"), self.window_wanted.emit)
        self._search = self._entry(menu, "search", tr("Search…"), self.search_wanted.emit)
        self.show_hotkey(self._hotkey)
        menu.addSeparator()
        self.copy_last = self._entry(
            menu,
            "copy",
            tr("Copy context of the last 15 minutes"),
            lambda: self._copy(ContextRequest(minutes=15)),
        )
        self._entry(
            menu, "", tr("Copy context of the last hour"), lambda: self._copy(ContextRequest(minutes=60))
        )
        self._entry(
            menu,
            "",
            tr("Copy context of this session"),
            lambda: self._copy(ContextRequest(this_session=True)),
        )
        self._put_back = self._entry(menu, "", tr("Put my clipboard back"), self.put_back_wanted.emit)
        self._put_back.setVisible(False)
        menu.addSeparator()
        self._pause = menu.addMenu(tr("Pause"))
        rests: tuple[tuple[str, Callable[[], timedelta | None]], ...] = (
            (tr("for 15 minutes"), lambda: timedelta(minutes=15)),
            (tr("for an hour"), lambda: timedelta(hours=1)),
            (tr("until tomorrow"), lambda: until_tomorrow(self._desk.clock())),
            (tr("until resumed"), lambda: None),
        )
        for text, length in rests:
            self._entry(self._pause, "", text, partial(self._rest_for, length))
        self._icons.append((self._pause.menuAction(), "player-pause"))
        self._resume = self._entry(menu, "player-play", tr("Resume"), self._go_on)
        self._resume.setVisible(False)
        self._fill_forget(menu)
        menu.addSeparator()
        self._entry(menu, "logout", tr("Quit"), self.quit_wanted.emit)

    def _fill_forget(self, menu: QMenu) -> None:
        forget = menu.addMenu(tr("Forget"))
        for text, minutes in ((tr("the last 10 minutes"), 10), (tr("the last hour"), 60)):
            self._entry(forget, "", text, partial(self.forget_wanted.emit, timedelta(minutes=minutes)))
        self._icons.append((forget.menuAction(), "trash"))
        self._undo = self._entry(
            menu, "arrow-back-up", tr("Bring back what was forgotten"), self.undo_wanted.emit
        )
        self._undo.setVisible(False)
        self._undoing = QTimer(self, singleShot=True, interval=UNDO_MS)
        self._undoing.timeout.connect(lambda: self.offer_undo(False))

    def _entry(self, menu: QMenu, name: str, text: str, act: Callable[[], object]) -> QAction:
        entry = menu.addAction(text)
        entry.triggered.connect(lambda: act())
        if name:
            self._icons.append((entry, name))
        return entry

    def _copy(self, request: ContextRequest) -> None:
        self._copier.copy(request, lambda context: self.say(tr("Copied"), summary(context)))

    def _rest_for(self, chosen: Callable[[], timedelta | None]) -> None:
        length = chosen()
        self._desk.background.run(lambda: self._desk.app.pause(length), owner=self)

    def _go_on(self) -> None:
        self._desk.background.run(self._desk.app.resume, owner=self)

    def _dress(self) -> None:
        muted = self._desk.theme["muted"]
        for entry, name in self._icons:
            entry.setIcon(icon(name, muted))
        if self.icon is not None:
            self.icon.setIcon(tray_icon(self.state.kind))
            told = (self.state.text, self.state.problem if self.state.kind in ("degraded", "error") else "")
            self.icon.setToolTip("\n".join(filter(None, ("Desktop Memory", *told))))


def until_tomorrow(now: datetime) -> timedelta:
    """From now to six in the morning of the next day here."""
    morning = datetime.combine(local(now).date() + timedelta(days=1), time(6)).astimezone()
    return morning - now
