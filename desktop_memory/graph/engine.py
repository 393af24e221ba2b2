"""One open Kuzu file: statements, transactions and imports. The only module that knows the engine.

The numbers and rules here were measured on Kuzu 0.11.3 (docs/decisions.md has them with their reasons).
"""

from __future__ import annotations

import ctypes
import importlib
import shutil
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

POOL_BYTES = 64 << 20
REBUILD_POOL_BYTES = 256 << 20
TRANSACTION_EVENTS = 20
"""Events a transaction takes: a connection keeps memory for each statement, and is renewed between transactions."""

_MAX_BYTES = 1 << 40
_JOURNAL_BYTES = 4 << 20
"""At which the engine checkpoints by itself. After a crash the journal is read again: a megabyte takes 0.1 s."""

ROOM_BYTES = 32 << 20
"""So much must be free to write at all: a checkpoint that meets a full disk aborts the process."""

_THREADS = 2
_STATEMENT_THREADS = 1
"""Small statements take half the time on one thread, and a quarter on a busy machine."""

_RENEW_AFTER = 100
_READ_TIMEOUT_MS = 2_000
_WRITE_TIMEOUT_MS = 30_000
_COPY_TIMEOUT_MS = 30 * 60_000

_OFFSET = 1 << 40
"""Added to each id: below 2^31 Kuzu casts Python's integers and scans instead of using the primary key's index."""

Row = Sequence[Any]


class EngineError(Exception):
    """The engine could not do it: a damaged file, a query that took too long, a closed graph."""


class NoRoom(EngineError):
    """The disk is nearly full: nothing was tried."""


@dataclass(frozen=True, slots=True)
class Statement:
    """Constant text; `ids` names the parameters that are node ids, `gives` numbers the columns that are."""

    text: str
    ids: tuple[str, ...] = ()
    gives: tuple[int, ...] = ()


def node(id_: int) -> int:
    """The id as the engine's files hold it, for imports."""
    return id_ + _OFFSET


class Engine:
    """An open file. Any thread may read; one thread at a time writes."""

    def __init__(self, path: Path, *, pool_bytes: int = POOL_BYTES, read_only: bool = False) -> None:
        """Open or create it. Raises EngineError for a file that cannot be used, ImportError without an engine."""
        module = _module()
        self._folder = path.parent
        if not read_only:
            self._check_room()
        try:
            self._database = module.Database(
                str(path),
                buffer_pool_size=pool_bytes,
                max_num_threads=_THREADS,
                max_db_size=_MAX_BYTES,
                checkpoint_threshold=_JOURNAL_BYTES,
                read_only=read_only,
            )
        except (RuntimeError, IndexError, ValueError) as error:
            raise EngineError(str(error)) from error
        self._lock = threading.Lock()
        self._writing = threading.RLock()
        self._open = True
        self._reader = _Connection(module, self._database, _READ_TIMEOUT_MS)
        self._writer = _Connection(module, self._database, _WRITE_TIMEOUT_MS)

    def read(self, statement: Statement, **values: Any) -> list[Row]:
        """All rows. Raises EngineError, also when it takes longer than two seconds."""
        with self._lock:
            self._check_open()
            rows = self._reader.run(statement, values)
            self._reader.renew_when_due()
            return rows

    @contextmanager
    def transaction(self) -> Iterator[Transaction]:
        """All of it is written, or none. After an EngineError at its end, read what the file holds."""
        with self._writing:
            self._check_open()
            self._check_room()
            self._writer.renew_when_due()
            self._writer.run(_BEGIN, {})
            try:
                yield Transaction(self._writer)
                self._writer.run(_COMMIT, {})
            except BaseException:
                self._roll_back()
                raise

    def execute(self, text: str) -> None:
        """A statement outside a transaction: the schema."""
        with self._writing:
            self._check_open()
            self._check_room()
            self._writer.run(Statement(text), {})

    def copy(self, table: str, csv: Path) -> None:
        """Import a file whose columns are the table's; much faster than statements."""
        path = str(csv).replace("\\", "/").replace("'", "\\'")
        with self._writing:
            self._writer.set_timeout(_COPY_TIMEOUT_MS)
            self.execute(f"COPY {table} FROM '{path}' (HEADER=false, ESCAPE='\"', PARALLEL=false)")
            self._writer.set_timeout(_WRITE_TIMEOUT_MS)

    def close(self) -> None:
        """Waits for the reader and the writer."""
        with self._writing, self._lock:
            if self._open:
                self._open = False
                if not self._has_room():
                    self._leave_journal()
                self._reader.close()
                self._writer.close()
                self._database.close()
                give_back_memory()

    def _check_open(self) -> None:
        if not self._open:
            raise EngineError("The graph is closed.")

    def _has_room(self) -> bool:
        return shutil.disk_usage(self._folder).free >= ROOM_BYTES

    def _check_room(self) -> None:
        """Raises NoRoom rather than let the engine meet a full disk: there it ends the process."""
        if not self._has_room():
            raise NoRoom("No space is left on the disk.")

    def _leave_journal(self) -> None:
        """Write nothing while closing; the next opening takes the journal in."""
        with suppress(EngineError):
            self._writer.run(_NO_CHECKPOINT, {})

    def _roll_back(self) -> None:
        try:
            self._writer.run(_ROLLBACK, {})
        except EngineError:
            self._writer.renew()


class Transaction:
    """What may be done inside `Engine.transaction`."""

    def __init__(self, connection: _Connection) -> None:
        self._connection = connection

    def run(self, statement: Statement, **values: Any) -> list[Row]:
        return self._connection.run(statement, values)


_BEGIN = Statement("BEGIN TRANSACTION")
_COMMIT = Statement("COMMIT")
_ROLLBACK = Statement("ROLLBACK")
_NO_CHECKPOINT = Statement("CALL force_checkpoint_on_close=false")


class _Connection:
    """A connection that is renewed after a hundred statements: it keeps memory for each until it is closed."""

    def __init__(self, module: ModuleType, database: Any, timeout_ms: int) -> None:
        self._module = module
        self._database = database
        self._timeout_ms = timeout_ms
        self._statements = 0
        self._connection = self._new()

    def _new(self) -> Any:
        connection = self._module.Connection(self._database, num_threads=_STATEMENT_THREADS)
        connection.set_query_timeout(self._timeout_ms)
        return connection

    def run(self, statement: Statement, values: dict[str, Any]) -> list[Row]:
        self._statements += 1
        given = {name: value + _OFFSET if name in statement.ids else value for name, value in values.items()}
        try:
            result = self._connection.execute(statement.text, given)
            rows: list[Row] = result.get_all()
            result.close()
        except RuntimeError as error:
            raise EngineError(str(error)) from error
        for row in rows:
            for column in statement.gives:
                row[column] -= _OFFSET  # type: ignore[index]
        return rows

    def set_timeout(self, timeout_ms: int) -> None:
        self._connection.set_query_timeout(timeout_ms)

    def renew_when_due(self) -> None:
        if self._statements >= _RENEW_AFTER:
            self.renew()

    def renew(self) -> None:
        self._statements = 0
        self._connection.close()
        self._connection = self._new()

    def close(self) -> None:
        self._connection.close()


def _module() -> ModuleType:
    """Kuzu, or its maintained fork where Kuzu has no wheel; never both in one process."""
    try:
        return importlib.import_module("kuzu")
    except ImportError:
        return importlib.import_module("ladybug")


def give_back_memory() -> None:
    """Return what the engine freed to the system: glibc keeps about 50 MB of it after some checkpoints."""
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim is not None:
            trim(0)


def versions() -> tuple[str, int]:
    """The engine's name with its version, and the version of its file format."""
    module = _module()
    return f"{module.__name__} {module.Database.get_version()}", int(module.Database.get_storage_version())
