"""Events that say only what a test cares about."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from collectors.event import Event, identity

NOON = datetime(2026, 8, 13, 10, 0, tzinfo=UTC)


def at(minutes: float) -> datetime:
    """That many minutes after noon of Thursday 13 August 2026 in Berlin."""
    return NOON + timedelta(minutes=minutes)


class FakeClock:
    """A clock that stands still until it is moved."""

    def __init__(self, now: datetime = NOON) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now

    def advance(self, minutes: float) -> None:
        self.now += timedelta(minutes=minutes)


def event(minutes: float = 0, *, until: float | None = None, **what: Any) -> Event:
    """An event at that many minutes after noon; a command unless `kind` says otherwise."""
    start = at(minutes)
    fields: dict[str, Any] = {
        "kind": "terminal",
        "start": start,
        "end": None if until is None else at(until),
        "source": "test",
        "utc_offset": 120,
    }
    fields.update(what)
    if not fields.get("title") and not fields.get("text"):
        fields["text"] = f"echo {minutes}"
    name = fields.get("text") or fields.get("title")
    fields.setdefault("identity", identity(fields["kind"], str(fields["start"]), name))
    return Event(**fields)
