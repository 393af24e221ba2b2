"""How far a history has been read: the cursor of the browser sources."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from collectors.browser.visit import Visit
from collectors.collector import Cursor
from collectors.plain import DAMAGED

Moment = tuple[int, int]
"""Time in microseconds since 1970 and id of a visit: visits of one microsecond are told apart."""

_FAR_US = 30 * 86_400 * 1_000_000
END: Moment = (1 << 62, 1 << 62)


def bounded(moment: Moment) -> Moment:
    """The same moment inside what a cursor may hold; a damaged row can hold any number."""
    return min(max(moment[0], 0), END[0]), min(max(moment[1], -(1 << 63)), (1 << 63) - 1)


@dataclass(frozen=True, kw_only=True, slots=True)
class Stretch:
    """Visits still to be read: later than `after`, before `before`. `told` is the newest that was told of
    when this stretch began; a visit up to there is told again only where something may have come late."""

    after: int
    before: Moment = END
    told: Moment | None = None

    def until(self, before: Moment) -> Stretch:
        return replace(self, before=before)

    def is_known(self, visit: Visit) -> bool:
        """Told before, and not the latest visit to its page: its title belongs to a later one by now."""
        if self.told is None or visit.is_latest:
            return False
        return visit.at <= self.told[0] and visit.id <= self.told[1]


@dataclass(frozen=True, kw_only=True, slots=True)
class Progress:
    """`told` is the newest visit of the last snapshot, `mark` how the file looked then, `stretches` what
    is left to read of it and of earlier ones, the newest last."""

    mark: str = ""
    told: Moment | None = None
    stretches: tuple[Stretch, ...] = ()

    def with_(self, **changes: Any) -> Progress:
        return replace(self, **changes)

    def is_beyond(self, newest: Moment) -> bool:
        """Much later than the `newest` visit there is: a damaged cursor, or a history that was cleared long ago."""
        latest = newest[0] + _FAR_US
        starts = [after for s in self.stretches for after in (s.after, s.told[0] if s.told else 0)]
        return max(starts, default=0) > latest or (self.told is not None and self.told[0] > latest)

    def cursor(self) -> Cursor:
        """As plain JSON values."""
        return {
            "mark": self.mark,
            "told": _plain(self.told),
            "stretches": [[s.after, list(s.before), _plain(s.told)] for s in self.stretches],
        }


def progress(cursor: Cursor | None) -> Progress:
    """The progress that this cursor holds; the beginning where it holds none or a damaged one."""
    if cursor is None:
        return Progress()
    try:
        stretches = [
            Stretch(after=_needed((after, 0))[0], before=_needed(before), told=_moment(told))
            for after, before, told in cursor["stretches"]
        ]
        return Progress(mark=str(cursor["mark"]), told=_moment(cursor["told"]), stretches=tuple(stretches))
    except DAMAGED:
        return Progress()


def _plain(moment: Moment | None) -> list[int] | None:
    return None if moment is None else list(moment)


def _moment(plain: Any) -> Moment | None:
    return None if plain is None else _needed(plain)


def _needed(plain: Any) -> Moment:
    at, id = int(plain[0]), int(plain[1])
    if bounded((at, id)) != (at, id):
        raise ValueError("no time or id that a history has")
    return at, id
