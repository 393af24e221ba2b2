"""Takes values out of a cursor, which may come back damaged from its store."""

from __future__ import annotations

from typing import Any

DAMAGED = (LookupError, TypeError, ValueError, OverflowError, AttributeError)
"""What comes of a damaged cursor. It is understood in one go, and its place read anew where that cannot be done."""


def number(plain: Any) -> int:
    """An offset, a count or a time."""
    if not isinstance(plain, int) or not 0 <= plain < 1 << 62:
        raise ValueError("not a number that a cursor holds")
    return int(plain)


def maybe_number(plain: Any) -> int | None:
    """The same, where it may not be known."""
    return None if plain is None else number(plain)
