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

STEP = 1_000
"""Events that one transaction of a forget removes: others write in between, and the log stays short."""
_CHUNK = 500
_MERGED_PAGES = 500
_FREED_PAGES = 500
_UNDOABLE = """SELECT forget_batch.id FROM forget_batch JOIN set_aside ON set_aside.batch = forget_batch.id
    WHERE forget_batch.state = 'hidden'"""
_DUE = "state = 'hidden' AND at < ?"
_LEFT = "SELECT id, events FROM to_forget WHERE batch = ? ORDER BY id LIMIT 1"
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


class Forget:
    """One forget on its way, a step of it in each of the caller's transactions; it can be undone until `purge`."""

    def __init__(self, batch: int, *, undoable: bool) -> None:
        self.more = True
        self.removed = Removed(batch=batch, texts=0, vectors=0)
        self._undoable = undoable

    def step(self, connection: apsw.Connection, now: int) -> list[Found]:
        """Remove some of the events; which."""
        some = self._next(connection)
        ids = [id_ for id_, _, _ in some]
        if self._undoable and ids:
            _set_aside(connection, self.removed.batch, ids)
        for at in range(0, len(ids), _CHUNK):
            self._remove(connection, ids[at : at + _CHUNK])
        self.more = one(connection, _LEFT, (self.removed.batch,)) is not None
        if not self.more:
            self._finish(connection, now)
        return some

    def _next(self, connection: apsw.Connection) -> list[Found]:
        row = one(connection, _LEFT, (self.removed.batch,))
        if row is None:
            return []
        connection.execute("DELETE FROM to_forget WHERE id = ?", (row[0],))
        return rows(
            connection,
            """SELECT id, start, coalesce(end, start) FROM event
            WHERE id IN (SELECT value FROM json_each(?))""",
            (row[1],),
        )

    def _remove(self, connection: apsw.Connection, ids: Sequence[int]) -> None:
        named = _names_of(connection, ids)
        before, batch = self.removed, self.removed.batch
        texts, vectors = remove(connection, ids, batch)
        self.removed = Removed(batch=batch, texts=before.texts + texts, vectors=before.vectors + vectors)
        _drop_unused_of(connection, named)

    def _finish(self, connection: apsw.Connection, now: int) -> None:
        project_book.drop_unused(connection)
        connection.execute(
            "UPDATE forget_batch SET at = ?, state = ? WHERE id = ?",
            (now, "hidden" if self._undoable else "purged", self.removed.batch),
        )


def begin(
    connection: apsw.Connection, found: Sequence[Found], query: Query, now: int, *, seal: Seal, undoable: bool
) -> Forget:
    """Forget these events within the caller's transactions; while `undoable`, they are set aside."""
    connection.execute(
        "INSERT INTO forget_batch (at, state, events) VALUES (?, 'hidden', ?)", (now, len(found))
    )
    batch = connection.last_insert_rowid()
    ids = [id_ for id_, _, _ in found]
    connection.executemany(
        "INSERT INTO to_forget (batch, undoable, events) VALUES (?, ?, ?)",
        [(batch, undoable, json.dumps(ids[at : at + STEP])) for at in range(0, len(ids), STEP)],
    )
    _bar_late_flushes(connection, query, now, batch, seal)
    want_scrub(connection)
    return Forget(batch, undoable=undoable)


def unfinished(connection: apsw.Connection) -> list[Forget]:
    """The forgets that something ended half way."""
    found = rows(connection, "SELECT DISTINCT batch, undoable FROM to_forget ORDER BY batch")
    return [Forget(batch, undoable=bool(undoable)) for batch, undoable in found]


def can_be_undone(connection: apsw.Connection, batch: int) -> bool:
    row = one(connection, f"{_UNDOABLE} AND forget_batch.id = ? LIMIT 1", (batch,))
    return row is not None


def take_back(connection: apsw.Connection, batch: int) -> list[Incoming] | None:
    """Undo a step of a forget within the caller's transaction: the events to store again; None: that was all."""
    row = one(connection, "SELECT id, events FROM set_aside WHERE batch = ? ORDER BY id LIMIT 1", (batch,))
    connection.execute("DELETE FROM forgotten_interval WHERE batch = ?", (batch,))
    connection.execute("DELETE FROM to_forget WHERE batch = ?", (batch,))
    if row is None:
        connection.execute("DELETE FROM tombstone WHERE batch = ?", (batch,))
        connection.execute("UPDATE forget_batch SET state = 'undone' WHERE id = ?", (batch,))
        return None
    incoming = [_incoming(kept) for kept in json.loads(row[1])]
    connection.executemany(
        "DELETE FROM tombstone WHERE key = ? AND batch = ?",
        [(key, batch) for item in incoming for key in (item.key, *item.keys)],
    )
    connection.execute("DELETE FROM set_aside WHERE id = ?", (row[0],))
    return incoming


def last_undoable(connection: apsw.Connection) -> int | None:
    row = one(connection, f"{_UNDOABLE} ORDER BY forget_batch.id DESC LIMIT 1")
    return None if row is None else int(row[0])


def is_due(connection: apsw.Connection, before: int) -> bool:
    """Whether `purge` would find something."""
    return one(connection, f"SELECT 1 FROM forget_batch WHERE {_DUE}", (before,)) is not None


def is_aside(connection: apsw.Connection) -> bool:
    """Whether something can still be undone."""
    return one(connection, f"{_UNDOABLE} LIMIT 1") is not None


def purge(connection: apsw.Connection, before: int) -> int:
    """End the batches that were forgotten before this time (µs): they cannot be undone any more; how many."""
    connection.execute(f"UPDATE forget_batch SET state = 'purged' WHERE {_DUE}", (before,))
    count = connection.changes()
    connection.execute(
        "DELETE FROM set_aside WHERE batch NOT IN (SELECT id FROM forget_batch WHERE state = 'hidden')"
    )
    return count


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


def _set_aside(connection: apsw.Connection, batch: int, ids: Sequence[int]) -> None:
    kept = [_kept(connection, id_) for id_ in ids]
    connection.execute(
        "INSERT INTO set_aside (batch, events) VALUES (?, ?)", (batch, json.dumps(kept, ensure_ascii=False))
    )


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


def scrub(connection: apsw.Connection) -> Iterator[None]:
    """Outside a transaction, by steps: bring all deletions into the log, and give back free pages."""
    pages = -_MERGED_PAGES  # all segments of the index into one, as `optimize` does at once
    while True:
        before = connection.total_changes()
        connection.execute("INSERT INTO event_words (event_words, rank) VALUES ('merge', ?)", (pages,))
        yield
        if connection.total_changes() - before < 2:  # as FTS5 says that there was nothing to do
            break
        pages = _MERGED_PAGES
    while one(connection, "PRAGMA freelist_count")[0]:
        connection.execute(f"PRAGMA incremental_vacuum({_FREED_PAGES})").fetchall()  # one page with each row
        yield


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
