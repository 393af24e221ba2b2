"""Texts and the docs they make, a doc a month; which docs pass a query's filters, and which event stands for one."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable

import apsw

from desktop_memory.model import Query
from desktop_memory.store.profile import KEY_BYTES
from desktop_memory.store.rows import Filter


def text_hash(body: str) -> bytes:
    """What two equal texts share."""
    return hashlib.sha256(body.encode("utf-8", "replace")).digest()[:KEY_BYTES]


def doc_for(connection: apsw.Connection, body: str, hash_: bytes, month: int) -> int:
    """The doc of this text in this month, made when there is none; within the caller's transaction."""
    text, doc = connection.execute(
        "SELECT id, (SELECT doc.id FROM doc WHERE text = text.id AND month = ?) FROM text WHERE hash = ?",
        (month, hash_),
    ).fetchone() or (None, None)
    if text is None:
        connection.execute("INSERT INTO text (hash, body) VALUES (?, ?)", (hash_, body))
        text = connection.last_insert_rowid()
    if doc is None:
        connection.execute("INSERT INTO doc (text, month) VALUES (?, ?)", (text, month))
        doc = connection.last_insert_rowid()
    return int(doc)


def matching(connection: apsw.Connection, query: Query, limit: int | None = None) -> set[int] | None:
    """The docs of the events that pass the filters; None at once when more than `limit` events do."""
    filter_ = Filter(query)
    if limit is not None and filter_.lets_pass_more_than(connection, limit):
        return None
    # Without the +, SQLite may read all events by their docs instead of the few that pass.
    found = connection.execute(
        f"""SELECT json_group_array(doc) FROM (
            SELECT DISTINCT event.doc FROM event WHERE {filter_.where} AND +event.doc IS NOT NULL)""",
        filter_.values,
    ).get
    return set(json.loads(str(found)))


def newest_events(
    connection: apsw.Connection, docs: Iterable[tuple[int, float]], query: Query, limit: int
) -> list[tuple[int, float]]:
    """For each doc the newest event that passes the filters, with the doc's cosine; at most `limit`, nearest first."""
    filter_ = Filter(query)
    found: list[tuple[int, float]] = []
    for doc, cosine in docs:
        row = connection.execute(
            f"""SELECT event.id FROM event INDEXED BY event_doc
            WHERE event.doc = ? AND {filter_.where} ORDER BY event.start DESC LIMIT 1""",
            (doc, *filter_.values),
        ).fetchone()
        if row is not None:
            found.append((row[0], cosine))
            if len(found) == limit:
                break
    return found


def docs_of(connection: apsw.Connection, events: Iterable[int]) -> dict[int, int]:
    """The doc of each of these events that has one."""
    found = {}
    for event in events:
        row = connection.execute("SELECT doc FROM event WHERE id = ?", (event,)).fetchone()
        if row is not None and row[0] is not None:
            found[event] = row[0]
    return found


def only_times(query: Query) -> bool:
    """Whether the query filters by time and nothing else."""
    return not (
        query.kinds
        or query.app
        or query.project
        or query.domain
        or query.repo
        or query.device
        or query.failed
        or query.without
    )
