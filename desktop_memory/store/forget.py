"""Forgetting: rows, words, texts, vectors and copies go; a keyed hash stays so that nothing comes back."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import apsw

from collectors.event import microseconds
from desktop_memory.model import Query
from desktop_memory.records import event_from, event_record
from desktop_memory.store import copies, project_book
from desktop_memory.store.connection import one, rows
from desktop_memory.store.events import Incoming, drop_unused_docs
from desktop_memory.store.rows import Filter, by_ids

_CHUNK = 500
_NAMES = ("app", "domain", "project", "repo")
_INDEXED = ("app", "project", "branch", "url", "domain", "told")
_COLUMNS = (*_INDEXED, "repo")

Found = tuple[int, int, int]
"""An event's id, its start and its latest end in µs."""

Seal = Callable[[str], str]
"""The keyed hash of a name: enough to know it again, not to read it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Removed:
    """What a forget took away."""

    batch: int
    texts: int
    vectors: int


def matching(
    connection: apsw.Connection, query: Query, events: Sequence[int] = (), words: str = ""
) -> list[Found]:
    """What a forget would remove: these events, or all that pass the filters. A span that reaches in is in.

    `words` is FTS5 syntax, already quoted.
    """
    filter_ = Filter(Query(kinds=query.kinds, app=query.app, project=query.project, domain=query.domain,
                           repo=query.repo, device=query.device, failed=query.failed))  # fmt: skip
    if query.since is not None:
        filter_.add("max(event.start, coalesce(event.end, event.start)) >= ?", microseconds(query.since))
    if query.until is not None:
        filter_.add("event.start < ?", microseconds(query.until))
    if words:
        filter_.add("event.id IN (SELECT rowid FROM event_words WHERE event_words MATCH ?)", words)
    if events:
        filter_.add("event.id IN (SELECT value FROM json_each(?))", json.dumps(list(events)))
    return rows(
        connection,
        f"SELECT event.id, event.start, coalesce(event.end, event.start) FROM event WHERE {filter_.where}",
        filter_.values,
    )


def forget(
    connection: apsw.Connection, found: Sequence[Found], query: Query, now: int, *, seal: Seal, undoable: bool
) -> Removed:
    """Remove these events within the caller's transaction; while `undoable`, the batch keeps them aside."""
    ids = [id_ for id_, _, _ in found]
    kept = json.dumps([_kept(connection, id_) for id_ in ids], ensure_ascii=False) if undoable else ""
    state = "hidden" if undoable else "purged"
    connection.execute(
        "INSERT INTO forget_batch (at, state, events, kept) VALUES (?, ?, ?, ?)", (now, state, len(ids), kept)
    )
    batch = connection.last_insert_rowid()
    texts = vectors = 0
    for chunk in _chunks(ids):
        named = _names_of(connection, chunk)
        chunk_texts, chunk_vectors = remove(connection, chunk, batch)
        texts += chunk_texts
        vectors += chunk_vectors
        _drop_unused_of(connection, named)
    _bar_late_flushes(connection, query, now, batch, seal)
    project_book.drop_unused(connection)
    return Removed(batch=batch, texts=texts, vectors=vectors)


def take_back(connection: apsw.Connection, batch: int) -> list[Incoming] | None:
    """Undo a forget within the caller's transaction: the events to store again; None when it is too late."""
    row = one(connection, "SELECT kept FROM forget_batch WHERE id = ? AND state = 'hidden'", (batch,))
    if row is None:
        return None
    connection.execute("DELETE FROM tombstone WHERE batch = ?", (batch,))
    connection.execute("DELETE FROM forgotten_interval WHERE batch = ?", (batch,))
    connection.execute("UPDATE forget_batch SET state = 'undone', kept = '' WHERE id = ?", (batch,))
    return [_incoming(kept) for kept in json.loads(row[0])]


def last_undoable(connection: apsw.Connection) -> int | None:
    row = one(connection, "SELECT max(id) FROM forget_batch WHERE state = 'hidden'")
    return None if row is None or row[0] is None else int(row[0])


def is_due(connection: apsw.Connection, before: int) -> bool:
    """Whether `purge` would find something."""
    found = one(connection, "SELECT 1 FROM forget_batch WHERE state = 'hidden' AND at < ?", (before,))
    return found is not None


def is_aside(connection: apsw.Connection) -> bool:
    """Whether something can still be undone."""
    return one(connection, "SELECT 1 FROM forget_batch WHERE state = 'hidden'") is not None


def purge(connection: apsw.Connection, before: int) -> int:
    """Empty the batches that were forgotten before this time (µs): they cannot be undone any more; how many."""
    connection.execute(
        "UPDATE forget_batch SET state = 'purged', kept = '' WHERE state = 'hidden' AND at < ?", (before,)
    )
    return connection.changes()


def remove(connection: apsw.Connection, ids: Sequence[int], batch: int | None) -> tuple[int, int]:
    """Remove these events with all that is theirs alone; how many (texts, vectors). Their keys stay for a batch."""
    these = json.dumps(list(ids))
    some = "(SELECT value FROM json_each(?))"
    found = rows(
        connection, f"SELECT DISTINCT doc FROM event WHERE id IN {some} AND doc IS NOT NULL", (these,)
    )
    if batch is not None:
        connection.execute(
            """INSERT OR IGNORE INTO tombstone (key, batch)
            SELECT key, ?1 FROM event WHERE id IN (SELECT value FROM json_each(?2))
            UNION SELECT key, ?1 FROM alias WHERE event IN (SELECT value FROM json_each(?2))""",
            (batch, these),
        )
    copies.scrub(connection, set(ids))
    for statement in (
        f"DELETE FROM alias WHERE event IN {some}",
        f"DELETE FROM event_entity WHERE event IN {some}",
        f"UPDATE pin SET event = NULL WHERE event IN {some}",
        f"DELETE FROM event WHERE id IN {some}",
        "INSERT INTO change (what, event) SELECT 'delete', value FROM json_each(?)",
    ):
        connection.execute(statement, (these,))
    return drop_unused_docs(connection, [doc for (doc,) in found])


def _kept(connection: apsw.Connection, id_: int) -> dict[str, Any]:
    """All that storing the event again takes."""
    (event,) = by_ids(connection, [id_])
    record = event_record(event)
    (told,) = one(connection, "SELECT told FROM event WHERE id = ?", (id_,))
    if told is not None:  # stored again, it gets its project by the rules again
        record["project"] = project_book.label(connection, told)
    body = one(
        connection,
        "SELECT body FROM text WHERE id = (SELECT text FROM doc WHERE id = (SELECT doc FROM event WHERE id = ?))",
        (id_,),
    )
    aliases = rows(connection, "SELECT key FROM alias WHERE event = ?", (id_,))
    return {
        "event": record,
        "body": body[0] if body else "",
        "aliases": [key.hex() for (key,) in aliases],
    }


def _incoming(kept: dict[str, Any]) -> Incoming:
    return Incoming(
        event=event_from(kept["event"]),
        body=kept["body"],
        key=bytes.fromhex(kept["event"]["key"]),
        keys=tuple(bytes.fromhex(key) for key in kept["aliases"]),
    )


def want_scrub(connection: apsw.Connection) -> None:
    """Note, together with what was removed, that the file still holds it: a crash does not lose the note."""
    connection.execute("INSERT OR REPLACE INTO profile (name, value) VALUES ('scrub', 1)")


def scrub_wanted(connection: apsw.Connection) -> bool:
    return one(connection, "SELECT 1 FROM profile WHERE name = 'scrub'") is not None


def scrubbed(connection: apsw.Connection) -> None:
    connection.execute("DELETE FROM profile WHERE name = 'scrub'")


def scrub(connection: apsw.Connection) -> None:
    """Outside a transaction: bring the deletions into the log, the whole of them, and give back free pages."""
    connection.execute("INSERT INTO event_words (event_words) VALUES ('optimize')")
    connection.execute("PRAGMA incremental_vacuum").fetchall()  # gives back one page with each row


def _bar_late_flushes(connection: apsw.Connection, query: Query, now: int, batch: int, seal: Seal) -> None:
    """What a browser or shell writes later about the forgotten stretch is dropped too."""
    if query.since is None or query.text:
        return
    until = now if query.until is None else min(now, microseconds(query.until))
    names: dict[str, Any] = {name: seal(value) for name in _NAMES if (value := getattr(query, name))}
    if query.project:
        names["project"] = [seal(name) for name in project_book.every_name(connection, query.project)]
    if query.kinds:
        names["kind"] = list(query.kinds)
    connection.execute(
        "INSERT INTO forgotten_interval (start, end, filter, batch) VALUES (?, ?, ?, ?)",
        (microseconds(query.since), until, json.dumps(names), batch),
    )


def _names_of(connection: apsw.Connection, ids: Sequence[int]) -> str:
    """The entities of these events, and what was merged into them, as JSON."""
    these = "(SELECT value FROM json_each(?1))"
    own = " UNION ".join(
        f"SELECT {column} FROM event WHERE id IN {these} AND {column} IS NOT NULL" for column in _COLUMNS
    )
    found = rows(
        connection,
        f"""WITH RECURSIVE named (id) AS (
            {own} UNION SELECT entity FROM event_entity WHERE event IN {these}
            UNION SELECT project.entity FROM project JOIN named ON project.into_ = named.id
        ) SELECT id FROM named""",
        (json.dumps(list(ids)),),
    )
    return json.dumps([id_ for (id_,) in found])


def _drop_unused_of(connection: apsw.Connection, named: str) -> None:
    """Of these names, remove those that no event bears any more: what `drop_unused_entities` does for all."""
    bears = " OR ".join(f"EXISTS (SELECT 1 FROM event WHERE {column} = up.id)" for column in _INDEXED)
    connection.execute(
        f"""WITH RECURSIVE up (first, id) AS (
            SELECT value, value FROM json_each(?1)
            UNION SELECT up.first, project.into_ FROM up JOIN project ON project.entity = up.id
            WHERE project.into_ IS NOT NULL
        ) DELETE FROM entity WHERE id IN (SELECT value FROM json_each(?1)) AND id NOT IN (
            SELECT up.first FROM up JOIN entity ON entity.id = up.id WHERE {bears}
            OR entity.kind = 'repo' AND EXISTS (SELECT 1 FROM event WHERE repo = up.id)
            OR EXISTS (SELECT 1 FROM event_entity WHERE event_entity.entity = up.id)
            OR EXISTS (SELECT 1 FROM project_rule WHERE project_rule.project = up.id))""",
        (named,),
    )
    connection.execute(
        """DELETE FROM topic_entity WHERE entity IN (SELECT value FROM json_each(?))
        AND entity NOT IN (SELECT id FROM entity)""",
        (named,),
    )


def drop_unused_entities(connection: apsw.Connection) -> None:
    """Remove the names that no event bears any more."""
    used = " UNION ".join(f"SELECT {column} FROM event WHERE {column} IS NOT NULL" for column in _COLUMNS)
    connection.execute(
        f"""WITH RECURSIVE used (id) AS (
            {used} UNION SELECT entity FROM event_entity UNION SELECT project FROM project_rule
            UNION SELECT project.entity FROM project JOIN used ON project.into_ = used.id
        ) DELETE FROM entity WHERE id NOT IN (SELECT id FROM used WHERE id IS NOT NULL)"""
    )
    project_book.drop_unused(connection)
    connection.execute("DELETE FROM topic_entity WHERE entity NOT IN (SELECT id FROM entity)")


def _chunks(ids: Sequence[int]) -> Iterator[list[int]]:
    for at in range(0, len(ids), _CHUNK):
        yield list(ids[at : at + _CHUNK])
