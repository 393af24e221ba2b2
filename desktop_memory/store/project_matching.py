"""The stored events that a rule matches, as SQL that asks Python about titles, sites and folders."""

from __future__ import annotations

import json
from collections.abc import Callable

import apsw

from collectors.event import EPOCH, Event
from desktop_memory.pipeline import title_pattern
from desktop_memory.pipeline.names import app_names, host, listed
from desktop_memory.pipeline.places import own_paths, under
from desktop_memory.pipeline.projects import checked
from desktop_memory.store.connection import rows

_FREE = """NOT (event.kind = 'note' AND coalesce(event.told, event.project, 0) <> 0)"""
"""What is not a note that its writer gave to a project."""

_FILES = """(SELECT json_group_array(entity.name) FROM event_entity JOIN entity ON entity.id = event_entity.entity
    WHERE event_entity.event = event.id AND entity.kind = 'file')"""
_URL = "(SELECT name FROM entity WHERE id = event.url)"


def matching(connection: apsw.Connection, kind: str, pattern: str) -> str:
    """A condition over `event`, for this connection until the next call. The same as Rule.matches.

    Raises UsageError for a pattern that cannot be used.
    """
    pattern = checked(kind, pattern)
    if kind == "folder":
        return f"{_FREE} AND {_in_folder(connection, pattern)}"
    found = {"title": _titled, "domain": _on_site, "app": _in_app}[kind](connection, pattern)
    return f"event.kind NOT LIKE 'git%' AND {_FREE} AND {found}"


def _titled(connection: apsw.Connection, pattern: str) -> str:
    wanted = title_pattern.compiled(pattern)
    known: dict[str, bool] = {}

    def matches(title: str) -> bool:
        if title not in known:
            if len(known) > 50_000:
                known.clear()
            known[title] = title_pattern.matches(wanted, title)
        return known[title]

    _give(connection, "rule_title", 1, matches)
    return "event.title <> '' AND rule_title(event.title)"


def _on_site(connection: apsw.Connection, pattern: str) -> str:
    site = frozenset([host(pattern)])

    def matches(address: str | None) -> bool:
        return bool(address and listed([host(address)], site))

    _give(connection, "rule_site", 1, matches)
    domains = _entities(connection, "domain", matches)
    return f"(event.domain IN ({domains}) OR (event.domain IS NULL AND event.url IS NOT NULL AND rule_site({_URL})))"


def _in_app(connection: apsw.Connection, pattern: str) -> str:
    wanted = app_names(pattern)
    return (
        f"event.app IN ({_entities(connection, 'app', lambda name: not app_names(name).isdisjoint(wanted))})"
    )


def _in_folder(connection: apsw.Connection, pattern: str) -> str:
    def matches(details: str, files: str, url: str | None) -> bool:
        told = Event(
            identity="", kind="other", start=EPOCH, details=json.loads(details), files=tuple(json.loads(files)),
            url=url or "",
        )  # fmt: skip
        return bool(under(own_paths(told), [pattern]))

    _give(connection, "rule_folder", 3, matches)
    return (
        "(event.details LIKE '%/%' OR event.details LIKE '%\\%' OR event.url IS NOT NULL OR EXISTS "
        "(SELECT 1 FROM event_entity WHERE event_entity.event = event.id)) "
        f"AND rule_folder(event.details, {_FILES}, {_URL})"
    )


def _give(connection: apsw.Connection, name: str, arguments: int, matches: Callable[..., bool]) -> None:
    connection.create_scalar_function(name, matches, arguments)


def _entities(connection: apsw.Connection, kind: str, wanted: Callable[[str], bool]) -> str:
    found = rows(connection, "SELECT id, name FROM entity WHERE kind = ?", (kind,))
    return ", ".join(str(int(id_)) for id_, name in found if wanted(name))
