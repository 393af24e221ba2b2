"""Resting: pauses that the user asked for now, and those that the schedule asks for by itself."""

from __future__ import annotations

import threading
from datetime import datetime

from desktop_memory.asking import Parts
from desktop_memory.errors import UsageError
from desktop_memory.keeping import Keeping
from desktop_memory.model import Pause
from desktop_memory.pipeline import schedule
from desktop_memory.pipeline.schedule import Rest
from desktop_memory.store import notes


class Resting(Keeping):
    """Pauses are stored as stretches of time: histories read later do not fill them either."""

    def __init__(self, parts: Parts) -> None:
        super().__init__(parts)
        self._following = threading.Lock()
        self._followed: datetime | None = None
        self._rests: tuple[Rest, ...] = ()
        self._next_rest: datetime | None = None

    def pause(self, until: datetime | None = None) -> Pause:
        """Record nothing until then, or until `resume`; histories read later do not fill it either."""
        now = self._clock()
        if until is not None and until <= now:
            raise UsageError("A pause must end in the future.")
        with self._store.transaction() as connection:
            notes.start_pause(connection, now, until)
            self._store.rechain(connection, now)
        self._tell()
        return Pause(start=now, until=until)

    def resume(self) -> None:
        with self._store.transaction() as connection:
            notes.end_pause(connection, self._clock())
        self._tell()

    def follow_schedule(self) -> datetime | None:
        """Begin the pauses that the schedule asked for until now, also unseen ones; when the next one begins.

        Where the user resumed within one, or changed its end, that stays as it is.
        """
        with self._following:
            rests, now = self._parts.gate.rests, self._clock()
            if rests != self._rests or self._next_rest is None or now >= self._next_rest:
                if rests:
                    self._begin_rests(rests, now)
                self._rests = rests
                self._next_rest = schedule.next_start(rests, now, self._parts.zone())
            self._followed = now
            return self._next_rest

    def _begin_rests(self, rests: tuple[Rest, ...], now: datetime) -> None:
        since = min(self._followed or self._store.last_alive() or now, now)
        found = schedule.occurrences(rests, since, now, self._parts.zone())
        fresh = [rest for rest in found if not notes.paused_within(self._store.read(), *rest)]
        if not fresh:
            return
        with self._store.transaction() as connection:
            for start, end in fresh:
                notes.add_pause(connection, max(start, since), end)
                self._store.rechain(connection, max(start, since))
        self._tell()
