"""When somebody is away: decided from how long there has been no input. Pure, told the time."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

THRESHOLD = timedelta(seconds=180)
"""Without input for so long nobody is there."""

# What a look costs is next to nothing, so these are parts of the threshold: 30, 10, 5 and 1 s of 180.
_HERE, _AWAY, _STIRRED, _SAME = 6, 18, 36, 180


@dataclass(slots=True)
class Absence:
    """Tell it how long there has been no input; it says since when somebody is away, or is back.

    One stray input (a bumped table, a jittery mouse) does not end an absence: a second one must follow
    within the threshold. The return then counts from the first.
    """

    threshold: timedelta = THRESHOLD
    away_since: datetime | None = None
    _stirred: datetime | None = None
    _floor: datetime | None = None
    """No absence begins before this: somebody was certainly there."""

    def leaves(self, at: datetime, idle: float) -> datetime | None:
        """Since when somebody is away, if that is news."""
        since = self._untouched_since(at, idle)
        if self.away_since is not None or at - since < self.threshold:
            return None
        self.away_since, self._stirred = since, None
        return since

    def returns(self, at: datetime, idle: float) -> datetime | None:
        """Since when somebody is back, if that is news."""
        if self.away_since is None:
            return None
        last_input = at - timedelta(seconds=idle)
        if last_input <= self.away_since + self.threshold / _SAME:
            return None
        stirred = self._stirred
        if stirred is None or last_input - stirred > self.threshold:
            self._stirred = last_input
        elif last_input > stirred + self.threshold / _SAME:
            self.here(stirred)
            return stirred
        return None

    def here(self, at: datetime) -> None:
        """Somebody is certainly there at this time: unlocked the screen, sits in a meeting."""
        self.away_since = self._stirred = None
        self._floor = at

    def clock_moved(self, by: timedelta) -> None:
        """The clock was set: what was remembered moves along."""
        self.away_since, self._stirred, self._floor = (
            moment + by if moment else None for moment in (self.away_since, self._stirred, self._floor)
        )

    def seconds_to_next(self, at: datetime, idle: float) -> float:
        """When to look again."""
        if self.away_since is not None:
            part = _AWAY if self._stirred is None else _STIRRED
            return (self.threshold / part).total_seconds()
        left = max(self._untouched_since(at, idle) + self.threshold - at, self.threshold / _SAME)
        return min(left, self.threshold / _HERE).total_seconds()

    def _untouched_since(self, at: datetime, idle: float) -> datetime:
        last_input = at - timedelta(seconds=idle)
        return max(last_input, self._floor) if self._floor else last_input
