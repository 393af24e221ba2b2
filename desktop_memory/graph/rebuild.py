"""Makes the whole graph anew from the store, by imports into a new file: ten seconds for a million events."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from itertools import islice, pairwise
from pathlib import Path
from typing import IO

from desktop_memory.courtesy import give_way
from desktop_memory.graph import schema
from desktop_memory.graph.engine import REBUILD_POOL_BYTES, Engine, node
from desktop_memory.graph.schema import CO_OCCURS_DAYS, EDGES, Cursor
from desktop_memory.graph.store import Snapshot

Progress = Callable[[int, int], None]
"""Told (done, of all), in events: half of each for writing it down, half for the import."""

_STEP = 5_000
_IN_THE_ROW = ("app", "project", "branch", "url", "domain")
"""Kinds of entities that `Snapshot.in_order` tells, in its order."""


class _Cancelled(Exception):
    pass


def build(
    path: Path, now: Snapshot, today: int, progress: Progress | None, cancelled: Callable[[], bool]
) -> bool:
    """A finished file at `path`; False when cancelled. `today` is in days since 1970."""
    folder = path.parent / "csv"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(mode=0o700)
    try:
        total = now.count()
        tick = _ticking(total, progress, cancelled)
        _write(folder, now, today, tick)
        _import(path, folder, _cursor(now, today), total, tick)
    except _Cancelled:
        return False
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return True


def _cursor(now: Snapshot, today: int) -> Cursor:
    last = now.last_arrival()
    return Cursor(number=1, event=last, change=now.last_change(), mark=now.mark(last) or 0, day=today - 1)


Tick = Callable[[int], None]


def _ticking(total: int, progress: Progress | None, cancelled: Callable[[], bool]) -> Tick:
    def tick(done: int) -> None:
        if cancelled():
            raise _Cancelled
        give_way()
        if progress is not None:
            progress(min(done, total), total)

    return tick


def _write(folder: Path, now: Snapshot, today: int, tick: Tick) -> None:
    with ExitStack() as files:

        def csv(table: str) -> IO[str]:
            return files.enter_context(open(folder / f"{table}.csv", "w", encoding="ascii", newline="\n"))

        _write_events(now, csv, tick)
        edges = {kind: csv(edge) for kind, edge in EDGES.items() if kind not in _IN_THE_ROW}
        for event, entity, kind in now.more_links():
            if kind in edges:
                edges[kind].write(f"{node(event)},{node(entity)}\n")
        csv("Session").writelines(f"{node(id_)}\n" for id_ in now.sessions())
        csv("Entity").writelines(f"{node(id_)},{kind}\n" for id_, kind in now.entities() if kind in EDGES)
        csv("CO_OCCURS").writelines(
            f"{node(a)},{node(b)},{day},{times}\n"
            for a, b, day, times in now.co_occurrences(today - CO_OCCURS_DAYS, today)
        )


def _write_events(now: Snapshot, csv: Callable[[str], IO[str]], tick: Tick) -> None:
    """Events in their order, in blocks: a line a node and a line an edge."""
    events, previous, sessions = csv("Event"), csv("PREVIOUS"), csv("IN_SESSION")
    edges = [csv(EDGES[kind]) for kind in _IN_THE_ROW]
    rows, before, done = now.in_order(), None, 0
    while block := list(islice(rows, _STEP)):
        tick(done // 2)
        done += len(block)
        ids = [node(row[0]) for row in block]
        events.writelines(f"{id_},{row[1]},{row[2]}\n" for id_, row in zip(ids, block, strict=True))
        chain = [*([] if before is None else [before]), *ids]
        previous.writelines(f"{later},{earlier}\n" for earlier, later in pairwise(chain))
        for column, file in enumerate((sessions, *edges), start=3):
            file.writelines(
                f"{id_},{node(row[column])}\n"
                for id_, row in zip(ids, block, strict=True)
                if row[column] is not None
            )
        before = ids[-1]


def _import(path: Path, folder: Path, cursor: Cursor, total: int, tick: Tick) -> None:
    engine = Engine(path, pool_bytes=REBUILD_POOL_BYTES)
    try:
        schema.create(engine)
        tables = list(_in_order(file.stem for file in folder.glob("*.csv")))
        for number, table in enumerate(tables):
            tick(total // 2 + total // 2 * number // len(tables))
            if (folder / f"{table}.csv").stat().st_size:
                engine.copy(table, folder / f"{table}.csv")
        with engine.transaction() as transaction:
            schema.write_cursor(transaction, cursor)
    finally:
        engine.close()
    tick(total)


def _in_order(tables: Iterable[str]) -> Iterator[str]:
    """Nodes before the edges between them."""
    return iter(sorted(tables, key=lambda table: (table not in ("Event", "Session", "Entity"), table)))
