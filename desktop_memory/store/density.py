"""How much of each kind began in each stretch of a long time.

Where there are few events, those that a rule hides are left out. To judge 10,000 takes half a second, so that of more
than that all are counted, from one index: a year is painted at once, and of what is hidden it tells how much there is.
"""

from __future__ import annotations

from collections import Counter
from datetime import datetime

import apsw

from collectors.event import microseconds
from desktop_memory.store.rows import select

MOST_JUDGED = 10_000
Bucket = tuple[str, float, int]
"""A kind, the beginning of a stretch in seconds since 1970, and how many events began in it."""


def density(connection: apsw.Connection, since: datetime, until: datetime, seconds: float) -> list[Bucket]:
    """The stretches of `seconds` in [since, until) in which anything began, by kind and time."""
    width = max(1, round(seconds * 1_000_000))
    stretch = (microseconds(since), microseconds(until))
    few = connection.execute(
        "SELECT count(*) FROM (SELECT 1 FROM event WHERE start >= ? AND start < ? LIMIT ?)",
        (*stretch, MOST_JUDGED + 1),
    ).get
    if few <= MOST_JUDGED:
        shown = select(connection, "WHERE event.start >= ? AND event.start < ?", stretch)
        counted = Counter((event.kind, microseconds(event.start) // width * width) for event in shown)
        return [(kind, start / 1_000_000, count) for (kind, start), count in sorted(counted.items())]
    rows = connection.execute(
        """SELECT kind, start / ?3 * ?3, count(*) FROM event
        WHERE start >= ?1 AND start < ?2 GROUP BY 1, 2 ORDER BY 1, 2""",
        (*stretch, width),
    )
    return [(str(kind), int(start) / 1_000_000, int(count)) for kind, start, count in rows]
