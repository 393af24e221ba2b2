"""The store: one SQLite file. What it remembers is written here; Reading asks it, Places knows its sources."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime

import apsw

from collectors.collector import Cursor, Place
from collectors.event import Event, Gap, microseconds, moment
from desktop_memory.errors import LogHeld, StoreError
from desktop_memory.model import Query
from desktop_memory.pipeline.keeping import Limit
from desktop_memory.store import (
    chain,
    consistency,
    feed,
    forget,
    hiding,
    mending,
    profile,
    project_sweep,
    retention,
    tabs,
)
from desktop_memory.store.connection import (
    known_errors,
    mark_damaged,
    unmark_damaged,
)
from desktop_memory.store.events import EventWriter, Incoming
from desktop_memory.store.forget import Forget, Found, Removed
from desktop_memory.store.opened import FILE_NAME, Clock
from desktop_memory.store.place_states import Places
from desktop_memory.store.writing import (
    begin_log_anew,
    expect_short_log,
    find_room,
    shorten_log,
    try_to_grow,
)

__all__ = ["FILE_NAME", "Clock", "Store"]

_MEND = "Run `desktop-memory doctor --mend`."
_UNSCRUBBED = (
    "What was forgotten still stands in the memory's log, since another program is reading the memory."
)
_LOOK_SECONDS = 0.5
_READERS_MS = 1_000
"""Our own readers are done sooner."""


class Store(Places):
    """Thread-safe. Writes are transactions behind one lock; reads never wait for them."""

    def probe(self) -> None:
        """Find out whether the next write would go through; raises what stands in its way.

        Writes nothing as long as the last write went through.
        """
        with self.transaction() as connection:
            if self.writing.trouble is not None:
                try_to_grow(connection)
        with self.writing.under_way():
            find_room(self.path.parent)
            self.expect_short_log()
            if self._unscrubbed:
                raise LogHeld(_UNSCRUBBED, "End that program: it is removed by itself.")

    def expect_short_log(self) -> None:
        """Before each step of what writes much. Raises LogHeld while somebody's reading keeps the log long."""
        self._shorten_log()
        expect_short_log(self.path)

    def wait_for_short_log(self, stopped: Callable[[bool], bool]) -> bool:
        """Wait while somebody's reading keeps the log long.

        `stopped` is told whether it waits, and ends that; False when it did.
        """
        waits = False
        while not stopped(waits):
            try:
                self.expect_short_log()
                return True
            except LogHeld:
                waits = True
                time.sleep(_LOOK_SECONDS)
        return False

    def record(
        self,
        incoming: Sequence[Incoming],
        gaps: Sequence[Gap] = (),
        *,
        device: str = "",
        place: Place | None = None,
        cursor: Cursor | None = None,
        skipped: Mapping[str, int] | None = None,
        hidden: Sequence[Event] = (),
    ) -> Counter[str]:
        """Store events, a device's gaps and the place's new cursor in one transaction; how many were new, known, …

        `hidden` are pages that a rule keeps out: the windows that showed them go.
        """
        with self.transaction() as connection:
            place_id = None if place is None else self._place_id(connection, place)
            outcomes = self._write(connection, incoming, gaps, place_id, device)
            if hidden:
                now = microseconds(self.clock())
                self._rechain(connection, tabs.hide(connection, hidden, self.profile.seals, now))
            if place_id is not None:
                self._mark_read(connection, place_id, place, cursor, skipped or {}, incoming)
        return outcomes

    def forget(
        self, query: Query, events: Sequence[int] = (), *, words: str = "", undoable: bool = False
    ) -> tuple[list[Found], Removed]:
        """Remove events for good, or set them aside for a while; what was found and what went with it.

        What is set aside is in the file anyway until `purge`, so that nothing is scrubbed before. Much goes in steps,
        between which others write.
        """
        with self._forgetting:
            with self.transaction() as connection:
                found = forget.matching(connection, query, events, words)
                going = forget.begin(
                    connection,
                    found,
                    query,
                    microseconds(self.clock()),
                    seal=lambda name: self.profile.seals(name)[0],
                    undoable=undoable,
                )
                self._step(connection, going)
            self._go_on(going)
        self._events.forget_cached()
        if not undoable:
            self.scrub()
        return found, going.removed

    def _go_on(self, going: Forget) -> None:
        while going.more:
            self._shorten_log()
            with self.transaction() as connection:
                self._step(connection, going)

    def _step(self, connection: apsw.Connection, going: Forget) -> None:
        self._rechain(connection, going.step(connection, microseconds(self.clock())))

    def forgettable(self, query: Query, events: Sequence[int] = (), words: str = "") -> list[Found]:
        """What `forget` would remove."""
        return forget.matching(self.read(), query, events, words)

    def take_back(self, batch: int | None = None) -> int | None:
        """Undo a forget, the last one when none is named; how many events are back, None when it is too late."""
        with self._forgetting:
            batch = batch if batch is not None else forget.last_undoable(self.read())
            if batch is None or not forget.can_be_undone(self.read(), batch):
                return None
            count = 0
            while (some := self._take_back_some(batch)) is not None:
                count += some
                self._shorten_log()
            return count

    def _take_back_some(self, batch: int) -> int | None:
        with self.transaction() as connection:
            incoming = forget.take_back(connection, batch)
            if incoming is None:
                return None
            before = feed.last_id(connection)
            self._write(connection, incoming, (), None)
            hiding.judge_again(connection, before)
        return len(incoming)

    def purge(self, before: datetime) -> int:
        """End the time in which forgets from before this moment can be undone; how many there were.

        Finishes, too, what a crash kept from being forgotten or scrubbed. Nothing is done while a forget is on its way.
        """
        if not self._forgetting.acquire(blocking=False):
            return 0
        try:
            for going in forget.unfinished(self.read()):
                self._go_on(going)
            return self._purge(microseconds(before))
        finally:
            self._forgetting.release()

    def _purge(self, before: int) -> int:
        count = 0
        if forget.is_due(self.read(), before):
            with self.transaction() as connection:
                count = forget.purge(connection, before)
                forget.want_scrub(connection)
        elif forget.is_aside(self.read()):
            return 0
        if forget.scrub_wanted(self.read()):
            self.scrub()
        return count

    def horizon(self, limit: Limit) -> tuple[datetime, int] | None:
        """Before which moment what a limit is about goes, and how many events that are; None when all may stay."""
        connection = self.read()
        before = retention.horizon(connection, limit, microseconds(self.clock()))
        return None if before is None else (moment(before), retention.count(connection, limit, before))

    def let_go(self, limit: Limit, before: datetime, most: int) -> int:
        """Remove the oldest of what a limit lets go, at most so many; how many. `scrub` when all are gone."""
        with self.transaction() as connection:
            found = retention.let_go(connection, limit, microseconds(before), most)
            self._rechain(connection, found)
            if found:
                forget.want_scrub(connection)
        self._events.forget_cached()
        return len(found)

    def follow_projects(self) -> bool:
        """Let a batch of events follow the oldest change to projects; False when none is waiting for it."""
        sweep = project_sweep.next_sweep(self.read())
        if sweep is None:
            return False
        self.expect_short_log()
        found = project_sweep.seek(self.read(), sweep)
        with self.transaction() as connection:
            self._events.begin(connection)
            project_sweep.move(connection, self._events.projects, sweep, found)
        return True

    def follow_rules(self, rules: str) -> bool:
        """Judge a batch of events by the rules that go by this name; False when none is left."""
        left = hiding.left(self.read(), rules)
        if left is None:
            with self.transaction() as connection:
                hiding.begin(connection, rules)
            return True
        floor, until = left
        if until <= floor:
            return False
        self.expect_short_log()
        judged = hiding.judge(self.read(), floor, until)
        with self.transaction() as connection:
            hiding.keep(connection, rules, judged)
        return True

    def drop_changes(self, followed: int | None) -> None:
        """Let go of the changes that the graph has followed; None: there is none to follow them."""
        upto = feed.last_change(self.read()) if followed is None else followed
        if feed.worth_dropping(self.read(), upto):
            with self.transaction() as connection:
                feed.drop_changes(connection, upto)

    def adopt(self, secrets: Sequence[bytes]) -> None:
        """Know again from now on what a memory with these secrets knew."""
        with self.transaction() as connection:
            profile.adopt(connection, secrets)
        self._read_profile()

    def take_over(self, secret: bytes) -> None:
        """Keep what comes from now on under this secret; ours is known as an older one."""
        with self.transaction() as connection:
            profile.take_over(connection, secret)
        self._read_profile()

    def _read_profile(self) -> None:
        self.profile = self._identify()
        self._events = EventWriter(self.profile)

    def key(self, identity: str) -> str:
        """The key (hex) under which an identity is stored."""
        return self.profile.key(identity).hex()

    def _write(
        self,
        connection: apsw.Connection,
        incoming: Sequence[Incoming],
        gaps: Sequence[Gap],
        place_id: int | None,
        device: str = "",
    ) -> Counter[str]:
        outcomes: Counter[str] = Counter()
        shown: list[int] = []
        self._events.begin(connection, incoming)
        for item in incoming:
            outcome, id_ = self._events.put(connection, item, place_id)
            outcomes[outcome] += 1
            if id_ is not None and tabs.may_join(item.event, outcome):
                shown.append(id_)
        self._events.index_words(connection)
        tabs.join(connection, shown, self._events)
        for gap in gaps:
            outcomes["gaps"] += self._events.put_gap(connection, gap, device)
        touched = [(stretch.start, stretch.end) for stretch in self._events.touched]
        chain.maintain(connection, touched, self._idle_gap_us, joining=self._events.joining)
        return outcomes

    def rechain(self, connection: apsw.Connection, at: datetime) -> None:
        """Something that ends sessions began at this moment, within the same transaction."""
        chain.maintain(connection, [(microseconds(at), microseconds(at))], self._idle_gap_us)

    def _rechain(self, connection: apsw.Connection, found: Sequence[Found]) -> None:
        chain.maintain(connection, [(start, end) for _, start, end in found], self._idle_gap_us)

    def scrub(self) -> None:
        """Bring deletions into the file itself: no forgotten byte stays in the log or on a free page."""
        with self.transaction() as connection:
            forget.drop_unused_entities(connection)
        self._events.forget_cached()
        steps = forget.scrub(self._writer)
        while self._goes_on(steps):
            self._shorten_log()
        with self._lock, known_errors(self.path):
            self._unscrubbed = not begin_log_anew(self._writer, _READERS_MS)
        if self._unscrubbed:  # `purge` tries again
            return
        with self.transaction() as connection:
            forget.scrubbed(connection)

    def _goes_on(self, steps: Iterator[None]) -> bool:
        """One step more, with the word to write; False when there was none."""
        with self._lock, known_errors(self.path):
            return next(steps, False) is None

    def _shorten_log(self) -> None:
        with self._lock, known_errors(self.path):
            shorten_log(self._writer, self.path)

    def rebuild_words(self) -> None:
        """Make the full-text index anew from the events. Raises LogHeld."""
        self.expect_short_log()
        with self.transaction() as connection:
            connection.execute("INSERT INTO event_words (event_words) VALUES ('rebuild')")

    def problems(self) -> list[tuple[str, str]]:
        """What SQLite's own checks and ours find wrong, each with what mends it; empty when all is well."""
        connection = self.read()
        # FTS5's check trusts what this connection knows of the index from before; a question makes it look again.
        with suppress(apsw.Error):
            connection.execute("SELECT 1 FROM event_words WHERE event_words MATCH 'a' LIMIT 1").fetchall()
        found = [
            (str(row[0]), _MEND) for row in connection.execute("PRAGMA quick_check(5)") if row[0] != "ok"
        ]
        if found:
            mark_damaged(self.path)
            return found
        if self.unwritable is not None:
            found.append((self.unwritable.problem, self.unwritable.advice))
        else:
            found += self._problems_of_writing()
        return [*found, *((problem, _MEND) for problem in consistency.findings(connection))]

    def _problems_of_writing(self) -> Iterator[tuple[str, str]]:
        if not self.words_agree():
            yield "The index of words does not match the events.", _MEND
        try:
            self.expect_short_log()
        except LogHeld as held:
            yield held.problem, held.advice

    def mend(self) -> None:
        """Put right what `problems` finds in a file that SQLite finds sound."""
        if not self.words_agree():
            self.rebuild_words()
        if consistency.findings(self.read()):
            with self.transaction() as connection:
                mending.mend(connection, self._idle_gap_us)
            self._events.forget_cached()
            self.scrub()

    def words_agree(self) -> bool:
        """Whether the full-text index holds what the events say."""
        try:
            with self.transaction() as writer:
                writer.execute("INSERT INTO event_words (event_words, rank) VALUES ('integrity-check', 1)")
        except StoreError:
            return False
        finally:
            unmark_damaged(self.path)
        return True
