"""A hotkey of the app, by the first desktop that gives it."""

from __future__ import annotations

import logging
import sys
import threading
from collections.abc import Sequence
from functools import partial

from collectors.collector import Unavailable
from desktop_memory.desktop.hotkey.backend import DEEDS, Backend, Connect, Deed, Pressed
from desktop_memory.desktop.hotkey.chord import parse
from desktop_memory.errors import KnownError

logger = logging.getLogger(__name__)

BY_HAND = "Bind the command `desktop-memory popup` to a key in the desktop's own keyboard settings."


class NoKeys(KnownError):
    """No backend works here: programs cannot take keys on this desktop."""


def connect(keys: str, pressed: Pressed, what: str = "search") -> Hotkey:
    """Let this key call `pressed`, on a thread that is not Qt's. Raises KnownError when it cannot be had.

    `what` is one of DEEDS: by it the desktop tells one key of ours from the other.
    """
    hotkey = Hotkey(pressed, here(DEEDS[what]))
    try:
        hotkey.bind(keys)
    except KnownError:
        hotkey.close()
        raise
    return hotkey


class Hotkey:
    """`keys` is what is bound now, `backend` by whom; `tried` says why the others could not. Thread-safe."""

    def __init__(self, pressed: Pressed, connects: Sequence[tuple[str, Connect]]) -> None:
        self._pressed = pressed
        self._connects = connects
        self._lock = threading.RLock()
        self._connected: Backend | None = None
        self.tried: dict[str, str] = {}
        self.keys = ""

    @property
    def backend(self) -> str:
        return self._connected.name if self._connected else ""

    def bind(self, keys: str) -> None:
        """Take this key instead of the one before; empty: none.

        Raises KnownError when it is taken, is no key, or no key can be had here; the one before stays.
        """
        if not keys.strip():
            self.unbind()
            return
        chord = parse(keys)
        with self._lock:
            if self._connected is None:
                self._connected = self._connect()
            self._connected.bind(chord)
            self.keys = str(chord)

    def unbind(self) -> None:
        with self._lock:
            if self._connected is not None:
                self._connected.unbind()
            self.keys = ""

    def close(self) -> None:
        with self._lock:
            if self._connected is not None:
                self._connected.close()
            self._connected, self.keys = None, ""

    def _connect(self) -> Backend:
        self.tried = {}
        for name, connect in self._connects:
            try:
                backend = connect(self._pressed)
            except Unavailable as why:
                self.tried[name] = why.problem
                continue
            logger.info("the hotkey comes by %s", backend.name)
            return backend
        raise NoKeys("Programs cannot take keys on this desktop.", BY_HAND)


def here(deed: Deed) -> Sequence[tuple[str, Connect]]:
    """Name and connect() of each backend for this system, in the order in which they are tried."""
    if sys.platform == "win32":
        return (("Windows", _windows), ("pynput", _pynput))
    if sys.platform == "darwin":
        return (("Carbon", _macos), ("pynput", _pynput))
    return (
        ("X11", _x11),
        ("GNOME extension", partial(_gnome, deed)),
        ("desktop portal", partial(_portal, deed)),
        ("pynput", _pynput),
    )


# Imported only when tried: each needs a library that another system lacks.


def _x11(pressed: Pressed) -> Backend:
    from desktop_memory.desktop.hotkey import x11

    return x11.connect(pressed)


def _gnome(deed: Deed, pressed: Pressed) -> Backend:
    from desktop_memory.desktop.hotkey import gnome

    return gnome.connect(pressed, deed)


def _portal(deed: Deed, pressed: Pressed) -> Backend:
    from desktop_memory.desktop.hotkey import portal

    return portal.connect(pressed, deed)


def _windows(pressed: Pressed) -> Backend:
    from desktop_memory.desktop.hotkey import windows

    return windows.connect(pressed)


def _macos(pressed: Pressed) -> Backend:
    from desktop_memory.desktop.hotkey import macos

    return macos.connect(pressed)


def _pynput(pressed: Pressed) -> Backend:
    from desktop_memory.desktop.hotkey import pynput

    return pynput.connect(pressed)
