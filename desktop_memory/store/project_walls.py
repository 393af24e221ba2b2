"""Walls and aliases under every name that a project has, had, or was merged under."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import apsw

from desktop_memory.pipeline.aliases import Aliases
from desktop_memory.pipeline.projects import alike
from desktop_memory.store import project_book as book
from desktop_memory.store.connection import rows


def walled(connection: apsw.Connection, names: Sequence[str]) -> tuple[str, ...]:
    """Everything that the projects of these names are called; what a walled one was merged into is walled with it.

    So is, until stored events have followed, what a walled project has just been merged into or parted from.
    """
    found = dict.fromkeys(name.strip() for name in names if name.strip())
    within = {project for name in found if (project := book.called(connection, name)) is not None}
    if within:
        merged = rows(connection, "SELECT entity, into_ FROM project WHERE into_ IS NOT NULL")
        moving = rows(
            connection,
            "SELECT about ->> 'merged', about ->> 'project' FROM project_change WHERE running AND about ->> 'merged'",
        )
        _spread(within, [*merged, *moving, *((other, project) for project, other in moving)])
    for project in sorted(within):
        found.update(dict.fromkeys(book.all_names(connection, project)))
    return tuple(found)


def _spread(within: set[int], ways: Sequence[tuple[int, int]]) -> None:
    """Take in all that can be reached."""
    while reached := {there for here, there in ways if here in within and there not in within}:
        within |= reached


def aliases(connection: apsw.Connection, given: Mapping[str, str]) -> dict[str, str]:
    """These aliases for all names of the projects they are about.

    A project whose name held an aliased one, and that was renamed, is still what others knew it as.
    """
    if not given:
        return {}
    found = dict(given)
    known = {alike(name) for name in given}
    replace = Aliases(given).replace
    renamed = rows(
        connection,
        """SELECT project_name.project, project_name.name, entity.name FROM project_name
        JOIN entity ON entity.id = project_name.project ORDER BY project_name.norm""",
    )
    for project, _, label in renamed:
        for name in book.all_names(connection, project):
            shown, count = replace(name)
            if count and alike(label) not in known and not replace(label)[1]:
                found[label] = shown
                known.add(alike(label))
    return found
