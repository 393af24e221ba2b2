"""Whether somebody is there: idle, locked, asleep; told to the presence and as gaps."""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from collectors.clock import ClockWatch
from collectors.collector import Emit, Unavailable
from collectors.event import Gap
from collectors.idle import desktops, sleep
from collectors.idle.absence import THRESHOLD, Absence
from collectors.idle.backend import Backend, Connect, Locks, Media, State
from collectors.idle.presence import Change, Presence
from collectors.wake import Waker, waking

logger = logging.getLogger(__name__)

SOURCE = "idle"

_LONGEST_MEETING = 3 * 3600.0
"""Seconds without any input after which even a meeting was forgotten on the screen."""
_WITHOUT_IDLE = 30.0
"""Seconds between two looks where nothing tells idle time, to see sleep."""
_TRY_EACH = 10
"""After so many of them it is asked for again."""
_JUST_NOW = 36
"""An input no longer ago than this part of the threshold (5 s of 180) is one of now."""


@dataclass
class IdleCollector:
    """Emits a Gap when somebody leaves and again, with its end, when somebody is back.

    `backend` names what tells idle time now, `locks` whether lock and sleep are told too; `tried` says
    why the others could not.
    """

    presence: Presence = field(default_factory=Presence)
    threshold: timedelta = THRESHOLD
    clock: Callable[[], datetime] = lambda: datetime.now(UTC)
    connects: Sequence[tuple[str, Connect]] = field(default_factory=lambda: desktops.here())
    connect_locks: Callable[[], Locks] | None = field(default_factory=lambda: desktops.locks())
    slept: Callable[[], float] = field(default_factory=sleep.connect)
    media: Media | None = None
    """Where playing films or music counts as being there."""

    def __post_init__(self) -> None:
        self.backend = ""
        self.advice = ""
        self.tried: dict[str, str] = {}

    @property
    def source(self) -> str:
        return SOURCE

    def watch(self, emit: Emit, stop: threading.Event) -> None:
        idle, locks = self.connect(), self._connect_locks()
        if idle is None and locks is None:
            raise Unavailable("Nothing here tells whether somebody is there.", self.advice)
        with waking(stop) as waker:
            watch = _Watch(self, idle, locks, waker)
            changes: deque[Change] = deque()

            def hear(change: Change) -> None:
                changes.append(change)
                waker.wake()

            with self.presence.heard_by(hear), self.presence.asking(waker.wake):
                try:
                    while not stop.is_set():
                        seconds = watch.look()
                        _tell(changes, emit)
                        watch.wait(seconds)
                finally:
                    watch.close()
                    _tell(changes, emit)
                    self.backend = ""

    def connect(self) -> Backend | None:
        """The first backend that works; None when there is none, with the reasons in `tried`."""
        self.tried, self.advice = {}, ""
        for name, connect in self.connects:
            try:
                backend = connect()
            except Unavailable as why:
                self.tried[name] = why.problem
                self.advice = self.advice or why.advice
                continue
            self.backend, self.advice = backend.name, ""
            logger.info("watching idle time by %s", backend.name)
            return backend
        return None

    def _connect_locks(self) -> Locks | None:
        if self.connect_locks is None:
            return None
        try:
            return self.connect_locks()
        except Unavailable as why:
            self.tried["lock"] = why.problem
            return None


class _Watch:
    """One watch: what was connected, and what was seen last."""

    def __init__(
        self, settings: IdleCollector, idle: Backend | None, locks: Locks | None, waker: Waker
    ) -> None:
        self._settings = settings
        self._presence = settings.presence
        self._idle = idle
        self._locks = locks
        self._waker = waker
        self._absence = Absence(threshold=settings.threshold)
        self._clock_set = ClockWatch()
        self._state = State()
        self._last_look = settings.clock()
        self._woken: datetime | None = None
        self._looks = 0
        self._just_now = settings.threshold / _JUST_NOW

    def look(self) -> float:
        """See how things are; gives the seconds until it should look again."""
        at = self._settings.clock()
        moved = self._clock_set.moved(at)
        if moved:
            self._absence.clock_moved(moved)
            self._last_look += moved
        for state in self._locks.states() if self._locks else ():
            self._change(state, at)
        if self._settings.slept():
            self._presence.leave("asleep", self._last_look)
            self._woken = at
        idle = self._idle.idle() if self._idle else None
        self._wake_up(at, idle)
        self._last_look = at
        if idle is None:
            self._try_again()
            return _WITHOUT_IDLE
        self._idle_for(at, idle)
        return self._absence.seconds_to_next(at, idle)

    def wait(self, seconds: float) -> None:
        listening = [*(self._locks.connections if self._locks else ())]
        listening += self._idle.connections if self._idle else ()
        self._waker.wait(seconds, *listening)

    def close(self) -> None:
        """Nothing is known any more from now on."""
        at = self._settings.clock()
        for connected in (self._idle, self._locks, self._settings.media):
            if connected is not None:
                connected.close()
        self._back(at)
        self._presence.back("locked", at)

    def _try_again(self) -> None:
        """The X server may have started after us."""
        self._looks += 1
        if self._looks % _TRY_EACH == 0:
            self._idle = self._settings.connect()

    def _idle_for(self, at: datetime, idle: float) -> None:
        if self._is_engaged(idle):
            self._back(at - min(timedelta(seconds=idle), self._just_now))
        elif (since := self._absence.leaves(at, idle)) is not None:
            self._presence.leave("idle", since)
        elif (since := self._absence.returns(at, idle)) is not None:
            self._presence.back("idle", since)

    def _is_engaged(self, idle: float) -> bool:
        """Whether somebody is there without input: in a meeting, or, where that counts, at a film."""
        if idle >= _LONGEST_MEETING:
            return False
        if self._presence.engaged:
            return True
        media = self._settings.media
        due = timedelta(seconds=idle) >= self._settings.threshold and self._absence.away_since is None
        return media is not None and due and media.plays()

    def _change(self, state: State, at: datetime) -> None:
        """What the locks say is news if it differs from what they said before."""
        before, self._state = self._state, state
        if state.asleep and not before.asleep:
            self._woken = None
            self._presence.leave("asleep", at)
        if before.asleep and not state.asleep:
            self._woken = at
        if state.locked and not before.locked:
            self._presence.leave("locked", at)
        if before.locked and not state.locked:
            self._back(at)
            self._presence.back("locked", at)

    def _wake_up(self, at: datetime, idle: float | None) -> None:
        """After sleep somebody is there with the first input; the machine may wake on its own."""
        if self._woken is None:
            return
        if idle is None:
            self._back(at)
        elif timedelta(seconds=idle) < self._just_now or at - timedelta(seconds=idle) > self._woken:
            self._back(at - timedelta(seconds=idle))

    def _back(self, at: datetime) -> None:
        """Somebody is certainly there."""
        self._woken = None
        self._absence.here(at)
        self._presence.back("idle", at)
        self._presence.back("asleep", at)


def _tell(changes: deque[Change], emit: Emit) -> None:
    while changes:
        change = changes.popleft()
        # Pauses are intervals of their own.
        if change.was is not None and change.was.reason != "paused":
            end = max(change.at, change.was.since)
            emit(Gap(start=change.was.since, end=end, reason=change.was.reason))
        if change.now is not None and change.now.reason != "paused":
            emit(Gap(start=change.now.since, reason=change.now.reason))
