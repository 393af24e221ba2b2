"""Writing what is new here into the shared folder."""

from __future__ import annotations

import json
from collections.abc import Iterable

from collectors.event import microseconds
from desktop_memory.memory import Memory
from desktop_memory.sharing import lines, pins
from desktop_memory.sharing.advance import Advance
from desktop_memory.sharing.folder import SharedFolder
from desktop_memory.sharing.segment import FULL_BYTES, Line, Unreadable
from desktop_memory.store import shared
from desktop_memory.store.exchange import other_keys
from desktop_memory.store.shared import ToWrite
from desktop_memory.store.store import Store

_CHUNK = 500
BYTES_AN_EVENT = 100
"""Of a segment, about: an event that is to be written counts as much as one that is to be read."""


class Writer:
    """Writes our segments: new lines at the end of the last, and nothing where something was forgotten.

    Where nothing is new, nothing is read from the folder and nothing is written, in the store either.
    """

    def __init__(self, memory: Memory, store: Store, folder: SharedFolder, now: int) -> None:
        self._memory = memory
        self._store = store
        self._folder = folder
        self._now = now
        self._device = store.profile.device
        told = shared.state(store.read())
        self._cursor = int(told.get("events", 0))
        self._secrets = str(told.get("secrets", ""))
        self._gaps = int(told.get("gaps", 0))
        self._number = max(1, int(told.get("segment", 1)))
        self._lines: list[Line] | None = None
        """Of the segment that is being filled; read when something is added."""

    def write(self, advance: Advance) -> int:
        """How many lines were written."""
        self._empty_forgotten()
        count = self._write_secrets() + self._write_forgets()
        while not advance.is_over("writing") and (some := self._write_new()):
            count += some
            advance.move(some * BYTES_AN_EVENT)
        if shared.to_write_again(self._store.read()):
            count += self._write_all_changed(advance)
        return count + self._write_gaps() + self._write_pins()

    def _write_new(self) -> int:
        wanted = shared.new_events(self._store.read(), self._cursor, self._now, _CHUNK)
        if not wanted.events:
            return 0
        self._add_events(wanted)
        self._cursor = wanted.until
        return len(wanted.events)

    def _write_all_changed(self, advance: Advance) -> int:
        with self._store.transaction() as connection:
            shared.drop_others_changes(connection)
        count = 0
        while not advance.is_over("writing") and (some := self._write_changed()):
            count += some
        return count

    def _write_changed(self) -> int:
        wanted = shared.changed_events(self._store.read(), self._cursor, _CHUNK)
        if not wanted.again:
            return 0
        self._add_events(wanted)
        return len(wanted.events)

    def _add_events(self, wanted: ToWrite) -> None:
        keys = other_keys(self._store.read(), [event.id for event in wanted.events])
        number = self._add(
            lines.of_event(event, keys.get(event.id, ()))
            for event in wanted.events
            if self._store.is_shown(event)
        )
        with self._store.transaction() as connection:
            shared.note_written(connection, number, wanted)
            shared.keep(connection, events=wanted.until, segment=self._number)

    def _write_secrets(self) -> int:
        told = set(filter(None, self._secrets.split(" ")))
        fresh = [secret for secret in self._store.profile.older if secret.hex() not in told]
        if fresh:
            self._add(lines.of_secret(secret) for secret in fresh)
            self._secrets = " ".join(sorted(told | {secret.hex() for secret in fresh}))
            with self._store.transaction() as connection:
                shared.keep(connection, secrets=self._secrets, segment=self._number)
        return len(fresh)

    def _write_forgets(self) -> int:
        batches, barred = shared.forgotten(self._store.read())
        if not batches:
            return 0
        told = list(lines.of_forgets(barred))
        self._add(told)
        with self._store.transaction() as connection:
            shared.mark_forgets_shared(connection, batches)
            shared.keep(connection, segment=self._number)
        return len(told)

    def _write_gaps(self) -> int:
        found = shared.gaps_since(self._store.read(), self._store.profile.device_id, self._gaps)
        if not found:
            return 0
        self._add(lines.of_gap(gap) for gap in found)
        last = max(microseconds(gap.end) for gap in found if gap.end is not None)
        with self._store.transaction() as connection:
            shared.keep(connection, gaps=last, segment=self._number)
        return len(found)

    def _write_pins(self) -> int:
        told, known = pins.news(self._memory, self._store)
        if told:
            self._add(told)
            with self._store.transaction() as connection:
                shared.keep(connection, pins=known, segment=self._number)
        return len(told)

    def _empty_forgotten(self) -> None:
        connection = self._store.read()
        if not shared.to_empty(connection):
            return
        for number in shared.segments_with_gone(connection):
            kept = [self._emptied(line) for line in self._read(number)]
            self._folder.write(self._device, number, kept)
            if number == self._number:
                self._lines = kept
        with self._store.transaction() as writing:
            shared.gone_done(writing)

    def _emptied(self, line: Line) -> Line:
        """None where an event stood that is here no more."""
        event = None if line is None or "event" not in line else lines.event_in(line)
        if event is None or event.key is None:
            return line
        return line if shared.is_known(self._store.read(), event.key) else None

    def _add(self, more: Iterable[Line]) -> int:
        """Put lines at the end; the segment they are in."""
        number = self._number
        filled = self._read(number) if self._lines is None else self._lines
        filled += more
        self._folder.write(self._device, number, filled)
        self._lines = filled
        if sum(len(json.dumps(line)) for line in filled) >= FULL_BYTES:
            self._number += 1
            self._lines = []
        return number

    def _read(self, number: int) -> list[Line]:
        try:
            return self._folder.read(self._device, number)
        except Unreadable:
            return []
