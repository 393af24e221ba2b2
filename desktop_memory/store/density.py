"""How much of each kind began in each stretch of a long time.

Few events are judged by the rules of now. To judge 10,000 takes half a second: of more than that, what rules hide is
left out as soon as it was judged by them (see hiding.py), and at once what has a name that may not be said.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from datetime import datetime

import apsw

from collectors.event import microseconds
from desktop_memory.store.hiding import shown
from desktop_memory.store.rows import select

MOST_JUDGED = 10_000
Bucket = tuple[str, float, int]
"""A kind, the beginning of a stretch in seconds since 1970, and how many events began in it."""


def density(
    connection: apsw.Connection,
    since: datetime,
    until: datetime,
    seconds: float,
    without: Collection[int] = (),
) -> list[Bucket]:
    """The stretches of `seconds` in [since, until) in which anything began, by kind and time.

    `without` are apps, sites and projects that may not be named.
    """
    width = max(1, round(seconds * 1_000_000))
    stretch = (microseconds(since), microseconds(until))
    few = connection.execute(
        "SELECT count(*) FROM (SELECT 1 FROM event WHERE start >= ? AND start < ? LIMIT ?)",
        (*stretch, MOST_JUDGED + 1),
    ).get
    if few <= MOST_JUDGED:
        found = select(connection, "WHERE event.start >= ? AND event.start < ?", stretch)
        counted = Counter((event.kind, microseconds(event.start) // width * width) for event in found)
        return [(kind, start / 1_000_000, count) for (kind, start), count in sorted(counted.items())]
    condition, values = shown(without)
    rows = connection.execute(
        f"""SELECT kind, start / :width * :width, count(*) FROM event
        WHERE start >= :since AND start < :until AND {condition} GROUP BY 1, 2 ORDER BY 1, 2""",
        {"since": stretch[0], "until": stretch[1], "width": width, **values},
    )
    return [(str(kind), int(start) / 1_000_000, int(count)) for kind, start, count in rows]
