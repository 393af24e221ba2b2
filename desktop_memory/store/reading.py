"""Asking the store; each thread reads by its own connection and waits for nobody."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime

from collectors.event import Gap, moment
from desktop_memory.model import Entity, Pin, Query, Remembered, Session, Stats
from desktop_memory.store import (
    feed,
    reads,
    rows,
    words,
)
from desktop_memory.store.connection import (
    one,
)
from desktop_memory.store.connection import rows as all_rows
from desktop_memory.store.density import Bucket, density
from desktop_memory.store.opened import FILE_NAME, Opened

_LOOKED_AT = 20_000
"""So many events are looked at, at most, for enough that a rule lets be shown."""


class Reading(Opened):
    """Every question that the store answers."""

    def last_alive(self) -> datetime | None:
        """When the recorder last said that it lives."""
        row = self.read().execute("SELECT value FROM profile WHERE name = 'alive'").fetchone()
        return None if row is None else moment(row[0])

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
            hidden=int(connection.execute("SELECT count(*) FROM hidden").get),
        )

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
        """Up to so many that are shown: those that are not take nobody's place."""
        looked_at = limit
        while True:
            found = reads.between(self.read(), since, until, query, looked_at, newest_first)
            shown = list(filter(self.is_shown, found))
            if len(shown) >= limit or len(found) < looked_at or looked_at >= _LOOKED_AT:
                return shown[:limit]
            looked_at = min(looked_at * 5, _LOOKED_AT)

    def overlapping(self, since: datetime, until: datetime, limit: int = 5_000) -> list[Remembered]:
        return reads.overlapping(self.read(), since, until, limit)

    def density(
        self, since: datetime, until: datetime, seconds: float, without: Collection[int] = ()
    ) -> list[Bucket]:
        return density(self.read(), since, until, seconds, without)

    def names(self, after: int = 0) -> list[tuple[int, str, str]]:
        """The apps, sites and projects that are known, from a number on: number, kind, name."""
        return all_rows(
            self.read(),
            "SELECT id, kind, name FROM entity WHERE id > ? AND kind IN ('app', 'domain', 'project') ORDER BY id",
            (after,),
        )

    def all_events(self, chunk: int = 500) -> Iterator[Remembered]:
        """Every event that is shown, in the order of arrival; memory stays flat."""
        for event in self.all_there_are(chunk):
            if self.is_shown(event):
                yield event

    def all_there_are(self, chunk: int = 500, after: int = 0) -> Iterator[Remembered]:
        """Every event with a higher id, also those that a rule keeps from being shown."""
        while found := rows.select(
            self.read(),
            "WHERE event.id > ? ORDER BY event.id LIMIT ?",
            (after, chunk),
            all_of_them=True,
        ):
            yield from found
            after = found[-1].id

    def before(self, event: Remembered, count: int, query: Query | None = None) -> list[Remembered]:
        return reads.beside(self.read(), event, count, query, after=False)

    def after(self, event: Remembered, count: int, query: Query | None = None) -> list[Remembered]:
        return reads.beside(self.read(), event, count, query, after=True)

    def nearest(self, at: datetime, query: Query | None = None) -> Remembered | None:
        """The event that covers `at`, else the one that begins nearest; of those that are shown."""
        return reads.nearest(self.read(), at, query, shows=self._shows)

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
