"""What keeps an event out: it was forgotten, or it happened while recording was paused."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import apsw

from collectors.event import Event, microseconds, moment
from desktop_memory.pipeline.coalesce import page_title
from desktop_memory.pipeline.tabs import LONG_OPEN, SLACK, is_browser
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
    hidden: Mapping[str, Sequence[int]] = field(default_factory=dict)
    """When a page was seen that a rule kept out, by its sealed title."""

    @classmethod
    def read(cls, connection: apsw.Connection, seals: Seals, since: int = -_FOR_EVER) -> Bars:
        """`seals` gives the keyed hashes under which a forgotten name may be kept.

        What ended before `since` (µs) is left out: years of daily rests bar nothing that happens today.
        """
        pauses = rows(connection, "SELECT start, end FROM pause WHERE end IS NULL OR end > ?", (since,))
        forgotten = rows(
            connection, "SELECT start, end, filter FROM forgotten_interval WHERE end > ?", (since,)
        )
        return cls(
            pauses=tuple((start, _FOR_EVER if end is None else end) for start, end in pauses),
            forgotten=tuple((start, end, json.loads(filter_)) for start, end, filter_ in forgotten),
            tombstones=bool(connection.execute("SELECT EXISTS (SELECT 1 FROM tombstone)").get),
            seals=seals,
            hidden={
                title: [int(at) for at in str(times).split(",")]
                for title, times in rows(
                    connection, "SELECT title, group_concat(at) FROM hidden_page GROUP BY title"
                )
            },
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
        return "forgotten" if self.hidden and self._showed_hidden(event) else None

    def _showed_hidden(self, event: Event) -> bool:
        """Whether a browser's window has the title of a page that was kept out up to a day before."""
        if event.kind != "window" or not (title := page_title(event.title)) or not is_browser(event.app):
            return False
        reached = (event.end or event.start) + SLACK
        return any(
            event.start - LONG_OPEN <= moment(at) <= reached
            for sealed in self.seals(title)
            for at in self.hidden.get(sealed, ())
        )


def _has_tombstone(connection: apsw.Connection, keys: Sequence[bytes]) -> bool:
    return any(connection.execute("SELECT 1 FROM tombstone WHERE key = ?", (key,)).fetchone() for key in keys)


def matches(event: Event, filter_: Mapping[str, Any], seals: Seals) -> bool:
    """Whether an event has all the sealed names, and one of the kinds if any are named."""
    for name, wanted in filter_.items():
        have = getattr(event, name)
        if name == "kind":
            if have not in wanted:
                return False
        elif set(seals(have or "")).isdisjoint([wanted] if isinstance(wanted, str) else wanted):
            return False
    return True
