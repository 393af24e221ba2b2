"""What time it is, and where this person lives."""

from __future__ import annotations

import os
import sys
import time
from datetime import UTC, datetime, timedelta, tzinfo
from functools import lru_cache

from desktop_memory.errors import UsageError

NOW_VARIABLE = "DESKTOP_MEMORY_NOW"

_FILES = ("/etc/localtime", "/etc/timezone")
_LOOK_AGAIN = 60.0
"""Seconds, where no file tells that the zone has changed."""


def clock() -> datetime:
    """Now in UTC, or the moment that DESKTOP_MEMORY_NOW fixes."""
    fixed = os.environ.get(NOW_VARIABLE)
    if not fixed:
        return datetime.now(UTC)
    try:
        moment = datetime.fromisoformat(fixed)
    except ValueError as error:
        raise UsageError(
            f"{NOW_VARIABLE} is no time: {fixed}", "Write it as 2026-08-13T09:56:00+02:00."
        ) from error
    return (moment if moment.tzinfo else moment.astimezone()).astimezone(UTC)


def zone() -> tzinfo:
    """The zone this person lives in now: who travels has the new one without a restart."""
    return _zone(_setting())


def _setting() -> tuple[object, ...]:
    """What changes when the zone does."""
    if sys.platform == "win32":
        return os.environ.get("TZ"), time.monotonic() // _LOOK_AGAIN
    return os.environ.get("TZ"), *map(_stamp, _FILES)


def _stamp(path: str) -> tuple[int, int] | None:
    try:
        found = os.lstat(path)
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns


@lru_cache(maxsize=1)
def _zone(_setting: tuple[object, ...]) -> tzinfo:
    import tzlocal

    if sys.platform != "win32":
        time.tzset()  # or the C library, which `astimezone()` asks, keeps the old one
    try:
        return tzlocal.reload_localzone()
    except (KeyError, ValueError, OSError):  # TZ=UTC-5, TZ=nonsense, two files that contradict each other
        return _SystemZone()


class _SystemZone(tzinfo):
    """As the C library reads it, where the zone has no name that is known."""

    def utcoffset(self, at: datetime | None) -> timedelta:
        return _local(at).utcoffset() or timedelta()

    def dst(self, at: datetime | None) -> None:
        return None

    def tzname(self, at: datetime | None) -> str:
        return _local(at).tzname() or ""

    def fromutc(self, at: datetime) -> datetime:
        local = at.replace(tzinfo=UTC).astimezone()
        wall = local.replace(tzinfo=self, fold=0)
        return wall if wall.utcoffset() == local.utcoffset() else wall.replace(fold=1)


def _local(at: datetime | None) -> datetime:
    return datetime.now(UTC).astimezone() if at is None else at.replace(tzinfo=None).astimezone()
