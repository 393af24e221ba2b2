"""Finds what an imported event tells again: the same page or the same hour at a window, recorded here as well.

Other programs look at other clocks and round otherwise, so their events have names of their own. A visit is the same
where one address was opened within seconds, or one site within the microseconds that a float loses. A window is not
taken twice where this app was watching: it saw the same windows, and its own record stays.
"""

from __future__ import annotations

import apsw

from collectors.event import Event, microseconds
from desktop_memory.store.connection import one, rows
from desktop_memory.store.entities import norm

_PAGE_SLACK_US = 10_000_000
_ROUNDED_US = 10
_LONG_OPEN_US = 6 * 3_600 * 1_000_000


class ToldElsewhere:
    """Remembers since when this app watched windows, and whether anything was ever imported."""

    def __init__(self) -> None:
        self._watched_since: int | None = None
        self._watched_known = False
        self._any_imported: bool | None = None

    def forget_cached(self) -> None:
        """Rows were removed, or a transaction was rolled back."""
        self._watched_known = False
        self._any_imported = None

    def find(self, connection: apsw.Connection, event: Event) -> int | None:
        """The event that told the same before; None where none did."""
        if event.kind == "browser" and (event.details.get("imported") or self._has_imported(connection)):
            return _same_page(connection, event)
        if event.kind == "window" and event.details.get("imported"):
            return self._same_window(connection, event)
        return None

    def inserted(self, connection: apsw.Connection, event: Event) -> None:
        """This event is new in the memory."""
        if event.details.get("imported") and not self._has_imported(connection):
            connection.execute("INSERT OR IGNORE INTO profile (name, value) VALUES ('imported', 1)")
            self._any_imported = True
        elif event.kind == "window" and self._watched_known and not event.details.get("imported"):
            start = microseconds(event.start)
            self._watched_since = min(start, self._watched_since or start)

    def _has_imported(self, connection: apsw.Connection) -> bool:
        if self._any_imported is None:
            self._any_imported = one(connection, "SELECT 1 FROM profile WHERE name = 'imported'") is not None
        return self._any_imported

    def _same_window(self, connection: apsw.Connection, event: Event) -> int | None:
        start, end = microseconds(event.start), microseconds(event.end or event.start)
        if not self._watched_known:
            self._watched_known = True
            (self._watched_since,) = one(
                connection,
                "SELECT min(start) FROM event WHERE kind = 'window' AND details ->> 'imported' IS NULL",
            )
        if self._watched_since is None or end < self._watched_since:
            return None
        ours = rows(
            connection,
            """SELECT id, min(coalesce(end, start), ?2) - max(start, ?1) AS shared FROM event
            WHERE kind = 'window' AND start BETWEEN ?1 - ?3 AND ?2 AND coalesce(end, start) > ?1
            AND details ->> 'imported' IS NULL ORDER BY shared DESC""",
            (start, end, _LONG_OPEN_US),
        )
        return ours[0][0] if ours and sum(shared for _, shared in ours) * 2 > end - start else None


def is_other(connection: apsw.Connection, known: int, key: bytes) -> bool:
    """Whether an event is known by this key only as what another program told of it."""
    return bool(one(connection, "SELECT key <> ? FROM event WHERE id = ?", (key, known))[0])


def _same_page(connection: apsw.Connection, event: Event) -> int | None:
    """The nearest visit that came another way: read here by one, imported by the other."""
    found = connection.execute(
        """WITH near (id, start, details) AS (
            SELECT id, start, details FROM event WHERE url = (SELECT id FROM entity WHERE kind = 'url' AND norm = :url)
            AND kind = 'browser' AND start BETWEEN :at - :slack AND :at + :slack
            UNION ALL
            SELECT id, start, details FROM event
            WHERE domain = (SELECT id FROM entity WHERE kind = 'domain' AND norm = :domain)
            AND kind = 'browser' AND start BETWEEN :at - :rounded AND :at + :rounded)
        SELECT id FROM near WHERE coalesce(details ->> 'imported', '') <> :imported
        ORDER BY abs(start - :at) LIMIT 1""",
        {
            "url": norm("url", event.url),
            "domain": norm("domain", event.domain),
            "at": microseconds(event.start),
            "slack": _PAGE_SLACK_US,
            "rounded": _ROUNDED_US,
            "imported": str(event.details.get("imported", "")),
        },
    ).fetchone()
    return None if found is None else int(found[0])
