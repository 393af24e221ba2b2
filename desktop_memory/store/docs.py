"""Between docs and events: which docs pass a query's filters, and the event that stands for a doc."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import apsw

from desktop_memory.model import Query
from desktop_memory.store.rows import Filter


def matching(connection: apsw.Connection, query: Query, limit: int) -> set[int] | None:
    """The docs of the events that pass the filters; None when there are more than `limit`."""
    filter_ = Filter(query).add("event.doc IS NOT NULL")
    found: set[int] = set()
    for (doc,) in connection.execute(f"SELECT event.doc FROM event WHERE {filter_.where}", filter_.values):
        found.add(doc)
        if len(found) > limit:
            return None
    return found


def newest_events(
    connection: apsw.Connection, docs: Iterable[tuple[int, float]], query: Query, limit: int
) -> list[tuple[int, float]]:
    """For each doc the newest event that passes the filters, with the doc's cosine; at most `limit`, nearest first."""
    filter_ = Filter(query)
    found: list[tuple[int, float]] = []
    for doc, cosine in docs:
        row = connection.execute(
            f"SELECT event.id FROM event WHERE event.doc = ? AND {filter_.where} ORDER BY event.start DESC LIMIT 1",
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
    return replace(query, text="", since=None, until=None, limit=20, offset=0, typing=False) == Query()
