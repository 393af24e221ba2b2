"""Event rows as Remembered, and filters as SQL."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

import apsw

from collectors.event import microseconds, moment
from desktop_memory.model import Query, Remembered
from desktop_memory.pipeline.projects import alike
from desktop_memory.store.entities import norm

COLUMNS = """event.id, event.key, event.kind, event.start, event.end, event.offset, event.open, event.approx,
    event.title, event.text, event.source, event.details, event.spelling,
    (SELECT name FROM entity WHERE id = event.app), (SELECT name FROM entity WHERE id = event.project),
    (SELECT name FROM entity WHERE id = event.repo), (SELECT name FROM entity WHERE id = event.branch),
    (SELECT name FROM entity WHERE id = event.url), (SELECT name FROM entity WHERE id = event.domain),
    (SELECT uuid FROM device WHERE id = event.device),
    (SELECT first_event FROM session WHERE id = event.session),
    (SELECT json_group_array(name) FROM (
        SELECT entity.name FROM event_entity JOIN entity ON entity.id = event_entity.entity
        WHERE event_entity.event = event.id AND entity.kind = 'file' ORDER BY event_entity.entity))"""

PROJECT_CALLED = """(WITH RECURSIVE wanted (norm) AS (VALUES (?)), chain (entity, step) AS (
        SELECT id, 0 FROM entity, wanted WHERE kind = 'project' AND entity.norm = wanted.norm
        UNION ALL SELECT project, 0 FROM project_name, wanted WHERE project_name.norm = wanted.norm
        UNION ALL SELECT into_, step + 1 FROM project JOIN chain USING (entity)
            WHERE into_ IS NOT NULL AND step < 99
    ) SELECT entity FROM chain ORDER BY step DESC LIMIT 1)"""
"""The project that goes, or went, by a normalised name: what it was merged into, if it was."""

Row = Sequence[Any]


def remembered(row: Row) -> Remembered:
    """The event in a row of COLUMNS."""
    (
        id_, key, kind, start, end, offset, open_, approx, title, text, source, details, spelling,
        app, project, repo, branch, url, domain, device, session, files,
    ) = row  # fmt: skip
    names = {"app": app, "project": project, "repo": repo, "branch": branch, "url": url, "domain": domain}
    own: dict[str, Any] = json.loads(spelling) if spelling else {}
    if "project" in own and alike(own["project"]) != alike(project or ""):
        del own["project"]  # it is called otherwise by now
    named: dict[str, Any] = {name: own.get(name, value or "") for name, value in names.items()}
    return Remembered(
        id=id_,
        key=key.hex(),
        identity="",
        kind=kind,
        start=moment(start),
        end=None if end is None else moment(end),
        utc_offset=offset,
        open=bool(open_),
        approx=bool(approx),
        title=title,
        text=text,
        source=source,
        device=device or "",
        session=session,
        files=tuple(json.loads(files)),
        details=json.loads(details),
        **named,
    )


def select(
    connection: apsw.Connection,
    rest: str,
    values: Sequence[Any] | dict[str, Any] = (),
    *,
    all_of_them: bool = False,
) -> list[Remembered]:
    """Events by the rest of a SELECT that follows `FROM event`; those that the connection shows, or all of them."""
    found = [remembered(row) for row in connection.execute(f"SELECT {COLUMNS} FROM event {rest}", values)]
    shows = None if all_of_them else getattr(connection, "shows", None)
    return found if shows is None else [event for event in found if shows(event)]


def by_ids(connection: apsw.Connection, ids: Iterable[int], *, all_of_them: bool = False) -> list[Remembered]:
    """The events with these ids, in the order asked; missing ones are left out, and those that are not shown."""
    wanted = list(ids)
    found = {
        event.id: event
        for event in select(
            connection,
            "WHERE event.id IN (SELECT value FROM json_each(?))",
            (json.dumps(wanted),),
            all_of_them=all_of_them,
        )
    }
    return [found[id_] for id_ in wanted if id_ in found]


class Filter:
    """A Query's filters as SQL conditions over `event` and their values."""

    def __init__(self, query: Query | None) -> None:
        self.conditions: list[str] = []
        self.values: list[Any] = []
        if query is not None:
            self._take(query)

    def add(self, condition: str, *values: Any) -> Filter:
        self.conditions.append(condition)
        self.values.extend(values)
        return self

    @property
    def where(self) -> str:
        return " AND ".join(self.conditions) or "1"

    def lets_pass_more_than(self, connection: apsw.Connection, count: int) -> bool:
        """Whether more events than that pass; they are not all counted."""
        found = connection.execute(
            f"SELECT 1 FROM event WHERE {self.where} LIMIT 1 OFFSET ?", (*self.values, count)
        )
        return found.fetchone() is not None

    def _take(self, query: Query) -> None:
        if query.kinds:
            self.add(f"event.kind IN ({', '.join('?' * len(query.kinds))})", *query.kinds)
        if query.project:
            self.add(f"event.project = {PROJECT_CALLED}", alike(query.project))
        for kind in ("app", "domain"):
            if name := getattr(query, kind):
                self.add(
                    f"event.{kind} = (SELECT id FROM entity WHERE kind = '{kind}' AND norm = ?)",
                    norm(kind, name),
                )
        if query.repo:
            self.add("event.repo = (SELECT id FROM entity WHERE kind = 'repo' AND norm = ?)", query.repo)
        if query.device:
            self.add("event.device = (SELECT id FROM device WHERE uuid = ?)", query.device)
        if query.failed:
            self.add("event.failed")
        if query.without:
            self.add(
                """coalesce(event.project NOT IN (SELECT id FROM entity
                WHERE kind = 'project' AND norm IN (SELECT value FROM json_each(?))), 1)""",
                json.dumps([norm("project", name) for name in query.without]),
            )
        self._take_times(query)

    def _take_times(self, query: Query) -> None:
        if query.since is not None:
            self.add("event.start >= ?", microseconds(query.since))
        if query.until is not None:
            self.add("event.start < ?", microseconds(query.until))


def month_of(us: int) -> int:
    """year * 12 + month - 1 in UTC, the month number of `doc`."""
    when = moment(us)
    return when.year * 12 + when.month - 1
