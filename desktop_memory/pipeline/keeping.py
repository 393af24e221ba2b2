"""How long what is kept: `browser = 90 days`, `all = 5 GB`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from collectors.event import KINDS
from desktop_memory.errors import KnownError

ALL = "all"

_LINE = re.compile(r"\s*(\w+)\s*=\s*(\d+(?:\.\d+)?)\s*([a-z]+)\s*", re.IGNORECASE)
_DAYS = {"day": 1, "week": 7, "month": 30, "year": 365}
_BYTES = {"mb": 10**6, "gb": 10**9}


@dataclass(frozen=True, slots=True)
class Limit:
    """Of one kind (or `all`), what is older than `days`, or the oldest above `bytes`, is forgotten."""

    kind: str
    days: float | None = None
    bytes: int | None = None

    @property
    def kinds(self) -> tuple[str, ...]:
        return () if self.kind == ALL else (self.kind,)


def limits(lines: Iterable[str]) -> tuple[Limit, ...]:
    """The limits that these lines say. Raises KnownError for one that cannot be read."""
    return tuple(_limit(line) for line in lines if line.strip())


def _limit(line: str) -> Limit:
    found = _LINE.fullmatch(line)
    kind = found[1].lower() if found else ""
    if found is None or (kind != ALL and kind not in KINDS):
        raise _unreadable(line)
    amount, unit = float(found[2]), found[3].lower()
    if unit in _BYTES and amount > 0:
        return Limit(kind, bytes=int(amount * _BYTES[unit]))
    days = _DAYS.get(unit.removesuffix("s"))
    if days is None or amount * days < 1:
        raise _unreadable(line)
    return Limit(kind, days=amount * days)


def _unreadable(line: str) -> KnownError:
    return KnownError(
        f"{line!r} does not say how long something is kept.",
        f"Write it like `browser = 90 days` or `all = 5 GB`; kinds: {', '.join(KINDS)}, {ALL}.",
    )
