"""Regular expressions for titles that can never take long: what could is refused before it is used."""

from __future__ import annotations

import importlib
import re
import warnings
from typing import Any

from desktop_memory.errors import UsageError

LONGEST_PATTERN = 200
LOOKED_AT = 300
"""Characters of a title that are looked at."""

_MOST_WAYS = 60_000_000
"""Ways in which a pattern may be tried on one title, at worst; Python tries about as many in a second."""


def compiled(pattern: str) -> re.Pattern[str]:
    """The pattern, upper and lower case alike. Raises UsageError, in words, for one that cannot be used."""
    if not pattern.strip() or len(pattern) > LONGEST_PATTERN:
        raise UsageError(f"A title pattern has 1 to {LONGEST_PATTERN} characters.")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            found = re.compile(pattern, re.IGNORECASE)
    except (re.error, OverflowError, RecursionError, Warning) as error:
        raise UsageError(
            f"The pattern {pattern!r} cannot be read: {error}.", "A dot or bracket meant as such needs a \\."
        ) from error
    if LOOKED_AT * _ways(_parser().parse(pattern, re.IGNORECASE)) > _MOST_WAYS:
        raise UsageError(
            f"The pattern {pattern!r} could take for ever on some titles.",
            "Use at most two of * and +, and none within another.",
        )
    return found


def matches(pattern: re.Pattern[str], title: str) -> bool:
    return pattern.search(title[:LOOKED_AT]) is not None


def _parser() -> Any:
    """Python's own: public under another name until 3.11, without a name since."""
    return importlib.import_module("re._parser")


def _ways(parsed: Any) -> int:
    """In how many ways a part can match from one place at most; repetition within repetition counts as too many."""
    ways: int = 1
    for code, argument in parsed:
        ways = min(ways * _ways_of(str(code), argument), _MOST_WAYS + 1)
    return ways


def _ways_of(code: str, argument: Any) -> int:
    if code in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
        least, most, body = argument
        inside = _ways(body)
        if inside > 1:
            return inside + 1 if most == 1 else _MOST_WAYS + 1
        return int(min(most, LOOKED_AT) - min(least, LOOKED_AT) + 1)
    if code == "BRANCH":
        return sum(map(_ways, argument[1]))
    if code == "SUBPATTERN":
        return _ways(argument[3])
    if code in ("ASSERT", "ASSERT_NOT"):
        return _ways(argument[1])
    if code == "ATOMIC_GROUP":
        return _ways(argument)
    if code == "GROUPREF_EXISTS":
        _, yes, no = argument
        return _ways(yes) + (_ways(no) if no else 0)
    return 1
