"""What was decided about projects in another memory: their names, merges, archives and rules, taken over here.

Projects are numbered differently there: one is the same here by its repository's first commit, else by a name that
no other repository has. What was decided here, or taken back, stays as it is, so that taking over twice adds nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

import apsw

from desktop_memory.errors import UsageError
from desktop_memory.pipeline.projects import alike
from desktop_memory.store import project_book as book
from desktop_memory.store import project_changes as changes
from desktop_memory.store.connection import one, rows


@dataclass(frozen=True, kw_only=True, slots=True)
class Theirs:
    """A project as the other memory knows it: `first` is what it was called before it was renamed."""

    id: int
    name: str
    first: str
    names: Sequence[str]
    commits: Sequence[str]
    into: int | None
    archived: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class Decisions:
    """All that is decided there; a rule is its kind, its pattern and a project, the oldest first."""

    projects: Sequence[Theirs] = ()
    rules: Sequence[tuple[str, str, int]] = ()


def decisions_of(connection: apsw.Connection) -> Decisions:
    names, commits = defaultdict(list), defaultdict(list)
    called = {}
    for norm, name, project in rows(connection, "SELECT norm, name, project FROM project_name ORDER BY norm"):
        names[project].append(name)
        called[norm] = name
    for mark, project in rows(
        connection, "SELECT mark, project FROM project_mark WHERE mark LIKE 'commit %'"
    ):
        commits[project].append(mark)
    found = rows(
        connection,
        """SELECT entity.id, entity.name, coalesce(project.first, ''), project.into_, project.archived
        FROM entity LEFT JOIN project ON project.entity = entity.id WHERE entity.kind = 'project' ORDER BY entity.id""",
    )
    return Decisions(
        projects=tuple(
            Theirs(
                id=id_, name=name, first=called.get(first, first), names=tuple(names[id_]),
                commits=tuple(commits[id_]), into=into, archived=archived is not None,
            )
            for id_, name, first, into, archived in found
        ),
        rules=tuple(rows(connection, "SELECT kind, pattern, project FROM project_rule ORDER BY id")),
    )  # fmt: skip


def take(connection: apsw.Connection, decisions: Decisions, at: int) -> int:
    """Take over what is not decided here, each as a change that can be undone; how many that were."""
    taking = _Taking(connection, decisions, at)
    taken = sum(map(taking.name, decisions.projects))
    taken += sum(map(taking.merge, decisions.projects))
    taken += sum(map(taking.archive, decisions.projects))
    return taken + sum(taking.rule(*rule) for rule in decisions.rules)


class _Taking:
    def __init__(self, connection: apsw.Connection, decisions: Decisions, at: int) -> None:
        self._connection = connection
        self._at = at
        self._theirs = {project.id: project for project in decisions.projects}
        self._ours = {project.id: self._same(project) for project in decisions.projects}

    def name(self, project: Theirs) -> bool:
        """Its new name where it was given none here; its others lead to it in any case."""
        renamed = bool(project.first) and alike(project.first) != alike(project.name)
        ours = self._made(project) if renamed else self._ours[project.id]
        if ours is None:
            return False
        taken = False
        if renamed and self._label(ours) != project.name and not self._renamed_here(ours):
            with suppress(UsageError):  # another project has it here
                changes.rename(self._connection, self._label(ours), project.name, self._at)
                taken = True
        for name in (project.name, *project.names):
            if book.called(self._connection, name) is None:
                book.add_name(self._connection, name, ours)
                book.changed(self._connection)
        return taken

    def merge(self, project: Theirs) -> bool:
        if project.into is None or (target := self._theirs.get(project.into)) is None:
            return False
        ours, into = self._made(project), self._made(target)
        if ours is None or into is None:
            return False
        same = book.last(self._connection, ours) == book.last(self._connection, into)
        merged_here = one(
            self._connection, "SELECT 1 FROM project WHERE entity = ? AND into_ IS NOT NULL", (ours,)
        )
        if same or merged_here or self._taken_back("merge", "", "merged", ours):
            return False
        with suppress(UsageError):  # its name leads elsewhere here
            changes.merge(self._connection, self._label(ours), self._label(into), self._at)
            return True
        return False

    def archive(self, project: Theirs) -> bool:
        if not project.archived or project.into is not None:
            return False
        if (ours := self._made(project)) is None or book.last(self._connection, ours) != ours:
            return False
        archived = one(
            self._connection, "SELECT 1 FROM project WHERE entity = ? AND archived IS NOT NULL", (ours,)
        )
        if archived or self._taken_back("archive", "unarchive", "project", ours):
            return False
        changes.archive(self._connection, self._label(ours), self._at, archived=True)
        return True

    def rule(self, kind: str, pattern: str, project: int) -> bool:
        theirs = self._theirs.get(project)
        if theirs is None or self._taken_back("rule", "unrule", "pattern", pattern, kind):
            return False
        with suppress(UsageError):  # there is one for this already, or this Python cannot read it
            if (ours := self._made(theirs)) is not None:
                changes.add_rule(self._connection, kind, pattern, self._label(ours), self._at)
                return True
        return False

    def _same(self, project: Theirs) -> int | None:
        """The project that is the same here."""
        for mark in project.commits:
            row = one(self._connection, "SELECT project FROM project_mark WHERE mark = ?", (mark,))
            if row is not None:
                return int(row[0])
        for name in (project.name, project.first, *project.names):
            ours = book.called(self._connection, name) if name else None
            if ours is not None and not (project.commits and self._has_commits(ours)):
                return ours
        return None

    def _made(self, project: Theirs) -> int | None:
        """The project that is the same here, made where there is none; None where others have all of its names."""
        if self._ours[project.id] is None:
            for name in filter(None, (project.first, project.name)):
                if book.called(self._connection, name) is None:
                    self._ours[project.id] = changes.make(self._connection, name)
                    break
        return self._ours[project.id]

    def _has_commits(self, project: int) -> bool:
        sql = "SELECT 1 FROM project_mark WHERE project = ? AND mark LIKE 'commit %'"
        return one(self._connection, sql, (project,)) is not None

    def _renamed_here(self, project: int) -> bool:
        sql = "SELECT 1 FROM project WHERE entity = ? AND first <> ''"
        return one(self._connection, sql, (project,)) is not None

    def _taken_back(self, what: str, reverse: str, about: str, value: int | str, kind: str = "") -> bool:
        """Such a change was undone here, or the reverse of it was made."""
        row = one(
            self._connection,
            f"""SELECT 1 FROM project_change WHERE (what = ?1 AND undone OR what = ?2 AND NOT undone)
            AND about ->> '{about}' = ?3 AND (?4 = '' OR about ->> 'kind' = ?4)""",
            (what, reverse, value, kind),
        )
        return row is not None

    def _label(self, project: int) -> str:
        return book.label(self._connection, project)
