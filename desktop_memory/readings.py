"""Histories that are being read for the first time: how far each has come, and ending that early."""

from __future__ import annotations

import threading
from typing import Any

from collectors.collector import Place
from desktop_memory.receipts import Receipt


class Readings:
    """Thread-safe. What is `cancelled` is not begun again before somebody asks for it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._under_way: dict[tuple[str, str], dict[str, Any]] = {}
        self._resting: set[tuple[str, str]] = set()
        self._cancelled = threading.Event()

    @property
    def cancelled(self) -> bool:
        return self._cancelled.is_set()

    def cancel(self) -> None:
        """End what is being read; what was read so far is kept, and reading goes on from there when it is wanted."""
        with self._lock:
            self._resting |= set(self._under_way)
            self._cancelled.set()

    def want(self) -> None:
        """Somebody asks for everything."""
        with self._lock:
            self._resting.clear()
            self._cancelled.clear()

    def rests(self, place: Place, *, begun: bool) -> bool:
        """Whether a place waits to be asked for: reading it was ended early, or had not begun by then."""
        return self.cancelled and (not begun or (place.source, place.name) in self._resting)

    def note(self, place: Place, receipt: Receipt, share: float | None) -> None:
        """So much came of this place so far; `share` is from 0 to 1, None where it cannot be known."""
        with self._lock:
            self._under_way[place.source, place.name] = {
                "source": place.source,
                "place": place.name,
                "read": receipt.read,
                "new": receipt.new,
                "share": None if share is None else round(share, 4),
            }

    def done(self, place: Place) -> None:
        with self._lock:
            self._under_way.pop((place.source, place.name), None)

    def current(self) -> list[dict[str, Any]]:
        """What is being read now, as plain values: source, place, read, new, share."""
        with self._lock:
            return list(self._under_way.values())
