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

from desktop_memory.errors import KnownError, LogHeld
from desktop_memory.store.connection import BUSY_MS, WAL_LIMIT, known_errors, one

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
    if log_size(path) > _LONG_LOG:
        begin_log_anew(connection, 0)


def begin_log_anew(connection: apsw.Connection, wait_ms: int) -> bool:
    """Bring the log into the file and empty it; False when somebody still reads in it after so long."""
    connection.set_busy_timeout(wait_ms)
    try:
        with suppress(apsw.BusyError):
            return not one(connection, "PRAGMA wal_checkpoint(TRUNCATE)")[0]
        return False
    finally:
        connection.set_busy_timeout(BUSY_MS)


def expect_short_log(path: Path) -> None:
    """Raises LogHeld where the log has become as long as it may be."""
    if (size := log_size(path)) > WAL_LIMIT:
        raise LogHeld(
            f"Another program has been reading the memory for so long that its log has grown to {size >> 20} MB: "
            "what writes much waits.",
            "End that program, and it goes on by itself.",
        )


def log_size(path: Path) -> int:
    """Bytes of the log beside the memory at `path`."""
    return size_of(path.with_name(f"{path.name}-wal"))


def size_of(path: Path) -> int:
    """How far a file has grown that somebody writes; 0 before it is there."""
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


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
