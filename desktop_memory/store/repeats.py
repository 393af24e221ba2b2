"""Events that say the same as another one: the same page, the same words."""

from __future__ import annotations

from collections.abc import Sequence

import apsw

from collectors.event import microseconds
from desktop_memory.model import Remembered
from desktop_memory.store.rows import select

_LIMIT = 50

_SAME = """event.id != :id AND (
    event.url = (SELECT url FROM event WHERE id = :id)
    OR event.doc IN (SELECT other.id FROM doc other JOIN doc mine ON mine.text = other.text
        WHERE mine.id = (SELECT doc FROM event WHERE id = :id)))"""


def repeats(connection: apsw.Connection, event: Remembered) -> Sequence[Remembered]:
    """Other visits of the page, or other events with the same words; oldest first, the newest fifty."""
    rest = f"WHERE {_SAME} ORDER BY event.start DESC LIMIT {_LIMIT}"
    return select(connection, rest, {"id": event.id})[::-1]


def longest_elsewhere(connection: apsw.Connection, event: Remembered, days: int) -> Remembered | None:
    """The window of its project that was in front longest in another session, at most so many days away."""
    reach = days * 86_400_000_000
    at = microseconds(event.start)
    found = select(
        connection,
        """WHERE event.project = (SELECT project FROM event WHERE id = :id) AND event.kind = 'window'
        AND event.start BETWEEN :since AND :until
        AND event.session IS NOT (SELECT session FROM event WHERE id = :id)
        ORDER BY coalesce(event.end, event.start) - event.start DESC, event.id LIMIT 1""",
        {"id": event.id, "since": at - reach, "until": at + reach},
    )
    return found[0] if found else None


def seen_before(connection: apsw.Connection, event: Remembered) -> bool:
    """Whether the same stood in an earlier session."""
    row = connection.execute(
        f"""SELECT 1 FROM event WHERE {_SAME} AND event.start < :start
        AND event.session IS NOT (SELECT session FROM event WHERE id = :id) LIMIT 1""",
        {"id": event.id, "start": microseconds(event.start)},
    ).fetchone()
    return row is not None
