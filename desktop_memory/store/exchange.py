"""What another memory hands over: its events under their own keys, and what it must never tell again."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import apsw

from collectors.event import Gap, moment
from desktop_memory.store.connection import rows
from desktop_memory.store.events import Incoming
from desktop_memory.store.rows import select

CHUNK = 1_000


@dataclass(frozen=True, kw_only=True, slots=True)
class Barred:
    """Keys of what was forgotten, and stretches (µs) in which nothing new may come: forgotten, or paused."""

    keys: tuple[bytes, ...] = ()
    stretches: tuple[tuple[int, int, str], ...] = ()


def events_of(connection: apsw.Connection) -> Iterator[list[Incoming]]:
    """All events in the order of arrival, by the thousand, with every key they are known by."""
    after = 0
    while found := select(connection, "WHERE event.id > ? ORDER BY event.id LIMIT ?", (after, CHUNK)):
        after = found[-1].id
        ids = [event.id for event in found]
        named = other_keys(connection, ids)
        told = _told_projects(connection, ids)
        yield [
            Incoming(
                event=replace(event, project=told.get(event.id, event.project)),
                body="",
                key=bytes.fromhex(event.key),
                keys=tuple(named.get(event.id, ())),
                device=event.device,
            )
            for event in found
        ]


def _told_projects(connection: apsw.Connection, events: Sequence[int]) -> dict[int, str]:
    """What the sources of these events tell of their projects, where rules and merges say otherwise."""
    return dict(
        rows(
            connection,
            """SELECT event.id, coalesce(entity.name, '') FROM event LEFT JOIN entity ON entity.id = event.told
            WHERE event.told IS NOT NULL AND event.id IN (SELECT value FROM json_each(?))""",
            (json.dumps(list(events)),),
        )
    )


def other_keys(connection: apsw.Connection, events: Sequence[int]) -> dict[int, list[bytes]]:
    """The keys that these events have beside their own."""
    found: dict[int, list[bytes]] = {}
    for id_, key in rows(
        connection,
        "SELECT event, key FROM alias WHERE event IN (SELECT value FROM json_each(?))",
        (json.dumps(list(events)),),
    ):
        found.setdefault(id_, []).append(key)
    return found


def gaps_of(connection: apsw.Connection) -> Iterator[tuple[str, list[Gap]]]:
    """Each device with the stretches in which it recorded nothing."""
    for id_, device in rows(connection, "SELECT id, uuid FROM device"):
        found = rows(connection, "SELECT start, end, reason FROM gap WHERE device = ?", (id_,))
        yield (
            device,
            [
                Gap(start=moment(start), end=None if end is None else moment(end), reason=reason)
                for start, end, reason in found
            ],
        )


def barred_in(connection: apsw.Connection) -> Barred:
    """What this memory keeps out. A pause that still lasts bars nothing elsewhere."""
    return Barred(
        keys=tuple(key for (key,) in rows(connection, "SELECT key FROM tombstone")),
        stretches=(
            *rows(connection, "SELECT start, end, filter FROM forgotten_interval"),
            *rows(connection, "SELECT start, end, '{}' FROM pause WHERE end IS NOT NULL"),
        ),
    )


def bar(connection: apsw.Connection, barred: Barred) -> None:
    """Keep out here what another memory keeps out, within the caller's transaction."""
    connection.executemany(
        "INSERT OR IGNORE INTO tombstone (key, batch) VALUES (?, NULL)", [(key,) for key in barred.keys]
    )
    for start, end, filter_ in barred.stretches:
        connection.execute(
            """INSERT INTO forgotten_interval (start, end, filter) SELECT ?1, ?2, ?3 WHERE NOT EXISTS
            (SELECT 1 FROM forgotten_interval WHERE start = ?1 AND end = ?2 AND filter = ?3)""",
            (start, end, filter_),
        )


def known_under(connection: apsw.Connection, keys: Sequence[bytes]) -> list[int]:
    """The events that have one of these keys."""
    found: set[int] = set()
    for key in keys:
        found |= {
            id_
            for (id_,) in rows(
                connection,
                "SELECT id FROM event WHERE key = ?1 UNION ALL SELECT event FROM alias WHERE key = ?1",
                (key,),
            )
        }
    return sorted(found)
