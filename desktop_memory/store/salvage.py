"""Getting out of a damaged memory what can be got out, into a new file.

SQLite gives the rows that its trees lead to; what they no longer lead to is read from its pages. Words and sessions are
made anew; vectors are too, later and in the background.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_args

import apsw

from desktop_memory.errors import Damaged, KnownError
from desktop_memory.model import PinKind
from desktop_memory.store import leaves, mending, migrations, pages
from desktop_memory.store.connection import connect, one, prepare_writer
from desktop_memory.store.connection import rows as all_rows
from desktop_memory.store.profile import KEY_BYTES

KEPT = (
    "profile", "device", "entity", "place", "event", "text", "doc", "alias", "event_entity", "pause", "gap",
    "tombstone", "forgotten_interval", "forget_batch", "set_aside", "to_forget", "pin", "copy", "client_read",
    "proposal", "tally", "masked", "topic", "topic_entity", "usage", "project", "project_name", "project_mark",
    "project_folder", "project_rule", "backup", "share_state", "share_segment", "share_again", "share_read",
    "share_peer",
)  # fmt: skip
"""In the order in which they are put back. Not among them is what is made anew: sessions, words, vectors, changes."""

_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_ENTITIES = {"app", "project", "repo", "file", "url", "domain", "branch", "workspace"}
_CHUNK = 2_000
_MOST_FAILURES = 5_000
_HIGHEST_GUESS = 10_000_000
_DAMAGE = (apsw.CorruptError, apsw.NotADBError, apsw.IOError, apsw.SQLError, UnicodeDecodeError)


@dataclass(kw_only=True)
class Salvaged:
    """How many events are in the new file; and of how many it is known that they are not (at least)."""

    events: int = 0
    lost: int = 0
    unreadable: list[str] = field(default_factory=list)
    """Tables of which something could not be read."""


def salvage(damaged: Path, target: Path, idle_gap_us: int) -> Salvaged:
    """Write what can be read of `damaged` to `target`, which does not exist yet. Raises StoreError for a full disk.

    `damaged` is a copy: its log is taken in, and a first page that cannot be read is put right.
    """
    found = Salvaged()
    into = connect(target, writer=True)
    try:
        prepare_writer(into)
        migrations.migrate(into)
        into.execute("BEGIN IMMEDIATE")
        last = _by_sqlite(damaged, into, found)
        if found.unreadable:
            _by_pages(damaged, into, found)
        _make_whole(into, idle_gap_us)
        found.events = int(one(into, "SELECT count(*) FROM event")[0])
        gone = int(one(into, "SELECT coalesce(max(id), 0) FROM event")[0])
        found.lost = max(0, last - found.events) if last >= gone else 0
        into.execute("COMMIT")
        into.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    finally:
        into.close()
    return found


def _by_sqlite(damaged: Path, into: apsw.Connection, found: Salvaged) -> int:
    """Copy all that SQLite reads; how many events there were when the file says so, else 0."""
    try:
        source = connect(damaged)
        source.execute("SELECT count(*) FROM sqlite_schema").fetchall()
    except (*_DAMAGE, KnownError):
        found.unreadable = list(KEPT)
        return 0
    try:
        for table in KEPT:
            if not _copy(source, into, table):
                found.unreadable.append(table)
        return _counted(source)
    finally:
        source.close()


def _counted(source: apsw.Connection) -> int:
    """How many events the damaged file has, by an index that may be whole."""
    for index in ("event_order", "event_kind"):
        try:
            return int(one(source, f"SELECT count(*) FROM event INDEXED BY {index}")[0])
        except _DAMAGE:
            continue
    return 0


def _copy(source: apsw.Connection, into: apsw.Connection, table: str) -> bool:
    """Copy a table as far as it can be read; False when that was not all of it."""
    try:
        theirs = [row[1] for row in all_rows(source, f"PRAGMA table_info({table})")]
    except _DAMAGE:
        return False
    ours = {row[1] for row in all_rows(into, f"PRAGMA table_info({table})")}
    columns = [name for name in theirs if name in ours]
    if not columns:
        return bool(theirs) or not _exists(source, table)
    names = ", ".join(f'"{name}"' for name in columns)
    put = f"INSERT OR IGNORE INTO {table} ({names}) VALUES ({', '.join('?' * len(columns))})"
    whole = True
    for row in _read(source, table, names):
        if row is None:
            whole = False
        else:
            _put(into, put, row)
    return whole


def _exists(source: apsw.Connection, table: str) -> bool:
    try:
        return one(source, "SELECT 1 FROM sqlite_schema WHERE name = ?", (table,)) is not None
    except _DAMAGE:
        return True


def _put(into: apsw.Connection, sql: str, row: Sequence[Any]) -> None:
    try:
        into.execute(sql, row)
    except (apsw.ConstraintError, apsw.MismatchError):
        return  # what damage left of it is no row of this table


def _read(source: apsw.Connection, table: str, names: str) -> Iterator[Sequence[Any] | None]:
    """Rows up to where the table is damaged, then those behind it; None once for each place that cannot be read."""
    if _has_row_ids(source, table):
        yield from _between(source, table, names, 0, _last_id(source, table))
        return
    for order in ("ASC", "DESC"):
        try:
            key = ", ".join(f"{name} {order}" for name in _key(source, table))
            yield from source.execute(f"SELECT {names} FROM {table} ORDER BY {key}")
            return
        except _DAMAGE:
            yield None


def _last_id(source: apsw.Connection, table: str) -> int:
    """No row of the table has a higher id; a guess where the file cannot say."""
    for sql in (
        f"SELECT max(rowid) FROM {table}",
        f"SELECT seq FROM sqlite_sequence WHERE name = '{table}'",
    ):
        try:
            row = one(source, sql)
        except _DAMAGE:
            continue
        if row is not None:
            return int(row[0] or 0)
    return _HIGHEST_GUESS


def _between(source: apsw.Connection, table: str, names: str, first: int, last: int) -> Iterator[Any]:
    """Rows by id; a stretch that cannot be read is halved until what is lost is small, or it was tried enough."""
    todo = [(first, last)]
    failures = 0
    while todo and failures < _MOST_FAILURES:
        low, high = todo.pop()
        try:
            for row in source.execute(
                f"SELECT rowid, {names} FROM {table} WHERE rowid BETWEEN ? AND ? ORDER BY rowid", (low, high)
            ):
                yield row[1:]
                low = row[0] + 1
        except _DAMAGE:
            failures += 1
            if low >= high:
                yield None
                continue
            middle = (low + high) // 2
            todo += [(middle + 1, high), (low, middle)]
    if todo:
        yield None


def _has_row_ids(source: apsw.Connection, table: str) -> bool:
    (sql,) = one(source, "SELECT sql FROM sqlite_schema WHERE name = ?", (table,))
    return "WITHOUT ROWID" not in sql


def _key(source: apsw.Connection, table: str) -> list[str]:
    found = all_rows(source, f"SELECT name FROM pragma_table_info('{table}') WHERE pk > 0 ORDER BY pk")
    return [str(name) for (name,) in found]


def _by_pages(damaged: Path, into: apsw.Connection, found: Salvaged) -> None:
    """Put in what the pages still hold of the tables that tell themselves by their shape."""
    columns = {table: [row[1] for row in all_rows(into, f"PRAGMA table_info({table})")] for table in KEPT}
    keys: list[tuple[Any, ...]] = []
    for row in _rows_of_pages(damaged):
        if row.id is None and len(row.values) == 2 and isinstance(row.values[0], bytes):
            keys.append(row.values)
        table = _table_of(row, len(columns["event"]))
        if table is None:
            continue
        values = row.values if row.id is None else (row.id, *row.values[1:])
        names = columns[table][: len(values)]
        _put(
            into,
            f"INSERT OR IGNORE INTO {table} ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})",
            values,
        )
    if "tombstone" in found.unreadable:
        _bar_again(into, keys)


def _rows_of_pages(damaged: Path) -> Iterator[leaves.Row]:
    with suppress(Damaged), pages.opened(damaged) as found:
        yield from leaves.rows(found)


def _bar_again(into: apsw.Connection, keys: Iterable[tuple[Any, ...]]) -> None:
    """Keys of what was forgotten: they look like an index's rows, but belong to a forget, and to no event."""
    for key, batch in keys:
        if isinstance(key, bytes) and len(key) == KEY_BYTES:
            _put(
                into,
                """INSERT OR IGNORE INTO tombstone (key, batch) SELECT ?1, ?2
                WHERE (?2 IS NULL OR ?2 IN (SELECT id FROM forget_batch))
                AND NOT EXISTS (SELECT 1 FROM event WHERE key = ?1)
                AND NOT EXISTS (SELECT 1 FROM text WHERE hash = ?1)""",
                (key, batch),
            )


def _table_of(row: leaves.Row, event_columns: int) -> str | None:
    """Which table a row is of, as far as its shape tells without doubt."""
    values = row.values
    if row.id is None:
        return "profile" if len(values) == 2 and values[0] in ("secret", "device") else None
    if event_columns - 4 <= len(values) <= event_columns and isinstance(values[1], bytes):
        return "event"
    if len(values) == 4 and values[1] in _ENTITIES and isinstance(values[2], str):
        return "entity"
    if len(values) == 3 and isinstance(values[1], str) and _UUID.fullmatch(values[1]):
        return "device"
    if len(values) == 9 and values[1] in get_args(PinKind) and isinstance(values[2], str):
        return "pin"
    if 5 <= len(values) <= 6 and values[2] in ("hidden", "purged", "undone"):
        return "forget_batch"
    return None


def _make_whole(into: apsw.Connection, idle_gap_us: int) -> None:
    """Nothing points to what is lost, every event has its text, and words and sessions are made anew."""
    into.execute("UPDATE event SET session = NULL")
    mending.mend(into, idle_gap_us)
    mending.write_texts(into, "doc IS NULL")
    into.execute("INSERT INTO event_words (event_words) VALUES ('rebuild')")
