"""Giving way: who stores a lot rests while somebody waits for an answer, since Python runs one thread at a time.

Without it a question took two and a half times as long beside an import in the same process as alone.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

LONGEST_REST = 0.25
"""Seconds. However long an answer takes, and however many are asked for, what gives way goes on."""
LONGEST_ANSWER = 1.0
"""Seconds after which an answer waits for something else, such as a model that is loaded."""
SHORTEST_TURN = 0.02
"""Seconds of work after each rest, before the next."""


class Courtesy:
    """Between those who wait for answers and those who work meanwhile. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting = 0
        self._nobody_waits = threading.Event()
        self._nobody_waits.set()
        self._answer_due = 0.0
        self._turn_ends = 0.0

    @contextmanager
    def answering(self) -> Iterator[None]:
        """Around an answer; whoever answers stores nothing meanwhile, or would wait for itself."""
        with self._lock:
            self._waiting += 1
            self._answer_due = time.monotonic() + LONGEST_ANSWER
            self._nobody_waits.clear()
        try:
            yield
        finally:
            with self._lock:
                self._waiting -= 1
                if not self._waiting:
                    self._nobody_waits.set()

    def give_way(self) -> None:
        """Between two small steps of long work: rest while somebody waits."""
        if self._nobody_waits.is_set() or not self._turn_ends < time.monotonic() < self._answer_due:
            return
        self._nobody_waits.wait(LONGEST_REST)
        self._turn_ends = time.monotonic() + SHORTEST_TURN


_COURTESY = Courtesy()
answering = _COURTESY.answering
"""Of this process."""
give_way = _COURTESY.give_way
