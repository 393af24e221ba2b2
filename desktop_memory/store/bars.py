"""What keeps an event out: it was forgotten, or it happened while recording was paused."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import apsw

from collectors.event import Event, microseconds
from desktop_memory.store.connection import rows

Outcome = Literal["new", "known", "updated", "forgotten", "paused"]

Seals = Callable[[str], Sequence[str]]
"""The keyed hashes of a name, one for each secret of the memory."""

_FOR_EVER = 2**62


@dataclass(frozen=True, slots=True)
class Bars:
    """Pauses, forgotten stretches and whether there are tombstones at all, as one transaction sees them."""

    pauses: tuple[tuple[int, int], ...] = ()
    forgotten: tuple[tuple[int, int, Mapping[str, Any]], ...] = ()
    tombstones: bool = False
    seals: Seals = tuple

    @classmethod
    def read(cls, connection: apsw.Connection, seals: Seals) -> Bars:
        """`seals` gives the keyed hashes under which a forgotten name may be kept."""
        pauses = rows(connection, "SELECT start, end FROM pause")
        forgotten = rows(connection, "SELECT start, end, filter FROM forgotten_interval")
        return cls(
            pauses=tuple((start, _FOR_EVER if end is None else end) for start, end in pauses),
            forgotten=tuple((start, end, json.loads(filter_)) for start, end, filter_ in forgotten),
            tombstones=bool(connection.execute("SELECT EXISTS (SELECT 1 FROM tombstone)").get),
            seals=seals,
        )

    def against(self, connection: apsw.Connection, keys: Sequence[bytes], event: Event) -> Outcome | None:
        """Why this new event may not be stored; None when it may."""
        if self.tombstones and _has_tombstone(connection, keys):
            return "forgotten"
        start = microseconds(event.start)
        first = start if event.earliest is None else microseconds(event.earliest)
        if event.kind != "note" and any(begin <= start and first < end for begin, end in self.pauses):
            return "paused"
        for begin, end, filter_ in self.forgotten:
            if begin <= start < end and matches(event, filter_, self.seals):
                return "forgotten"
        return None


def _has_tombstone(connection: apsw.Connection, keys: Sequence[bytes]) -> bool:
    return any(connection.execute("SELECT 1 FROM tombstone WHERE key = ?", (key,)).fetchone() for key in keys)


def matches(event: Event, filter_: Mapping[str, Any], seals: Seals) -> bool:
    """Whether an event has all the sealed names, and one of the kinds if any are named."""
    for name, wanted in filter_.items():
        have = getattr(event, name)
        if name == "kind":
            if have not in wanted:
                return False
        elif wanted not in seals(have or ""):
            return False
    return True
