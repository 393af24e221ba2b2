"""The graph of one data folder: opened safely, read by anybody, replaced as a whole when it is made anew."""

from __future__ import annotations

import logging
import os
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from desktop_memory.graph import schema
from desktop_memory.graph.engine import Engine, EngineError, Row, Statement
from desktop_memory.graph.lock import GraphLock
from desktop_memory.graph.schema import Cursor

logger = logging.getLogger(__name__)

_FILE = "graph.kuzu"
_NEW = "new.kuzu"
_OLD = "old.kuzu"
MARKER = "opening"
"""The file that stands there while a graph is being opened: found later, that opening crashed."""

_NOT_THE_FILE = ("lock", "Mmap", "Permission", "No space", "buffer pool")
"""In the engine's errors: the machine's fault, not the file's."""


def file_of(folder: Path) -> Path:
    """Where the graph of this folder is kept."""
    return folder / _FILE


State = Literal["ready", "rebuilding", "missing", "closed"]


class GraphNotReady(Exception):
    """There is no graph to ask now; the store answers instead. `args[0]` says why, in words for the user."""


class Graph:
    """Derived from the store; may be missing at any time, which never keeps anything else from working."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.state: State = "missing"
        self.why = "it was not made yet"
        self.possible = True
        self.cursor = Cursor()
        self.hubs: frozenset[int] = frozenset()
        self.set_aside: Path | None = None
        self._lock = GraphLock(folder / "lock")
        self._engine: Engine | None = None
        self._swapping = threading.Lock()

    @classmethod
    def open(cls, folder: Path) -> Graph:
        """The graph in this folder, or a missing one that says why. Raises BusyError while it is open elsewhere.

        A file that cannot be opened, or crashed the process that last tried, is moved aside, never deleted.
        """
        graph = cls(folder)
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            graph._lock.acquire()
            graph._sweep()
            graph._open()
        except OSError as error:
            logger.warning("the graph's folder cannot be used: %s", error.strerror)
            graph.possible, graph.why = False, "its folder cannot be used"
        except BaseException:
            graph._lock.release()
            raise
        return graph

    def close(self) -> None:
        with self._swapping:
            self._close_engine("closed", "it was closed")
            self._lock.release()

    # reading and writing

    @property
    def engine(self) -> Engine:
        """The open engine. Raises GraphNotReady."""
        engine = self._engine
        if engine is None:
            raise GraphNotReady(self.why)
        return engine

    def read(self, statement: Statement, **values: Any) -> list[Row]:
        """All rows. Raises GraphNotReady, whatever kept the graph from answering."""
        try:
            return self.engine.read(statement, **values)
        except EngineError as error:
            logger.warning("the graph did not answer: %s", type(error).__name__)
            raise GraphNotReady("it did not answer") from error

    def reopen(self) -> None:
        """Try again after the machine, not the file, kept it from opening."""
        with self._swapping:
            if self._engine is None and self.state == "missing":
                self._open()

    def find_cursor(self) -> None:
        """After an error: what the file itself says it holds."""
        cursor = schema.read_cursor(self.engine)
        if cursor is not None:
            self.cursor = cursor

    def drop(self, why: str) -> None:
        """Remove the file: what was forgotten is gone at once, and the graph is missing until it is made anew."""
        with self._swapping:
            self._close_engine("missing", why)
            self._remove(_FILE)

    def replace(self, build: Callable[[Path], bool]) -> bool:
        """Put the file that `build` makes in the place of this one; False when it gave up, and nothing changed."""
        with self._swapping:
            if self.state == "closed":
                return False
            # One Database a process: the old one is closed first, and the store answers meanwhile.
            self._close_engine("rebuilding", "it is being made anew")
            self._remove(_NEW)
            try:
                built = build(self.folder / _NEW)
            except BaseException:
                self._give_up()
                raise
            if built:
                self._swap()
                self._open()
            else:
                self._give_up()
            return built

    @property
    def has_file(self) -> bool:
        return file_of(self.folder).exists()

    # inside

    def _open(self) -> None:
        path = self.folder / _FILE
        if (self.folder / MARKER).exists():
            logger.warning("the last opening of the graph crashed: moving it aside")
            self._move_aside()
            (self.folder / MARKER).unlink(missing_ok=True)
        if not path.exists():
            self.state = "missing"
            return
        try:
            with self._marked():
                engine = Engine(path)
                cursor = schema.read_cursor(engine) if schema.is_current(engine) else None
                if cursor is not None:
                    schema.try_out(engine, cursor)
        except ImportError:
            self.possible = False
            self.why = "this Python has no graph engine"
        except EngineError as error:
            self._cannot_open(error)
        else:
            if cursor is None:
                engine.close()
                self.state, self.why = "missing", "it was made by another version"
            else:
                self._engine, self.cursor, self.state, self.why = engine, cursor, "ready", ""

    @contextmanager
    def _marked(self) -> Iterator[None]:
        """A damaged file can crash the process: a marker left behind tells the next start."""
        marker = self.folder / MARKER
        with open(marker, "w") as file:
            file.write(str(os.getpid()))
            file.flush()
            os.fsync(file.fileno())
        try:
            yield
        finally:
            marker.unlink(missing_ok=True)

    def _cannot_open(self, error: EngineError) -> None:
        self.state = "missing"
        if any(word in str(error) for word in _NOT_THE_FILE):
            logger.warning("the graph cannot be opened now: %s", error)
            self.why = "it cannot be opened now"
        else:
            logger.warning("the graph's file is damaged: moving it aside")
            self._move_aside()

    def _move_aside(self) -> None:
        stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S%f")
        aside = self.folder.with_name(f"{self.folder.name}-{stamp}.damaged")
        files = list(self.folder.glob(f"{_FILE}*"))
        if files:
            aside.mkdir(mode=0o700)
            for path in files:
                path.rename(aside / path.name)
            self.set_aside = aside
        self.why = "its file was damaged"

    def _close_engine(self, state: State, why: str) -> None:
        engine, self._engine = self._engine, None
        self.state, self.why = state, why
        if engine is not None:
            engine.close()

    def _swap(self) -> None:
        with open(self.folder / _NEW, "rb+") as file:
            os.fsync(file.fileno())
        self._remove(_OLD)
        for path in self.folder.glob(f"{_FILE}*"):
            path.rename(self.folder / path.name.replace(_FILE, _OLD, 1))
        for path in self.folder.glob(f"{_NEW}*"):
            path.rename(self.folder / path.name.replace(_NEW, _FILE, 1))
        self._remove(_OLD)

    def _give_up(self) -> None:
        self._remove(_NEW)
        self.why = "it was not made yet"
        self._open()

    def _sweep(self) -> None:
        """What a killed process left behind in the middle of a replacement."""
        self._remove(_NEW)
        if (self.folder / _FILE).exists():
            self._remove(_OLD)
        shutil.rmtree(self.folder / "csv", ignore_errors=True)

    def _remove(self, name: str) -> None:
        for path in self.folder.glob(f"{name}*"):
            path.unlink()
