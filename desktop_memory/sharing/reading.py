"""Reading what other devices wrote into the shared folder; each line once."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from desktop_memory.memory import Memory
from desktop_memory.receipts import Receipt
from desktop_memory.sharing import lines, pins
from desktop_memory.sharing.folder import SharedFolder
from desktop_memory.sharing.segment import Line, Unreadable
from desktop_memory.store import shared
from desktop_memory.store.events import Incoming
from desktop_memory.store.store import Store

_CHUNK = 500


class Reader:
    """Reads other devices' segments; each line once."""

    def __init__(self, memory: Memory, store: Store, folder: SharedFolder) -> None:
        self._memory = memory
        self._store = store
        self._folder = folder
        self.receipt = Receipt()
        self.forgotten = 0
        self.waiting = 0

    def read(self, device: str, stopped: Callable[[], bool]) -> None:
        known = shared.read_so_far(self._store.read(), device)
        for number, stamp in self._folder.segments(device):
            before, done = known.get(number, ("", 0))
            if before == str(stamp):
                continue
            if stopped():
                return
            try:
                found = self._folder.read(device, number)
            except Unreadable:
                self.waiting += 1
                continue
            self._take(device, found[done:])
            with self._store.transaction() as connection:
                shared.note_read(connection, device, number, str(stamp), max(done, len(found)))

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
