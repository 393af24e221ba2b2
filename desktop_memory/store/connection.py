"""Connections to the SQLite file, and SQLite's errors in words a person can use."""

from __future__ import annotations

import errno
import importlib.util
import inspect
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache, wraps
from pathlib import Path
from typing import Any, TypeVar

import apsw

from desktop_memory.errors import Damaged, KnownError, StoreError, Superseded
from desktop_memory.owner import without_locks
from desktop_memory.vault.header import Key
from desktop_memory.vault.settling import STORE_FILE
from desktop_memory.vault.unlocking import key_of

DAMAGE_MARK = "damaged"
PAGE_SIZE = 16_384
WAL_LIMIT = 64 * 1024 * 1024
BUSY_MS = 10_000
_LEAST_ROOM = 65_536

Guarded = TypeVar("Guarded")

_LOOK = "Check that its folder exists and is yours."
_ADVICE = {
    errno.EROFS: "The disk is mounted read-only: mount it writable, or choose another folder with --home.",
    errno.ENOSPC: "Free some space; what was stored is safe.",
}

_FLAGS = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE | apsw.SQLITE_OPEN_URI
_STEPS_BETWEEN_LOOKS = 10_000
_READ_CACHE_KIB = 4_096
_WRITE_CACHE_KIB = 32_768
_DECRYPTED_CACHE_KIB = 65_536
"""An encrypted file cannot be mapped into memory: pages that were decrypted once are worth keeping."""
_MAPPED_BYTES = 64 * 1024 * 1024 * 1024
"""More than any memory: what is beyond is copied into the cache page by page, a fifth more work for most searches."""
_ALL_CACHES_BYTES = 128 * 1024 * 1024
"""From here on a cache takes a new page's room from an old one."""


class Connection(apsw.Connection):
    """One of ours. Where these are set, events that are read pass `shows`, and names (kind, name) `shows_name`."""

    shows: Callable[[Any], bool] | None = None
    shows_name: Callable[[str, str], bool] | None = None


def connect(path: Path, *, writer: bool = False) -> Connection:
    """A connection to an existing or new file, with sqlite-vec loaded; times out instead of waiting for ever.

    Raises Locked when the file's folder is encrypted and its key cannot be found.
    """
    return connect_with(path, key_of(path.parent), writer=writer)


def connect_with(path: Path, key: Key | None, *, writer: bool = False) -> Connection:
    """The same for a file that this key opens; None for one that is not encrypted."""
    with known_errors(path):
        _make_private(path)
        connection = Connection(str(path), flags=_FLAGS)
        set_up(connection, key, writer=writer)
    return connection


def set_up(connection: apsw.Connection, key: Key | None, *, writer: bool = False) -> None:
    """What every connection of ours is like."""
    connection.set_busy_timeout(BUSY_MS)
    if key is not None:
        _decrypt(connection, key)
    connection.enable_load_extension(True)
    connection.load_extension(_sqlite_vec())
    connection.enable_load_extension(False)
    reading = _READ_CACHE_KIB if key is None else _DECRYPTED_CACHE_KIB
    connection.execute(f"PRAGMA cache_size=-{_WRITE_CACHE_KIB if writer else reading}")
    if key is None:
        connection.execute(f"PRAGMA mmap_size={_MAPPED_BYTES}")
    connection.execute("PRAGMA temp_store=MEMORY")
    connection.execute("PRAGMA foreign_keys=OFF")
    if not writer:
        connection.execute("PRAGMA query_only=ON")


def _decrypt(connection: apsw.Connection, key: Key) -> None:
    """Before anything else is asked; the key is random bytes, so none is derived from it."""
    connection.execute(f"PRAGMA cipher='{key.cipher}'").fetchall()
    connection.execute(f"PRAGMA key='{spelled(key)}'").fetchall()
    apsw.soft_heap_limit(_ALL_CACHES_BYTES)


def spelled(key: Key) -> str:
    """The key as SQLite3 Multiple Ciphers reads it."""
    return f"raw:{key.secret.hex()}"


@cache
def _sqlite_vec() -> str:
    """The path of sqlite-vec's library, without importing the package: that would load numpy."""
    spec = importlib.util.find_spec("sqlite_vec")
    if spec is None or spec.origin is None:
        raise KnownError("The package sqlite-vec is not installed.", "Install Desktop Memory again.")
    return str(Path(spec.origin).with_name("vec0"))


def prepare_writer(connection: apsw.Connection) -> None:
    """The settings that only a writer needs; page size and vacuum mode act on a new file alone."""
    connection.execute(f"PRAGMA page_size={PAGE_SIZE}")
    connection.execute("PRAGMA auto_vacuum=INCREMENTAL")
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("PRAGMA secure_delete=ON")
    connection.execute(f"PRAGMA journal_size_limit={WAL_LIMIT}")


def _make_private(path: Path) -> None:
    """Create the file for its owner alone; SQLite gives -wal and -shm the same mode."""
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))


@contextmanager
def known_errors(path: Path | None = None) -> Iterator[None]:
    """What goes wrong outside the program becomes a StoreError; a bug in our SQL stays what it is."""
    try:
        yield
    except (apsw.NotADBError, apsw.CorruptError) as error:
        mark_damaged(path)
        raise Damaged(
            f"The memory's file is damaged ({error}).",
            "Start the app again, or run `desktop-memory doctor --mend`: what can be read is saved.",
        ) from error
    except apsw.FullError as error:
        raise _full() from error
    except (apsw.ReadOnlyError, apsw.CantOpenError, apsw.PermissionsError, PermissionError) as error:
        if _is_full(path):
            raise _full() from error
        raise StoreError(
            f"The memory's folder cannot be written ({path.parent if path else 'data folder'}).",
            "Check its permissions and whether the disk is mounted read-only.",
        ) from error
    except (apsw.BusyError, apsw.LockedError) as error:
        without = without_locks(path.parent) if path is not None else None
        raise without or KnownError(
            "The memory is busy: another program holds it.",
            "Try again in a moment; see `desktop-memory doctor`.",
        ) from error
    except apsw.IOError as error:
        if _is_full(path):
            raise _full() from error
        raise StoreError(
            f"The disk reported an error ({error}).", "Check the disk. What was stored before is untouched."
        ) from error
    except OSError as error:
        raise StoreError(
            f"{path} cannot be opened: {error.strerror}.", _ADVICE.get(error.errno or 0, _LOOK)
        ) from error


def _full() -> StoreError:
    return StoreError(
        "The disk is full: nothing new can be stored.",
        "Free some space; recording goes on by itself. What was stored is safe.",
    )


def _is_full(path: Path | None) -> bool:
    """Whether that is why a file could not be made or grow: SQLite does not always say so."""
    try:
        return path is not None and shutil.disk_usage(path.parent).free < _LEAST_ROOM
    except OSError:
        return False


def mark_damaged(path: Path | None) -> None:
    """Let the owner's next start look at the whole file."""
    if path is not None and path.name == STORE_FILE:
        with suppress(OSError):
            path.with_name(DAMAGE_MARK).touch(mode=0o600)


def unmark_damaged(path: Path) -> None:
    """It was not the file that was damaged, but what is made anew from it."""
    path.with_name(DAMAGE_MARK).unlink(missing_ok=True)


def guarded(kind: type[Guarded]) -> type[Guarded]:
    """Let every public method of a class with a store tell what goes wrong there as a KnownError."""
    for name in dir(kind):
        method = getattr(kind, name)
        if not name.startswith("_") and inspect.isfunction(method):
            setattr(kind, name, _guarded(method))
    return kind


def _guarded(method: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(method)
    def call(self: Any, *arguments: Any, **named: Any) -> Any:
        with known_errors(self._store.path):
            return method(self, *arguments, **named)

    return call


@contextmanager
def given_up_when(over: Callable[[], bool], connection: apsw.Connection) -> Iterator[None]:
    """While `over` says so, whatever this connection does ends with Superseded; it is asked every few milliseconds."""
    connection.set_progress_handler(over, _STEPS_BETWEEN_LOOKS)
    try:
        yield
    except apsw.InterruptError as error:
        raise Superseded from error
    finally:
        connection.set_progress_handler(None)


def one(connection: apsw.Connection, sql: str, values: Sequence[Any] = ()) -> Any:
    """The first row, as a tuple; None when there is none."""
    return connection.execute(sql, values).fetchone()


def rows(connection: apsw.Connection, sql: str, values: Sequence[Any] | dict[str, Any] = ()) -> list[Any]:
    """All rows, as tuples."""
    return connection.execute(sql, values).fetchall()
