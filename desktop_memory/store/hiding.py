"""Which stored events the rules hide: kept, so that counts leave them out without judging each event again.

What is stored passed the rules of its time. When they change, events are judged anew, the newest first, a bounded batch
at a time; until then the old verdicts hold.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import apsw

from desktop_memory.store import feed
from desktop_memory.store.connection import one
from desktop_memory.store.rows import select

BATCH = 2_000
"""Events that are judged at a time: a tenth of a second."""

_NAMELESS = "(SELECT value FROM json_each(:names))"
_NAMED = f"""coalesce(event.app, 0) NOT IN {_NAMELESS} AND coalesce(event.domain, 0) NOT IN {_NAMELESS}
    AND coalesce(event.project, 0) NOT IN {_NAMELESS}"""
SHOWN = "event.id NOT IN (SELECT event FROM hidden)"
"""Holds for events that no rule hides, as far as they were judged."""


@dataclass(frozen=True, slots=True)
class Judged:
    """What the rules say of the events from `first` to `last`: these they hide."""

    first: int
    last: int
    hidden: Sequence[int]


def shown(without: Collection[int]) -> tuple[str, dict[str, str]]:
    """SQL that holds for events that may be counted, and its values: `without` are apps, sites and projects."""
    if not without:
        return SHOWN, {}
    return f"{SHOWN} AND {_NAMED}", {"names": json.dumps(list(without))}


def left(connection: apsw.Connection, rules: str) -> tuple[int, int] | None:
    """Events over the first id up to the second are still to be judged by these rules; None: by others so far."""
    row = one(connection, "SELECT floor, until FROM judging WHERE rules = ?", (rules,))
    return None if row is None else (int(row[0]), int(row[1]))


def begin(connection: apsw.Connection, rules: str) -> None:
    """From now on these rules are followed: all that is stored is to be judged by them."""
    _write(connection, rules, 0, feed.last_id(connection))


def judge(connection: apsw.Connection, floor: int, until: int) -> Judged:
    """The newest of these events, judged by what the connection shows."""
    found = select(
        connection,
        "WHERE event.id > ? AND event.id <= ? ORDER BY event.id DESC LIMIT ?",
        (floor, until, BATCH),
        all_of_them=True,
    )
    shows = getattr(connection, "shows", None)
    hidden = [] if shows is None else [event.id for event in found if not shows(event)]
    return Judged(found[-1].id if len(found) == BATCH else floor + 1, until, hidden)


def keep(connection: apsw.Connection, rules: str, judged: Judged) -> None:
    """Write these verdicts within the caller's transaction, unless others were asked for meanwhile."""
    now = left(connection, rules)
    if now is None or now[1] != judged.last:
        return
    connection.execute("DELETE FROM hidden WHERE event BETWEEN ? AND ?", (judged.first, judged.last))
    connection.execute(
        "INSERT INTO hidden (event) SELECT id FROM event WHERE id IN (SELECT value FROM json_each(?))",
        (json.dumps(judged.hidden),),
    )
    _write(connection, rules, now[0], judged.first - 1)


def judge_again(connection: apsw.Connection, after: int) -> None:
    """What was stored after this id did not pass the rules of now: it is to be judged."""
    row = one(connection, "SELECT rules, floor, until FROM judging")
    if row is not None:
        rules, floor, until = row
        _write(connection, rules, floor if until > floor else after, feed.last_id(connection))


def _write(connection: apsw.Connection, rules: str, floor: int, until: int) -> None:
    connection.execute("DELETE FROM judging")
    connection.execute("INSERT INTO judging (rules, floor, until) VALUES (?, ?, ?)", (rules, floor, until))
