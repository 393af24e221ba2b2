"""What sources told lately: most of what a poll tells again has not changed, and need not be looked at again."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

from collectors.event import Event

_KEPT = 20_000
_MOST_AT_ONCE = 2_000


class Told:
    """Keeps a hash of each event that went in; nothing of what it says. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._hashes: dict[int, int] = {}

    def changed(self, events: Sequence[Event]) -> list[Event]:
        """Those that were not told before, or differently."""
        known = self._hashes
        return [
            event
            for event in events
            if (told := known.get(hash(event.identity))) is None or told != _hash(event)
        ]

    def keep(self, events: Sequence[Event]) -> None:
        """These are in the memory now. Years that are read for the first time are not told again."""
        if len(events) > _MOST_AT_ONCE:
            return
        with self._lock:
            for event in events:
                self._hashes[hash(event.identity)] = _hash(event)
            for oldest in list(self._hashes)[: len(self._hashes) - _KEPT]:
                del self._hashes[oldest]


def _hash(event: Event) -> int:
    told: tuple[Any, ...] = (
        event.kind, event.start, event.end, event.open, event.approx, event.earliest, event.title, event.text,
        event.app, event.project, event.repo, event.branch, event.files, event.url, event.domain, event.source,
        event.private, event.aliases, repr(event.details),
    )  # fmt: skip
    return hash(told)
