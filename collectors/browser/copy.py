"""A private copy of another program's database, taken while that program may be writing to it.

The database is `X` with `X-wal` (Firefox) or `X-journal` (Chromium) beside it. Both browsers lock their
file against every other reader, and what was written last is in the second file only: so the files are
copied together, and again when one of them changed meanwhile. SQLite then puts the copy in order, as
after a power cut. The original is only ever read.
"""

from __future__ import annotations

import logging
import os
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from collectors.collector import Unavailable
from collectors.readable import check_readable

logger = logging.getLogger(__name__)

BESIDE = ("-wal", "-journal")
PREFIX = "history-"
TRIES = 5
PAUSE_SECONDS = 0.05
SPARE_BYTES = 50_000_000
HEADER = b"SQLite format 3\0"


def mark(database: Path) -> str:
    """Differs once something was written to the database. Raises Unavailable when it is not there."""
    return " ".join(_stamp(path) for path in (database, Path(f"{database}-wal")))


class Snapshot:
    """An open copy that is deleted when closed. Make it with `take`."""

    def __init__(self, folder: Path, connection: sqlite3.Connection, *, mark: str, size: int) -> None:
        self._folder = folder
        self.connection = connection
        self.mark = mark
        self.size = size

    def is_empty(self) -> bool:
        """The browser has made the file and written nothing yet."""
        return self.connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone() is None

    def close(self) -> None:
        with suppress(sqlite3.Error):
            self.connection.close()
        shutil.rmtree(self._folder, ignore_errors=True)


def take(database: Path, copies: Path) -> Snapshot:
    """Copy the database into a folder of its own below `copies` (both 0700) and open the copy.

    Raises Unavailable when it cannot be copied, is no database or is damaged.
    """
    copies.mkdir(mode=0o700, parents=True, exist_ok=True)
    copies.chmod(0o700)
    folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=copies))
    try:
        taken_at = _copy(database, folder)
        copy = folder / database.name
        return Snapshot(folder, _open(copy, database), mark=taken_at, size=copy.stat().st_size)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def remove_leftovers(copies: Path) -> None:
    """Delete copies that a killed process left behind."""
    for folder in copies.glob(f"{PREFIX}*"):
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def trouble_of(database: Path) -> Iterator[None]:
    """Turn what SQLite says about a damaged copy into words for the user."""
    try:
        yield
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:  # the latter from SQLite's own message
        if isinstance(error, sqlite3.ProgrammingError):
            raise
        logger.debug("a history could not be read: %s", error)
        raise Unavailable(
            f"The history {database} is damaged or changed while it was copied.",
            "It is tried again later; restart the browser if this stays.",
        ) from error


def _copy(database: Path, folder: Path) -> str:
    """Copy all files until none changed in the meantime; the mark of what was copied."""
    files = [database, *(Path(f"{database}{suffix}") for suffix in BESIDE)]
    _check_space(files, folder)
    for attempt in range(TRIES):
        before = [_stamp(file) for file in files]
        for file in files:
            _copy_file(file, folder / file.name)
        if before == [_stamp(file) for file in files]:
            break
        time.sleep(PAUSE_SECONDS * (attempt + 1))
    else:
        logger.debug("a history kept changing while it was copied")
    return " ".join(before[:2])


def _copy_file(file: Path, to: Path) -> None:
    to.unlink(missing_ok=True)
    try:
        with (
            file.open("rb") as source,
            open(os.open(to, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as copy,
        ):
            shutil.copyfileobj(source, copy, 1 << 20)
    except FileNotFoundError:
        return
    except OSError as error:
        raise _cannot(file, error) from error


def _check_space(files: list[Path], folder: Path) -> None:
    needed = sum(file.stat().st_size for file in files if file.exists())
    if shutil.disk_usage(folder).free < needed + SPARE_BYTES:
        raise Unavailable(
            f"There is not enough space left to read {files[0]}.",
            f"Free {(needed + SPARE_BYTES) // 1_000_000 + 1} MB on the disk that holds {folder.parent}.",
        )


def _open(copy: Path, original: Path) -> sqlite3.Connection:
    with trouble_of(original):
        if not copy.exists():
            raise Unavailable(f"The history {original} is gone.")
        connection = sqlite3.connect(copy, isolation_level=None, check_same_thread=False)
        try:
            connection.text_factory = lambda raw: raw.decode("utf-8", "replace")
            connection.row_factory = sqlite3.Row
            connection.execute("PRAGMA trusted_schema = OFF")
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        except BaseException:
            connection.close()
            raise
    return connection


def _stamp(file: Path) -> str:
    try:
        check_readable(file)
        seen = file.stat()
    except FileNotFoundError:
        return "-"
    except OSError as error:
        raise _cannot(file, error) from error
    return f"{seen.st_ino}:{seen.st_size}:{seen.st_mtime_ns}"


def _cannot(file: Path, error: OSError) -> Unavailable:
    advice = "Close it for a moment." if os.name == "nt" else "Check its permissions."
    if isinstance(error, PermissionError) and "Library" in file.parts:
        advice = "Give this app Full Disk Access in System Settings, Privacy & Security."
    return Unavailable(f"{file} cannot be read: {error.strerror}.", advice)
