"""What sessions and the graph cost: `python -m tests.benchmarks.graph [events]` prints a table.

Rows are written straight into SQLite; the baseline of the sessions is the same insert without them.
Times are the process's CPU time, which other work on the machine changes little; "wall" says otherwise.
"""

from __future__ import annotations

import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

from desktop_memory.graph.walk import GraphWalk
from desktop_memory.retrieval.neighbours import Neighbours
from desktop_memory.store import chain
from desktop_memory.store.walk import SqlWalk
from tests.chain_rows import GAP, SECOND, Rows, key
from tests.graph_desk import Desk

KINDS = ("window", "window", "window", "browser", "browser", "terminal", "terminal", "git_commit")
ENTITIES = {"app": 30, "project": 40, "branch": 300, "url": 60_000, "domain": 3_000, "file": 20_000}
BATCH = 1_000


def events(count: int, random: Random) -> Iterator[tuple]:
    """Bursts with pauses between them, as a person's days have; a few things are much more frequent than others."""
    ids, last = {}, 0
    for kind, many in ENTITIES.items():
        ids[kind], last = last + 1, last + many
    at = 1_700_000_000 * SECOND
    for number in range(count):
        at += random.randrange(60 * SECOND) if random.random() < 0.985 else random.randrange(40_000 * SECOND)

        def one(kind: str) -> int:
            return ids[kind] + min(int(random.paretovariate(0.6)) - 1, ENTITIES[kind] - 1)

        kind = KINDS[number % len(KINDS)]
        web = kind == "browser"
        yield (
            key(number), kind, at, at + random.randrange(50 * SECOND) if kind == "window" else None,
            one("app"), None if web else one("project"), one("branch") if kind == "git_commit" else None,
            one("url") if web else None, one("domain") if web else None,
        )  # fmt: skip


INSERT = """INSERT INTO event (key, kind, start, end, app, project, branch, url, domain, device)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 1)"""


def fill(rows: Rows, count: int, keep: bool) -> float:
    """Seconds for the inserts, with or without the sessions."""
    connection = rows.connection
    connection.execute("BEGIN")
    for kind, many in ENTITIES.items():
        connection.executemany(
            "INSERT INTO entity (kind, norm, name) VALUES (?, ?, ?)",
            [(kind, f"{kind} {n}", "") for n in range(many)],
        )
    connection.execute("COMMIT")
    made, spent = list(events(count, Random(1))), 0.0
    for begin in range(0, count, BATCH):
        batch = made[begin : begin + BATCH]
        started = time.process_time()
        connection.execute("BEGIN")
        connection.executemany(INSERT, batch)
        if keep:
            chain.maintain(connection, (), GAP, joining=range(begin + 1, begin + len(batch) + 1))
        connection.execute("COMMIT")
        spent += time.process_time() - started
    connection.execute(
        """INSERT INTO event_entity SELECT (SELECT min(id) FROM entity WHERE kind = 'file') + abs(random() % 20000),
        start, id FROM event WHERE kind IN ('git_commit', 'terminal')"""
    )
    return spent


def tell(what: str, value: float, unit: str) -> None:
    print(f"{what:<58}{value:>12,.3f} {unit}")


def timed(what: str, question: Callable[[int], object], chosen: list[int]) -> None:
    took = []
    for event in chosen:
        started = time.process_time()
        question(event)
        took.append(time.process_time() - started)
    took.sort()
    tell(f"{what}, median", took[len(took) // 2] * 1_000, "ms")
    tell(f"{what}, 95 %", took[len(took) * 95 // 100] * 1_000, "ms")


def memory() -> float:
    """Private megabytes of this process."""
    for line in Path("/proc/self/smaps_rollup").read_text().splitlines():
        if line.startswith("Private_Dirty"):
            return int(line.split()[1]) / 1024
    return 0.0


def main(count: int) -> None:
    random = Random(2)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        bare = fill(Rows(folder / "bare.sqlite"), count, keep=False)
        rows = Rows(folder / "rows.sqlite")
        kept = fill(rows, count, keep=True)
        tell("sessions, a thousand events at a time", (kept - bare) / count * 1e6, "µs an event")
        tell("  the same inserts without them", bare / count * 1e6, "µs an event")
        one_event(rows, random)
        tell("memory before the graph", memory(), "MB")
        desk = Desk(folder / "graph", rows)
        started, wall = time.process_time(), time.perf_counter()
        desk.projector.rebuild()
        tell(f"graph of {count:,} events made anew", time.process_time() - started, "s")
        tell("  wall", time.perf_counter() - wall, "s")
        tell("graph file", sum(f.stat().st_size for f in (folder / "graph").iterdir()) / 1e6, "MB")
        tell("memory after it", memory(), "MB")
        link(desk, random)
        walk(desk, [random.randrange(1, count) for _ in range(100)])
        tell("memory at the end", memory(), "MB")
        desk.close()
        started = time.process_time()
        desk = Desk(folder / "graph", rows)
        tell("graph opened", (time.process_time() - started) * 1_000, "ms")
        desk.close()


def one_event(rows: Rows, random: Random) -> None:
    (low, high) = rows.connection.execute("SELECT min(start), max(start) FROM event").fetchone()
    for what, at in (
        ("one event at the end", lambda n: high / SECOND + n),
        ("one event anywhere", lambda n: random.randrange(low, high) / SECOND),
    ):
        took = []
        for number in range(300):
            rows.connection.execute("BEGIN")
            rows.add(f"{what} {number}", at(number))
            started = time.process_time()
            rows.keep_sessions()
            rows.connection.execute("COMMIT")
            took.append(time.process_time() - started)
        took.sort()
        tell(f"session of {what}, median", took[150] * 1_000, "ms")
        tell(f"session of {what}, 99 %", took[296] * 1_000, "ms")


def link(desk: Desk, random: Random) -> None:
    (low, high) = desk.rows.connection.execute("SELECT min(start), max(start) FROM event").fetchone()
    desk.catch_up()
    for what, at, many in (
        ("in order, 200 at a time", lambda n: high / SECOND + 1_000 + n, 200),
        ("in order, one at a time", lambda n: high / SECOND + 9_000 + n, 1),
        ("late, 200 at a time", lambda n: random.randrange(low, high) / SECOND, 200),
    ):
        spent, stop = 0.0, threading.Event()
        for begin in range(0, 400, many):
            for number in range(begin, begin + many):
                desk.rows.add(
                    f"{what} {number}", at(number), app=f"app {number % 9}", project=f"project {number % 7}",
                    files=[f"file {number % 50}"],
                )  # fmt: skip
            desk.rows.keep_sessions()
            started = time.process_time()
            while desk.projector.catch_up(stop):
                pass
            spent += time.process_time() - started
        tell(f"linked {what}", spent / 400 * 1_000, "ms an event")


def walk(desk: Desk, chosen: list[int]) -> None:
    sql = SqlWalk(lambda: desk.rows.connection)
    started = time.process_time()
    print("hubs:", len(sql.hubs), f"found in {(time.process_time() - started) * 1_000:.0f} ms")
    for name, one in (("graph", GraphWalk(desk.graph, sql)), ("sql", sql)):
        neighbours = Neighbours(sql, one if isinstance(one, GraphWalk) else None)
        timed(f"{name}: 5 events before", lambda event, one=one: one.before(event, 5), chosen)
        timed(f"{name}: neighbours, one hop", lambda event, n=neighbours: n.around([event]), chosen)
        timed(
            f"{name}: neighbours, two hops",
            lambda event, n=neighbours: n.around([event], hop_depth=2),
            chosen,
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
