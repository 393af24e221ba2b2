"""How much of each sort there is, in the graph's words: what the graph holds when it has come to the store's end."""

from __future__ import annotations

from collections.abc import Mapping

import apsw

from desktop_memory.store import feed

_COUNTS: Mapping[str, str] = {
    "Event": "SELECT count(*) FROM event",
    "Session": "SELECT count(*) FROM session",
    "Entity": "SELECT count(*) FROM entity WHERE kind <> 'repo'",
    "PREVIOUS": "SELECT max(0, count(*) - 1) FROM event",
    "IN_SESSION": "SELECT count(*) FROM event WHERE session IS NOT NULL",
    "ON_APP": "SELECT count(*) FROM event WHERE app IS NOT NULL",
    "IN_PROJECT": "SELECT count(*) FROM event WHERE project IS NOT NULL",
    "TOUCHED": "SELECT count(*) FROM event_entity JOIN entity ON entity.id = entity WHERE kind = 'file'",
    "VISITED": "SELECT count(*) FROM event WHERE url IS NOT NULL",
    "ON_DOMAIN": "SELECT count(*) FROM event WHERE domain IS NOT NULL",
    "ON_BRANCH": "SELECT count(*) FROM event WHERE branch IS NOT NULL",
    "IN_WORKSPACE": "SELECT count(*) FROM event_entity JOIN entity ON entity.id = entity WHERE kind = 'workspace'",
}


def counts(connection: apsw.Connection) -> dict[str, int]:
    """By node and edge; what goes together is not counted: that takes reading all of it."""
    return {name: int(connection.execute(sql).get) for name, sql in _COUNTS.items()}


def differs(connection: apsw.Connection, event: int, change: int, held: Mapping[str, int]) -> bool:
    """Whether a graph that has come to this event and change holds something else; never while there is more to come.

    What nothing leads to any more may stay in it as a node, so that things and sessions are not compared.
    """
    connection.execute("BEGIN")
    try:
        if (feed.last_arrival(connection), feed.last_change(connection)) != (event, change):
            return False
        wanted = counts(connection)
    finally:
        connection.execute("ROLLBACK")
    return any(held.get(name) != wanted[name] for name in wanted if name not in ("Session", "Entity"))
