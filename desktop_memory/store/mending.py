"""Puts right what `consistency` finds: nothing leads to what is lost, every event has its text and its session."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import apsw

from collectors.event import microseconds
from desktop_memory.pipeline.coalesce import embedding_text
from desktop_memory.store import chain, models
from desktop_memory.store.connection import one, rows
from desktop_memory.store.consistency import HOMELESS, LEFTOVERS, LINKS, MISDATED, SESSIONS, astray, missing
from desktop_memory.store.docs import doc_for, text_hash
from desktop_memory.store.models import StoredModel
from desktop_memory.store.rows import month_of, select

_CHUNK = 2_000
_EDITED = "INSERT INTO change (what, event) SELECT 'edit', id FROM event WHERE"


def mend(connection: apsw.Connection, idle_gap_us: int) -> None:
    """Within the caller's transaction. The projections hear of every event that changes."""
    connection.execute("DELETE FROM doc WHERE text NOT IN (SELECT id FROM text)")
    _link_to_what_is_there(connection)
    _known_devices(connection)
    write_texts(connection, missing("doc", "doc"))
    for leftover in LEFTOVERS:
        connection.execute(f"DELETE FROM {leftover.table} WHERE {leftover.where}")
    _date_links(connection)
    _cut_sessions(connection, idle_gap_us)
    for model in models.models(connection):
        _match_vectors(connection, model)


def _link_to_what_is_there(connection: apsw.Connection) -> None:
    """Events and pins let go of what is lost."""
    for column, table in (*((column, "entity") for column in LINKS), ("place", "place")):
        lost = missing(column, table)
        connection.execute(f"{_EDITED} {lost}")
        connection.execute(f"UPDATE event SET {column} = NULL WHERE {lost}")
    connection.execute(f"UPDATE pin SET event = NULL WHERE {missing('event', 'event')}")


def _known_devices(connection: apsw.Connection) -> None:
    """Events of a device that is lost are this one's."""
    mine = one(
        connection, "SELECT device.id FROM device JOIN profile ON value = uuid WHERE profile.name = 'device'"
    )
    for (lost,) in rows(
        connection, "SELECT DISTINCT device FROM event WHERE device NOT IN (SELECT id FROM device)"
    ):
        if mine is None:
            connection.execute("INSERT INTO device (id, uuid) VALUES (?, 'lost ' || ?)", (lost, lost))
        else:
            connection.execute("UPDATE event SET device = ? WHERE device = ?", (mine[0], lost))


def write_texts(connection: apsw.Connection, which: str) -> None:
    """What is embedded is made of these events again."""
    ids = [id_ for (id_,) in rows(connection, f"SELECT id FROM event WHERE {which}")]
    for at in range(0, len(ids), _CHUNK):
        for event in _events(connection, ids[at : at + _CHUNK]):
            body = embedding_text(event)
            month = month_of(microseconds(event.start))
            doc = doc_for(connection, body, text_hash(body), month) if body else None
            connection.execute("UPDATE event SET doc = ? WHERE id = ?", (doc, event.id))


def _events(connection: apsw.Connection, ids: Iterable[int]) -> list[Any]:
    wanted = ", ".join(str(id_) for id_ in ids)
    return select(connection, f"WHERE event.id IN ({wanted})")


def _date_links(connection: apsw.Connection) -> None:
    if one(connection, MISDATED)[0]:
        connection.execute(
            """INSERT OR IGNORE INTO event_entity (entity, start, event) SELECT entity, event.start, event.id
            FROM event_entity JOIN event ON event.id = event_entity.event
            WHERE event_entity.start <> event.start"""
        )
        connection.execute(
            """DELETE FROM event_entity
            WHERE start <> (SELECT event.start FROM event WHERE event.id = event_entity.event)"""
        )


def _cut_sessions(connection: apsw.Connection, idle_gap_us: int) -> None:
    """Cut anew what is wrong, with its neighbours; everything if that was not enough."""
    span = "start, max(start, coalesce(end, start))"
    touched = rows(connection, f"SELECT {span} FROM event WHERE {HOMELESS}")
    touched += rows(connection, f"SELECT start, max(start, end) FROM session WHERE id IN ({SESSIONS})")
    touched += rows(connection, f"SELECT {span} FROM event WHERE session IN ({SESSIONS})")
    lost = missing("session", "session")
    connection.execute(f"{_EDITED} {lost}")
    connection.execute(f"UPDATE event SET session = NULL WHERE {lost}")
    chain.maintain(connection, touched, idle_gap_us)
    if touched and one(connection, SESSIONS) is not None:
        connection.execute(f"{_EDITED} session IS NOT NULL")
        connection.execute("UPDATE event SET session = NULL")
        connection.execute("DELETE FROM session")
        everything = one(connection, "SELECT min(start), max(max(start, coalesce(end, start))) FROM event")
        chain.maintain(connection, [everything], idle_gap_us)


def _match_vectors(connection: apsw.Connection, model: StoredModel) -> None:
    """Vectors that do not belong go; those that lack are made again, for the cursor goes back to the beginning."""
    wrong = [doc for (doc,) in rows(connection, astray(model))]
    try:
        with connection:
            for doc in wrong:
                connection.execute(f"DELETE FROM {model.table} WHERE doc = ?", (doc,))
                connection.execute(f"DELETE FROM {model.codes} WHERE doc = ?", (doc,))
    except apsw.SQLError:  # sqlite-vec's own tables do not agree
        models.empty(connection, model)
    if wrong:
        models.move_cursor(connection, model, 0)
