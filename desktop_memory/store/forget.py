"""Forgetting: rows, words, texts, vectors and copies go; a keyed hash stays so that nothing comes back."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

import apsw

from collectors.event import microseconds
from desktop_memory.model import Query
from desktop_memory.store.connection import rows
from desktop_memory.store.events import drop_unused_docs
from desktop_memory.store.rows import Filter

_CHUNK = 500


def matching(connection: apsw.Connection, query: Query) -> list[tuple[int, int, int]]:
    """What a forget would remove: (id, start, latest end) in µs. A span that reaches into the window is in it."""
    filter_ = Filter(Query(kinds=query.kinds, app=query.app, project=query.project, domain=query.domain,
                           repo=query.repo, device=query.device, failed=query.failed))  # fmt: skip
    if query.since is not None:
        filter_.add("max(event.start, coalesce(event.end, event.start)) >= ?", microseconds(query.since))
    if query.until is not None:
        filter_.add("event.start < ?", microseconds(query.until))
    return rows(
        connection,
        f"SELECT event.id, event.start, coalesce(event.end, event.start) FROM event WHERE {filter_.where}",
        filter_.values,
    )


def forget(
    connection: apsw.Connection, found: Sequence[tuple[int, int, int]], query: Query, now: int
) -> dict[str, int]:
    """Remove these events within the caller's transaction; the receipt: batch, events, texts, vectors."""
    batch = _new_batch(connection, query, now, len(found))
    texts = vectors = 0
    for chunk in _chunks([row[0] for row in found]):
        ids = json.dumps(chunk)
        some = "(SELECT value FROM json_each(?))"
        docs = [doc for (doc,) in connection.execute(
            f"SELECT DISTINCT doc FROM event WHERE id IN {some} AND doc IS NOT NULL", (ids,))]  # fmt: skip
        connection.execute(
            """INSERT OR IGNORE INTO tombstone (key, batch)
            SELECT key, ?1 FROM event WHERE id IN (SELECT value FROM json_each(?2))
            UNION SELECT key, ?1 FROM alias WHERE event IN (SELECT value FROM json_each(?2))""",
            (batch, ids),
        )
        _scrub_copies(connection, set(chunk))
        for statement in (
            f"DELETE FROM alias WHERE event IN {some}",
            f"DELETE FROM event_entity WHERE event IN {some}",
            f"UPDATE pin SET event = NULL WHERE event IN {some}",
            f"DELETE FROM event WHERE id IN {some}",
            "INSERT INTO change (what, event) SELECT 'delete', value FROM json_each(?)",
        ):
            connection.execute(statement, (ids,))
        chunk_texts, chunk_vectors = drop_unused_docs(connection, docs)
        texts += chunk_texts
        vectors += chunk_vectors
    _drop_unused_entities(connection)
    _bar_late_flushes(connection, query, now, batch)
    return {"batch": batch, "events": len(found), "texts": texts, "vectors": vectors}


def scrub(connection: apsw.Connection) -> None:
    """Outside a transaction: bring the deletions into the file itself and give back its free pages."""
    connection.execute("INSERT INTO event_words (event_words) VALUES ('optimize')")
    connection.execute("PRAGMA incremental_vacuum")
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _new_batch(connection: apsw.Connection, query: Query, now: int, events: int) -> int:
    connection.execute(
        "INSERT INTO forget_batch (at, state, filter, events) VALUES (?, 'purged', ?, ?)",
        (now, json.dumps(_plain(query)), events),
    )
    return connection.last_insert_rowid()


def _bar_late_flushes(connection: apsw.Connection, query: Query, now: int, batch: int) -> None:
    """What a browser or shell writes later about the forgotten stretch is dropped too."""
    if query.since is None:
        return
    until = now if query.until is None else min(now, microseconds(query.until))
    plain = _plain(query)
    names = {name: plain[name] for name in ("app", "domain", "project", "repo") if plain.get(name)}
    if query.kinds:
        names["kind"] = list(query.kinds)
    connection.execute(
        "INSERT INTO forgotten_interval (start, end, filter, batch) VALUES (?, ?, ?, ?)",
        (microseconds(query.since), until, json.dumps(names), batch),
    )


def _plain(query: Query) -> dict[str, Any]:
    return {
        "kinds": list(query.kinds),
        "app": query.app,
        "domain": query.domain,
        "project": query.project,
        "repo": query.repo,
        "since": None if query.since is None else microseconds(query.since),
        "until": None if query.until is None else microseconds(query.until),
    }


def _scrub_copies(connection: apsw.Connection, gone: set[int]) -> None:
    """A saved copy keeps its numbers; the text of a forgotten source goes."""
    for id_, raw in rows(connection, "SELECT id, sources FROM copy"):
        sources = json.loads(raw)
        touched = [source for source in sources if source["event"] in gone]
        if touched:
            for source in touched:
                source["text"] = ""
            connection.execute("UPDATE copy SET sources = ? WHERE id = ?", (json.dumps(sources), id_))


def _drop_unused_entities(connection: apsw.Connection) -> None:
    columns = ("app", "project", "repo", "branch", "url", "domain")
    used = " UNION ".join(f"SELECT {column} FROM event WHERE {column} IS NOT NULL" for column in columns)
    connection.execute(f"DELETE FROM entity WHERE id NOT IN ({used} UNION SELECT entity FROM event_entity)")


def _chunks(ids: Sequence[int]) -> Iterator[list[int]]:
    for at in range(0, len(ids), _CHUNK):
        yield list(ids[at : at + _CHUNK])
