"""The tray's menu in GNOME's top bar, by our extension, where the desktop shows no tray icons."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from functools import partial
from typing import Protocol

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from desktop_memory.ui.desk import Desk
from desktop_memory.ui.tray import Tray

logger = logging.getLogger(__name__)


class Menu(Protocol):
    """What the desktop hands back."""

    def show(self, status: str, state: str, entries: Sequence[tuple[str, str]]) -> None: ...
    def close(self) -> None: ...


ConnectMenu = Callable[[Callable[[str], None]], Menu]


class ShellMenu(QObject):
    """Follows the tray's menu; what is chosen there is triggered here."""

    _chosen = Signal(str)

    def __init__(self, desk: Desk, tray: Tray, connect: ConnectMenu) -> None:
        super().__init__()
        self._desk, self._tray = desk, tray
        self._menu: Menu | None = None
        self._actions: dict[str, QAction] = {}
        self._chosen.connect(self._trigger, Qt.ConnectionType.QueuedConnection)
        desk.background.run(partial(connect, self._chosen.emit), self._begin, self._without, owner=self)

    def close(self) -> None:
        """Take it out of the bar."""
        if self._menu is not None:
            self._menu.close()

    def _begin(self, menu: Menu) -> None:
        self._menu = menu
        self._tray.changed.connect(self._show)
        self._show()

    def _without(self, error: Exception) -> None:
        logger.info("no menu in a shell: %s", type(error).__name__)

    def _show(self) -> None:
        menu, state = self._menu, self._tray.state
        if menu is None:
            return
        entries: list[tuple[str, str]] = []
        self._actions = {}
        for action, text in flat(self._tray.menu):
            key = str(len(self._actions)) if action is not None else ""
            if action is not None:
                self._actions[key] = action
            entries.append((key, text))
        self._desk.background.run(
            lambda: menu.show(state.text, state.kind, entries), None, self._without, owner=self,
            lane="shell menu",
        )  # fmt: skip

    @Slot(str)
    def _trigger(self, key: str) -> None:
        action = self._actions.get(key)
        if action is not None:
            action.trigger()


def flat(menu: QMenu, before: str = "") -> list[tuple[QAction | None, str]]:
    """Every entry that is shown but the status, those of an inner menu after its name; None for a line."""
    found: list[tuple[QAction | None, str]] = []
    for action in menu.actions() if before else menu.actions()[1:]:
        inner = action.menu()
        if not action.isVisible():
            continue
        if action.isSeparator():
            found.append((None, ""))
        elif isinstance(inner, QMenu):
            found += flat(inner, f"{action.text()} ")
        else:
            found.append((action, before + action.text().split("\t")[0]))
    return found
