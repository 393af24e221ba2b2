"""Walls and aliases under every name that a project has, had, or was merged under."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import apsw

from desktop_memory.pipeline.aliases import Aliases
from desktop_memory.pipeline.projects import alike
from desktop_memory.store import project_book as book
from desktop_memory.store.connection import rows


def walled(connection: apsw.Connection, names: Sequence[str]) -> tuple[str, ...]:
    """Everything that the projects of these names are called; what a walled one was merged into is walled with it."""
    found: dict[str, None] = {}
    for name in names:
        found.setdefault(name.strip())
        project = book.called(connection, name)
        if project is not None:
            for one in (project, book.last(connection, project)):
                found.update(dict.fromkeys(book.all_names(connection, one)))
    return tuple(name for name in found if name)


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
