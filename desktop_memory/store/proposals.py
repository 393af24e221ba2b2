"""What AI clients propose to pin, and updates to the pins that were taken together and can be undone."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Literal, NamedTuple

import apsw

from collectors.event import microseconds, moment
from desktop_memory.errors import UsageError
from desktop_memory.store.connection import one, rows

MOST_WAITING = 50

State = Literal["waiting", "taken", "dropped"]

_COLUMNS = "id, kind, text, status, created, project, due, position, event"


class ProposalRow(NamedTuple):
    """`body` is the JSON that the client handed in."""

    id: int
    at: datetime
    client: str
    body: str
    state: str


def propose(connection: apsw.Connection, client: str, body: str, at: datetime) -> int:
    """Queue what a client would pin. Raises UsageError while too much of its own waits."""
    (waiting,) = one(
        connection, "SELECT count(*) FROM proposal WHERE client = ? AND state = 'waiting'", (client[:80],)
    )
    if waiting >= MOST_WAITING:
        raise UsageError(f"{waiting} proposals wait for the user already.", "Wait until some are decided.")
    connection.execute(
        "INSERT INTO proposal (at, client, body) VALUES (?, ?, ?)", (microseconds(at), client[:80], body)
    )
    return connection.last_insert_rowid()


def proposals(connection: apsw.Connection, state: str = "waiting") -> list[ProposalRow]:
    """Oldest first; with an empty state all of them."""
    found = rows(
        connection,
        "SELECT id, at, client, body, state FROM proposal WHERE ?1 = '' OR state = ?1 ORDER BY id",
        (state,),
    )
    return [ProposalRow(id_, moment(at), client, body, now) for id_, at, client, body, now in found]


def decide(connection: apsw.Connection, id_: int, state: State) -> None:
    """Take or drop a proposal that waits. Raises UsageError when it does not."""
    done = one(
        connection,
        "UPDATE proposal SET state = ? WHERE id = ? AND state = 'waiting' RETURNING id",
        (state, id_),
    )
    if done is None:
        raise UsageError(f"No proposal {id_} waits.", "`desktop-memory proposals` lists those that do.")


def pin_rows(connection: apsw.Connection, ids: Sequence[int]) -> list[list[Any]]:
    """These pins, whole, as `keep_batch` wants them."""
    found = rows(
        connection,
        f"SELECT {_COLUMNS} FROM pin WHERE id IN (SELECT value FROM json_each(?))",
        (json.dumps(list(ids)),),
    )
    return [list(row) for row in found]


def keep_batch(
    connection: apsw.Connection, before: Sequence[Sequence[Any]], added: Sequence[int], at: datetime,
    proposal: int | None,
) -> int:  # fmt: skip
    """Remember how the pins were; the batch's id, for `undo`."""
    connection.execute(
        "INSERT INTO pin_batch (at, proposal, before, added) VALUES (?, ?, ?, ?)",
        (microseconds(at), proposal, json.dumps(list(before)), json.dumps(list(added))),
    )
    return connection.last_insert_rowid()


def undo(connection: apsw.Connection, batch: int | None) -> int | None:
    """Make the pins what they were before a batch, the last one when none is named; how many it touched.

    None when there is no such batch or it is too late. A proposal that it came from waits again.
    """
    row = one(
        connection,
        "SELECT id, proposal, before, added FROM pin_batch WHERE id = coalesce(?, (SELECT max(id) FROM pin_batch))",
        (batch,),
    )
    if row is None:
        return None
    id_, proposal, before, added = row[0], row[1], json.loads(row[2]), json.loads(row[3])
    connection.executemany("DELETE FROM pin WHERE id = ?", [(pin,) for pin in added])
    connection.executemany(
        f"INSERT OR REPLACE INTO pin ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", before
    )
    connection.execute("UPDATE proposal SET state = 'waiting' WHERE id = ?", (proposal,))
    connection.execute("DELETE FROM pin_batch WHERE id = ?", (id_,))
    return len(before) + len(added)


def purge(connection: apsw.Connection, before: datetime) -> None:
    """End the time in which batches from before this moment can be undone."""
    connection.execute("DELETE FROM pin_batch WHERE at < ?", (microseconds(before),))
