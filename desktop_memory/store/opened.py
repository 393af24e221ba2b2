"""The store's file and its connections: one writer at a time, a reader for each thread."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Self

import apsw

from desktop_memory.errors import Damaged, KnownError, StoreError
from desktop_memory.model import Remembered
from desktop_memory.store import (
    migrations,
    profile,
)
from desktop_memory.store.connection import (
    Connection,
    connect,
    known_errors,
    prepare_writer,
)
from desktop_memory.store.events import EventWriter
from desktop_memory.store.profile import Profile
from desktop_memory.store.unwritable import connect_to_read
from desktop_memory.store.writing import Writing
from desktop_memory.vault.settling import STORE_FILE

Clock = Callable[[], datetime]

FILE_NAME = STORE_FILE


class Opened:
    """Thread-safe. Writes are transactions behind one lock; reads never wait for them."""

    def __init__(
        self,
        path: Path,
        writer: apsw.Connection,
        *,
        clock: Clock,
        idle_gap: timedelta,
        unwritable: StoreError | None = None,
    ) -> None:
        self.path = path
        self.clock = clock
        self.unwritable = unwritable
        """Why nothing can be written; None where it can."""
        self._idle_gap_us = int(idle_gap.total_seconds() * 1_000_000)
        self._writer = writer
        self._file = _identity(path)
        self._lock = threading.RLock()
        self._readers_lock = threading.Lock()
        self._forgetting = threading.Lock()
        self.writing = Writing()
        self._unscrubbed = False
        self._shows: Callable[[Remembered], bool] | None = None
        self._shows_name: Callable[[str, str], bool] | None = None
        self._local = threading.local()
        self._readers: list[Connection] = []
        self.profile = self._identify()
        self._events = EventWriter(self.profile)

    @classmethod
    def open(
        cls,
        folder: Path,
        *,
        clock: Clock,
        idle_gap: timedelta = timedelta(seconds=600),
        or_read: bool = False,
    ) -> Self:
        """Open or create the store in `folder`. Raises StoreError when that cannot be; a newer file stays untouched.

        With `or_read` one that is there but cannot be written is opened for reading alone.
        """
        path = folder / FILE_NAME
        try:
            return cls._open(path, clock, idle_gap)
        except StoreError as error:
            if not or_read or isinstance(error, Damaged):
                raise
            reader = _read_after_all(path, error)
            return cls(path, reader, clock=clock, idle_gap=idle_gap, unwritable=error)

    @classmethod
    def _open(cls, path: Path, clock: Clock, idle_gap: timedelta) -> Self:
        folder = path.parent
        with known_errors(path):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            writer = connect(path, writer=True)
            try:
                migrations.version(writer)
                prepare_writer(writer)
                migrations.migrate(writer)
                return cls(path, writer, clock=clock, idle_gap=idle_gap)
            except BaseException:
                writer.close()
                raise

    def close(self) -> None:
        with self._lock:
            with self._readers_lock:
                for reader in self._readers:
                    reader.close()
                self._readers.clear()
            self._local = threading.local()
            self._writer.close()

    # connections

    def show_only(self, shows: Callable[[Remembered], bool], names: Callable[[str, str], bool]) -> None:
        """From now on, no reader is given events and names that these say no to; the writer sees all of them."""
        with self._readers_lock:
            self._shows, self._shows_name = shows, names
            for reader in self._readers:
                reader.shows, reader.shows_name = shows, names

    def is_shown(self, event: Remembered) -> bool:
        return self._shows is None or self._shows(event)

    def read(self) -> apsw.Connection:
        """This thread's own connection for reading."""
        connection: Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = connect(self.path) if self.unwritable is None else connect_to_read(self.path)
            connection.shows, connection.shows_name = self._shows, self._shows_name
            self._local.connection = connection
            with self._readers_lock:  # not the writers': a write that hangs keeps nobody from reading
                self._readers.append(connection)
        return connection

    @contextmanager
    def transaction(self) -> Iterator[apsw.Connection]:
        """The only way to write: all of it is stored, or none."""
        if self.unwritable is not None:
            raise StoreError(self.unwritable.problem, self.unwritable.advice)
        if _identity(self.path) != self._file:
            raise StoreError(
                "The memory's file was removed or replaced while it was open: nothing more is written.",
                "Put it back, or start Desktop Memory again.",
            )
        with self.writing.under_way(), self._lock, known_errors(self.path):
            self._writer.execute("BEGIN IMMEDIATE")
            before = self._writer.total_changes()
            try:
                yield self._writer
                self._writer.execute("COMMIT")
                if self._writer.total_changes() > before:
                    self.writing.trouble = None
            except BaseException:
                if self._writer.in_transaction:
                    self._writer.execute("ROLLBACK")
                self._events.forget_cached()
                raise

    def _identify(self) -> Profile:
        """Made at the first opening; later ones write nothing."""
        known = profile.read(self._writer)
        if known is None:
            with self.transaction() as connection:
                profile.make(connection)
            known = profile.read(self._writer)
        assert known is not None
        return known


def _identity(path: Path) -> tuple[int, int] | None:
    """What tells a file from another of its name; None where there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _read_after_all(path: Path, error: StoreError) -> apsw.Connection:
    """A connection for reading what cannot be opened to write. Raises that error where it cannot be read, either."""
    try:
        reader = connect_to_read(path)
    except KnownError:
        raise error from None
    if migrations.version(reader) < len(migrations.STEPS):
        reader.close()
        raise error
    return reader
