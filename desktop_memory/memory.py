"""Memory: the one door to what is remembered. CLI, window and AI clients call these methods and no others."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import logging
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta, tzinfo

from collectors.collector import Cursor, Place
from collectors.event import Event, Gap, identity, microseconds
from desktop_memory.asking import Parts
from desktop_memory.courtesy import give_way
from desktop_memory.errors import KnownError, StoreError, UsageError
from desktop_memory.forgetting import Forgetting
from desktop_memory.model import (
    ContextRequest,
    CopiedContext,
    Pause,
    Query,
    Remembered,
)
from desktop_memory.pipeline.coalesce import embedding_text
from desktop_memory.pipeline.told import Told
from desktop_memory.receipts import Receipt
from desktop_memory.records import NotARecord, event_from, key_of
from desktop_memory.resting import Resting
from desktop_memory.scopes import Scope
from desktop_memory.store import copies, exchange, notes
from desktop_memory.store.connection import guarded
from desktop_memory.store.events import Incoming
from desktop_memory.store.exchange import Barred

logger = logging.getLogger(__name__)

_PREFIX = re.compile(r"(goal|decision|todo):\s*", re.IGNORECASE)


@guarded
class Memory(Forgetting, Resting):
    """Thread-safe. Nothing is written before the gate saw it; `changed` is called after each write."""

    def __init__(self, parts: Parts) -> None:
        super().__init__(parts)
        self._told = Told()

    # remembering

    def remember(
        self,
        seen: Iterable[Event | Gap],
        *,
        place: Place | None = None,
        cursor: Cursor | None = None,
        skipped: Mapping[str, int] | None = None,
    ) -> Receipt:
        """Store what was seen, in one transaction with the place's cursor; what became of it."""
        events: list[Event] = []
        gaps: list[Gap] = []
        self.follow_schedule()
        pause = self.paused()
        for item in seen:
            if isinstance(item, Gap):
                gaps.append(item)
            else:
                events.append(_until_pause(item, pause))
        fresh = self._told.changed(events)
        receipt = self._store_all(
            [Incoming(event=event) for event in fresh], gaps, place=place, cursor=cursor, skipped=skipped
        )
        repeated = len(events) - len(fresh)
        return replace(receipt, read=receipt.read + repeated, known=receipt.known + repeated)

    def _store_all(
        self,
        events: Sequence[Incoming],
        gaps: Sequence[Gap],
        *,
        device: str = "",
        place: Place | None = None,
        cursor: Cursor | None = None,
        skipped: Mapping[str, int] | None = None,
    ) -> Receipt:
        counts: Counter[tuple[str, str]] = Counter()
        masked: Counter[tuple[str, str, str]] = Counter()
        incoming: list[Incoming] = []
        kept: list[Event] = []
        hidden: list[Event] = []
        for item in events:
            give_way()
            admitted = self._parts.gate.admit(item.event)
            for secret, count in admitted.masked.items():
                counts["masked", secret] += count
                masked[item.event.source, item.event.kind, secret] += count
            if admitted.event is None:
                counts["dropped", admitted.why] += 1
                if item.event.kind == "browser" and not device:
                    hidden.append(item.event)
            elif name := self._excluded(admitted.event):
                counts["dropped", f"excluded project: {name}"] += 1
            else:
                body = embedding_text(admitted.event)
                incoming.append(Incoming(admitted.event, body, item.keys, item.key, item.device))
                kept.append(item.event)
        outcomes = self._store.record(
            incoming, gaps, device=device, place=place, cursor=cursor, skipped=skipped, hidden=hidden
        )
        if not outcomes["paused"]:
            self._told.keep(kept)
        self._tally(counts, masked)
        if outcomes["new"] or outcomes["updated"] or gaps:
            self._tell()
        dropped = sum(n for (what, _), n in counts.items() if what == "dropped")
        return Receipt(
            read=len(events) + sum((skipped or {}).values()),
            new=outcomes["new"],
            known=outcomes["known"] + outcomes["updated"] + outcomes["forgotten"],
            dropped=dropped + outcomes["paused"],
            masked=sum(n for (what, _), n in counts.items() if what == "masked"),
            gaps=outcomes["gaps"],
            skipped=dict(skipped or {}),
        )

    def note(self, text: str, project: str = "") -> Remembered:
        """Remember a thought, now. One that begins with `goal:`, `decision:` or `todo:` is pinned as well."""
        pinned, text = _prefix(text.strip())
        if not text:
            raise UsageError("An empty note says nothing.", 'Write it after the command: note "…".')
        now = self._clock()
        event = Event(
            identity=identity("note", self._store.profile.device, microseconds(now), text),
            kind="note",
            start=now,
            title=text,
            project=project,
            source="note",
            utc_offset=_offset(now, self._parts.zone()),
            details={"pin": pinned} if pinned else {},
        )
        self.remember([event])
        found = self._store.between(now, now + timedelta(microseconds=1), query=Query(kinds=("note",)))
        if not found:
            raise KnownError("A privacy rule keeps this note out.", "See Privacy in the settings.")
        if pinned and len(text) <= notes.PIN_LIMIT:
            with self._store.transaction() as connection:
                kind = "decision" if pinned == "decision" else "goal"
                notes.add_pin(connection, kind, found[-1].title, now, project, event=found[-1].id)
            self.used([found[-1].id])
            self._tell()
        return found[-1]

    def import_lines(self, lines: Sequence[str]) -> Receipt:
        """Events from JSON Lines, through the same gate; what cannot be an event is skipped and counted.

        Raises LogHeld, and stores nothing, while another program's reading keeps the store's log long.
        """
        self._store.expect_short_log()
        incoming: list[Incoming] = []
        skipped: Counter[str] = Counter()
        for text in lines:
            if not text.strip():
                continue
            try:
                record = json.loads(text)
                event = event_from(record)
                key = key_of(record)
                incoming.append(Incoming(event=event, keys=() if key is None else (key,)))
            except NotARecord as error:
                skipped[str(error)] += 1
            except (ValueError, RecursionError):
                skipped["not JSON"] += 1
        return self._store_all(incoming, [], skipped=skipped)

    def absorb(self, events: Sequence[Incoming], gaps: Sequence[Gap] = (), device: str = "") -> Receipt:
        """Store what another memory remembers, under its own keys; the gaps are that device's."""
        return self._store_all(events, gaps, device=device)

    def wait_for_room(self, stopped: Callable[[bool], bool]) -> bool:
        """Before a step of an import: wait while another program's reading keeps the store's log long.

        `stopped` is told whether it waits, and ends that; False when it did.
        """
        return self._store.wait_for_short_log(stopped)

    def keep_out(self, barred: Barred) -> int:
        """Never take what another memory keeps out, and forget what is here of it; how many events that were."""
        with self._store.transaction() as connection:
            exchange.bar(connection, barred)
        known = exchange.known_under(self._store.read(), barred.keys)
        return self.forget(Query(), known).events if known else 0

    def cursor(self, place: Place) -> Cursor | None:
        """Where reading stopped at a place."""
        return self._store.cursor(place)

    def context(
        self, request: ContextRequest, *, save: bool = True, client: str = "", scope: Scope | None = None
    ) -> CopiedContext:
        """A bounded, cited, redacted block for an AI chat; remembered as a copy unless it is only a preview.

        `client` is the AI client that asks, empty for the user; `scope` is what it may be told.
        """
        copied = self._contexts.build(replace(request, project=self._called(request.project)), scope)
        if request.hop_depth and (request.query or request.event_id is not None):
            copied = replace(copied, warnings=(*copied.warnings, *self.without_graph()))
        if save and copied.sources:
            try:
                self._save(copied, request, client)
            except StoreError as error:
                if client:  # what a client is told is written down
                    raise
                told = f"The copy was not saved, so that no answer can be checked against it: {error.problem}"
                return replace(copied, warnings=(*copied.warnings, told))
        return copied

    def _save(self, copied: CopiedContext, request: ContextRequest, client: str) -> None:
        hashes = [hashlib.sha256(source.text.encode()).hexdigest()[:16] for source in copied.sources]
        with self._store.transaction() as connection:
            copies.save(connection, copied, _plain(request), hashes, self._clock(), client)
        if not client:
            self.used([source.event for source in copied.sources])

    # what is used

    def used(self, events: Sequence[int]) -> None:
        """The user opened, copied or pinned these: search puts them, and what says the same, a little higher."""
        if self._parts.usage is not None:
            self._parts.usage.note(events)

    def forget_usage(self) -> int:
        """Forget what was opened, copied and pinned; of how many events that was known."""
        return self._parts.usage.forget() if self._parts.usage is not None else 0

    # AI clients

    def log_read(self, client: str, tool: str, events: int) -> None:
        """Note that a client was told so many events, where the user can see it."""
        with self._store.transaction() as connection:
            notes.log_read(connection, client, tool, events, self._clock())

    # how it is

    def note_start(self) -> None:
        """The recorder starts: the time since it last lived was not recorded."""
        alive = self._store.last_alive()
        now = self._clock()
        if alive is not None and now - alive > timedelta(minutes=2):
            self.remember([Gap(start=alive, end=now, reason="not running")])
        self.note_alive()

    def note_read(self, read: Sequence[tuple[str, str]]) -> None:
        """These places (source and name) were read and had nothing new."""
        if read:
            self._store.mark_quiet(self._clock(), read)

    def note_alive(self, read: Sequence[tuple[str, str]] = ()) -> None:
        """The recorder lives; `read` are places (source and name) that were read and had nothing new."""
        self._store.mark_alive(self._clock(), read)


def _prefix(text: str) -> tuple[str, str]:
    """What a note is pinned as (empty: not at all), and its text without the prefix."""
    found = _PREFIX.match(text)
    return (found[1].lower(), text[found.end() :].strip()) if found else ("", text)


def _until_pause(event: Event, pause: Pause | None) -> Event:
    """A span that was open when a pause began ends there."""
    if pause is None or event.end is None or event.start >= pause.start or event.end <= pause.start:
        return event
    return replace(event, end=pause.start, open=False)


def _offset(at: datetime, zone: tzinfo) -> int:
    delta = at.astimezone(zone).utcoffset()
    return 0 if delta is None else int(delta.total_seconds() // 60)


def _plain(request: ContextRequest) -> dict[str, object]:
    return dataclasses.asdict(request)
