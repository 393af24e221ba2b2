"""Topics as they were last found, and the names that the user gave them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import apsw

from desktop_memory.model import Entity


class TopicRow(NamedTuple):
    """`name` is the user's or empty; `run` the day it was last found; `entities` are the heaviest first."""

    id: int
    name: str
    run: int
    entities: tuple[Entity, ...]
    weight: float


def read(connection: apsw.Connection) -> list[TopicRow]:
    """All topics, those not found any more but named by the user among them; of each what may be shown."""
    shows = getattr(connection, "shows_name", None)
    members: dict[int, list[Entity]] = {}
    for topic, id_, kind, name in connection.execute(
        """SELECT topic, entity.id, entity.kind, entity.name FROM topic_entity
        JOIN entity ON entity.id = topic_entity.entity ORDER BY topic, weight DESC, entity.id"""
    ):
        if shows is None or shows(kind, name):
            members.setdefault(topic, []).append(Entity(id=id_, kind=kind, name=name))
    rows = connection.execute(
        """SELECT id, name, run, coalesce((SELECT sum(weight) FROM topic_entity WHERE topic = topic.id), 0)
        FROM topic ORDER BY id"""
    )
    return [TopicRow(id_, name, run, tuple(members.get(id_, ())), weight) for id_, name, run, weight in rows]


def kinds(connection: apsw.Connection) -> dict[int, str]:
    """Each entity's kind."""
    return {int(id_): str(kind) for id_, kind in connection.execute("SELECT id, kind FROM entity")}


def last_run(connection: apsw.Connection) -> int:
    """The day (since 1970) on which topics were last sought; 0 for never."""
    row = connection.execute("SELECT value FROM profile WHERE name = 'topics'").fetchone()
    return 0 if row is None else int(row[0])


def save(
    connection: apsw.Connection, found: Iterable[tuple[int | None, Mapping[int, float]]], run: int
) -> None:
    """Replace the topics by these, as (id of the old one or None, weight of each entity); named ones stay."""
    connection.execute("INSERT OR REPLACE INTO profile (name, value) VALUES ('topics', ?)", (run,))
    for old, entities in found:
        if old is None:
            connection.execute("INSERT INTO topic (run) VALUES (?)", (run,))
            old = connection.last_insert_rowid()
        connection.execute("UPDATE topic SET run = ? WHERE id = ?", (run, old))
        connection.execute("DELETE FROM topic_entity WHERE topic = ?", (old,))
        connection.executemany(
            "INSERT INTO topic_entity (topic, entity, weight) VALUES (?, ?, ?)",
            [(old, entity, weight) for entity, weight in entities.items()],
        )
    connection.execute("DELETE FROM topic WHERE run < ? AND name = ''", (run,))
    connection.execute("DELETE FROM topic_entity WHERE topic NOT IN (SELECT id FROM topic)")


def rename(connection: apsw.Connection, id_: int, name: str) -> bool:
    """Give a topic a name that sticks, an empty one takes it back; False when there is no such topic."""
    row = connection.execute("UPDATE topic SET name = ? WHERE id = ? RETURNING id", (name, id_)).fetchone()
    return row is not None


def entities_of(connection: apsw.Connection, events: Sequence[int]) -> list[int]:
    """What these events touch."""
    rows = connection.execute(
        """WITH chosen (id) AS (SELECT value FROM json_each(?))
        SELECT project FROM event WHERE id IN chosen UNION SELECT branch FROM event WHERE id IN chosen
        UNION SELECT domain FROM event WHERE id IN chosen
        UNION SELECT entity FROM event_entity WHERE event IN chosen""",
        (json.dumps(list(events)),),
    )
    return [int(id_) for (id_,) in rows if id_ is not None]
