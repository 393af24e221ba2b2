"""Where the timeline's scale is marked: at round local times, right over clock changes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from desktop_memory.ui.words import clock_time, month_of, short_day

_MINUTES = (1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720)
_DAYS = (1, 2, 7, 14)
_MONTHS = (1, 3, 6, 12)


@dataclass(frozen=True, slots=True)
class Tick:
    at: float
    label: str


def ticks(since: float, until: float, room: int) -> list[Tick]:
    """At most `room` marks between two times in seconds since 1970."""
    length = (until - since) / 60
    for minutes in _MINUTES:
        if length / minutes <= room:
            return list(_minutes(since, until, minutes))
    for days in _DAYS:
        if length / (1440 * days) <= room:
            return list(_days(since, until, days))
    months = next((m for m in _MONTHS if length / (43_800 * m) <= room), 12)
    return list(_months(since, until, months))


def midnight(day: date) -> datetime:
    """When this day begins on the clock of this place."""
    return datetime.combine(day, time()).astimezone()


def _minutes(since: float, until: float, step: int) -> Iterator[Tick]:
    day = datetime.fromtimestamp(since, UTC).astimezone().date()
    while midnight(day).timestamp() < until:
        moments = {at for minute in range(0, 1440, step) for at in _at(day, minute)}
        for local in sorted(moments):
            if since <= local.timestamp() <= until:
                first = local.hour == local.minute == local.fold == 0
                yield Tick(local.timestamp(), short_day(day) if first else clock_time(local))
        day += timedelta(days=1)


def _at(day: date, minute: int) -> Iterator[datetime]:
    """When the clock here shows this: once as a rule, not in an hour it skips, twice in one it repeats."""
    wall = datetime.combine(day, time(minute // 60, minute % 60))
    for fold in (0, 1):
        local = wall.replace(fold=fold).astimezone()
        if local.replace(tzinfo=None, fold=0) == wall:
            yield local


def _days(since: float, until: float, step: int) -> Iterator[Tick]:
    day = datetime.fromtimestamp(since, UTC).astimezone().date()
    day -= timedelta(days=(day.toordinal() - 1) % step)
    while (at := midnight(day).timestamp()) <= until:
        if at >= since:
            yield Tick(at, short_day(day))
        day += timedelta(days=step)


def _months(since: float, until: float, step: int) -> Iterator[Tick]:
    day = datetime.fromtimestamp(since, UTC).astimezone().date().replace(day=1)
    while (at := midnight(day).timestamp()) <= until:
        if at >= since and (day.month - 1) % step == 0:
            yield Tick(at, month_of(day))
        day = (day + timedelta(days=32)).replace(day=1)
