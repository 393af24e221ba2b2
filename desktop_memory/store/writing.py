"""Whether writing goes on: how long the oldest write has been under way, and what the last one failed of."""

from __future__ import annotations

import errno
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import apsw

from desktop_memory.errors import KnownError
from desktop_memory.store.connection import BUSY_MS, known_errors

_ROOM = 64 * 1024
_LONG_LOG = 24 * 1024 * 1024


class Writing:
    """Thread-safe without a lock: whoever asks never waits for a write that hangs."""

    def __init__(self) -> None:
        self.trouble: KnownError | None = None
        """What the last write failed of; None once one went through again."""
        self._since: dict[int, float] = {}

    @property
    def since(self) -> float | None:
        """When (monotonic) the oldest write began that is under way, or waits for its turn."""
        return min(list(self._since.values()), default=None)

    @contextmanager
    def under_way(self) -> Iterator[None]:
        """Around a write, its waiting included."""
        thread = threading.get_ident()
        outer = thread in self._since
        self._since.setdefault(thread, time.monotonic())
        try:
            yield
        except KnownError as error:
            if isinstance(error.__cause__, (apsw.Error, OSError)):
                self.trouble = error
            raise
        finally:
            if not outer:
                self._since.pop(thread, None)


def try_to_grow(connection: apsw.Connection) -> None:
    """Let the file take a few pages more, and take them out again, within a transaction."""
    connection.execute("INSERT INTO profile (name, value) VALUES ('probe', zeroblob(?))", (_ROOM,))
    connection.execute("DELETE FROM profile WHERE name = 'probe'")


def shorten_log(connection: apsw.Connection, path: Path) -> None:
    """Begin the log anew if it is long and nobody reads in it right now; waits for nobody.

    SQLite does so by itself only when a write meets no reader: with many readers that may take long.
    """
    log = path.with_name(f"{path.name}-wal")
    with suppress(FileNotFoundError):
        if log.stat().st_size <= _LONG_LOG:
            return
        connection.set_busy_timeout(0)
        try:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        finally:
            connection.set_busy_timeout(BUSY_MS)


def find_room(folder: Path) -> None:
    """Raises StoreError when a file in this folder cannot grow; nothing stays of the try."""
    with known_errors(folder / "probe"):
        try:
            with tempfile.TemporaryFile(dir=folder) as file:
                file.write(bytes(_ROOM))
        except OSError as error:
            raise _as_sqlite_says(error) from error


def _as_sqlite_says(error: OSError) -> Exception:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return apsw.FullError(str(error))
    return apsw.ReadOnlyError(str(error)) if error.errno in (errno.EROFS, errno.EACCES) else error
