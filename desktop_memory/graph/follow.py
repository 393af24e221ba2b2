"""One step behind the store: first what was deleted and edited, then what arrived, in small transactions."""

from __future__ import annotations

import threading
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from desktop_memory.courtesy import give_way
from desktop_memory.graph import schema
from desktop_memory.graph.engine import TRANSACTION_EVENTS, Engine, Statement, Transaction
from desktop_memory.graph.link import FIND, Linker
from desktop_memory.graph.schema import CO_OCCURS_DAYS, Cursor
from desktop_memory.graph.store import Row, Snapshot

_T = TypeVar("_T")

STEP_EVENTS = 200
MOST_CHANGES = 5_000


class Follower:
    """Moves `cursor` with every transaction that ends; what a crash undoes is done again."""

    def __init__(
        self, engine: Engine, cursor: Cursor, linker: Linker, moved: Callable[[Cursor], None]
    ) -> None:
        self._engine = engine
        self._cursor = cursor
        self._linker = linker
        self._moved = moved

    def step(self, now: Snapshot, stop: threading.Event) -> bool:
        """Take in all changes, or up to 200 arrivals; True while there is more."""
        if now.last_change() > self._cursor.change:
            self._take_changes(now, stop)
            return True
        rows = now.arrivals(self._cursor.event, STEP_EVENTS)
        for some in _chunks(rows, TRANSACTION_EVENTS):
            if stop.is_set():
                return True
            give_way()
            self._take_arrivals(now, some)
        if not rows and now.last_arrival() > self._cursor.event:
            self._skip_to(now.last_arrival())  # what arrived was deleted before it was seen
        return len(rows) == STEP_EVENTS

    def remove(self, events: Sequence[int]) -> int:
        """Take these out; how many were there."""
        removed = 0
        for some in _chunks(events, TRANSACTION_EVENTS):
            with self._engine.transaction() as do:
                here = sum(self._linker.remove(do, event) for event in some)
                cursor = self._write(do, replace(self._cursor, deletes=self._cursor.deletes + here))
            self._set(cursor)
            removed += here
        return removed

    def changed(self, now: Snapshot) -> int:
        """How many events the graph may hold were edited or deleted."""
        return len(self._changed(now)) if now.last_change() > self._cursor.change else 0

    def gone(self, now: Snapshot) -> int:
        """How many events that the graph holds are deleted in the store."""
        if now.last_change() == self._cursor.change:
            return 0
        return sum(
            now.graph_row(event) is None and bool(self._engine.read(FIND, event=event))
            for event in self._changed(now)
        )

    def take_days(self, now: Snapshot, until: int) -> None:
        """Add what went together on the days that are over."""
        pairs = now.co_occurrences(max(self._cursor.day + 1, until - CO_OCCURS_DAYS), until)
        with self._engine.transaction() as do:
            for one, other, day, times in pairs:
                do.run(_GO_TOGETHER, one=one, other=other, day=day, times=times)
            cursor = self._write(do, replace(self._cursor, day=until - 1))
        self._set(cursor)

    # changes

    def _changed(self, now: Snapshot) -> list[int]:
        """Events the graph may hold that changed, each once."""
        changes = now.changes(self._cursor.change, MOST_CHANGES + 1)
        return list(dict.fromkeys(change.event for change in changes if change.event <= self._cursor.event))

    def _take_changes(self, now: Snapshot, stop: threading.Event) -> None:
        """What is gone first: as long as it stands in the chain, the store cannot name its neighbours.

        The cursor moves when all is done; what was begun is done again without harm.
        """
        changed = {event: now.graph_row(event) for event in self._changed(now)}
        self.remove([event for event, row in changed.items() if row is None])
        edited = [row for row in changed.values() if row is not None]
        waiting = self._misplaced(edited)
        for some in _chunks(edited, TRANSACTION_EVENTS):
            if stop.is_set():
                return
            with self._engine.transaction() as do:
                for row in some:
                    self._edit(do, now, row, waiting)
        with self._engine.transaction() as do:
            cursor = self._write(do, replace(self._cursor, change=now.last_change()))
        self._set(cursor)

    def _misplaced(self, rows: Sequence[Row]) -> dict[int, bool]:
        """Those whose start has changed or that have no node yet; True: there is a node."""
        starts = {row.id: self._engine.read(FIND, event=row.id) for row in rows}
        return {row.id: bool(starts[row.id]) for row in rows if [[row.start]] != starts[row.id]}

    def _edit(self, do: Transaction, now: Snapshot, row: Row, waiting: dict[int, bool]) -> None:
        """Events that wait still stand where they were: neighbours are sought among the others."""
        if row.id not in waiting:
            self._linker.update_edges(do, row)
            return
        before, after = self._neighbours(now, row.id, waiting)
        has_node = waiting.pop(row.id)
        others = [event for event in (after, *waiting) if event is not None]
        if has_node:
            self._linker.unlink(do, row.id)
            self._linker.relink(do, row, before, others)
            self._linker.update_edges(do, row)
        else:
            self._linker.insert(do, row, before, others)

    def _neighbours(
        self, now: Snapshot, event: int, waiting: Container[int] = ()
    ) -> tuple[int | None, int | None]:
        """The nearest events before and after this one that stand in the graph's chain, at their right place."""
        last = self._cursor.event
        before = next((other for other in now.earlier(event, last) if other not in waiting), None)
        after = next((other for other in now.later(event, last) if other not in waiting), None)
        return before, after

    # arrivals

    def _take_arrivals(self, now: Snapshot, rows: Sequence[Row]) -> None:
        number = self._cursor.number
        with self._engine.transaction() as do:
            for row in rows:
                before, after = self._neighbours(now, row.id)
                self._linker.add(do, row, before, after)
                self._cursor = replace(self._cursor, event=row.id)
            mark = now.mark(rows[-1].id) or 0
            cursor = self._write(do, replace(self._cursor, mark=mark), number)
        self._set(cursor)

    def _skip_to(self, event: int) -> None:
        with self._engine.transaction() as do:
            cursor = self._write(do, replace(self._cursor, event=event, mark=0))
        self._set(cursor)

    # the cursor

    def _write(self, do: Transaction, cursor: Cursor, number: int | None = None) -> Cursor:
        cursor = replace(cursor, number=(self._cursor.number if number is None else number) + 1)
        schema.write_cursor(do, cursor)
        return cursor

    def _set(self, cursor: Cursor) -> None:
        self._cursor = cursor
        self._moved(cursor)


def _chunks(items: Sequence[_T], size: int) -> Iterator[Sequence[_T]]:
    for begin in range(0, len(items), size):
        yield items[begin : begin + size]


_GO_TOGETHER = Statement(
    """MATCH (a:Entity {id: $one}), (b:Entity {id: $other})
    CREATE (a)-[:CO_OCCURS {day: $day, times: $times}]->(b)""",
    ids=("one", "other"),
)
