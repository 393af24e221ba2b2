"""Any value in any column of one row: what the other rows tell is told all the same."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest

from tests.collectors.test_contract import events_of, source, turns
from tests.collectors.written import written

HEADER = b"SQLite format 3\0"
ODD = (None, -1, (1 << 63) - 1, -(1 << 63), 1e308, "text\0\ud7ff", b"\xff\xfe\0")
MOST_ROWS = 12
WITH_DATABASES = ("atuin", "chromium", "firefox", "nushell", "safari")


@pytest.mark.parametrize("name", WITH_DATABASES)
def test_rows_around_a_damaged_one_survive(name: str, home: Path) -> None:
    (path,) = [at for at in written(name, home) if at.is_file() and at.read_bytes().startswith(HEADER)]
    _thin_out(path)
    whole = path.read_bytes()
    tried = 0

    for table, row, columns in _middle_rows(path):
        others = _told_after(name, home, path, whole, f"DELETE FROM {table} WHERE rowid = {row}", ())
        assert others is not None
        for column in columns:
            for value in ODD:
                sql = f'UPDATE {table} SET "{column}" = ? WHERE rowid = {row}'
                told = _told_after(name, home, path, whole, sql, (value,))
                if told is not None:
                    tried += 1
                    assert others <= told, (table, column, value)

    assert tried > 10


def _thin_out(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db, db:
        for table in _tables(db):
            db.execute(f"DELETE FROM {table} WHERE rowid > {MOST_ROWS}")
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA journal_mode = DELETE")


def _middle_rows(path: Path) -> Iterator[tuple[str, int, list[str]]]:
    with closing(sqlite3.connect(path)) as db:
        for table in _tables(db):
            rows = [row for (row,) in db.execute(f"SELECT rowid FROM {table} ORDER BY rowid")]
            if rows:
                columns = [name for _, name, *_ in db.execute(f"PRAGMA table_info({table})")]
                yield table, rows[len(rows) // 2], columns


def _tables(db: sqlite3.Connection) -> list[str]:
    found = db.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    return [name for (name,) in found]


def _told_after(
    name: str, home: Path, path: Path, whole: bytes, sql: str, values: tuple[object, ...]
) -> set[str] | None:
    """What is told of the database after this statement; None where the database refuses it."""
    path.write_bytes(whole)
    with closing(sqlite3.connect(path)) as db, db:
        try:
            db.execute(sql, values)
        except sqlite3.Error:
            return None
    shutil.rmtree(home / "copies", ignore_errors=True)
    collector, places = source(name, home)
    told = {event.identity for place in places for event in events_of(turns(collector, place))}
    with suppress(AttributeError):
        collector.close()  # type: ignore[attr-defined]
    return told
