"""How fast events are remembered, beside raw inserts of the same rows into the table and the full text."""

from __future__ import annotations

import time
from pathlib import Path

from desktop_memory.store.store import Store
from tests.benchmarks.world import AT_ONCE, World

_BESIDES = ("device", "place", "entity", "session", "text", "doc")


def measure(world: World, folder: Path) -> None:
    """Prints the rate of everything imported into `world` so far."""
    ours = world.count / world.seconds_importing
    bare = world.count / _raw(world, folder)
    print(f"\nImport of {world.count:,} events in batches of {AT_ONCE:,}")
    print(f"remembered       {ours:9,.0f} events/s   {1_000 / ours:.2f} ms each")
    print(f"raw apsw inserts {bare:9,.0f} events/s")
    print(f"ratio            {ours / bare:9.2f}            to reach: 0.25", flush=True)


def _raw(world: World, folder: Path) -> float:
    """Seconds for inserting the same event rows, one transaction a batch, into an empty store."""
    store = Store.open(folder, clock=lambda: world.now)
    reading = world.bare()
    columns = [row[1] for row in reading.execute("PRAGMA table_info(event)")]
    insert = f"INSERT INTO event ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"
    taken = 0.0
    try:
        with store.transaction() as writing:
            writing.execute("PRAGMA defer_foreign_keys = ON")
            for table in _BESIDES:
                rows = reading.execute(f"SELECT * FROM {table}").fetchall()
                if rows:
                    places = ", ".join("?" * len(rows[0]))
                    writing.executemany(f"INSERT OR IGNORE INTO {table} VALUES ({places})", rows)
        for start in range(0, world.count, AT_ONCE):
            rows = reading.execute(
                f"SELECT {', '.join(columns)} FROM event WHERE id > ? ORDER BY id LIMIT {AT_ONCE}", (start,)
            ).fetchall()
            began = time.perf_counter()
            with store.transaction() as writing:
                writing.executemany(insert, rows)
                writing.execute(
                    """INSERT INTO event_words (rowid, title, text, words)
                    SELECT id, title, text, words FROM event WHERE id > ?""",
                    (start,),
                )
            taken += time.perf_counter() - began
    finally:
        store.close()
    return taken
