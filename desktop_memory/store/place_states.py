"""How each place fares: its cursor, its state, when to try again."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta

import apsw

from collectors.collector import Cursor, Place
from collectors.event import microseconds, moment
from desktop_memory.model import PlaceStatus
from desktop_memory.store import (
    reads,
)
from desktop_memory.store.connection import (
    one,
)
from desktop_memory.store.events import Incoming
from desktop_memory.store.reading import Reading

RETRY_LIMIT = timedelta(minutes=30)
GONE = "It is not there any more. What it gave is kept; it is read again should it come back."


class Places(Reading):
    """Cursors move in the transaction that stores what was read."""

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

    def cursor(self, place: Place) -> Cursor | None:
        """Where reading stopped there; None before the first time, and where what was kept is damaged."""
        row = (
            self.read()
            .execute("SELECT cursor FROM place WHERE source = ? AND name = ?", (place.source, place.name))
            .fetchone()
        )
        try:
            cursor = None if row is None or row[0] is None else json.loads(row[0])
        except ValueError:
            return None
        return cursor if isinstance(cursor, dict) else None

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

    def places_found(self, source: str, names: Collection[str]) -> None:
        """These are the places of a source now; of all others what was said does not hold any more."""
        known = self.read().execute(
            "SELECT name FROM place WHERE source = ? AND state <> 'waiting'", (source,)
        )
        gone = [name for (name,) in known if name and name not in names]
        failed = "source = ? AND name = ''"
        recovered = (
            "" not in names and one(self.read(), f"SELECT 1 FROM place WHERE {failed}", (source,)) is not None
        )
        if not gone and not recovered:
            return
        with self.transaction() as connection:
            if recovered:
                connection.execute(f"DELETE FROM place WHERE {failed}", (source,))
            connection.executemany(
                """UPDATE place SET state = 'waiting', advice = ?, failures = 0, retry_at = NULL
                WHERE source = ? AND name = ?""",
                [(GONE, source, name) for name in gone],
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


def _quiet(connection: apsw.Connection, now: datetime, read: Sequence[tuple[str, str]]) -> None:
    connection.executemany(
        "UPDATE place SET last_success = ? WHERE source = ? AND name = ?",
        [(microseconds(now), source, name) for source, name in read],
    )
