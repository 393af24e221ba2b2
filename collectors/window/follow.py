"""Following the front: what a backend tells, when it changes, made into spans."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from datetime import datetime

from collectors.clock import ClockWatch
from collectors.collector import Emit
from collectors.event import Event
from collectors.idle.presence import Change, Presence
from collectors.wake import Waker
from collectors.window.backend import Backend, Window
from collectors.window.spans import Spans

_RESTLESS = 0.2
"""Seconds between two looks at a window whose title changes all the time."""


class Follower:
    """Asks the backend only when something may have changed, and emits what the spans make of it."""

    def __init__(
        self,
        spans: Spans,
        presence: Presence,
        emit: Emit,
        waker: Waker,
        *,
        clock: Callable[[], datetime],
        is_meeting: Callable[[Window], bool],
    ) -> None:
        self._spans = spans
        self._presence = presence
        self._emit_one = emit
        self._waker = waker
        self._clock = clock
        self._is_meeting = is_meeting
        self._clock_set = ClockWatch()
        self._changes: deque[Change] = deque()
        self._seen: Window | None = None

    def hear(self, change: Change) -> None:
        """Somebody leaves or is back. Safe on any thread."""
        self._changes.append(change)
        self._waker.wake()

    def follow(
        self,
        backend: Backend,
        worth_telling: Callable[[Window | None], Window | None],
        stop: threading.Event,
        *,
        seconds: float | None = None,
    ) -> None:
        """Until `stop` is set, or for about that long. Raises what the backend does."""
        until = None if seconds is None else time.monotonic() + seconds
        while not stop.is_set() and (until is None or time.monotonic() < until):
            at = self._clock()
            front = worth_telling(backend.front())
            self._tell(front, at)
            if self._is_news(front):
                self._waker.wait(_RESTLESS)
            else:
                backend.wait(self._waker, _sooner(self._spans.seconds_to_next(at), seconds))

    def _tell(self, front: Window | None, at: datetime) -> None:
        if self._clock_set.moved(at):
            self._emit(self._spans.jumped(at))
        self._emit(self._spans.front(front, at))
        while self._changes:
            change = self._changes.popleft()
            if change.now is not None:
                self._emit(self._spans.away(change.now.since))
            else:
                self._spans.back(change.at)

    def _is_news(self, front: Window | None) -> bool:
        """Whether it is another window or title than before; the presence hears of that."""
        if front == self._seen:
            return False
        self._seen = front
        self._presence.engaged = front is not None and self._is_meeting(front)
        self._presence.stirred()
        return True

    def _emit(self, events: Iterable[Event]) -> None:
        for event in events:
            self._emit_one(event)


def _sooner(one: float | None, other: float | None) -> float | None:
    known = [seconds for seconds in (one, other) if seconds is not None]
    return min(known) if known else None
