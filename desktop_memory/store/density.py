"""How much of each kind began in each stretch of a long time: from one index, whatever the number of events."""

from __future__ import annotations

from datetime import datetime

import apsw

from collectors.event import microseconds

Bucket = tuple[str, float, int]
"""A kind, the beginning of a stretch in seconds since 1970, and how many events began in it."""


def density(connection: apsw.Connection, since: datetime, until: datetime, seconds: float) -> list[Bucket]:
    """The stretches of `seconds` in [since, until) in which anything began, by kind and time."""
    width = max(1, round(seconds * 1_000_000))
    rows = connection.execute(
        """SELECT kind, start / ?3 * ?3, count(*) FROM event
        WHERE start >= ?1 AND start < ?2 GROUP BY 1, 2 ORDER BY 1, 2""",
        (microseconds(since), microseconds(until), width),
    )
    return [(str(kind), int(start) / 1_000_000, int(count)) for kind, start, count in rows]
