"""What the graph holds: ids, times and kinds. Names and texts stay in the store."""

from __future__ import annotations

from dataclasses import dataclass

from desktop_memory.graph.engine import Engine, EngineError, Statement, Transaction, versions

VERSION = 1

EDGES: dict[str, str] = {
    "app": "ON_APP",
    "project": "IN_PROJECT",
    "file": "TOUCHED",
    "url": "VISITED",
    "domain": "ON_DOMAIN",
    "branch": "ON_BRANCH",
    "workspace": "IN_WORKSPACE",
}
"""The edge from an event to an entity, by the entity's kind."""

CO_OCCURS_DAYS = 90
"""Older days count next to nothing: their weight halves every fortnight."""

_TABLES = (
    "CREATE NODE TABLE Meta (id INT64 PRIMARY KEY, engine STRING, storage INT64, schema INT64)",
    # One row a transaction, since changing a row in place keeps 35 KB of memory until the next checkpoint.
    "CREATE NODE TABLE Cursor (id INT64 PRIMARY KEY, event INT64, change INT64, deletes INT64, mark INT64, day INT64)",
    "CREATE NODE TABLE Event (id INT64 PRIMARY KEY, start INT64, kind STRING)",
    "CREATE NODE TABLE Session (id INT64 PRIMARY KEY)",
    "CREATE NODE TABLE Entity (id INT64 PRIMARY KEY, kind STRING)",
    "CREATE REL TABLE PREVIOUS (FROM Event TO Event)",
    "CREATE REL TABLE IN_SESSION (FROM Event TO Session)",
    *(f"CREATE REL TABLE {edge} (FROM Event TO Entity)" for edge in EDGES.values()),
    "CREATE REL TABLE CO_OCCURS (FROM Entity TO Entity, day INT64, times INT64)",
)


@dataclass(frozen=True, slots=True)
class Cursor:
    """How far the graph has come: the last event and change it holds, nodes deleted since it was built.

    `mark` is what the store says of the last event; when it says something else, the graph is another store's.
    `day` (since 1970) is the last one whose co-occurrences are in.
    """

    number: int = 0
    event: int = 0
    change: int = 0
    deletes: int = 0
    mark: int = 0
    day: int = 0


def create(engine: Engine) -> None:
    for table in _TABLES:
        engine.execute(table)
    name, storage = versions()
    with engine.transaction() as transaction:
        transaction.run(_WRITE_META, id=1, engine=name, storage=storage, schema=VERSION)


def is_current(engine: Engine) -> bool:
    """Whether this engine, file format and schema made the file, and finished it."""
    try:
        rows = engine.read(_READ_META)
    except EngineError:
        return False
    return [tuple(row) for row in rows] == [(*versions(), VERSION)]


def read_cursor(engine: Engine) -> Cursor | None:
    """The newest; None in a file that was never finished."""
    rows = engine.read(_READ_CURSOR)
    return Cursor(*rows[0]) if rows else None


def write_cursor(do: Transaction, cursor: Cursor) -> None:
    """Numbers go up: the newest counts."""
    do.run(
        _WRITE_CURSOR,
        id=cursor.number,
        event=cursor.event,
        change=cursor.change,
        deletes=cursor.deletes,
        mark=cursor.mark,
        day=cursor.day,
    )


def try_out(engine: Engine, cursor: Cursor) -> None:
    """Touch an index, nodes and edges: a damaged file had better fail now."""
    engine.read(_TRY_OUT, event=cursor.event)


_TRY_OUT = Statement(
    "MATCH (:Event {id: $event})-[:PREVIOUS*ACYCLIC 1..5]->(x:Event) RETURN x.id, x.start", ids=("event",)
)
_WRITE_META = Statement(
    "CREATE (:Meta {id: $id, engine: $engine, storage: $storage, schema: $schema})", ids=("id",)
)
_READ_META = Statement("MATCH (m:Meta) RETURN m.engine, m.storage, m.schema")
_READ_CURSOR = Statement(
    "MATCH (c:Cursor) RETURN c.id, c.event, c.change, c.deletes, c.mark, c.day ORDER BY c.id DESC LIMIT 1",
    gives=(0,),
)
_WRITE_CURSOR = Statement(
    """CREATE (:Cursor {id: $id, event: $event, change: $change, deletes: $deletes, mark: $mark, day: $day})""",
    ids=("id",),
)
