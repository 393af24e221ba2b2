"""The same memory in another file, under another key or none; compared row by row before anybody relies on it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from urllib.parse import quote

import apsw

from desktop_memory.errors import KnownError, StoreError
from desktop_memory.store.connection import connect_with, known_errors, one, rows, spelled
from desktop_memory.store.whole import Cancelled, Told
from desktop_memory.store.writing import size_of
from desktop_memory.vault.header import Key

_STEPS = 50_000
_ROWS_BETWEEN_LOOKS = 2_000
_COPYING = 0.4
"""The share of the work that writing takes; comparing takes the rest."""


def convert(source: Path, target: Path, old: Key | None, new: Key | None, told: Told) -> None:
    """Write what is in `source` to `target` under another key, and read both to see that they hold the same.

    `source` is left without a log beside it, unchanged. Raises KnownError while another process reads it, StoreError
    when it is damaged or the disk is full, Cancelled when `told` said so.
    """
    with known_errors(source):
        reading = connect_with(source, old, writer=True)
        try:
            _alone(reading)
            _copy(reading, target, new, max(1, source.stat().st_size), told)
            _flush(target)
            writing = connect_with(target, new)
            try:
                _compare(reading, writing, told)
            finally:
                writing.close()
        except apsw.InterruptError as error:
            raise Cancelled from error
        finally:
            reading.close()


def _alone(connection: apsw.Connection) -> None:
    """Nobody else may read or write from here on; the log is taken in and goes."""
    try:
        connection.execute("PRAGMA locking_mode=EXCLUSIVE").fetchall()
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        connection.execute("PRAGMA journal_mode=DELETE").fetchall()
        connection.execute("BEGIN EXCLUSIVE")
        connection.execute("COMMIT")
    except (apsw.BusyError, apsw.LockedError) as error:
        raise KnownError(
            "Another program reads the memory.",
            "Close what uses it, such as an AI client that asks it, and try again.",
        ) from error


def _copy(connection: apsw.Connection, target: Path, key: Key | None, size: int, told: Told) -> None:
    how = "key=" if key is None else f"cipher={key.cipher}&key={quote(spelled(key), safe='')}"
    name = f"file:{quote(str(target.absolute()))}?{how}"
    connection.set_progress_handler(lambda: told(_COPYING * min(1.0, size_of(target) / size)), _STEPS)
    os.close(os.open(target, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600))
    connection.execute("VACUUM INTO ?", (name,))
    connection.set_progress_handler(None)


def _compare(one_: apsw.Connection, other: apsw.Connection, told: Told) -> None:
    """Raises StoreError at the first difference, or where the new file does not agree with itself."""
    tables = _tables(one_)
    if _schema(one_) != _schema(other):
        raise _differs("schema")
    counts = {table: int(one(one_, f'SELECT count(*) FROM "{table}"')[0]) for table in tables}
    total, done = sum(counts.values()) or 1, 0
    for table in tables:
        for same in _pairs(one_, other, table):
            if not same:
                raise _differs(table)
            done += 1
            if done % _ROWS_BETWEEN_LOOKS == 0:
                _tell(told, done / total)
        _tell(told, done / total)
    other.set_progress_handler(lambda: told(1.0), _STEPS)
    wrong = one(other, "PRAGMA integrity_check(1)")[0]
    other.set_progress_handler(None)
    if wrong != "ok":
        raise StoreError(f"The new file does not agree with itself ({wrong}).", _KEPT)


def _tell(told: Told, compared: float) -> None:
    if told(_COPYING + (1 - _COPYING) * compared):
        raise Cancelled


_KEPT = "Nothing was changed: the memory is as it was."


def _pairs(one_: apsw.Connection, other: apsw.Connection, table: str) -> Iterator[bool]:
    sql = f'SELECT * FROM "{table}"'
    for mine, its in zip_longest(one_.execute(sql), other.execute(sql)):
        yield mine == its


def _tables(connection: apsw.Connection) -> list[str]:
    """Every table that has pages of its own, those of full text and vectors among them."""
    found = rows(
        connection, "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 ORDER BY name"
    )
    return [str(name) for (name,) in found]


def _schema(connection: apsw.Connection) -> list[object]:
    marks = [connection.pragma(name) for name in ("application_id", "user_version", "auto_vacuum")]
    return [*marks, *rows(connection, "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name")]


def _differs(what: str) -> StoreError:
    return StoreError(f"The new file differs from the memory ({what}).", _KEPT)


def _flush(target: Path) -> None:
    """VACUUM INTO leaves this to the system, which may lose power."""
    with target.open("rb+") as file:
        os.fsync(file.fileno())
