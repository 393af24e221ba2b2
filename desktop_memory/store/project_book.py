"""What is known of projects, read from its tables, and the names by which they are found."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import apsw

from collectors.repository import Checkout
from desktop_memory.errors import UsageError
from desktop_memory.pipeline.places import whole
from desktop_memory.pipeline.projects import Book, Rule, alike, checked
from desktop_memory.store.connection import one, rows
from desktop_memory.store.rows import PROJECT_CALLED

logger = logging.getLogger(__name__)


def version(connection: apsw.Connection) -> int:
    """Another number after each change to what a Book holds."""
    return int(one(connection, "SELECT value FROM profile WHERE name = 'projects'")[0])


def changed(connection: apsw.Connection) -> None:
    """What was read of projects before no longer holds."""
    connection.execute("UPDATE profile SET value = value + 1 WHERE name = 'projects'")


def read(connection: apsw.Connection) -> Book:
    return Book(
        version=version(connection),
        names=dict(rows(connection, "SELECT norm, project FROM project_name")),
        marks=dict(rows(connection, "SELECT mark, project FROM project_mark")),
        folders={
            folder: (norm, project)
            for folder, norm, project in rows(connection, "SELECT folder, norm, project FROM project_folder")
        },
        into=_ends(dict(rows(connection, "SELECT entity, into_ FROM project WHERE into_ IS NOT NULL"))),
        first=dict(rows(connection, "SELECT entity, first FROM project WHERE first <> ''")),
        rules=tuple(_rules(connection)),
    )


def _rules(connection: apsw.Connection) -> Iterable[Rule]:
    """Newest first. One that this version of Python cannot read matches nothing: recording goes on."""
    for id_, kind, pattern, project in rows(
        connection, "SELECT id, kind, pattern, project FROM project_rule ORDER BY id DESC"
    ):
        try:
            yield Rule(id=id_, kind=kind, pattern=checked(kind, pattern), project=project)
        except UsageError:
            logger.warning("project rule %d cannot be used", id_)


def _ends(into: Mapping[int, int]) -> dict[int, int]:
    """Each merged project with where the chain of merges ends."""
    ends = {}
    for project in into:
        end, seen = project, {project}
        while (after := into.get(end)) is not None and after not in seen:
            end = after
            seen.add(after)
        ends[project] = end
    return ends


def called(connection: apsw.Connection, name: str) -> int | None:
    """The project that goes, or went, by this name, whatever it was merged into."""
    row = one(
        connection,
        """SELECT id FROM entity WHERE kind = 'project' AND norm = ?1
        UNION ALL SELECT project FROM project_name WHERE norm = ?1""",
        (alike(name),),
    )
    return None if row is None else int(row[0])


def found(connection: apsw.Connection, name: str) -> int | None:
    """The project to which what goes by this name belongs in the end."""
    (project,) = one(connection, f"SELECT {PROJECT_CALLED}", (alike(name),))
    return None if project is None else int(project)


def last(connection: apsw.Connection, project: int) -> int:
    """Where a project belongs that may have been merged."""
    seen = {project}
    while (row := one(connection, "SELECT into_ FROM project WHERE entity = ?", (project,))) and row[0]:
        if row[0] in seen:
            break
        project = int(row[0])
        seen.add(project)
    return project


def label(connection: apsw.Connection, project: int) -> str:
    row = one(connection, "SELECT name FROM entity WHERE id = ?", (project,))
    return "" if row is None else str(row[0])


def all_names(connection: apsw.Connection, project: int) -> list[str]:
    """What a project is called now, then what else it goes by."""
    found = rows(
        connection,
        """SELECT name FROM entity WHERE id = ?1
        UNION ALL SELECT name FROM (SELECT name FROM project_name WHERE project = ?1 ORDER BY norm)""",
        (project,),
    )
    return [name for (name,) in found]


def every_name(connection: apsw.Connection, name: str) -> list[str]:
    """All that a project of this name, and what was merged into it, is called; the name itself in any case."""
    project = found(connection, name)
    ends = read(connection).into
    within = [] if project is None else [project, *(one for one, end in ends.items() if end == project)]
    return list(dict.fromkeys([name, *(other for one in within for other in all_names(connection, one))]))


def drop_unused(connection: apsw.Connection) -> None:
    """Projects were removed: nothing goes on telling of them."""
    gone = "NOT IN (SELECT id FROM entity)"
    for table, column in (
        ("project", "entity"), ("project_name", "project"), ("project_mark", "project"), ("project_folder", "project"),
    ):  # fmt: skip
        connection.execute(f"DELETE FROM {table} WHERE {column} {gone}")
    connection.execute(
        f"""DELETE FROM project_change WHERE NOT running
        AND (about ->> 'project' {gone} OR coalesce(about ->> 'merged', about ->> 'project') {gone})"""
    )
    changed(connection)


# repositories


class Joined(NamedTuple):
    """What sources told of a repository that is known now: `merged` as a whole, else what happened in its folder."""

    before: int
    project: int
    merged: bool


def is_known(connection: apsw.Connection, checkout: Checkout, remote: str) -> bool:
    """Whether `learn` would find nothing new."""
    marks = _marks(checkout, remote)
    have = {_marked(connection, mark) for mark in marks}
    if None in have or len(have) != 1:
        return not marks or (None not in have and len(have) > 1)
    (project,) = have
    return all(
        one(connection, "SELECT norm, project FROM project_folder WHERE folder = ?", (whole(folder),))
        == (alike(checkout.name), project)
        for folder in checkout.folders
    )


def _marks(checkout: Checkout, remote: str) -> list[str]:
    marks = [f"commit {checkout.first}"] if checkout.first else []
    return [*marks, f"remote {remote}"] if remote else marks


def learn(connection: apsw.Connection, checkout: Checkout, remote: str) -> Joined | None:
    """Take note of a repository and where it lies; which stored events may belong elsewhere now, if any.

    `remote` is the keyed hash of its address, empty without one.
    """
    marks = _marks(checkout, remote)
    folders = [whole(folder) for folder in checkout.folders]
    project = _project_of(connection, checkout, marks, folders)
    before = called(connection, checkout.name)
    for mark in marks:
        connection.execute(
            "INSERT OR IGNORE INTO project_mark (mark, project) VALUES (?, ?)", (mark, project)
        )
    for folder in folders:
        connection.execute(
            "INSERT OR REPLACE INTO project_folder (folder, norm, project) VALUES (?, ?, ?)",
            (folder, alike(checkout.name), project),
        )
    if before is None:
        add_name(connection, checkout.name, project)
    changed(connection)
    return None if before is None or before == project else _join(connection, before, project)


def _marked(connection: apsw.Connection, mark: str) -> int | None:
    row = one(connection, "SELECT project FROM project_mark WHERE mark = ?", (mark,))
    return None if row is None else int(row[0])


def _project_of(connection: apsw.Connection, checkout: Checkout, marks: list[str], folders: list[str]) -> int:
    """By its first commit, its remote, its folder; else by its name, which is made its own where another has it."""
    for mark in marks:
        if (project := _marked(connection, mark)) is not None:
            return project
    name = checkout.name
    for folder in folders:
        row = one(
            connection,
            "SELECT project FROM project_folder WHERE folder = ? AND norm = ?",
            (folder, alike(name)),
        )
        if row is not None:
            return int(row[0])
    project = called(connection, name)
    if project is not None and _is_another(connection, project):
        name = _distinct(connection, name, folders)
        project = called(connection, name)
    if project is None:
        connection.execute(
            "INSERT INTO entity (kind, norm, name) VALUES ('project', ?, ?)", (alike(name), name)
        )
        project = connection.last_insert_rowid()
    return project


def _is_another(connection: apsw.Connection, project: int) -> bool:
    """Whether this name is another repository's."""
    return one(connection, "SELECT 1 FROM project_mark WHERE project = ?", (project,)) is not None


def _distinct(connection: apsw.Connection, name: str, folders: list[str]) -> str:
    """The name with the folder around, and a number if that is taken too."""
    around = folders[0].rstrip("/").split("/")[-2:-1] if folders else []
    stem = f"{name} ({around[0]})" if around and around[0] else name
    number, wanted = 1, stem
    while wanted == name or called(connection, wanted) is not None:
        number += 1
        wanted = f"{stem} {number}"
    return wanted


def add_name(connection: apsw.Connection, name: str, project: int) -> None:
    """From now on the project goes by this name as well."""
    connection.execute(
        "INSERT OR REPLACE INTO project_name (norm, name, project) VALUES (?, ?, ?)",
        (alike(name), name, project),
    )


def _join(connection: apsw.Connection, before: int, project: int) -> Joined:
    """What sources told of a moved repository before it was known again belongs to it.

    Another repository's name is left to it, and so is what the user decided about one: there only what
    happened in the folder moves.
    """
    decided = one(
        connection,
        """SELECT 1 FROM project WHERE entity = ?1 UNION ALL SELECT 1 FROM project_rule WHERE project = ?1
        UNION ALL SELECT 1 FROM project_mark WHERE project = ?1""",
        (before,),
    )
    merged = decided is None and last(connection, project) != before
    if merged:
        connection.execute("INSERT INTO project (entity, into_) VALUES (?, ?)", (before, project))
    return Joined(before, project, merged)
