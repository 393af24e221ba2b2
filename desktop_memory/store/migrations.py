"""Numbered steps from an empty file to today's schema; a step that shipped is never edited."""

from __future__ import annotations

from pathlib import Path

import apsw

from desktop_memory.errors import StoreError

APPLICATION_ID = 0x444D454D  # "DMEM"

_FOLDER = Path(__file__).parent
STEPS: tuple[str, ...] = ("schema_1.sql", "schema_2.sql", "schema_3.sql")


def version(connection: apsw.Connection) -> int:
    """The schema version the file has now; 0 for a new one. Raises StoreError for a file that is not ours."""
    found = int(connection.pragma("user_version"))
    if found == 0 and connection.execute("SELECT count(*) FROM sqlite_schema").get:
        raise StoreError("memory.sqlite holds something else.", "Choose another folder with --home.")
    if found > len(STEPS):
        raise StoreError(
            f"This memory was written by a newer version (schema {found}, this one knows {len(STEPS)}).",
            "Update Desktop Memory. Nothing was changed.",
        )
    return found


def migrate(connection: apsw.Connection) -> None:
    """Bring the file to today's schema, each step in a transaction of its own."""
    while version(connection) < len(STEPS):
        connection.execute("BEGIN IMMEDIATE")
        try:
            at = version(connection)  # another process may have been faster
            if at < len(STEPS):
                connection.execute((_FOLDER / STEPS[at]).read_text(encoding="utf-8"))
                connection.execute(f"PRAGMA application_id={APPLICATION_ID}; PRAGMA user_version={at + 1}")
            connection.execute("COMMIT")
        except BaseException:
            connection.execute("ROLLBACK")
            raise
