"""A throw-away memory to look around in: a fortnight of someone's work, the same every time."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from collectors.event import Event, Gap
from desktop_memory.demo import diary, surroundings
from desktop_memory.demo.weave import ZONE, Woven, weave
from desktop_memory.resources import resource

NOW = datetime(2026, 8, 13, 16, 20, tzinfo=ZONE)
"""When the demo plays, unless DESKTOP_MEMORY_NOW says another time of that day."""


def seen(now: datetime = NOW) -> list[Event | Gap]:
    """What the collectors would have told by `now`, oldest first; a span that goes on is cut there."""
    return [woven.seen for woven in labelled(now)]


def labelled(now: datetime = NOW) -> list[Woven]:
    """The same, each with whether it belongs to the work at hand or only came in between."""
    folder = resource("demo")
    days = diary.read(folder)
    around = surroundings.read(folder / "surroundings.toml")
    woven = weave(days, now.astimezone(ZONE).date(), around)
    return sorted((_cut(one, now) for one in woven if one.seen.start < now), key=lambda one: one.seen.start)


def _cut(one: Woven, now: datetime) -> Woven:
    if one.seen.end is None or one.seen.end <= now:
        return one
    return replace(one, seen=replace(one.seen, end=now.astimezone(UTC)))
