"""Whether a file that SQLite finds sound says one thing everywhere: what leads to nothing, and what does not add up.

Each finding names rows, never what they say. `mending` puts right what is found here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import apsw

from desktop_memory.counting import counted
from desktop_memory.store import vectors
from desktop_memory.store.connection import one
from desktop_memory.store.models import StoredModel, models

_NO_EVENT = "event NOT IN (SELECT id FROM event)"
_NO_ENTITY = "NOT IN (SELECT id FROM entity)"


@dataclass(frozen=True, slots=True)
class Leftover:
    """Rows that nothing needs: what they are in words, their table, and which of its rows they are."""

    what: str
    table: str
    where: str


LEFTOVERS = (
    Leftover("name of no event", "alias", _NO_EVENT),
    Leftover("link of no event", "event_entity", f"{_NO_EVENT} OR entity {_NO_ENTITY}"),
    Leftover("use of no event", "usage", _NO_EVENT),
    Leftover(
        "text of a month that no event bears",
        "doc",
        "text NOT IN (SELECT id FROM text) OR id NOT IN (SELECT doc FROM event WHERE doc IS NOT NULL)",
    ),
    Leftover("text that no event bears", "text", "id NOT IN (SELECT text FROM doc)"),
    Leftover(
        "thing in no topic", "topic_entity", f"entity {_NO_ENTITY} OR topic NOT IN (SELECT id FROM topic)"
    ),
    Leftover("decision about no project", "project", f"entity {_NO_ENTITY}"),
    Leftover("name of no project", "project_name", f"project {_NO_ENTITY}"),
    Leftover("mark of no project", "project_mark", f"project {_NO_ENTITY}"),
    Leftover("folder of no project", "project_folder", f"project {_NO_ENTITY}"),
    Leftover("rule for no project", "project_rule", f"project {_NO_ENTITY}"),
)
"""In the order in which they are removed: a text goes when its last month went."""

LINKS = ("app", "project", "repo", "branch", "url", "domain")
"""Columns of an event that lead to an entity."""

SESSIONS = """SELECT session.id FROM session LEFT JOIN (
        SELECT session AS id, count(*) AS members,
            min(CASE WHEN NOT approx THEN start END) AS first,
            max(CASE WHEN NOT approx THEN max(start, coalesce(end, start)) END) AS last
        FROM event WHERE session IS NOT NULL GROUP BY session
    ) AS told ON told.id = session.id
    WHERE told.id IS NULL OR session.events <> told.members OR session.start IS NOT told.first
    OR session.end NOT BETWEEN session.start AND told.last
    OR NOT EXISTS (SELECT 1 FROM event WHERE event.id = session.first_event AND event.session = session.id
        AND NOT event.approx AND event.start = session.start)
    UNION SELECT id FROM (SELECT id, end, lead(start) OVER (ORDER BY start) AS following FROM session)
    WHERE following <= end"""
"""Sessions that are not what their events say. Whatever pause parted them: it may have been another one then."""

HOMELESS = (
    "(session IS NULL AND NOT approx) OR (session IS NOT NULL AND session NOT IN (SELECT id FROM session))"
)
"""Events without the session they must have."""

MISDATED = """SELECT count(*) FROM event_entity CROSS JOIN event ON event.id = event_entity.event
    WHERE event_entity.start <> event.start"""


def missing(column: str, table: str) -> str:
    """Rows whose `column` leads to a row of `table` that is not there."""
    # In SQL even NULL is not in an empty table.
    return f"{column} IS NOT NULL AND {column} NOT IN (SELECT id FROM {table})"


def findings(connection: apsw.Connection) -> list[str]:
    """What does not agree, a sentence each; empty when all is well. Reads every row once or twice."""
    return [
        *_leftovers(connection),
        *_links(connection),
        *_sessions(connection),
        *(found for model in models(connection) for found in _vectors(connection, model)),
    ]


def _leftovers(connection: apsw.Connection) -> Iterator[str]:
    for one_ in LEFTOVERS:
        if count := _count(connection, f"SELECT count(*) FROM {one_.table} WHERE {one_.where}"):
            yield f"{counted(count, 'row')} of {one_.table}: a {one_.what}."


def _links(connection: apsw.Connection) -> Iterator[str]:
    for column in LINKS:
        if count := _count(connection, f"SELECT count(*) FROM event WHERE {missing(column, 'entity')}"):
            yield f"{counted(count, 'event')} with a missing {column}."
    for column in ("place", "device", "doc"):
        if count := _count(connection, f"SELECT count(*) FROM event WHERE {missing(column, column)}"):
            yield f"{counted(count, 'event')} with a missing {column}."
    if count := _count(connection, f"SELECT count(*) FROM pin WHERE {missing('event', 'event')}"):
        yield f"{counted(count, 'pin')} with a missing event."
    if count := _count(connection, MISDATED):
        yield f"{counted(count, 'link')} of events at another time than the event."


def _sessions(connection: apsw.Connection) -> Iterator[str]:
    if count := _count(connection, f"SELECT count(*) FROM ({SESSIONS})"):
        yield f"{counted(count, 'session')} not as their events say."
    if count := _count(connection, f"SELECT count(*) FROM event WHERE {HOMELESS}"):
        yield f"{counted(count, 'event')} without a session."


def _vectors(connection: apsw.Connection, model: StoredModel) -> Iterator[str]:
    if count := _count(connection, f"SELECT count(*) FROM ({astray(model)})"):
        yield f"{counted(count, 'vector')} without a text."
    if not vectors.whole(connection, model):
        yield "Texts without the vector they had."


def astray(model: StoredModel) -> str:
    """A query for the docs of vectors that have no text, or lack the code that belongs to them, or are only a code."""
    held = f"(SELECT rowid FROM {model.table}_rowids)"
    return f"""SELECT rowid AS doc FROM {model.table}_rowids
        WHERE rowid NOT IN (SELECT id FROM doc) OR rowid NOT IN (SELECT doc FROM {model.codes})
        UNION SELECT doc FROM {model.codes} WHERE doc NOT IN (SELECT id FROM doc) OR doc NOT IN {held}"""


def _count(connection: apsw.Connection, sql: str) -> int:
    return int(one(connection, sql)[0])
