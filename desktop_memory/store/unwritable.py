"""Reading a memory that cannot be written: its folder or disk is read-only, or the disk is full.

A file in WAL mode wants two files beside it even for reading (https://sqlite.org/wal.html#read_only_databases).
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import apsw

from desktop_memory.errors import StoreError
from desktop_memory.store import migrations
from desktop_memory.store.connection import Connection, known_errors, set_up
from desktop_memory.vault.unlocking import key_of

_FLAGS = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
_WITHOUT_LOCKS = f"multipleciphers-{'win32' if sys.platform == 'win32' else 'unix'}-none"
_NO_WAY = (apsw.CantOpenError, apsw.IOError, apsw.ReadOnlyError, apsw.FullError)


def connect_to_read(path: Path) -> Connection:
    """A connection that creates and changes no file. Raises StoreError where even that is not possible."""
    key = key_of(path.parent)
    with known_errors(path):
        for name, exclusive in _names(path):
            connection = Connection(name, flags=_FLAGS)
            try:
                if exclusive:  # before all else: such files have no shared memory, and SQLite would crash
                    connection.execute("PRAGMA locking_mode=EXCLUSIVE").fetchall()
                set_up(connection, key)
                migrations.version(connection)
            except _NO_WAY:
                connection.close()
                continue
            except BaseException:
                connection.close()
                raise
            return connection
    raise StoreError(f"{path} cannot be read.", "Check its permissions and the disk.")


def _names(path: Path) -> Iterator[tuple[str, bool]]:
    """What to open it by, the best first, and whether its locks and the log's index are to be kept in memory."""
    file = f"file:{quote(str(path.absolute()))}"
    yield f"{file}?mode=ro", False
    log = path.with_name(f"{path.name}-wal")
    if log.exists() and log.stat().st_size:
        yield f"{file}?mode=ro&vfs={_WITHOUT_LOCKS}", True
    else:  # nobody writes it: who does has a log
        yield f"{file}?immutable=1", False
