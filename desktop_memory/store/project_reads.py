"""Projects, rules and changes as the user sees them."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection

import apsw

from collectors.event import moment
from desktop_memory.project import Project, ProjectChange, ProjectPreview, ProjectRule
from desktop_memory.store import project_book as book
from desktop_memory.store.connection import one, rows
from desktop_memory.store.hiding import SHOWN, shown
from desktop_memory.store.project_matching import matching

_NOBODY = -1
"""A project that is still to be made."""


def projects(connection: apsw.Connection, without: Collection[int] = ()) -> list[Project]:
    """All of them, the last worked on first; one without events only where the user decided something about it.

    Events that rules hide are not counted, nor those of the apps, sites and projects in `without`.
    """
    names, merged = defaultdict(list), defaultdict(list)
    for name, project in rows(connection, "SELECT name, project FROM project_name ORDER BY norm"):
        names[project].append(name)
    ends = book.read(connection).into
    for project, end in ends.items():
        merged[end].append(book.label(connection, project))
    condition, values = shown(without)
    found = rows(
        connection,
        f"""SELECT entity.id, entity.name, coalesce(counted.events, 0), counted.first, counted.last, project.archived
        FROM entity LEFT JOIN project ON project.entity = entity.id LEFT JOIN (
            SELECT project, count(*) AS events, min(start) AS first, max(start) AS last
            FROM event WHERE project IS NOT NULL AND {condition} GROUP BY project
        ) AS counted ON counted.project = entity.id
        WHERE entity.kind = 'project' AND project.into_ IS NULL AND (counted.events OR project.entity IS NOT NULL
            OR EXISTS (SELECT 1 FROM project_rule WHERE project_rule.project = entity.id))
        ORDER BY counted.last DESC, entity.name""",
        values,
    )
    return [
        Project(
            id=id_, name=name, events=events, archived=archived is not None,
            first=None if first is None else moment(first), last=None if last is None else moment(last),
            names=tuple(names[id_]), merged=tuple(sorted(merged[id_])),
        )
        for id_, name, events, first, last, archived in found
    ]  # fmt: skip


def rules(connection: apsw.Connection) -> list[ProjectRule]:
    """The user's rules, the one that counts most first, with how many events each gave a project."""
    found = rows(
        connection,
        f"""SELECT id, kind, pattern, project,
            (SELECT count(*) FROM event WHERE rule = project_rule.id AND {SHOWN})
        FROM project_rule ORDER BY id DESC""",
    )
    return [
        ProjectRule(id=id_, kind=kind, pattern=pattern, project=_end(connection, project), events=events)
        for id_, kind, pattern, project, events in found
    ]


def preview_rule(connection: apsw.Connection, kind: str, pattern: str, project: str) -> ProjectPreview:
    """What a rule would match. Raises UsageError for a pattern that cannot be used."""
    target = book.found(connection, project) if project else None
    count, changed, first, last = one(
        connection,
        "SELECT count(*), count(*) FILTER (WHERE event.project IS NOT ?), min(start), max(start) FROM event "
        f"WHERE ({matching(connection, kind, pattern)}) AND {SHOWN}",
        (_NOBODY if target is None else target,),
    )
    return ProjectPreview(
        events=count, changed=changed,
        first=None if first is None else moment(first), last=None if last is None else moment(last),
    )  # fmt: skip


def changes(connection: apsw.Connection, limit: int) -> list[ProjectChange]:
    """What was changed, newest first."""
    found = rows(
        connection,
        """SELECT id, at, what, about, undone, running, cursor, until, moved FROM project_change
        ORDER BY id DESC LIMIT ?""",
        (limit,),
    )
    made = []
    for id_, at, what, raw, undone, running, cursor, until, moved in found:
        about = json.loads(raw)
        other = about.get("pattern") or about.get("before") or ""
        if "merged" in about or "named" in about:
            other = book.label(connection, about.get("merged") or about["named"])
        made.append(
            ProjectChange(
                id=id_, what=what, project=about.get("after") or _end(connection, about["project"]), other=other,
                at=moment(at), undone=bool(undone), running=bool(running), moved=moved,
                done=min(1.0, cursor / until) if running and until else 1.0,
            )
        )  # fmt: skip
    return made


def archived(connection: apsw.Connection) -> frozenset[str]:
    """The names of projects that are not offered."""
    found = rows(
        connection,
        "SELECT entity.name FROM project JOIN entity ON entity.id = project.entity WHERE archived IS NOT NULL",
    )
    return frozenset(name.casefold() for (name,) in found)


def _end(connection: apsw.Connection, project: int) -> str:
    return book.label(connection, book.last(connection, project))
