"""The hotkey on Wayland, by the desktop portal: the desktop shows the user what is asked for and decides on the key.

See https://flatpak.github.io/xdg-desktop-portal/docs/doc-org.freedesktop.portal.GlobalShortcuts.html and
https://specifications.freedesktop.org/shortcuts-spec/latest/ for how a key is written.
"""

from __future__ import annotations

import contextlib
import itertools
import logging
import time
from typing import Any

from collectors.bus import Bus, Message, Refused, field
from collectors.collector import Unavailable
from desktop_memory.desktop.bus_thread import BusThread
from desktop_memory.desktop.hotkey.backend import DEEDS, Deed, Pressed
from desktop_memory.desktop.hotkey.chord import Chord
from desktop_memory.errors import KnownError

logger = logging.getLogger(__name__)

APP_ID = "desktop-memory"

_NAME = "org.freedesktop.portal.Desktop"
_PATH = "/org/freedesktop/portal/desktop"
_SHORTCUTS = "org.freedesktop.portal.GlobalShortcuts"
_REQUEST = "org.freedesktop.portal.Request"
_PATIENCE = 5.0
"""Seconds that the desktop has to open a session; about the key it may ask the user, which is not waited for."""

_MODIFIERS = {"Ctrl": "CTRL", "Alt": "ALT", "Shift": "SHIFT", "Super": "LOGO"}
KEYSYMS = {
    "Space": "space", "Escape": "Escape", "Backspace": "BackSpace", "PageUp": "Page_Up", "PageDown": "Page_Down",
    "+": "plus", "-": "minus", ".": "period", ",": "comma", "/": "slash", ";": "semicolon", "'": "apostrophe",
    "`": "grave", "=": "equal", "[": "bracketleft", "]": "bracketright", "\\": "backslash",
}  # fmt: skip


def connect(pressed: Pressed, deed: Deed = DEEDS["search"]) -> Portal:
    """Raises Unavailable where no portal gives keys."""
    bus = Bus("session")
    try:
        # A portal that does not run is started by this question.
        bus.call(_NAME, _PATH, "org.freedesktop.DBus.Properties.Get", "ss", _SHORTCUTS, "version", start=True)
        _introduce(bus)
        return Portal(bus, pressed, deed)
    except Refused as why:
        bus.close()
        raise Unavailable(f"The desktop portal gives no keys: {why.name}") from why
    except Unavailable:
        bus.close()
        raise


class Portal(BusThread):
    """A connection and a thread of its own. What the user chose is remembered by the desktop."""

    name = "desktop portal"

    def __init__(self, bus: Bus, pressed: Pressed, deed: Deed) -> None:
        super().__init__(bus, "hotkey")
        self._pressed = pressed
        self._deed = deed
        self._session = ""
        self._answer = ""
        """The request whose answer says whether the user agreed."""
        self._tokens = itertools.count(1)
        bus.listen(sender=_NAME, interface=_SHORTCUTS, member="Activated")
        bus.listen(sender=_NAME, interface=_REQUEST, member="Response")
        self._thread.start()

    def bind(self, chord: Chord) -> None:
        self._ask(lambda: self._take(chord))

    def unbind(self) -> None:
        self._ask(self._leave)

    # on the thread

    def _hear(self, message: Message) -> None:
        member = field(message, "member")
        if member == "Activated" and tuple(message.body[:2]) == (self._session, self._deed.name):
            self._call()
        elif member == "Response" and field(message, "path") == self._answer and message.body[0] != 0:
            logger.warning("the desktop did not give the hotkey")

    def _call(self) -> None:
        try:
            self._pressed()
        except Exception:
            logger.exception("what the hotkey starts failed")

    def _take(self, chord: Chord) -> None:
        """Bind in a session of its own: a session takes its keys once. The former goes when this is open."""
        try:
            session = self._open_session()
            wanted = {
                "description": ("s", self._deed.says),
                "preferred_trigger": ("s", written(chord)),
            }
            self._leave()
            self._session = session
            (self._answer,) = self._bus.call(
                _NAME, _PATH, f"{_SHORTCUTS}.BindShortcuts", "oa(sa{sv})sa{sv}",
                session, [(self._deed.name, wanted)], "", {"handle_token": ("s", self._token())},
            )  # fmt: skip
        except Refused as why:
            raise KnownError(
                f"The desktop did not give {chord}.", "Choose a key in its own settings."
            ) from why

    def _open_session(self) -> str:
        token = self._token()
        options = {"handle_token": ("s", token), "session_handle_token": ("s", token)}
        (request,) = self._bus.call(_NAME, _PATH, f"{_SHORTCUTS}.CreateSession", "a{sv}", options)
        response, results = self._wait_for(request)
        if response != 0 or "session_handle" not in results:
            raise KnownError(
                "The desktop does not let us ask for a key.", "Choose a key in its own settings."
            )
        return str(results["session_handle"][1])

    def _wait_for(self, request: str) -> tuple[int, dict[str, Any]]:
        until = time.monotonic() + _PATIENCE
        while time.monotonic() < until:
            for message in self._bus.heard():
                if field(message, "member") == "Response" and field(message, "path") == request:
                    return message.body[0], message.body[1]
                self._hear(message)
            self._waker.wait(until - time.monotonic(), self._bus)
        raise KnownError("The desktop does not answer.", "Try again in a moment.")

    def _leave(self) -> None:
        if self._session:
            with contextlib.suppress(Refused):
                self._bus.call(_NAME, self._session, "org.freedesktop.portal.Session.Close")
        self._session = self._answer = ""

    def _token(self) -> str:
        return f"desktop_memory_{next(self._tokens)}"


def written(chord: Chord) -> str:
    """The chord as the portals want it: "CTRL+ALT+z"."""
    key = chord.key.lower() if len(chord.key) == 1 and chord.key.isalpha() else chord.key
    modifiers = [_MODIFIERS[name] for name in ("Ctrl", "Alt", "Shift", "Super") if name in chord.modifiers]
    return "+".join([*modifiers, KEYSYMS.get(key, key)])


def _introduce(bus: Bus) -> None:
    """Say which app we are (newer portals want that of programs outside Flatpak); older ones know no such call."""
    with contextlib.suppress(Refused):
        bus.call(_NAME, _PATH, "org.freedesktop.host.portal.Registry.Register", "sa{sv}", APP_ID, {})
