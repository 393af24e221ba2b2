"""When recording rests by itself: "Mon-Fri 12:00-13:00", "weekend", "20:00-08:00". Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from desktop_memory.errors import KnownError

_DAYS = {
    name: day
    for day, names in enumerate(
        (
            ("mon", "mo"),
            ("tue", "di"),
            ("wed", "mi"),
            ("thu", "do"),
            ("fri", "fr"),
            ("sat", "sa"),
            ("sun", "so"),
        )
    )
    for name in names
}
_WORDS = {
    "daily": range(7), "every day": range(7), "täglich": range(7),
    "weekdays": range(5), "werktags": range(5),
    "weekend": range(5, 7), "weekends": range(5, 7), "wochenende": range(5, 7),
}  # fmt: skip
_HOURS = re.compile(r"(?P<from>\d{1,2}:\d\d)\s*[-–]\s*(?P<to>\d{1,2}:\d\d)$")
_FORM = 'Write it like "Mon-Fri 12:00-13:00", "weekend" or "20:00-08:00".'
_LOOK_AHEAD = timedelta(days=8)


@dataclass(frozen=True, slots=True)
class Rest:
    """On these days (0 is Monday) from `start` on, for `minutes`, on the clock of the place."""

    days: frozenset[int]
    start: time
    minutes: int


def parse(lines: Iterable[str]) -> tuple[Rest, ...]:
    """The rests of these lines. Raises KnownError for a line that names none."""
    return tuple(_rest(line.strip()) for line in lines if line.strip())


def occurrences(
    rests: Sequence[Rest], since: datetime, until: datetime, zone: tzinfo
) -> list[tuple[datetime, datetime]]:
    """Every rest that has begun by `until` and reaches beyond `since`, in UTC, the earliest first."""
    first = since.astimezone(zone).date() - timedelta(days=1)
    days = (until.astimezone(zone).date() - first).days
    found = [
        (start, end)
        for rest in rests
        for day in (first + timedelta(days=n) for n in range(days + 1))
        for start, end in _on(rest, day, zone)
        if start <= until and end > since
    ]
    return sorted(found)


def within(rests: Iterable[Rest], at: datetime) -> bool:
    """Whether this moment, on the clock of its place, lies in one of them."""
    for rest in rests:
        for day in (at.date() - timedelta(days=1), at.date()):
            begun = datetime.combine(day, rest.start)
            if day.weekday() in rest.days and begun <= at < begun + timedelta(minutes=rest.minutes):
                return True
    return False


def next_start(rests: Sequence[Rest], now: datetime, zone: tzinfo) -> datetime | None:
    """When the next rest begins; None without any."""
    return next((start for start, _ in occurrences(rests, now, now + _LOOK_AHEAD, zone) if start > now), None)


def _on(rest: Rest, day: date, zone: tzinfo) -> Iterator[tuple[datetime, datetime]]:
    if day.weekday() in rest.days:
        start = datetime.combine(day, rest.start)
        end = start + timedelta(minutes=rest.minutes)  # on the clock, also over a change of its hour
        yield start.replace(tzinfo=zone).astimezone(UTC), end.replace(tzinfo=zone).astimezone(UTC)


def _rest(line: str) -> Rest:
    hours = _HOURS.search(line)
    named = line[: hours.start()] if hours else line
    days = _days(named.strip().strip(":").strip(), line)
    if hours is None:
        return Rest(days, time(), 24 * 60)
    start, end = _minute(hours["from"], line), _minute(hours["to"], line)
    if start == end or start == 24 * 60:
        raise KnownError(f"{line!r} is no stretch of time.", _FORM)
    return Rest(days, time(*divmod(start, 60)), (end - start) % (24 * 60) or 24 * 60)


def _days(named: str, line: str) -> frozenset[int]:
    found: set[int] = set()
    for part in re.split(r"[,;]\s*", named.casefold()) if named else ["daily"]:
        if part in _WORDS:
            found.update(_WORDS[part])
            continue
        first, *last = (_day(name, line) for name in re.split(r"\s*[-–]\s*", part, maxsplit=1))
        length = (last[0] - first) % 7 if last else 0
        found.update((first + n) % 7 for n in range(length + 1))
    return frozenset(found)


def _day(name: str, line: str) -> int:
    name = name.strip().rstrip(".")
    for known in (name[:3], name[:2]):
        if known in _DAYS and name.isalpha():
            return _DAYS[known]
    raise KnownError(f"{line!r} names no day or time.", _FORM)


def _minute(text: str, line: str) -> int:
    hour, minute = (int(part) for part in text.split(":"))
    if hour * 60 + minute > 24 * 60 or minute > 59:
        raise KnownError(f"{text} in {line!r} is no time of day.", _FORM)
    return hour * 60 + minute
