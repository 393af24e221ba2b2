"""Changes to projects, each written with what undoing it takes; stored events follow in a sweep of their own.

All functions run within the caller's transaction and raise UsageError, having changed nothing, for what cannot be.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import apsw

from desktop_memory.errors import KnownError, UsageError
from desktop_memory.pipeline.clean import printable
from desktop_memory.pipeline.projects import alike, checked
from desktop_memory.store import project_book as book
from desktop_memory.store.connection import one
from desktop_memory.store.feed import last_id

LONGEST_NAME = 200
_KEPT = 100
"""Changes that are remembered; older ones cannot be undone any more."""


def add_rule(connection: apsw.Connection, kind: str, pattern: str, project: str, at: int) -> int:
    """From now on what matches belongs to this project, which need not exist yet; the change's id."""
    pattern, name = checked(kind, printable(pattern)), _name(project)
    if one(connection, "SELECT 1 FROM project_rule WHERE kind = ? AND pattern = ?", (kind, pattern)):
        raise UsageError(f"There is a rule for this {kind} already.", "Remove it first: project rule list.")
    id_ = book.found(connection, name)
    if id_ is None:
        id_ = make(connection, name)
    connection.execute(
        "INSERT INTO project_rule (kind, pattern, project) VALUES (?, ?, ?)", (kind, pattern, id_)
    )
    rule = connection.last_insert_rowid()
    return _note(connection, "rule", at, id=rule, kind=kind, pattern=pattern, project=id_)


def remove_rule(connection: apsw.Connection, rule: int, at: int) -> int:
    """What it gave a project goes back to what it had."""
    row = one(connection, "SELECT kind, pattern, project FROM project_rule WHERE id = ?", (rule,))
    if row is None:
        raise UsageError(f"There is no rule {rule}.", "See: project rule list.")
    connection.execute("DELETE FROM project_rule WHERE id = ?", (rule,))
    return _note(connection, "unrule", at, id=rule, kind=row[0], pattern=row[1], project=row[2])


def rename(connection: apsw.Connection, name: str, new: str, at: int) -> int:
    """Call a project otherwise; what its sources call it goes on leading to it."""
    project, wanted = _existing(connection, name), _name(new)
    old = book.label(connection, project)
    _call(connection, project, wanted)
    return _note(connection, "rename", at, project=project, before=old, after=wanted)


def merge(connection: apsw.Connection, name: str, into: str, at: int) -> int:
    """Let all of a project belong to another one."""
    project, other = _existing(connection, name), _existing(connection, into)
    if project == other:
        raise UsageError(f"“{name}” and “{into}” are one project already.")
    _decide(connection, project, "into_", other)
    return _note(connection, "merge", at, project=other, merged=project)


def archive(connection: apsw.Connection, name: str, at: int, *, archived: bool) -> int:
    """Leave a project out of what is offered, or offer it again; it can be searched all the while."""
    project = _existing(connection, name)
    _decide(connection, project, "archived", at if archived else None)
    return _note(connection, "archive" if archived else "unarchive", at, running=False, project=project)


def join(connection: apsw.Connection, joined: book.Joined, at: int) -> None:
    """A repository was known again: stored events follow."""
    before: dict[str, Any] = {"merged" if joined.merged else "named": joined.before}
    _note(connection, "learn", at, project=joined.project, **before)


def undo(connection: apsw.Connection, change: int) -> None:
    """Take a change back; also one that stored events still follow."""
    row = one(connection, "SELECT what, about, undone FROM project_change WHERE id = ?", (change,))
    if row is None or row[2]:
        raise KnownError("This change cannot be undone any more.", "It was undone, or is too long ago.")
    what, about = row[0], json.loads(row[1])
    _UNDO[what](connection, about)
    connection.execute(
        "UPDATE project_change SET undone = 1, running = what NOT IN ('archive', 'unarchive'), cursor = 0, moved = 0, "
        "until = ? WHERE id = ?",
        (last_id(connection), change),
    )
    book.changed(connection)


def _undo_rule(connection: apsw.Connection, about: dict[str, Any]) -> None:
    connection.execute("DELETE FROM project_rule WHERE id = ?", (about["id"],))


def _undo_unrule(connection: apsw.Connection, about: dict[str, Any]) -> None:
    if one(
        connection,
        "SELECT 1 FROM project_rule WHERE kind = ? AND pattern = ?",
        (about["kind"], about["pattern"]),
    ):
        raise KnownError(f"There is a rule for this {about['kind']} again.", "It was left as it is.")
    connection.execute(
        "INSERT INTO project_rule (id, kind, pattern, project) VALUES (:id, :kind, :pattern, :project)", about
    )


def _undo_rename(connection: apsw.Connection, about: dict[str, Any]) -> None:
    _call(connection, about["project"], about["before"])
    if alike(about["after"]) != alike(about["before"]):
        connection.execute("DELETE FROM project_name WHERE norm = ?", (alike(about["after"]),))


def _undo_merge(connection: apsw.Connection, about: dict[str, Any]) -> None:
    if "merged" not in about:
        raise KnownError("What a repository's folder tells cannot be undone.", "Give the folder a rule.")
    connection.execute("UPDATE project SET into_ = NULL WHERE entity = ?", (about["merged"],))


def _undo_archive(connection: apsw.Connection, about: dict[str, Any]) -> None:
    connection.execute(
        "UPDATE project SET archived = CASE WHEN archived IS NULL THEN 1 END WHERE entity = ?",
        (about["project"],),
    )


_UNDO: dict[str, Callable[[apsw.Connection, dict[str, Any]], None]] = {
    "rule": _undo_rule,
    "unrule": _undo_unrule,
    "rename": _undo_rename,
    "merge": _undo_merge,
    "learn": _undo_merge,
    "archive": _undo_archive,
    "unarchive": _undo_archive,
}


def _call(connection: apsw.Connection, project: int, name: str) -> None:
    """Give a project another name; the one before leads to it as well."""
    other = book.called(connection, name)
    if other is not None and other != project:
        holder = book.label(connection, book.last(connection, other))
        if alike(holder) == alike(name):
            raise UsageError(
                f"There is a project “{holder}” already.", f"Merge them: project merge OLD “{holder}”."
            )
        raise UsageError(
            f"“{name}” leads to the project “{holder}”.", "Its sources call it so: choose another name."
        )
    old_norm, old = one(connection, "SELECT norm, name FROM entity WHERE id = ?", (project,))
    _decide(connection, project, "first", old_norm, keep=True)
    connection.execute("DELETE FROM project_name WHERE norm = ?", (alike(name),))
    connection.execute("UPDATE entity SET norm = ?, name = ? WHERE id = ?", (alike(name), name, project))
    if alike(name) != old_norm:
        book.add_name(connection, old, project)


def _decide(
    connection: apsw.Connection, project: int, column: str, value: Any, *, keep: bool = False
) -> None:
    connection.execute("INSERT OR IGNORE INTO project (entity) VALUES (?)", (project,))
    unset = f" AND {column} = ''" if keep else ""
    connection.execute(f"UPDATE project SET {column} = ? WHERE entity = ?{unset}", (value, project))


def _existing(connection: apsw.Connection, name: str) -> int:
    project = book.found(connection, name)
    if project is None:
        raise UsageError(f"There is no project “{name}”.", "See: project list.")
    return project


def _name(text: str) -> str:
    name = " ".join(printable(text).split())
    if not name or len(name) > LONGEST_NAME:
        raise UsageError(f"A project's name has 1 to {LONGEST_NAME} characters.")
    return name


def make(connection: apsw.Connection, name: str) -> int:
    """A project of this name, which no other has."""
    connection.execute("INSERT INTO entity (kind, norm, name) VALUES ('project', ?, ?)", (alike(name), name))
    return connection.last_insert_rowid()


def _note(connection: apsw.Connection, what: str, at: int, *, running: bool = True, **about: Any) -> int:
    until = last_id(connection)
    connection.execute(
        "INSERT INTO project_change (at, what, about, running, until) VALUES (?, ?, ?, ?, ?)",
        (at, what, json.dumps(about, ensure_ascii=False), running and until > 0, until),
    )
    change = connection.last_insert_rowid()
    connection.execute("DELETE FROM project_change WHERE id <= ? AND NOT running", (change - _KEPT,))
    book.changed(connection)
    return change
