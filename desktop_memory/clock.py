"""What time it is, and where this person lives."""

from __future__ import annotations

import os
from datetime import UTC, datetime, tzinfo

from desktop_memory.errors import UsageError

NOW_VARIABLE = "DESKTOP_MEMORY_NOW"


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
    """The zone this person lives in."""
    import tzlocal

    return tzlocal.get_localzone()
