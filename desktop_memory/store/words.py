"""The text lane: full text over titles, texts and names, and how rare a term is."""

from __future__ import annotations

from collections.abc import Sequence

import apsw

from collectors.event import Event
from desktop_memory.model import Query
from desktop_memory.store.rows import Filter

NEWEST_MATCHES = 20_000
"""BM25 ranks no more than this many of the newest matches: a common word would take 150 ms at a million events."""

_WORDS_LIMIT = 2_000


def found_by(event: Event, projects: Sequence[str] = ()) -> str:
    """What else an event is found by: app, what its project is called, branch, site, path, files, changed lines."""
    path = event.url.split("?", 1)[0].split("#", 1)[0]
    parts = (event.app, *(projects or (event.project,)), event.branch, event.domain, path, *event.files)
    names = " ".join(part for part in parts if part)[:_WORDS_LIMIT]
    return f"{names}\n{diff}" if (diff := event.details.get("diff")) else names


def matches(connection: apsw.Connection, match: str, query: Query, limit: int) -> list[tuple[int, float]]:
    """Event ids and their BM25 rank (lower is better), best first. `match` is FTS5 syntax, already quoted."""
    filter_ = Filter(query)
    joined = "JOIN event ON event.id = event_words.rowid" if filter_.conditions else ""
    rows = connection.execute(
        f"""SELECT found.rowid, found.rank FROM (
            SELECT event_words.rowid, bm25(event_words, 4.0, 2.0, 1.0) AS rank FROM event_words
            {joined}
            WHERE event_words MATCH ? AND {filter_.where}
            ORDER BY event_words.rowid DESC LIMIT {NEWEST_MATCHES}) AS found
        ORDER BY found.rank, found.rowid DESC LIMIT ?""",
        (match, *filter_.values, limit),
    )
    return [(id_, rank) for id_, rank in rows]


def frequencies(connection: apsw.Connection, terms: Sequence[str]) -> dict[str, int]:
    """In how many events each (folded, single) term stands."""
    found = {}
    for term in terms:
        row = connection.execute("SELECT doc FROM event_terms WHERE term = ?", (term,)).fetchone()
        found[term] = 0 if row is None else int(row[0])
    return found
