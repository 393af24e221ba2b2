"""The text lane: full text over titles, texts and names, and how rare a term is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import apsw

from collectors.event import Event
from desktop_memory.model import Query
from desktop_memory.store.rows import Filter

NEWEST_MATCHES = 10_000
"""BM25 ranks no more than this many of the newest matches: a common word would take 150 ms at a million events."""
FEW_EVENTS = 50_000
"""Up to so many events that pass a filter are gathered before the words are looked for: 10 ms for it at most."""
MOST_GATHERED = 400_000
"""Up to so many are gathered where the newest matches are not enough; of more, each match is looked up."""

_WORDS_LIMIT = 2_000


def found_by(event: Event, projects: Sequence[str] = ()) -> str:
    """What else an event is found by: app, what its project is called, branch, site, path, files, changed lines."""
    path = event.url.split("?", 1)[0].split("#", 1)[0]
    parts = (event.app, *(projects or (event.project,)), event.branch, event.domain, path, *event.files)
    names = " ".join(part for part in parts if part)[:_WORDS_LIMIT]
    return f"{names}\n{diff}" if (diff := event.details.get("diff")) else names


@contextmanager
def rewriting(connection: apsw.Connection) -> Iterator[None]:
    """Within the caller's transaction: what the index said before stays in the file until the next scrub.

    Twenty times as fast; for words that stand in the memory anyway, never for forgetting.
    """
    option = "INSERT INTO event_words (event_words, rank) VALUES ('secure-delete', ?)"
    connection.execute(option, (0,))
    yield
    connection.execute(option, (1,))


def matches(connection: apsw.Connection, match: str, query: Query, limit: int) -> list[tuple[int, float]]:
    """Event ids and their BM25 rank (lower is better), best first. `match` is FTS5 syntax, already quoted."""
    filter_ = Filter(query)
    if not filter_.conditions:
        return _ranked(connection, match, "1", (), limit)
    if filter_.lets_pass_more_than(connection, FEW_EVENTS):
        found = _passing_among_the_newest(connection, match, filter_, limit)
        if len(found) == limit:
            return found
        if filter_.lets_pass_more_than(connection, MOST_GATHERED):
            return _ranked(connection, match, filter_.where, filter_.values, limit, joined=_EACH_LOOKED_UP)
    bounds = _bounds(connection, filter_)
    return _ranked(connection, match, _among(filter_), (*bounds, *filter_.values), limit)


def _ranked(
    connection: apsw.Connection,
    match: str,
    condition: str,
    values: Sequence[Any],
    limit: int,
    joined: str = "",
) -> list[tuple[int, float]]:
    """The best of the newest matches that the condition lets pass."""
    rows = connection.execute(
        f"""SELECT found.rowid, found.rank FROM (
            SELECT event_words.rowid, bm25(event_words, 4.0, 2.0, 1.0) AS rank FROM event_words {joined}
            WHERE event_words MATCH ? AND {condition}
            ORDER BY event_words.rowid DESC LIMIT {NEWEST_MATCHES}) AS found
        ORDER BY found.rank, found.rowid DESC LIMIT ?""",
        (match, *values, limit),
    )
    return [(id_, rank) for id_, rank in rows]


def _passing_among_the_newest(
    connection: apsw.Connection, match: str, filter_: Filter, limit: int
) -> list[tuple[int, float]]:
    """Of the newest matches those that pass, looked up from the best one on until there are enough.

    Of what a filter lets pass by the ten thousand, enough is there as a rule.
    """
    rows = connection.execute(
        f"""SELECT found.rowid, found.rank FROM (
            SELECT newest.rowid, newest.rank FROM (
                SELECT event_words.rowid, bm25(event_words, 4.0, 2.0, 1.0) AS rank FROM event_words
                WHERE event_words MATCH ? ORDER BY event_words.rowid DESC LIMIT {NEWEST_MATCHES}) AS newest
            ORDER BY newest.rank, newest.rowid DESC LIMIT {NEWEST_MATCHES}) AS found
        CROSS JOIN event ON event.id = found.rowid WHERE {filter_.where} LIMIT ?""",
        (match, *filter_.values, limit),
    )
    return [(id_, rank) for id_, rank in rows]


_EACH_LOOKED_UP = "CROSS JOIN event ON event.id = event_words.rowid"
"""The words first: left to itself, SQLite may ask the index of words once for each event that passes."""


def _bounds(connection: apsw.Connection, filter_: Filter) -> tuple[int, int]:
    """The first and the last id that passes."""
    row: Any = connection.execute(
        f"SELECT min(event.id), max(event.id) FROM event WHERE {filter_.where}", filter_.values
    ).fetchone()
    return row[0] or 0, row[1] or 0


def _among(filter_: Filter) -> str:
    """Their ids are gathered once; the + keeps SQLite from asking for each of them."""
    return f"""event_words.rowid BETWEEN ? AND ?
        AND +event_words.rowid IN (SELECT event.id FROM event WHERE {filter_.where})"""


def frequencies(connection: apsw.Connection, terms: Sequence[str]) -> dict[str, int]:
    """In how many events each (folded, single) term stands."""
    found = {}
    for term in terms:
        row = connection.execute("SELECT doc FROM event_terms WHERE term = ?", (term,)).fetchone()
        found[term] = 0 if row is None else int(row[0])
    return found
