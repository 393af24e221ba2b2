"""Reading what other devices wrote into the shared folder; each line once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from desktop_memory.memory import Memory
from desktop_memory.receipts import Receipt
from desktop_memory.sharing import lines, pins
from desktop_memory.sharing.advance import Advance
from desktop_memory.sharing.folder import SharedFolder, Stamp
from desktop_memory.sharing.segment import Line, Unreadable
from desktop_memory.store import shared
from desktop_memory.store.events import Incoming
from desktop_memory.store.store import Store

_CHUNK = 500


@dataclass(frozen=True, slots=True)
class Unread:
    """A segment that is new or has changed; `known` of its lines were read before."""

    device: str
    number: int
    stamp: Stamp
    known: int


class Reader:
    """Reads other devices' segments; each line once."""

    def __init__(self, memory: Memory, store: Store, folder: SharedFolder) -> None:
        self._memory = memory
        self._store = store
        self._folder = folder
        self.receipt = Receipt()
        self.forgotten = 0
        self.waiting = 0

    def unread(self) -> list[Unread]:
        found = []
        for device in self._folder.devices():
            if device == self._store.profile.device:
                continue
            known = shared.read_so_far(self._store.read(), device)
            for number, stamp in self._folder.segments(device):
                before, lines = known.get(number, ("", 0))
                if before != str(stamp):
                    found.append(Unread(device, number, stamp, lines))
        return found

    def read(self, unread: Iterable[Unread], advance: Advance) -> None:
        for segment in unread:
            if advance.is_over("reading"):
                return
            self._read(segment)
            advance.move(segment.stamp.size)

    def _read(self, unread: Unread) -> None:
        try:
            found = self._folder.read(unread.device, unread.number)
        except Unreadable:
            self.waiting += 1
            return
        self._take(unread.device, found[unread.known :])
        lines = max(unread.known, len(found))
        with self._store.transaction() as connection:
            shared.note_read(connection, unread.device, unread.number, str(unread.stamp), lines)

    def _take(self, device: str, found: Iterable[Line]) -> None:
        arriving: list[Incoming] = []
        skipped = 0
        for line in found:
            if line is None:
                continue
            if "event" in line:
                event = lines.event_in(line)
                skipped += event is None
                arriving += [] if event is None else [event]
            else:
                self._store_events(arriving)
                arriving = []
                self._take_other(device, line)
            if len(arriving) >= _CHUNK:
                self._store_events(arriving)
                arriving = []
        self._store_events(arriving)
        if skipped:
            self.receipt += Receipt(read=skipped, skipped={"unreadable line": skipped})

    def _store_events(self, arriving: list[Incoming]) -> None:
        if not arriving:
            return
        self._store.expect_short_log()
        others = {item.device for item in arriving} - {self._store.profile.device}
        with self._store.transaction() as connection:
            shared.add_peers(connection, others)
        self.receipt += self._memory.absorb(arriving)

    def _take_other(self, device: str, line: dict[str, Any]) -> None:
        if (barred := lines.forgets_in(line)) is not None:
            self.forgotten += self._memory.keep_out(barred)
        elif (gap := lines.gap_in(line)) is not None:
            self._memory.absorb((), [gap], device)
        elif (secret := lines.secret_in(line)) is not None:
            self._store.adopt([secret])
        elif isinstance(line.get("pin"), dict):
            pins.take(self._memory, self._store, line["pin"])
