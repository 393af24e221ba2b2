"""Numbers with their words: 1 event, 2 events, 1,000 matches."""

from __future__ import annotations


def counted(count: int, one: str, many: str = "") -> str:
    """The number with the word that fits it; `many` where an s is not enough."""
    return f"{count:,} {plural(count, one, many)}"


def plural(count: float, one: str, many: str = "") -> str:
    """The word alone."""
    return one if count == 1 else many or f"{one}s"
