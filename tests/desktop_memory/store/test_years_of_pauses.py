"""Years of daily rests cost a write nothing: what ended long ago is not read."""

from __future__ import annotations

from desktop_memory.store import notes
from desktop_memory.store.bars import Bars
from desktop_memory.store.store import Store
from tests.factories import NOON

DAY = 86_400_000_000
LONG_AGO = 1_000_000_000_000_000


def test_only_what_can_still_matter_is_read(store: Store) -> None:
    with store.transaction() as connection:
        connection.executemany(
            "INSERT INTO pause (start, end) VALUES (?, ?)",
            [(LONG_AGO + day * DAY, LONG_AGO + day * DAY + 60) for day in range(3_000)],
        )
        connection.execute("INSERT INTO forgotten_interval (start, end, filter) VALUES (1, 2, '{}')")
        connection.execute("INSERT INTO pause (start) VALUES (?)", (LONG_AGO,))

    bars = Bars.read(store.read(), lambda name: (name,), LONG_AGO + 2_999 * DAY)
    assert len(bars.pauses) == 2, "the last one, and the one that still lasts"
    assert bars.forgotten == ()
    assert len(Bars.read(store.read(), lambda name: (name,)).pauses) == 3_001


def test_asking_for_the_pause_that_runs_reads_no_others(store: Store) -> None:
    steps = []
    connection = store.read()
    connection.set_exec_trace(lambda cursor, sql, values: steps.append(sql) or True)
    notes.running_pause(connection, NOON)
    connection.set_exec_trace(None)
    (sql,) = steps
    plan = " ".join(str(row[3]) for row in connection.execute(f"EXPLAIN QUERY PLAN {sql}", (1,)))
    assert "pause_end" in plan
    assert "SCAN" not in plan
