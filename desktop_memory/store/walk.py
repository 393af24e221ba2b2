"""The same walks as the graph's, from SQL: what the graph leaves to indexes, and all of it without a graph."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import apsw

from desktop_memory.store import feed, together

_IN_THE_ROW = ("app", "project", "branch", "url", "domain")
_HALF_LIFE_DAYS = 14
_DAYS = 90


class SqlWalk:
    """Answers with event ids; any thread may ask. `read` gives the thread's connection."""

    def __init__(self, read: Callable[[], apsw.Connection]) -> None:
        self._read = read
        self._hubs: tuple[int, frozenset[int]] | None = None

    @property
    def hubs(self) -> frozenset[int]:
        """Entities of so many sessions that sharing one says nothing; found anew after a thousand events."""
        last = feed.last_id(self._read())
        if self._hubs is None or abs(last - self._hubs[0]) > 1_000:
            self._hubs = (last, together.hubs(self._read()))
        return self._hubs[1]

    def before(self, event: int, count: int) -> list[int]:
        return [id_ for id_, _ in zip(feed.earlier(self._read(), event), range(count), strict=False)]

    def after(self, event: int, count: int) -> list[int]:
        return [id_ for id_, _ in zip(feed.later(self._read(), event), range(count), strict=False)]

    def entities(self, event: int) -> list[tuple[int, str]]:
        row = feed.graph_row(self._read(), event)
        return [] if row is None else list(row.entities)

    def start_of(self, event: int) -> int | None:
        row = self._read().execute("SELECT start FROM event WHERE id = ?", (event,)).fetchone()
        return None if row is None else int(row[0])

    def session_mates(self, event: int, count: int) -> list[int]:
        """Other events of its session, the nearest in time first."""
        row = self._read().execute("SELECT session, start FROM event WHERE id = ?", (event,)).fetchone()
        if row is None or row[0] is None:
            return []
        return self._nearest("SELECT id, start FROM event WHERE session = ?1", row[0], row[1], event, count)

    def sharing(self, entity: int, kind: str, event: int, count: int) -> list[int]:
        """Other events that touch this entity, the nearest to `event` in time first."""
        at = self.start_of(event)
        if at is None:
            return []
        return self._nearest(_touching(kind), entity, at, event, count)

    def is_crowded(self, entity: int, kind: str, limit: int) -> bool:
        """Whether more events than `limit` touch it."""
        rows = self._read().execute(f"{_touching(kind)} LIMIT 1 OFFSET ?", (entity, limit))
        return rows.fetchone() is not None

    def co_occurrences(self, since_day: int, until_day: int) -> Iterator[tuple[int, int, int, int]]:
        """(entity, entity, day, times) of the days in [since, until)."""
        return together.co_occurrences(self._read(), since_day, until_day)

    def going_together(self, entity: int, today: int, count: int) -> list[tuple[int, float]]:
        """Entities that share its ten minutes most, lately: (id, weight), hubs left out. `today` in days."""
        weights: dict[int, float] = {}
        for day in self._days_of(entity, today):
            for one, other, _, times in together.co_occurrences(self._read(), day, day + 1):
                if entity in (one, other):
                    mate, weight = one + other - entity, times * 0.5 ** ((today - day) / _HALF_LIFE_DAYS)
                    weights[mate] = weights.get(mate, 0.0) + weight
        found = [item for item in weights.items() if item[0] not in self.hubs]
        return sorted(found, key=lambda item: (-item[1], item[0]))[:count]

    def _days_of(self, entity: int, today: int) -> list[int]:
        """The days before today, of the last ninety, on which the entity was touched."""
        row = self._read().execute("SELECT kind FROM entity WHERE id = ?", (entity,)).fetchone()
        if row is None:
            return []
        rows = self._read().execute(
            f"SELECT DISTINCT start / ?2 FROM ({_touching(str(row[0]))} AND start >= ?3 * ?2 AND start < ?4 * ?2)",
            (entity, together.DAY_US, today - _DAYS, today),
        )
        return [int(day) for (day,) in rows]

    def _nearest(self, events: str, of: int, at: int, but: int, count: int) -> list[int]:
        """The nearest in time by two reads of an index that ends in `start`."""
        rows = self._read().execute(
            f"""SELECT id FROM (
                SELECT * FROM ({events} AND start <= ?2 ORDER BY start DESC LIMIT ?4 + 1)
                UNION ALL SELECT * FROM ({events} AND start > ?2 ORDER BY start LIMIT ?4)
            ) WHERE id <> ?3 ORDER BY abs(start - ?2), id LIMIT ?4""",
            (of, at, but, count),
        )
        return [int(id_) for (id_,) in rows]


def _touching(kind: str) -> str:
    if kind in _IN_THE_ROW:
        return f"SELECT id, start FROM event WHERE {kind} = ?1"
    return "SELECT event AS id, start FROM event_entity WHERE entity = ?1"
