"""How much of each kind began in each stretch of a long time.

Where there are few events, those that a rule hides are left out. To judge 10,000 takes half a second: of more than that
only what has a name that may not be said is left out, and what titles, folders or hours hide is counted.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection
from datetime import datetime

import apsw

from collectors.event import microseconds
from desktop_memory.store.rows import select

MOST_JUDGED = 10_000
Bucket = tuple[str, float, int]
"""A kind, the beginning of a stretch in seconds since 1970, and how many events began in it."""


_NAMELESS = "(SELECT value FROM json_each(:names))"
WITHOUT = f"""coalesce(event.app, 0) NOT IN {_NAMELESS} AND coalesce(event.domain, 0) NOT IN {_NAMELESS}
    AND coalesce(event.project, 0) NOT IN {_NAMELESS}"""
"""Holds for events without any of the apps, sites and projects whose numbers are in the JSON list `names`."""


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
        shown = select(connection, "WHERE event.start >= ? AND event.start < ?", stretch)
        counted = Counter((event.kind, microseconds(event.start) // width * width) for event in shown)
        return [(kind, start / 1_000_000, count) for (kind, start), count in sorted(counted.items())]
    rows = connection.execute(
        f"""SELECT kind, start / :width * :width, count(*) FROM event
        WHERE start >= :since AND start < :until AND {WITHOUT if without else "1"} GROUP BY 1, 2 ORDER BY 1, 2""",
        {"since": stretch[0], "until": stretch[1], "width": width, "names": json.dumps(list(without))},
    )
    return [(str(kind), int(start) / 1_000_000, int(count)) for kind, start, count in rows]
