"""A store's tables with nothing in them but times: what sessions, feed and graph are tested on."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

import apsw

from desktop_memory.pipeline.sessions import ENDING_REASONS, Break, Span, cut
from desktop_memory.store import chain
from desktop_memory.store.migrations import migrate

SECOND = 1_000_000
GAP = 600 * SECOND

Shown = tuple[bytes, tuple[bytes, ...], int, int, str]


def key(name: object) -> bytes:
    """A key that does not sort like its name."""
    return hashlib.blake2b(str(name).encode(), digest_size=16).digest()


class Rows:
    """Writes rows as the store does, notes what was touched, and keeps the sessions when told so."""

    def __init__(self, database: Path | str | apsw.Connection = ":memory:", *, quick: bool = True) -> None:
        self._quick = quick
        self.connection = (
            database if isinstance(database, apsw.Connection) else apsw.Connection(str(database))
        )
        self.connection.execute("PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF")
        migrate(self.connection)
        self.connection.execute("INSERT OR IGNORE INTO device (id, uuid) VALUES (1, 'here')")
        self.touched: list[tuple[int, int]] = []
        self.joining: list[int] = []

    def entity(self, kind: str, name: str) -> int:
        self.connection.execute(
            "INSERT OR IGNORE INTO entity (kind, norm, name) VALUES (?, ?, ?)", (kind, name, name)
        )
        return int(
            self.connection.execute("SELECT id FROM entity WHERE kind = ? AND norm = ?", (kind, name)).get
        )

    def add(
        self,
        name: object,
        start: float,
        end: float | None = None,
        *,
        approx: bool = False,
        kind: str = "window",
        files: Iterable[str] = (),
        **entities: str,
    ) -> int:
        """An event of that name at `start` seconds; `app="vim"` and the like are what it touches."""
        columns = {what: self.entity(what, value) for what, value in entities.items()}
        self.connection.execute(
            f"""INSERT INTO event (key, kind, start, end, approx, device{"".join(f", {c}" for c in columns)})
            VALUES (?, ?, ?, ?, ?, 1{", ?" * len(columns)})""",
            (key(name), kind, _us(start), None if end is None else _us(end), approx, *columns.values()),
        )
        id_ = self.connection.last_insert_rowid()
        self._index_words(id_)
        for file in files:
            self.connection.execute(
                "INSERT INTO event_entity VALUES (?, ?, ?)", (self.entity("file", file), _us(start), id_)
            )
        if self._quick:
            self.joining.append(id_)
        else:
            self.touched.append((_us(start), _us(start if end is None else end)))
        return id_

    def _index_words(self, id_: int) -> None:
        self.connection.execute(
            """INSERT INTO event_words (rowid, title, text, words)
            SELECT id, title, text, words FROM event WHERE id = ?""",
            (id_,),
        )

    def grow(self, name: object, end: float) -> None:
        """The end of an open span moves on."""
        id_, start, old = self._place(name)
        if max(start, old or start) < _us(end):
            self.connection.execute("UPDATE event SET end = ? WHERE id = ?", (_us(end), id_))
            if self._quick:
                self.joining.append(id_)
            else:
                self.touched.append((start, _us(end)))

    def change(self, name: object, start: float, end: float | None = None, *, approx: bool = False) -> None:
        """Anything about its time may change."""
        id_, old_start, old_end = self._place(name)
        self.connection.execute(
            "UPDATE event SET start = ?, end = ?, approx = ? WHERE id = ?",
            (_us(start), None if end is None else _us(end), approx, id_),
        )
        self.connection.execute("UPDATE event_entity SET start = ? WHERE event = ?", (_us(start), id_))
        if _us(start) != old_start:
            self.connection.execute("INSERT INTO change (what, event) VALUES ('edit', ?)", (id_,))
        self.touched.append((old_start, max(old_start, old_end or old_start)))
        self.touched.append((_us(start), _us(start if end is None else end)))

    def retell(self, name: object, **entities: str) -> None:
        """What an event touches is told better."""
        id_, _, _ = self._place(name)
        for what, value in entities.items():
            self.connection.execute(
                f"UPDATE event SET {what} = ? WHERE id = ?", (self.entity(what, value), id_)
            )
        self.connection.execute("INSERT INTO change (what, event) VALUES ('edit', ?)", (id_,))

    def delete(self, name: object) -> None:
        id_, start, end = self._place(name)
        self.connection.execute("DELETE FROM event_entity WHERE event = ?", (id_,))
        self.connection.execute("DELETE FROM event WHERE id = ?", (id_,))
        self.connection.execute("INSERT INTO change (what, event) VALUES ('delete', ?)", (id_,))
        self.touched.append((start, max(start, end or start)))

    def restore(self, row: tuple) -> None:
        """A deleted event comes back with its id, as an undo does it."""
        columns = [name for _, name, *_ in self.connection.execute("PRAGMA table_info(event)")]
        values = dict(zip(columns, row, strict=True)) | {"session": None}
        self.connection.execute(
            f"INSERT INTO event ({', '.join(values)}) VALUES ({', '.join('?' * len(values))})",
            tuple(values.values()),
        )
        self._index_words(values["id"])
        self.connection.execute("INSERT INTO change (what, event) VALUES ('edit', ?)", (values["id"],))
        self.joining.append(values["id"])

    def gap(self, start: float, end: float | None, reason: str) -> None:
        self.connection.execute(
            "INSERT OR REPLACE INTO gap VALUES (1, ?, ?, ?)", (_us(start), _us(end or start), reason)
        )
        self.touched.append((_us(start), _us(end or start)))

    def pause(self, start: float) -> None:
        self.connection.execute("INSERT INTO pause (start) VALUES (?)", (_us(start),))
        self.touched.append((_us(start), _us(start)))

    def delete_gap(self, start: float, reason: str) -> None:
        self.connection.execute("DELETE FROM gap WHERE start = ? AND reason = ?", (_us(start), reason))
        self.touched.append((_us(start), _us(start)))

    def keep_sessions(self, gap_us: int = GAP) -> None:
        chain.maintain(self.connection, self.touched, gap_us, joining=self.joining)
        self.touched, self.joining = [], []

    def sessions(self) -> list[Shown]:
        """(first event's key, keys of the members in order, start, end, ended by), as the rows say."""
        return [
            (self._key(first), tuple(self._members(id_)), start, end, ended_by)
            for id_, first, start, end, ended_by in self.connection.execute(
                "SELECT id, first_event, start, end, ended_by FROM session ORDER BY start"
            )
        ]

    def sessions_of_all(self, gap_us: int = GAP) -> list[Shown]:
        """The same, cut anew from everything there is."""
        spans = [
            Span(start, key_, end, bool(approx))
            for start, key_, end, approx in self.connection.execute(
                "SELECT start, key, max(start, coalesce(end, start)), approx FROM event"
            )
        ]
        breaks = [
            Break(start, reason)
            for start, reason in self.connection.execute("SELECT start, reason FROM gap")
            if reason in ENDING_REASONS
        ]
        breaks += [Break(start, "paused") for (start,) in self.connection.execute("SELECT start FROM pause")]
        return [
            (one.first.key, tuple(span.key for span in sorted(one.members)), one.start, one.end, one.ended_by)
            for one in cut(spans, breaks, gap_us)
        ]

    def miscounted(self) -> int:
        """Sessions whose `events` is not how many they have, and events whose session is not there."""
        return int(
            self.connection.execute(
                """SELECT (SELECT count(*) FROM session WHERE events !=
                    (SELECT count(*) FROM event WHERE event.session = session.id))
                + (SELECT count(*) FROM event WHERE session IS NOT NULL
                    AND session NOT IN (SELECT id FROM session))"""
            ).get
        )

    def _place(self, name: object) -> tuple[int, int, int | None]:
        row = self.connection.execute(
            "SELECT id, start, end FROM event WHERE key = ?", (key(name),)
        ).fetchone()
        return row[0], row[1], row[2]

    def _key(self, id_: int) -> bytes:
        return bytes(self.connection.execute("SELECT key FROM event WHERE id = ?", (id_,)).get)

    def _members(self, session: int) -> list[bytes]:
        rows = self.connection.execute(
            "SELECT key FROM event WHERE session = ? ORDER BY start, key", (session,)
        )
        return [key_ for (key_,) in rows]


def _us(seconds: float) -> int:
    return round(seconds * SECOND)
