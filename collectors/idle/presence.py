"""Whether a person is there: told by the idle watch and by pauses, heard by the window watch."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime

from collectors.event import GapReason

_STRONGEST_FIRST: tuple[GapReason, ...] = ("paused", "asleep", "locked", "idle")


@dataclass(frozen=True, kw_only=True, slots=True)
class Away:
    """Nobody is there since then, and why."""

    reason: GapReason
    since: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class Change:
    """At `at` it went from `was` to `now`; None means that somebody is there."""

    at: datetime
    was: Away | None
    now: Away | None


Listener = Callable[[Change], None]


class Presence:
    """Keeps the reasons for which nobody is there; the strongest one counts. Safe on any thread."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._reasons: set[GapReason] = set()
        self._away: Away | None = None
        self._listeners: list[Listener] = []
        self._look: list[Callable[[], None]] = []
        self.engaged = False
        """Whether the window in front means that a person without input is there: a meeting."""

    @property
    def away(self) -> Away | None:
        return self._away

    def leave(self, reason: GapReason, since: datetime) -> None:
        """Nobody is there since then, for this reason. Again for the same reason changes nothing."""
        with self._lock:
            self._reasons.add(reason)
            self._become(since)

    def back(self, reason: GapReason, at: datetime) -> None:
        """This reason is over."""
        with self._lock:
            self._reasons.discard(reason)
            self._become(at)

    @contextlib.contextmanager
    def heard_by(self, listener: Listener) -> Iterator[None]:
        """Tell the listener of each change; at once of an absence that is going on."""
        with self._lock:
            self._listeners.append(listener)
            if self._away is not None:
                listener(Change(at=self._away.since, was=None, now=self._away))
        try:
            yield
        finally:
            with self._lock:
                self._listeners.remove(listener)

    @contextlib.contextmanager
    def asking(self, look: Callable[[], None]) -> Iterator[None]:
        """`look` is called when something suggests that an absence is over."""
        self._look.append(look)
        try:
            yield
        finally:
            self._look.remove(look)

    def stirred(self) -> None:
        """Something happened on the screen: if nobody seemed to be there, look again now."""
        if self._away is not None and self._away.reason == "idle":
            for look in list(self._look):
                look()

    def _become(self, at: datetime) -> None:
        was = self._away
        reason = next((r for r in _STRONGEST_FIRST if r in self._reasons), None)
        if reason == (was.reason if was else None):
            return
        self._away = Away(reason=reason, since=at) if reason else None
        change = Change(at=at, was=was, now=self._away)
        for listener in list(self._listeners):
            listener(change)
