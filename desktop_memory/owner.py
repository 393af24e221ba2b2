"""The owner's lock: one process at a time opens the graph, collects, imports and forgets."""

from __future__ import annotations

import errno
import json
import os
import sys
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

from desktop_memory.errors import BusyError, KnownError, StoreError

FILE_NAME = "owner.lock"
_NONE = (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP)


class OwnerLock:
    """Held as long as the process lives; a lock that a killed process left behind does not block."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE_NAME
        self._file: IO[str] | None = None

    def acquire(self) -> None:
        """Raises BusyError, which names the holder, or KnownError where the file system has no locks."""
        try:
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            file = open(os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600), "r+", encoding="utf-8")
        except OSError as error:
            raise StoreError(
                f"{self._path.parent} cannot be written: {error.strerror}.",
                "Check its permissions and the disk.",
            ) from error
        try:
            _lock(file)
        except BlockingIOError as error:
            holder = _holder(self._path)
            file.close()
            raise BusyError(
                f"Another process owns this memory ({holder}).",
                "Use it, or end it first: tray → Quit, or Ctrl+C where `record` runs.",
            ) from error
        except OSError as error:
            file.close()
            raise _no_locks(error) from error
        self._file = file
        with suppress(OSError):  # on a full disk the lock counts, whoever's name is in it
            os.ftruncate(file.fileno(), 0)
            told = json.dumps({"pid": os.getpid(), "command": " ".join(sys.argv[:2])[:80]})
            os.write(file.fileno(), told.encode("utf-8", "replace"))

    def release(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    @property
    def held(self) -> bool:
        return self._file is not None


def without_locks(folder: Path) -> KnownError | None:
    """What to tell where the folder's file system has no locks, which SQLite takes for a busy file."""
    try:
        with TemporaryFile(mode="w+", dir=folder) as probe:
            _lock_bytes(probe)
    except OSError as error:
        return _no_locks(error) if error.errno in _NONE else None
    return None


def _no_locks(error: OSError) -> KnownError:
    return KnownError(
        f"This folder's file system offers no locks ({error.strerror}).",
        "Keep the memory on a local disk: choose another folder with --home.",
    )


def _holder(path: Path) -> str:
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
        return f"process {told['pid']}"
    except (OSError, ValueError, KeyError):
        return "it does not say which"


if sys.platform == "win32":
    import msvcrt

    def _lock(file: IO[str]) -> None:
        """Lock a byte far behind the text, so that others may read who holds it."""
        file.seek(1 << 30)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError as error:
            raise BlockingIOError from error
        finally:
            file.seek(0)

    _lock_bytes = _lock
else:
    import fcntl

    def _lock(file: IO[str]) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _lock_bytes(file: IO[str]) -> None:
        """As SQLite locks."""
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
