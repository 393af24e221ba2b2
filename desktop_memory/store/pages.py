"""The pages of a damaged file one by one, decrypted where it is encrypted: each stands for itself.

SQLite opens no file whose first page is gone. The copy that is read is lent one of a new file, under the same key.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw

from desktop_memory.errors import Damaged
from desktop_memory.store.connection import PAGE_SIZE, connect_with, prepare_writer
from desktop_memory.vault.header import Key
from desktop_memory.vault.unlocking import key_of

_RESERVED_AT = 20
_OF_CIPHER = 64
"""What a cipher keeps for itself at the end of each page; a memory that was encrypted once leaves it empty."""
_LEAF = 13
_PAGES_ASKED = 50


class Unreadable(Exception):
    """There is no such page, or it is damaged and cannot be decrypted."""


class Pages:
    """Numbered from 1. `usable` bytes of each are SQLite's."""

    size = PAGE_SIZE

    def __init__(self, connection: apsw.Connection, count: int) -> None:
        self._connection = connection
        self.count = count
        self.usable = self.size - self._reserved()

    def __getitem__(self, number: int) -> bytes:
        if not 1 <= number <= self.count:
            raise Unreadable
        try:
            whole, page = self._connection.read("main", 0, (number - 1) * self.size, self.size)
        except apsw.Error as error:
            raise Unreadable from error
        if not whole:
            raise Unreadable
        return page

    def _reserved(self) -> int:
        """As the first page says; where that was lent, as the pages look."""
        said = self[1][_RESERVED_AT]
        return said or (_OF_CIPHER if self._end_empty() else 0)

    def _end_empty(self) -> bool:
        """Whether no row reaches into the end of a page, as the first one on a page always does."""
        asked = 0
        for number in range(2, self.count + 1):
            try:
                page = self[number]
            except Unreadable:
                continue
            if page[0] == _LEAF and any(page[3:5]):
                asked += 1
                if any(page[-_OF_CIPHER:]):
                    return False
                if asked == _PAGES_ASKED:
                    break
        return asked > 0


@contextmanager
def opened(path: Path) -> Iterator[Pages]:
    """The pages of a damaged copy with its log taken in. Raises Damaged where it cannot be opened even so."""
    key = key_of(path.parent)
    try:
        connection = _opened(path, key)
    except Damaged:
        _lend_first_page(path, key)
        connection = _opened(path, key)
    try:
        yield Pages(connection, path.stat().st_size // PAGE_SIZE)
    finally:
        connection.close()


def _opened(path: Path, key: Key | None) -> apsw.Connection:
    connection = connect_with(path, key, writer=True)
    try:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    except apsw.Error as error:
        connection.close()
        raise Damaged(f"{path.name} cannot be opened.") from error
    return connection


def _lend_first_page(path: Path, key: Key | None) -> None:
    with tempfile.TemporaryDirectory(dir=path.parent) as desk:
        lender = Path(desk) / path.name
        connection = connect_with(lender, key, writer=True)
        prepare_writer(connection)
        connection.execute("CREATE TABLE lent (id INTEGER)")
        connection.close()
        with path.open("r+b") as file:
            file.write(lender.read_bytes()[:PAGE_SIZE])
