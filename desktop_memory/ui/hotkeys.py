"""The keys that work everywhere: one opens the search, one copies without opening anything."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import Protocol

from PySide6.QtCore import QObject, Signal

from desktop_memory.desktop.hotkey.hotkey import NoKeys
from desktop_memory.errors import KnownError
from desktop_memory.settings import HOTKEYS as HOTKEYS_TO_TRY
from desktop_memory.ui import desktop_keys
from desktop_memory.ui.desk import Desk
from desktop_memory.ui.saving import save_setting
from desktop_memory.ui.setting_fields import HOTKEYS
from desktop_memory.ui.words import tr


class Hotkey(Protocol):
    """What a hotkey backend hands back."""

    @property
    def backend(self) -> str: ...
    def bind(self, keys: str) -> None: ...
    def close(self) -> None: ...


Connect = Callable[[str, Callable[[], None], str], Hotkey]
"""Keys, what a press calls, and what for: "search" or "copy"."""


class Hotkeys(QObject):
    """Binds in the background: a desktop may take seconds to answer, or ask the user first."""

    bound = Signal(str, str)
    """A setting and the keys that it has now."""
    problem = Signal(object)
    """A KnownError that stands in the way of a key, or None when all are had."""

    def __init__(self, desk: Desk, connect: Connect) -> None:
        super().__init__()
        self._desk, self._connect = desk, connect
        self._hotkeys: dict[str, Hotkey] = {}
        self._problems: dict[str, KnownError] = {}
        desk.rebind = self.rebind

    def take(self) -> None:
        """Bind what the settings name; what is taken is said, with what to do."""
        for name in HOTKEYS:
            keys = getattr(self._desk.settings.desktop, name)
            if keys == HOTKEYS_TO_TRY[0] and HOTKEYS[name] == "search":
                self._take_first_free(name, HOTKEYS_TO_TRY)
            elif keys:
                self.rebind(name, keys, lambda: None, self._say)

    def _take_first_free(self, name: str, choices: Sequence[str]) -> None:
        """Nobody has chosen a key yet: the first that no other program has is kept, and named if it is another."""
        keys, *others = choices

        def not_bound(error: Exception) -> None:
            if others and isinstance(error, KnownError) and not isinstance(error, NoKeys):
                self._take_first_free(name, others)
            else:
                self._say(error)

        self.rebind(name, keys, partial(self._keep, name, keys), not_bound)

    def _keep(self, name: str, keys: str) -> None:
        usual = getattr(self._desk.settings.desktop, name)
        if keys != usual:
            said = tr("Another program has {usual}: {keys} opens the search.").format(usual=usual, keys=keys)
            save_setting(
                self._desk,
                "desktop",
                name,
                keys,
                lambda: self._desk.notices.say(said, tr("Choose another key in Settings.")),
            )

    def rebind(
        self, name: str, keys: str, then: Callable[[], object], failed: Callable[[Exception], object]
    ) -> None:
        """Give this setting's hotkey other keys; empty: none. When they cannot be had, those before stay."""

        def bound(_nothing: None = None) -> None:
            self._set_problem(name, None)
            self.bound.emit(name, keys)
            then()

        def not_bound(error: Exception) -> None:
            if isinstance(error, KnownError) and name not in self._hotkeys:
                self._set_problem(name, error)
                self.bound.emit(name, "")
            failed(error)

        if sys.platform == "darwin":  # Carbon's keys belong to the thread with the event loop
            try:
                self._bind(name, keys)
            except KnownError as error:
                not_bound(error)
            else:
                bound()
            return
        self._desk.background.run(partial(self._bind, name, keys), bound, not_bound, owner=self)

    def close(self) -> None:
        """Give the keys back."""
        for hotkey in self._hotkeys.values():
            hotkey.close()

    def _say(self, error: Exception) -> None:
        offers = desktop_keys.deeds(self._desk) if isinstance(error, NoKeys) else ()
        if isinstance(error, KnownError) and offers:
            (text, act), *_ = offers
            self._desk.notices.say(error.problem, error.advice, tone="danger", button=text, act=act)
        else:
            self._desk.notices.failed(error)

    def _bind(self, name: str, keys: str) -> None:
        self._refuse_our_own(name, keys)
        if name in self._hotkeys:
            self._hotkeys[name].bind(keys)
        elif keys:
            bridge = self._desk.bridge
            pressed = {"search": bridge.search, "copy": bridge.copy}[HOTKEYS[name]]
            self._hotkeys[name] = self._connect(keys, pressed, HOTKEYS[name])

    def _refuse_our_own(self, name: str, keys: str) -> None:
        others = [getattr(self._desk.settings.desktop, other) for other in HOTKEYS if other != name]
        if keys and keys in others:
            raise KnownError(
                tr("Desktop Memory uses {keys} already.").format(keys=keys), tr("Choose another key.")
            )

    def _set_problem(self, name: str, error: KnownError | None) -> None:
        if error is None:
            self._problems.pop(name, None)
        else:
            self._problems[name] = error
        self.problem.emit(next(iter(self._problems.values()), None))
