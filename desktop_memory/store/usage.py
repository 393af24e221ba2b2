"""What the user opened, copied or pinned of what was remembered: how often, and when last. It never leaves the file."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import datetime

import apsw

from collectors.event import microseconds, moment

Used = tuple[int, datetime]
"""How often, and when last."""


def note(connection: apsw.Connection, events: Iterable[int], at: datetime) -> None:
    """Count one use of each of these events; those that are gone are left out."""
    connection.execute(
        """INSERT INTO usage (event, text, times, last)
        SELECT event.id, doc.text, 1, ?2 FROM event LEFT JOIN doc ON doc.id = event.doc
        WHERE event.id IN (SELECT value FROM json_each(?1))
        ON CONFLICT (event) DO UPDATE SET times = times + 1, last = max(last, excluded.last)""",
        (json.dumps(list(events)), microseconds(at)),
    )


def of(connection: apsw.Connection, events: Iterable[int]) -> dict[int, Used]:
    """The use of these events and of all that say the same; those never used are left out."""
    rows = connection.execute(
        """SELECT event.id, sum(usage.times), max(usage.last) FROM json_each(?) AS wanted
        CROSS JOIN event ON event.id = wanted.value LEFT JOIN doc ON doc.id = event.doc
        CROSS JOIN usage ON usage.event = event.id OR usage.text = doc.text GROUP BY event.id""",
        (json.dumps(list(events)),),
    )
    return {event: (times, moment(last)) for event, times, last in rows}


def forget(connection: apsw.Connection) -> int:
    """Forget all of it; how many events were known as used."""
    connection.execute("DELETE FROM usage")
    return connection.changes()
