"""Which entities go together: what nearly every session has (hubs), and what shares ten minutes of one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

import apsw

HUB_SHARE = 0.4
"""An entity of more sessions than this share is a hub: sharing it says nothing."""

DAY_US = 86_400_000_000
_SLOT_US = 600_000_000
_RECENT_SESSIONS = 500
_FEWEST_SESSIONS = 10
_ENTITIES_A_SLOT = 16

_MEMBERS = """
    SELECT session, app AS entity FROM event WHERE session IN recent AND app IS NOT NULL
    UNION SELECT session, project FROM event WHERE session IN recent AND project IS NOT NULL
    UNION SELECT session, branch FROM event WHERE session IN recent AND branch IS NOT NULL
    UNION SELECT session, url FROM event WHERE session IN recent AND url IS NOT NULL
    UNION SELECT session, domain FROM event WHERE session IN recent AND domain IS NOT NULL
    UNION SELECT event.session, event_entity.entity FROM event
        JOIN event_entity ON event_entity.event = event.id WHERE event.session IN recent"""


def hubs(connection: apsw.Connection, share: float = HUB_SHARE) -> frozenset[int]:
    """Entities in more than this share of the newest sessions; none while there are few sessions."""
    recent = f"recent (id) AS (SELECT id FROM session ORDER BY start DESC LIMIT {_RECENT_SESSIONS})"
    count = int(connection.execute(f"WITH {recent} SELECT count(*) FROM recent").get)
    if count < _FEWEST_SESSIONS:
        return frozenset()
    rows = connection.execute(
        f"""WITH {recent}, members (session, entity) AS MATERIALIZED ({_MEMBERS})
        SELECT entity FROM members GROUP BY entity HAVING count(*) > ? * ?""",
        (share, count),
    )
    return frozenset(int(id_) for (id_,) in rows)


def co_occurrences(
    connection: apsw.Connection, since_day: int, until_day: int
) -> Iterator[tuple[int, int, int, int]]:
    """(entity, entity, day, times) for days (since 1970, UTC) in [since, until); the lower id first.

    Two entities go together when they share ten minutes of a session; `times` counts those. Single pages
    are left out (their site counts), and of a crowded stretch the most frequent entities stand for all.
    """
    for day in range(since_day, until_day):
        pairs: Counter[tuple[int, int]] = Counter()
        for entities in _slots(connection, day):
            few = sorted(id_ for id_, _ in entities.most_common(_ENTITIES_A_SLOT))
            pairs.update(combinations(few, 2))
        for (one, other), times in sorted(pairs.items()):
            yield one, other, day, times


def _slots(connection: apsw.Connection, day: int) -> Iterator[Counter[int]]:
    """The entities of each ten minutes of a session."""
    slot: tuple[int, int] | None = None
    entities: Counter[int] = Counter()
    rows = connection.execute(
        """SELECT session, start, app, project, branch, domain, (SELECT group_concat(entity) FROM event_entity
            WHERE event_entity.event = event.id) FROM event INDEXED BY event_order
        WHERE start >= ? AND start < ? AND session IS NOT NULL ORDER BY start""",
        (day * DAY_US, (day + 1) * DAY_US),
    )
    for session, start, *linked, files in rows:
        here = (int(session), int(start) // _SLOT_US)
        if here != slot:
            if entities:
                yield entities
            slot, entities = here, Counter()
        entities.update(int(id_) for id_ in linked if id_ is not None)
        entities.update(int(id_) for id_ in str(files).split(",") if files)
    if entities:
        yield entities
