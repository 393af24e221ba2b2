"""Times as people type them: 10:30, yesterday 14:00, 2026-08-13, 2h; an unreadable one is an error, never "now"."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, tzinfo

from desktop_memory.errors import UsageError

_SPAN = re.compile(r"(\d+(?:\.\d+)?)\s*(s|sec|m|min|h|hour|hours|d|day|days|w|week|weeks)$", re.IGNORECASE)
_CLOCK = re.compile(r"(?:(today|yesterday)\s+)?(\d{1,2}):(\d{2})$", re.IGNORECASE)
_DAYS = {"today": 0, "yesterday": 1, "tomorrow": -1}
_SECONDS = {"s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800}


def parse_span(text: str) -> timedelta:
    """A duration: 90s, 10m, 2h, 3d, 1w."""
    found = _SPAN.fullmatch(text.strip())
    if found is None:
        raise UsageError(f"{text[:80]!r} is no duration.", "Write 10m, 2h, 3d or 1w.")
    try:
        return timedelta(seconds=float(found[1]) * _SECONDS[found[2][0].lower()])
    except OverflowError as error:
        raise UsageError(f"{text[:40]!r} is too long.", "Write 10m, 2h, 3d or 1w.") from error


def parse_time(text: str, now: datetime, here: tzinfo) -> datetime:
    """A moment: an ISO time, a date, 14:30, "yesterday 14:30", or how long ago (2h). Local unless it says otherwise."""
    try:
        return _time(text.strip(), now, here)
    except OverflowError as error:
        raise UsageError(
            f"{text[:40]!r} lies outside of all time.", "Write a date such as 2026-08-13."
        ) from error


def _time(text: str, now: datetime, here: tzinfo) -> datetime:
    if text.lower() == "now":
        return now
    if text.lower() in _DAYS:
        return _midnight(now, here, days_back=_DAYS[text.lower()])
    if _SPAN.fullmatch(text):
        return now - parse_span(text)
    if found := _CLOCK.fullmatch(text):
        hour, minute = int(found[2]), int(found[3])
        if hour < 24 and minute < 60:
            start = _midnight(now, here, days_back=(found[1] or "").lower() == "yesterday")
            return start.astimezone(here).replace(hour=hour, minute=minute).astimezone(UTC)
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise UsageError(
            f"{text[:80]!r} is no time.",
            'Write 14:30, "yesterday 14:30", 2026-08-13, 2026-08-13T14:30 or 2h for two hours ago.',
        ) from error
    return (moment if moment.tzinfo else moment.replace(tzinfo=here)).astimezone(UTC)


def _midnight(now: datetime, here: tzinfo, days_back: int) -> datetime:
    day = now.astimezone(here).date() - timedelta(days=int(days_back))
    return datetime(day.year, day.month, day.day, tzinfo=here).astimezone(UTC)
