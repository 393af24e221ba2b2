"""The store: one SQLite file, one writer at a time, a reader for each thread."""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from datetime import datetime, timedelta
from pathlib import Path

import apsw

from collectors.collector import Cursor, Place
from collectors.event import Event, Gap, microseconds, moment
from desktop_memory.errors import Damaged, KnownError, StoreError
from desktop_memory.model import Entity, Pin, PlaceStatus, Query, Remembered, Session, Stats
from desktop_memory.pipeline.keeping import Limit
from desktop_memory.store import (
    chain,
    consistency,
    feed,
    forget,
    mending,
    migrations,
    profile,
    project_sweep,
    reads,
    retention,
    rows,
    tabs,
    words,
)
from desktop_memory.store.connection import (
    connect,
    known_errors,
    mark_damaged,
    one,
    prepare_writer,
    unmark_damaged,
)
from desktop_memory.store.connection import rows as all_rows
from desktop_memory.store.density import Bucket, density
from desktop_memory.store.events import EventWriter, Incoming
from desktop_memory.store.forget import Found, Removed
from desktop_memory.store.profile import Profile
from desktop_memory.store.unwritable import connect_to_read
from desktop_memory.store.writing import Writing, find_room, try_to_grow
from desktop_memory.vault.settling import STORE_FILE

Clock = Callable[[], datetime]

FILE_NAME = STORE_FILE
RETRY_LIMIT = timedelta(minutes=30)

_MEND = "Run `desktop-memory doctor --mend`."


class Store:
    """Thread-safe. Writes are transactions behind one lock; reads never wait for them."""

    def __init__(
        self,
        path: Path,
        writer: apsw.Connection,
        *,
        clock: Clock,
        idle_gap: timedelta,
        unwritable: StoreError | None = None,
    ) -> None:
        self.path = path
        self.clock = clock
        self.unwritable = unwritable
        """Why nothing can be written; None where it can."""
        self._idle_gap_us = int(idle_gap.total_seconds() * 1_000_000)
        self._writer = writer
        self._lock = threading.RLock()
        self._readers_lock = threading.Lock()
        self.writing = Writing()
        self._local = threading.local()
        self._readers: list[apsw.Connection] = []
        self.profile = self._identify()
        self._events = EventWriter(self.profile)

    @classmethod
    def open(
        cls,
        folder: Path,
        *,
        clock: Clock,
        idle_gap: timedelta = timedelta(seconds=600),
        or_read: bool = False,
    ) -> Store:
        """Open or create the store in `folder`. Raises StoreError when that cannot be; a newer file stays untouched.

        With `or_read` one that is there but cannot be written is opened for reading alone.
        """
        path = folder / FILE_NAME
        try:
            return cls._open(path, clock, idle_gap)
        except StoreError as error:
            if not or_read or isinstance(error, Damaged):
                raise
            reader = _read_after_all(path, error)
            return cls(path, reader, clock=clock, idle_gap=idle_gap, unwritable=error)

    @classmethod
    def _open(cls, path: Path, clock: Clock, idle_gap: timedelta) -> Store:
        folder = path.parent
        with known_errors(path):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            writer = connect(path, writer=True)
            try:
                migrations.version(writer)
                prepare_writer(writer)
                migrations.migrate(writer)
                return cls(path, writer, clock=clock, idle_gap=idle_gap)
            except BaseException:
                writer.close()
                raise

    def close(self) -> None:
        with self._lock:
            with self._readers_lock:
                for reader in self._readers:
                    reader.close()
                self._readers.clear()
            self._local = threading.local()
            self._writer.close()

    # connections

    def read(self) -> apsw.Connection:
        """This thread's own connection for reading."""
        connection: apsw.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = connect(self.path) if self.unwritable is None else connect_to_read(self.path)
            self._local.connection = connection
            with self._readers_lock:  # not the writers': a write that hangs keeps nobody from reading
                self._readers.append(connection)
        return connection

    @contextmanager
    def transaction(self) -> Iterator[apsw.Connection]:
        """The only way to write: all of it is stored, or none."""
        with self.writing.under_way(), self._lock, known_errors(self.path):
            self._writer.execute("BEGIN IMMEDIATE")
            before = self._writer.total_changes()
            try:
                yield self._writer
                self._writer.execute("COMMIT")
                if self._writer.total_changes() > before:
                    self.writing.trouble = None
            except BaseException:
                if self._writer.in_transaction:
                    self._writer.execute("ROLLBACK")
                self._events.forget_cached()
                raise

    # writing

    def probe(self) -> None:
        """Find out whether the next write would go through; raises what stands in its way.

        Writes nothing as long as the last write went through.
        """
        with self.transaction() as connection:
            if self.writing.trouble is not None:
                try_to_grow(connection)
        with self.writing.under_way():
            find_room(self.path.parent)

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

        What is set aside is in the file anyway until `purge`, so that nothing is scrubbed before.
        """
        with self.transaction() as connection:
            found = forget.matching(connection, query, events, words)
            removed = forget.forget(
                connection,
                found,
                query,
                microseconds(self.clock()),
                seal=lambda name: self.profile.seals(name)[0],
                undoable=undoable,
            )
            self._rechain(connection, found)
            forget.want_scrub(connection)
        self._events.forget_cached()
        if not undoable:
            self.scrub()
        return found, removed

    def forgettable(self, query: Query, events: Sequence[int] = (), words: str = "") -> list[Found]:
        """What `forget` would remove."""
        return forget.matching(self.read(), query, events, words)

    def take_back(self, batch: int | None = None) -> int | None:
        """Undo a forget, the last one when none is named; how many events are back, None when it is too late."""
        with self.transaction() as connection:
            batch = batch if batch is not None else forget.last_undoable(connection)
            incoming = None if batch is None else forget.take_back(connection, batch)
            if incoming is None:
                return None
            self._write(connection, incoming, (), None)
        return len(incoming)

    def purge(self, before: datetime) -> int:
        """End the time in which forgets from before this moment can be undone; how many there were.

        Finishes, too, what a crash kept from being scrubbed.
        """
        count = 0
        if forget.is_due(self.read(), microseconds(before)):
            with self.transaction() as connection:
                count = forget.purge(connection, microseconds(before))
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
        found = project_sweep.seek(self.read(), sweep)
        with self.transaction() as connection:
            self._events.begin(connection)
            project_sweep.move(connection, self._events.projects, sweep, found)
        return True

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
        self._events.begin(connection)
        for item in incoming:
            outcome, id_ = self._events.put(connection, item, place_id)
            outcomes[outcome] += 1
            if id_ is not None and tabs.may_join(item.event, outcome):
                shown.append(id_)
        self._events.index_words(connection)
        tabs.join(connection, shown, self._events)
        for gap in gaps:
            self._events.put_gap(connection, gap, device)
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
        with self._lock, known_errors(self.path):
            forget.scrub(self._writer)
        with self.transaction() as connection:
            forget.scrubbed(connection)

    def rebuild_words(self) -> None:
        """Make the full-text index anew from the events."""
        with self.transaction() as connection:
            connection.execute("INSERT INTO event_words (event_words) VALUES ('rebuild')")

    def problems(self) -> list[tuple[str, str]]:
        """What SQLite's own checks and ours find wrong, each with what mends it; empty when all is well."""
        connection = self.read()
        found = [
            (str(row[0]), _MEND) for row in connection.execute("PRAGMA quick_check(5)") if row[0] != "ok"
        ]
        if found:
            mark_damaged(self.path)
            return found
        if self.unwritable is not None:
            found.append((self.unwritable.problem, self.unwritable.advice))
        elif not self.words_agree():
            found.append(("The index of words does not match the events.", _MEND))
        return [*found, *((problem, _MEND) for problem in consistency.findings(connection))]

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

    def last_alive(self) -> datetime | None:
        """When the recorder last said that it lives."""
        row = self.read().execute("SELECT value FROM profile WHERE name = 'alive'").fetchone()
        return None if row is None else moment(row[0])

    def mark_alive(self, now: datetime, read: Sequence[tuple[str, str]] = ()) -> None:
        """The recorder lives, and these places (source and name) were read without anything new."""
        with self.transaction() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO profile (name, value) VALUES ('alive', ?)", (microseconds(now),)
            )
            _quiet(connection, now, read)

    def mark_quiet(self, now: datetime, read: Sequence[tuple[str, str]]) -> None:
        """These places (source and name) were read without anything new."""
        with self.transaction() as connection:
            _quiet(connection, now, read)

    def stats(self, since: datetime, vectors: Mapping[str, object], graph: Mapping[str, object]) -> Stats:
        """Counts over everything and since a moment (today's midnight)."""
        connection = self.read()
        first, last = one(connection, "SELECT min(start), max(start) FROM event")
        tallies = all_rows(connection, "SELECT what, kind, sum(count) FROM tally GROUP BY what, kind")
        return Stats(
            events=self.count(),
            today=self.count(Query(since=since)),
            last_id=self.last_id(),
            first=None if first is None else moment(first),
            last=None if last is None else moment(last),
            vectors=vectors,
            graph=graph,
            dropped={kind: count for what, kind, count in tallies if what == "dropped"},
            masked={kind: count for what, kind, count in tallies if what == "masked"},
            bytes=sum(f.stat().st_size for f in self.path.parent.glob(f"{FILE_NAME}*")),
        )

    # places

    def cursor(self, place: Place) -> Cursor | None:
        row = (
            self.read()
            .execute("SELECT cursor FROM place WHERE source = ? AND name = ?", (place.source, place.name))
            .fetchone()
        )
        return None if row is None or row[0] is None else json.loads(row[0])

    def place_failed(self, source: str, name: str, state: str, advice: str) -> None:
        """Remember why a place could not be read, and when to try again: later after each failure."""
        now = microseconds(self.clock())
        with self.transaction() as connection:
            connection.execute(
                """INSERT INTO place (source, name, state, advice, failures) VALUES (?, ?, ?, ?, 1)
                ON CONFLICT (source, name) DO UPDATE SET state = excluded.state, advice = excluded.advice,
                failures = failures + 1""",
                (source, name, state, advice),
            )
            wait = int(RETRY_LIMIT.total_seconds() * 1_000_000)
            connection.execute(
                "UPDATE place SET retry_at = ?1 + min(?2, 60000000 << min(failures, 10)) "
                "WHERE source = ?3 AND name = ?4 AND failures >= 3",
                (now, wait, source, name),
            )

    def place_works(self, source: str, name: str) -> None:
        """A place that failed before works: what was said against it no longer holds."""
        wrong = "source = ? AND name = ? AND state <> 'ok'"
        if one(self.read(), f"SELECT 1 FROM place WHERE {wrong}", (source, name)) is None:
            return
        with self.transaction() as connection:
            connection.execute(
                f"UPDATE place SET state = 'ok', advice = '', failures = 0, retry_at = NULL WHERE {wrong}",
                (source, name),
            )

    def retry_at(self, source: str, name: str) -> datetime | None:
        """When a failing place is worth another try; None: now."""
        row = (
            self.read()
            .execute("SELECT retry_at FROM place WHERE source = ? AND name = ?", (source, name))
            .fetchone()
        )
        return None if row is None or row[0] is None else moment(row[0])

    def places(self, midnight: datetime) -> list[PlaceStatus]:
        return reads.places(self.read(), midnight)

    # reading

    def event(self, id_: int) -> Remembered | None:
        found = rows.by_ids(self.read(), [id_])
        return found[0] if found else None

    def events(self, ids: Iterable[int]) -> list[Remembered]:
        return rows.by_ids(self.read(), ids)

    def between(
        self,
        since: datetime | None,
        until: datetime | None,
        *,
        query: Query | None = None,
        limit: int = 200,
        newest_first: bool = False,
    ) -> list[Remembered]:
        return reads.between(self.read(), since, until, query, limit, newest_first)

    def overlapping(self, since: datetime, until: datetime, limit: int = 5_000) -> list[Remembered]:
        return reads.overlapping(self.read(), since, until, limit)

    def density(self, since: datetime, until: datetime, seconds: float) -> list[Bucket]:
        return density(self.read(), since, until, seconds)

    def all_events(self, chunk: int = 500) -> Iterator[Remembered]:
        """Every event in the order of arrival; memory stays flat."""
        after = 0
        while found := rows.select(
            self.read(), "WHERE event.id > ? ORDER BY event.id LIMIT ?", (after, chunk)
        ):
            yield from found
            after = found[-1].id

    def before(self, event: Remembered, count: int, query: Query | None = None) -> list[Remembered]:
        return reads.beside(self.read(), event, count, query, after=False)

    def after(self, event: Remembered, count: int, query: Query | None = None) -> list[Remembered]:
        return reads.beside(self.read(), event, count, query, after=True)

    def nearest(self, at: datetime, query: Query | None = None) -> Remembered | None:
        return reads.nearest(self.read(), at, query)

    def count(self, query: Query | None = None) -> int:
        return reads.count(self.read(), query)

    def session(self, any_member: int) -> Session | None:
        return reads.session_of(self.read(), any_member)

    def session_at(self, at: datetime, query: Query | None = None) -> Session | None:
        return reads.session_at(self.read(), at, query)

    def sessions(self, since: datetime | None, until: datetime | None, limit: int = 200) -> list[Session]:
        return reads.sessions(self.read(), since, until, limit)

    def session_events(self, any_member: int, limit: int = 5_000) -> list[Remembered]:
        return reads.session_events(self.read(), any_member, limit)

    def gaps(self, since: datetime, until: datetime) -> list[Gap]:
        return reads.gaps(self.read(), since, until)

    def entity(self, kind: str, name: str) -> Entity | None:
        return reads.entity(self.read(), kind, name)

    def entities_of(self, event_id: int) -> list[Entity]:
        return reads.entities_of(self.read(), event_id)

    def touching(self, entity_id: int, *, limit: int = 20, before: int | None = None) -> list[Remembered]:
        return reads.touching(self.read(), entity_id, limit, before)

    def pins(self, status: str = "active") -> list[Pin]:
        return reads.pins(self.read(), status)

    def words(self, match: str, *, query: Query, limit: int) -> list[tuple[int, float]]:
        return words.matches(self.read(), match, query, limit)

    def frequencies(self, terms: Sequence[str]) -> dict[str, int]:
        return words.frequencies(self.read(), terms)

    # feeds for the projections

    def snapshot(self) -> AbstractContextManager[feed.Snapshot]:
        """One moment of the store, for reading much that must agree."""
        return feed.snapshot(self.read())

    def last_id(self) -> int:
        return feed.last_id(self.read())

    def arrivals(self, after: int, limit: int) -> list[feed.GraphRow]:
        return feed.arrivals(self.read(), after, limit)

    def changes(self, after: int, limit: int) -> list[feed.Change]:
        return feed.changes(self.read(), after, limit)

    def graph_row(self, event_id: int) -> feed.GraphRow | None:
        return feed.graph_row(self.read(), event_id)

    def predecessor(self, event_id: int) -> int | None:
        return feed.predecessor(self.read(), event_id)

    def successor(self, event_id: int) -> int | None:
        return feed.successor(self.read(), event_id)

    # inside

    def _identify(self) -> Profile:
        """Made at the first opening; later ones write nothing."""
        known = profile.read(self._writer)
        if known is None:
            with self.transaction() as connection:
                profile.make(connection)
            known = profile.read(self._writer)
        assert known is not None
        return known

    @staticmethod
    def _place_id(connection: apsw.Connection, place: Place) -> int:
        (id_,) = one(
            connection,
            """INSERT INTO place (source, name) VALUES (?, ?)
            ON CONFLICT (source, name) DO UPDATE SET source = excluded.source RETURNING id""",
            (place.source, place.name),
        )
        return int(id_)

    def _mark_read(
        self,
        connection: apsw.Connection,
        place_id: int,
        place: Place | None,
        cursor: Cursor | None,
        skipped: Mapping[str, int],
        incoming: Sequence[Incoming],
    ) -> None:
        (old,) = one(connection, "SELECT skipped FROM place WHERE id = ?", (place_id,))
        counts = Counter(json.loads(old)) + Counter(skipped)
        last = max((microseconds(item.event.start) for item in incoming), default=None)
        connection.execute(
            """UPDATE place SET cursor = coalesce(?, cursor), state = 'ok', advice = ?, failures = 0, retry_at = NULL,
                last_success = ?, last_event = max(coalesce(last_event, ?), coalesce(?, last_event)),
                skipped = ? WHERE id = ?""",
            (
                None if cursor is None else json.dumps(dict(cursor)),
                place.advice if place else "",
                microseconds(self.clock()),
                last,
                last,
                json.dumps(counts),
                place_id,
            ),
        )


def _read_after_all(path: Path, error: StoreError) -> apsw.Connection:
    """A connection for reading what cannot be opened to write. Raises that error where it cannot be read, either."""
    try:
        reader = connect_to_read(path)
    except KnownError:
        raise error from None
    if migrations.version(reader) < len(migrations.STEPS):
        reader.close()
        raise error
    return reader


def _quiet(connection: apsw.Connection, now: datetime, read: Sequence[tuple[str, str]]) -> None:
    connection.executemany(
        "UPDATE place SET last_success = ? WHERE source = ? AND name = ?",
        [(microseconds(now), source, name) for source, name in read],
    )
