"""The whole file at once: a copy that agrees with itself while others record, and whether a file is sound."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import apsw

from desktop_memory.errors import Damaged, KnownError, StoreError
from desktop_memory.store import migrations, notes, profile
from desktop_memory.store.connection import connect, known_errors, one
from desktop_memory.store.writing import size_of
from desktop_memory.vault import header as headers

Told = Callable[[float], bool]
"""Is told the share done, 0 to 1; True stops the work."""

_STEPS = 1_000


def copy(path: Path, target: Path, told: Told) -> None:
    """Copy the memory at `path` to a file that does not exist yet; one moment of it, without free pages.

    The copy of an encrypted memory is encrypted by the same key, with its header beside it.

    Raises StoreError when either cannot be read or written, Cancelled when `told` said so.
    """
    with known_errors(target):
        connection = connect(path, writer=True)
        try:
            size = max(1, path.stat().st_size)
            connection.set_progress_handler(lambda: told(min(1.0, size_of(target) / size)), _STEPS)
            connection.execute("VACUUM INTO ?", (str(target),))
            headers.carry(path.parent, target.parent)
        except apsw.InterruptError as error:
            raise Cancelled from error
        finally:
            connection.close()


class Cancelled(KnownError):
    """The user stopped it; nothing was changed."""

    exit_code = 130

    def __init__(self) -> None:
        super().__init__("Cancelled.", "Nothing was changed.")


def check(path: Path) -> tuple[int, int]:
    """How many events a memory's file holds, and the newest one's id (0: none).

    Raises StoreError when it is damaged, newer, or something else.
    """
    with known_errors(path):
        connection = connect(path, writer=True)
        try:
            if migrations.version(connection) == 0:
                raise StoreError(f"{path.name} holds no memory.")
            wrong = one(connection, "PRAGMA quick_check(1)")[0]
            if wrong != "ok":
                raise Damaged(f"{path.name} is damaged ({wrong}).", "Take another backup.")
            events, last = one(connection, "SELECT count(*), coalesce(max(id), 0) FROM event")
            return int(events), int(last)
        finally:
            connection.close()


def take_in_log(path: Path) -> None:
    """Bring the log that a killed app left into the file itself. Raises KnownError where that cannot be."""
    with known_errors(path):
        connection = connect(path, writer=True)
        try:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        finally:
            connection.close()


def become_another(path: Path, of: tuple[Path, int, datetime] | None = None) -> None:
    """Make a copied memory another device's, and bring that into the file itself.

    `of` is the backup that it was copied from, the newest event in that, and the time.
    """
    with known_errors(path):
        connection = connect(path, writer=True)
        try:
            connection.execute("BEGIN IMMEDIATE")
            profile.become_another(connection)
            if of is not None and migrations.version(connection) == len(migrations.STEPS):
                # an older one has no list of them
                notes.add_backup(connection, str(of[0]), of[1], of[2])
            connection.execute("COMMIT")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        finally:
            connection.close()
