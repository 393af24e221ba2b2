"""What stands in a row of somebody else's database: what it should be, or a ValueError."""

from __future__ import annotations

import sqlite3


def columns(history: sqlite3.Connection, table: str) -> frozenset[str]:
    """The columns that this version's table has; none when there is no such table."""
    return frozenset(
        row["name"] for row in history.execute("SELECT name FROM pragma_table_info(?)", (table,))
    )


def whole(value: object) -> int:
    """A whole number. Raises ValueError when something else stands there."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if not isinstance(value, int):
        raise ValueError("not a whole number")
    return value


def text(value: object) -> str:
    """A text, "" for none. Raises ValueError when something else stands there."""
    if value is None:
        return ""
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if not isinstance(value, str):
        raise ValueError("not a text")
    return value


def positive(value: object) -> int:
    """A whole number above 0, else 0: for what is good to have."""
    return value if isinstance(value, int) and value > 0 else 0
