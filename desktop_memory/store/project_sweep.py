"""Stored events follow a change to projects: a bounded batch at a time, from where the last one stopped."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import apsw

from desktop_memory.errors import UsageError
from desktop_memory.store.connection import one, rows
from desktop_memory.store.project_links import ProjectLinks
from desktop_memory.store.project_matching import matching
from desktop_memory.store.rows import COLUMNS, remembered
from desktop_memory.store.words import found_by, rewriting

BATCH = 400
"""Events that are written in one transaction: a record that arrives meanwhile waits for no more."""
LOOKED_AT = 20_000
"""Events that are looked at before it is said how far it is."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Sweep:
    """A change that events up to `until` still follow; those up to `cursor` do."""

    change: int
    what: str
    about: dict[str, Any]
    undone: bool
    cursor: int
    until: int


@dataclass(frozen=True, slots=True)
class Found:
    """Events that a sweep is about, and up to which id they were sought."""

    ids: Sequence[int]
    cursor: int


def next_sweep(connection: apsw.Connection) -> Sweep | None:
    """The oldest change that is not done."""
    row = one(
        connection,
        "SELECT id, what, about, undone, cursor, until FROM project_change WHERE running ORDER BY id LIMIT 1",
    )
    if row is None:
        return None
    return Sweep(
        change=row[0], what=row[1], about=json.loads(row[2]), undone=bool(row[3]), cursor=row[4], until=row[5]
    )


def seek(connection: apsw.Connection, sweep: Sweep) -> Found:
    """The next events that this change may be about, for a connection that reads."""
    until = min(sweep.until, sweep.cursor + LOOKED_AT)
    sql = (
        f"SELECT event.id FROM event WHERE event.id > ? AND event.id <= ? AND ({_condition(connection, sweep)})"
        f" ORDER BY event.id LIMIT {BATCH}"
    )
    ids = [id_ for (id_,) in rows(connection, sql, (sweep.cursor, until))]
    return Found(ids, ids[-1] if len(ids) == BATCH else until)


def move(connection: apsw.Connection, links: ProjectLinks, sweep: Sweep, found: Found) -> int:
    """Bring these events to what holds now, within the caller's transaction; how many got another project."""
    moved = 0
    if found.ids:
        with rewriting(connection):
            moved = sum(_move(connection, links, id_) for id_ in found.ids)
    connection.execute(
        """UPDATE project_change SET cursor = ?1, moved = moved + ?2, running = ?1 < until
        WHERE id = ?3 AND undone = ?4 AND cursor = ?5 AND running""",
        (found.cursor, moved, sweep.change, sweep.undone, sweep.cursor),
    )
    return moved


def _move(connection: apsw.Connection, links: ProjectLinks, id_: int) -> bool:
    row = one(
        connection,
        f"SELECT {COLUMNS}, event.project, event.told, event.rule, event.words FROM event WHERE id = ?",
        (id_,),
    )
    if row is None:
        return False
    *columns, project, told, rule, words = row
    event = remembered(columns)
    placed = links.place(connection, links.as_told(connection, event, told))
    fresh = found_by(event, links.names(connection, placed))
    if (placed.project, placed.told, placed.rule, fresh) == (project, told, rule, words):
        return False
    connection.execute(
        "UPDATE event SET project = ?, told = ?, rule = ?, words = ? WHERE id = ?", (*placed, fresh, id_)
    )
    if placed.project != project:
        connection.execute("INSERT INTO change (what, event) VALUES ('edit', ?)", (id_,))
    return bool(placed.project != project)


def _condition(connection: apsw.Connection, sweep: Sweep) -> str:
    """SQL for the events that a change may be about; its numbers are ours."""
    about = sweep.about
    if sweep.what in ("rule", "unrule"):
        given = f"event.rule = {int(about['id'])}"
        if (sweep.what == "rule") == sweep.undone:
            return given
        try:
            return f"{given} OR {matching(connection, about['kind'], about['pattern'])}"
        except UsageError:  # written under another version of Python: the rule matches nothing here
            return given
    projects = {int(about[name]) for name in ("project", "merged", "named") if name in about}
    some = ", ".join(map(str, projects))
    return f"event.project IN ({some}) OR event.told IN ({some})"
