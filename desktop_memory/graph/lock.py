"""The lock beside the graph: one process opens it, and that process opens it once."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from desktop_memory.errors import BusyError


class GraphLock:
    """Kuzu's own lock is lost when a second Database of the same process closes, and Windows has none."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: int | None = None

    def acquire(self) -> None:
        """Raises BusyError while anybody holds it, this process included; OSError where there are no locks."""
        file = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            _lock(file)
        except BlockingIOError as error:
            os.close(file)
            raise BusyError("The graph is open already.", "Close the other Desktop Memory first.") from error
        except OSError:
            os.close(file)
            raise
        self._file = file

    def release(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None


if sys.platform == "win32":
    import msvcrt

    def _lock(file: int) -> None:
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except OSError as error:
            raise BlockingIOError from error
else:
    import fcntl

    def _lock(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
