"""The window in front as a desktop tells it over the message bus; nothing is polled."""

from __future__ import annotations

import time

from collectors.bus import Bus, Message, field
from collectors.collector import Unavailable
from collectors.wake import Waker
from collectors.window.backend import Window


class Told:
    """Hears messages that are called `member`, until the `desktop` (its name on the bus) ends."""

    advice = ""

    def __init__(self, bus: Bus, *, desktop: str, member: str) -> None:
        self._bus = bus
        self._member = member
        self._front: Window | None = None
        bus.listen(
            sender="org.freedesktop.DBus",
            interface="org.freedesktop.DBus",
            member="NameOwnerChanged",
            about=desktop,
        )

    def front(self) -> Window | None:
        self._take()
        return self._front

    def wait(self, waker: Waker, seconds: float | None) -> None:
        until = None if seconds is None else time.monotonic() + seconds
        while not self._take():
            left = None if until is None else until - time.monotonic()
            if waker.wait(left, self._bus) != "readable":
                return

    def close(self) -> None:
        self._bus.close()

    def hear(self, message: Message) -> None:
        """Take what it tells as the window in front."""
        raise NotImplementedError

    def _take(self) -> bool:
        """Hear what has come; whether the front has changed."""
        before = self._front
        for message in self._bus.heard():
            if field(message, "member") == self._member:
                self.hear(message)
            elif field(message, "member") == "NameOwnerChanged":
                raise Unavailable("The desktop has ended.")
        return self._front != before
