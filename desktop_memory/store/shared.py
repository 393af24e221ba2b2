"""What sharing keeps in the store: how far it has written and read, and what it must write next."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import apsw

from collectors.event import Gap, moment
from desktop_memory.model import Remembered
from desktop_memory.store import profile
from desktop_memory.store.connection import one, rows
from desktop_memory.store.exchange import Barred
from desktop_memory.store.rows import select

_TABLES = (
    "share_changed",
    "share_gone",
    "share_segment",
    "share_again",
    "share_read",
    "share_peer",
    "share_state",
)
_OPEN_FOR = 24 * 3_600 * 1_000_000
"""A span that is still open after a day (µs) will not be told again."""


@dataclass(frozen=True, slots=True)
class ToWrite:
    """The next events of ours to write: the first time up to id `until`, or again."""

    events: tuple[Remembered, ...]
    until: int
    again: tuple[int, ...] = ()


def state(connection: apsw.Connection) -> dict[str, Any]:
    """What is agreed with the folder; empty when nothing is shared."""
    return dict(rows(connection, "SELECT name, value FROM share_state"))


def keep(connection: apsw.Connection, **values: Any) -> None:
    connection.executemany("INSERT OR REPLACE INTO share_state (name, value) VALUES (?, ?)", values.items())


def reset(connection: apsw.Connection) -> None:
    """Share nothing any more, within the caller's transaction; what was shared may be shared anew."""
    for table in _TABLES:
        connection.execute(f"DELETE FROM {table}")
    connection.execute("UPDATE forget_batch SET shared = 0")


def new_events(connection: apsw.Connection, after: int, now: int, limit: int) -> ToWrite:
    """Events of ours that were never written. What comes after a span that is still open waits for its end."""
    last = one(connection, "SELECT max(id) FROM event")[0] or 0
    open_ = one(
        connection,
        """SELECT min(id) FROM event WHERE open AND id > ? AND start > ?
        AND device NOT IN (SELECT device FROM share_peer)""",
        (after, now - _OPEN_FOR),
    )[0]
    until = last if open_ is None else open_ - 1
    found = select(
        connection,
        """WHERE event.id > ? AND event.id <= ? AND event.device NOT IN (SELECT device FROM share_peer)
        ORDER BY event.id LIMIT ?""",
        (after, until, limit),
        all_of_them=True,
    )
    return ToWrite(tuple(found), found[-1].id if len(found) == limit else max(after, until))


def count_new(connection: apsw.Connection) -> int:
    """How many events of ours were never written."""
    (count,) = one(
        connection,
        """SELECT count(*) FROM event WHERE id > coalesce((SELECT value FROM share_state WHERE name = 'events'), 0)
        AND device NOT IN (SELECT device FROM share_peer)""",
    )
    return int(count)


def changed_events(connection: apsw.Connection, written: int, limit: int) -> ToWrite:
    """Events of ours that were written, up to this id, and changed since."""
    ids = [
        id_
        for (id_,) in rows(
            connection,
            """SELECT event FROM share_changed JOIN event ON event.id = share_changed.event
            WHERE event.id <= ? AND NOT event.open AND event.device NOT IN (SELECT device FROM share_peer)
            ORDER BY event LIMIT ?""",
            (written, limit),
        )
    ]
    found = select(
        connection,
        "WHERE event.id IN (SELECT value FROM json_each(?))",
        (json.dumps(ids),),
        all_of_them=True,
    )
    return ToWrite(tuple(found), written, tuple(ids))


def to_write_again(connection: apsw.Connection) -> bool:
    """Whether an event changed since it was written, whoever's it is."""
    return bool(one(connection, "SELECT EXISTS (SELECT 1 FROM share_changed)")[0])


def to_empty(connection: apsw.Connection) -> bool:
    """Whether an event is gone whose line may still stand in a segment."""
    return bool(one(connection, "SELECT EXISTS (SELECT 1 FROM share_gone)")[0])


def drop_others_changes(connection: apsw.Connection) -> None:
    """What changed of other devices' events is theirs to write."""
    connection.execute(
        """DELETE FROM share_changed WHERE event IN (SELECT share_changed.event FROM share_changed
        JOIN event ON event.id = share_changed.event WHERE event.device IN (SELECT device FROM share_peer))"""
    )


def forgotten(connection: apsw.Connection) -> tuple[list[int], Barred]:
    """Forgets that cannot be undone any more and are not written yet: their batches, keys and stretches."""
    batches = [
        id_
        for (id_,) in rows(connection, "SELECT id FROM forget_batch WHERE state = 'purged' AND NOT shared")
    ]
    these = json.dumps(batches)
    some = "(SELECT value FROM json_each(?))"
    keys = rows(connection, f"SELECT key FROM tombstone WHERE batch IN {some}", (these,))
    stretches = rows(
        connection, f"SELECT start, end, filter FROM forgotten_interval WHERE batch IN {some}", (these,)
    )
    return batches, Barred(keys=tuple(key for (key,) in keys), stretches=tuple(stretches))


def mark_forgets_shared(connection: apsw.Connection, batches: Iterable[int]) -> None:
    connection.executemany("UPDATE forget_batch SET shared = 1 WHERE id = ?", [(id_,) for id_ in batches])


def gaps_since(connection: apsw.Connection, device: int, end: int) -> list[Gap]:
    """This device's gaps that ended after this time (µs), by their end."""
    found = rows(
        connection,
        "SELECT start, end, reason FROM gap WHERE device = ? AND end > ? ORDER BY end LIMIT 5000",
        (device, end),
    )
    return [Gap(start=moment(start), end=moment(stop), reason=reason) for start, stop, reason in found]


def note_written(connection: apsw.Connection, segment: int, wrote: ToWrite) -> None:
    """These events stand in this segment."""
    if wrote.again:
        connection.executemany(
            "INSERT OR IGNORE INTO share_again (event, segment) VALUES (?, ?)",
            [(id_, segment) for id_ in wrote.again],
        )
        connection.executemany("DELETE FROM share_changed WHERE event = ?", [(id_,) for id_ in wrote.again])
    elif wrote.events:
        connection.execute(
            """INSERT INTO share_segment (number, first, last) VALUES (?, ?, ?)
            ON CONFLICT (number) DO UPDATE SET last = excluded.last""",
            (segment, wrote.events[0].id, wrote.events[-1].id),
        )


def segments_with_gone(connection: apsw.Connection) -> list[int]:
    """Our segments in which events stand that are gone from the memory."""
    found = rows(
        connection,
        """SELECT number FROM share_segment WHERE EXISTS
            (SELECT 1 FROM share_gone WHERE event BETWEEN first AND last)
        UNION SELECT segment FROM share_again JOIN share_gone USING (event)""",
    )
    return sorted(int(number) for (number,) in found)


def gone_done(connection: apsw.Connection) -> None:
    connection.execute("DELETE FROM share_again WHERE event IN (SELECT event FROM share_gone)")
    connection.execute("DELETE FROM share_gone")


def is_known(connection: apsw.Connection, key: bytes) -> bool:
    """Whether an event has this key."""
    found = one(
        connection,
        "SELECT EXISTS (SELECT 1 FROM event WHERE key = ?1) OR EXISTS (SELECT 1 FROM alias WHERE key = ?1)",
        (key,),
    )
    return bool(found[0])


def read_so_far(connection: apsw.Connection, device: str) -> dict[int, tuple[str, int]]:
    """What is known of a device's segments: number → (stamp, lines)."""
    found = rows(connection, "SELECT number, stamp, lines FROM share_read WHERE device = ?", (device,))
    return {number: (stamp, lines) for number, stamp, lines in found}


def note_read(connection: apsw.Connection, device: str, number: int, stamp: str, lines: int) -> None:
    connection.execute(
        "INSERT OR REPLACE INTO share_read (device, number, stamp, lines) VALUES (?, ?, ?, ?)",
        (device, number, stamp, lines),
    )


def add_peers(connection: apsw.Connection, devices: Iterable[str]) -> None:
    """These devices write their own events into the folder."""
    for device in devices:
        connection.execute(
            "INSERT OR IGNORE INTO share_peer (device) VALUES (?)", (profile.device_id(connection, device),)
        )
