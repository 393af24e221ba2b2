"""Whether the screen is locked and the machine is about to sleep, as logind and the screen savers tell.

See org.freedesktop.login1(5) and https://specifications.freedesktop.org/idle-inhibit-spec/latest/.
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

from collectors.bus import Bus, Message, Refused, field
from collectors.collector import Unavailable
from collectors.idle.backend import State
from collectors.wake import Readable

logger = logging.getLogger(__name__)

_LOOK_AGAIN_SECONDS = 20.0

_LOGIND = "org.freedesktop.login1"
_MANAGER = "/org/freedesktop/login1"
_SESSION = f"{_LOGIND}.Session"

_SAVERS = {
    "org.freedesktop.ScreenSaver": "/org/freedesktop/ScreenSaver",
    "org.gnome.ScreenSaver": "/org/gnome/ScreenSaver",
    "org.cinnamon.ScreenSaver": "/org/cinnamon/ScreenSaver",
    "org.mate.ScreenSaver": "/org/mate/ScreenSaver",
    "org.xfce.ScreenSaver": "/org/xfce/ScreenSaver",
}
"""Bus names, each also the name of its interface, and where the object is."""


def connect() -> BusLocks:
    """Raises Unavailable when neither logind nor a session bus can be reached."""
    buses: list[_Logind | _Savers] = []
    why = Unavailable("There is no message bus here.")
    for listen in (_Logind, _Savers):
        try:
            buses.append(listen())
        except Unavailable as reason:
            why = reason
    if not buses:
        raise why
    return BusLocks(buses)


class BusLocks:
    """What all of them together say."""

    def __init__(self, buses: Sequence[_Logind | _Savers]) -> None:
        self._listening = list(buses)
        self._missing = [kind for kind in (_Logind, _Savers) if kind not in map(type, buses)]
        self._looked = time.monotonic()

    @property
    def connections(self) -> Sequence[Readable]:
        return [listener.bus for listener in self._listening]

    def states(self) -> Iterator[State]:
        """Each state since the last call, the present one last; does not wait."""
        before = self._state()
        for listener in list(self._listening):
            try:
                for _ in listener.news():
                    now = self._state()
                    if now != before:
                        before = now
                        yield now
            except Unavailable:
                logger.info("a message bus went away")
                listener.bus.close()
                self._listening.remove(listener)
                self._missing.append(type(listener))
        self._look_again()
        yield self._state()

    def close(self) -> None:
        for listener in self._listening:
            listener.bus.close()

    def _look_again(self) -> None:
        """A bus that went away, or was not there yet, may have come."""
        if time.monotonic() - self._looked < _LOOK_AGAIN_SECONDS:
            return
        self._looked = time.monotonic()
        for listen in list(self._missing):
            with suppress(Unavailable):
                self._listening.append(listen())
                self._missing.remove(listen)

    def _state(self) -> State:
        return State(
            locked=any(listener.state.locked for listener in self._listening),
            asleep=any(listener.state.asleep for listener in self._listening),
        )


class _Logind:
    """LockedHint and Active of our session, PrepareForSleep of the machine."""

    def __init__(self) -> None:
        self.state = State()
        self.bus = Bus("system")
        try:
            if not self.bus.has_owner(_LOGIND):
                raise Unavailable("logind does not run here.")
            self._listen()
        except (Refused, Unavailable) as why:
            self.bus.close()
            raise Unavailable("logind does not answer.") from why

    def _listen(self) -> None:
        self.bus.listen(
            sender=_LOGIND, interface=f"{_LOGIND}.Manager", member="PrepareForSleep", path=_MANAGER
        )
        self._session = self._own_session()
        if self._session:
            self.bus.listen(
                sender=_LOGIND,
                interface="org.freedesktop.DBus.Properties",
                member="PropertiesChanged",
                path=self._session,
            )
            self._ask_session()

    def news(self) -> Iterator[None]:
        for message in self.bus.heard():
            if field(message, "member") == "PrepareForSleep":
                self.state = replace(self.state, asleep=bool(message.body and message.body[0]))
                yield
            elif field(message, "path") == self._session:
                self._ask_session()
                yield

    def _own_session(self) -> str:
        """The object of our session; empty when we belong to none (a service, ssh)."""
        name = os.environ.get("XDG_SESSION_ID")
        try:
            if name:
                path = self.bus.one(_LOGIND, _MANAGER, f"{_LOGIND}.Manager.GetSession", "s", name)
            else:
                _, path = self.bus.get(_LOGIND, f"{_MANAGER}/user/self", f"{_LOGIND}.User.Display")
        except (Refused, TypeError, ValueError):
            return ""
        return path if isinstance(path, str) and path != "/" else ""

    def _ask_session(self) -> None:
        try:
            locked = self.bus.get(_LOGIND, self._session, f"{_SESSION}.LockedHint")
            active = self.bus.get(_LOGIND, self._session, f"{_SESSION}.Active")
        except Refused:
            return
        self.state = replace(self.state, locked=bool(locked) or not active)


class _Savers:
    """ActiveChanged of whichever screen saver runs."""

    def __init__(self) -> None:
        self._active: set[str] = set()
        self.bus = Bus("session")
        try:
            for name, path in _SAVERS.items():
                self.bus.listen(interface=name, member="ActiveChanged")
                if self.bus.has_owner(name) and self._asked(name, path):
                    self._active.add(name)
        except (Refused, Unavailable) as why:
            self.bus.close()
            raise Unavailable("The session bus does not answer.") from why

    @property
    def state(self) -> State:
        return State(locked=bool(self._active))

    def news(self) -> Iterator[None]:
        for message in self.bus.heard():
            self._hear(message)
            yield

    def _hear(self, message: Message) -> None:
        if field(message, "member") != "ActiveChanged" or not message.body:
            return
        change = self._active.add if message.body[0] else self._active.discard
        change(field(message, "interface"))

    def _asked(self, name: str, path: str) -> bool:
        try:
            return bool(self.bus.one(name, path, f"{name}.GetActive"))
        except Refused:
            return False
