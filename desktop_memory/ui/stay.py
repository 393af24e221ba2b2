"""Opens the app and shows its screens, until it is quit."""

from __future__ import annotations

import logging
import signal
import socket
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import QObject, QSocketNotifier, QTimer
from PySide6.QtWidgets import QApplication, QSystemTrayIcon

from desktop_memory import clock, settings
from desktop_memory.app import App
from desktop_memory.desktop import clipboard as desktop_clipboard
from desktop_memory.desktop import gnome_hands
from desktop_memory.desktop.hotkey.hotkey import connect
from desktop_memory.encryption import Plan
from desktop_memory.errors import BusyError, KnownError
from desktop_memory.settings import Settings
from desktop_memory.ui import display, encrypting
from desktop_memory.ui.background import Background
from desktop_memory.ui.bridge import Bridge
from desktop_memory.ui.desk import Desk
from desktop_memory.ui.failure import show_failure
from desktop_memory.ui.garbage import Garbage
from desktop_memory.ui.lent_clipboard import LentClipboard
from desktop_memory.ui.notices import Notice, Notices, bug_notice, notice_of
from desktop_memory.ui.screens import Screens
from desktop_memory.ui.theme import Theme
from desktop_memory.ui.unlocking import open_app

logger = logging.getLogger(__name__)

SETTINGS_FILE = "settings.toml"
PLACE_FILE = "window.json"


def stay(qt: QApplication, folder: Path, icon: QSystemTrayIcon | None, show: str, *, demo: bool) -> int:
    """Open the app on this folder and show its screens until it is quit; `icon` is in the tray already."""
    said: Notice | None = None
    while True:
        theme = Theme(_settings(folder).desktop.theme)
        app = _opened(folder, theme, icon)
        switch = _Switch()
        try:
            desk = _desk(app, app.parts.settings, theme, switch, demo=demo)
            code = _shown(qt, app, desk, icon, show, said)
        finally:
            app.close()
        if switch.work is None:
            return code
        done, error = switch.work(folder, theme)
        said = Notice(done) if error is None else notice_of(error)
        icon, show = None, "window"


class _Switch:
    """Remembers what is to be done with the whole memory while no screen is open, and ends the screens for it."""

    def __init__(self) -> None:
        self.work: Callable[[Path, Theme], tuple[str, Exception | None]] | None = None

    def encryption(self, plan: Plan | None) -> None:
        self.work = lambda folder, theme: encrypting.switch(folder, plan, theme)
        QApplication.quit()

    def backup(self, file: Path) -> None:
        self.work = lambda folder, theme: encrypting.go_back(folder, file, theme)
        QApplication.quit()


def _opened(folder: Path, theme: Theme, icon: QSystemTrayIcon | None) -> App:
    """The app; what stops it is shown in a window of its own before it is raised."""
    try:
        return open_app(folder, theme)
    except KnownError as error:
        if icon is not None:
            icon.hide()
        if not isinstance(error, BusyError):
            show_failure(error, theme)
        raise


def _desk(app: App, chosen: Settings, theme: Theme, switch: _Switch, *, demo: bool) -> Desk:
    return Desk(
        memory=app.memory, app=app, background=Background(), bridge=Bridge(), theme=theme, notices=Notices(),
        clock=clock.clock, settings=chosen, folder=app.folder, demo=demo,
        switch_encryption=switch.encryption, go_back_to=switch.backup,
        other_clipboard=desktop_clipboard.copy, read_clipboard=desktop_clipboard.held,
        clear_clipboard=desktop_clipboard.clear,
    )  # fmt: skip


def _shown(
    qt: QApplication, app: App, desk: Desk, icon: QSystemTrayIcon | None, show: str, said: Notice | None
) -> int:
    bridge = desk.bridge
    screens = Screens(desk, kept=app.folder / PLACE_FILE, composited=display.composited(), icon=icon)
    shown = {"search": bridge.search, "copy": bridge.copy}
    app.on_show = lambda what: shown.get(what, bridge.window)()
    app.on_quit = bridge.quit
    lent = LentClipboard()
    app.on_copy = lent.put
    lent.lent.connect(screens.guard.take_lent)
    app.memory.changed.append(bridge.notify)
    sys.excepthook = partial(_bug, desk)
    stop = _Signals(bridge.quit)
    garbage = Garbage()
    screens.begin(show)
    screens.take_hotkeys(connect)
    screens.take_shell_menu(gnome_hands.Menu)
    if said is not None:
        desk.notices.said.emit(said)
    QTimer.singleShot(0, lambda: _start(app, screens, record=not desk.demo))
    try:
        return qt.exec()
    finally:
        sys.excepthook = sys.__excepthook__
        app.memory.changed.remove(bridge.notify)
        stop.close()
        garbage.close()
        screens.end()
        desk.work.cancel()
        desk.background.close()


def _settings(folder: Path) -> Settings:
    """What can be read before anything is unlocked; the defaults when the file is broken, which the log says."""
    try:
        return settings.load(folder / SETTINGS_FILE, unlocked=False)
    except KnownError as error:
        logger.warning("settings are not used: %s", error.problem)
        return Settings()


def _start(app: App, screens: Screens, *, record: bool) -> None:
    try:
        app.start(record=record)
    except KnownError as error:
        screens.desk.notices.failed(error)
    screens.look()


def _bug(desk: Desk, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """What a slot raised: into the log with its traceback, and said; the screens go on."""
    logger.error("a slot met a bug", exc_info=(kind, error, trace))
    if isinstance(error, Exception):
        desk.notices.said.emit(bug_notice(error))


class _Signals(QObject):
    """Ends the app on SIGTERM and SIGINT. Qt's loop runs no Python, so they arrive through a socket."""

    def __init__(self, quit_app: Callable[[], None]) -> None:
        super().__init__()
        self._ours, its = socket.socketpair()
        its.setblocking(False)
        self._its = its
        self._before = signal.set_wakeup_fd(its.fileno(), warn_on_full_buffer=False)
        self._handlers = {
            name: signal.signal(name, lambda *_: quit_app()) for name in (signal.SIGTERM, signal.SIGINT)
        }
        self._notifier = QSocketNotifier(self._ours.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(lambda *_: self._ours.recv(64))

    def close(self) -> None:
        self._notifier.setEnabled(False)
        signal.set_wakeup_fd(self._before)
        for name, handler in self._handlers.items():
            signal.signal(name, handler)
        self._ours.close()
        self._its.close()
