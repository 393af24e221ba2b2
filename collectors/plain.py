"""Takes values out of a cursor, which may come back damaged from its store."""

from __future__ import annotations

import time
from typing import Any

_DAY = 86_400
DAMAGED = (LookupError, TypeError, ValueError, OverflowError, AttributeError)
"""What comes of a damaged cursor. It is understood in one go, and its place read anew where that cannot be done."""


def number(plain: Any) -> int:
    """An offset, a count or a time."""
    if not isinstance(plain, int) or not 0 <= plain < 1 << 62:
        raise ValueError("not a number that a cursor holds")
    return int(plain)


def past(plain: Any, unit: int = 1) -> int:
    """A time that has been, counting `unit` to the second; clocks are set, so a day to come passes as well."""
    at = number(plain)
    if at > (time.time() + _DAY) * unit:
        raise ValueError("a time to come")
    return at


def maybe_number(plain: Any) -> int | None:
    """The same, where it may not be known."""
    return None if plain is None else number(plain)
