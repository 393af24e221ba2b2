"""One command as a history file tells it, and how its bytes become safe text."""

from __future__ import annotations

from typing import NamedTuple

LONGEST_COMMAND = 32_768
_TOO_FAR = 32_503_680_000  # the year 3000


class Record(NamedTuple):
    """`end` is the offset after it in the file; `second` is None where the file does not tell the time.

    `also` is another second at which the same command ran; `spaced`, that it began with a space.
    """

    end: int
    second: int | None
    elapsed: int
    text: str
    also: int | None = None
    spaced: bool = False


def readable(data: bytes) -> str:
    """The command as text: invalid UTF-8 replaced, NULs and outer blanks removed, cut at LONGEST_COMMAND."""
    text = data[: 4 * LONGEST_COMMAND].decode("utf-8", "replace")
    if "\0" in text:
        text = text.replace("\0", "")
    return text.strip()[:LONGEST_COMMAND].rstrip()


def plausible(second: int) -> bool:
    """A time that a clock can have shown; some converters write 0 for unknown."""
    return 0 < second < _TOO_FAR
