"""A throw-away memory to look around in: a fortnight of someone's work, the same every time."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

from collectors.collector import Cursor, Place
from collectors.event import Event, Gap
from desktop_memory.demo import diary, pins, repositories, rules, surroundings
from desktop_memory.demo.places import told
from desktop_memory.demo.weave import ZONE, Woven, weave
from desktop_memory.model import Pin, PinKind
from desktop_memory.receipts import Receipt
from desktop_memory.resources import resource
from desktop_memory.settings import Privacy, Settings, Sources

__all__ = ["NOW", "ZONE", "ZONE_NAME", "fill", "labelled", "lay_out", "seen", "settings"]

NOW = datetime(2026, 8, 13, 16, 20, tzinfo=ZONE)
"""When the demo plays, unless DESKTOP_MEMORY_NOW names another time of that day."""

_EVERY_SOURCE = (
    "window", "idle", "shell hook", "atuin", "zsh", "bash", "fish", "nushell", "powershell",
    "firefox", "chromium", "safari", "files", "git",
)  # fmt: skip

ZONE_NAME = "Europe/Berlin"
"""ZONE for whoever wants a name, as the variable TZ does."""


class Rememberer(rules.RuleKeeper, Protocol):
    """What filling takes of a Memory."""

    def remember(
        self, seen: Iterable[Event | Gap], *, place: Place | None = None, cursor: Cursor | None = None
    ) -> Receipt: ...
    def pin(self, kind: PinKind, text: str, project: str = "", due: datetime | None = None) -> Pin: ...


def fill(memory: Rememberer, now: datetime = NOW, *, home: Path = surroundings.HOME) -> Receipt:
    """Let this memory remember the fortnight up to `now`, through its gate, with the person's goals."""
    receipt = Receipt()
    rules.give(memory, resource("demo", "rules.toml"))
    for place, batch in told(seen(now, home=home), home):
        receipt += memory.remember(batch, place=place, cursor=None if place is None else {})
    for pin in pins.read(resource("demo", "pins.toml"), now.astimezone(ZONE).date()):
        memory.pin(pin.kind, pin.text, pin.project, pin.due)
    return receipt


def settings() -> Settings:
    """The person's settings: names that others see as other ones. Of this computer nothing is recorded."""
    return Settings(
        privacy=Privacy(aliases=("Nordwind AG = Client A", "NW = Retention", "Dr. Weber = the DPO")),
        sources=Sources(off=_EVERY_SOURCE),
    )


def lay_out(home: Path, now: datetime = NOW) -> None:
    """Make the person's repositories under `home`, as they stand at `now`."""
    events = [one for one in seen(now, home=home) if isinstance(one, Event)]
    for place in _surroundings(home).places.values():
        if place.repo:
            repositories.make(home / place.folder, place.repo, events)


def seen(now: datetime = NOW, *, home: Path = surroundings.HOME) -> list[Event | Gap]:
    """What the collectors would have told by `now`, oldest first; a span that goes on is cut there."""
    return [woven.seen for woven in labelled(now, home=home)]


def labelled(now: datetime = NOW, *, home: Path = surroundings.HOME) -> list[Woven]:
    """The same, each with whether it belongs to the work at hand or only came in between."""
    woven = weave(diary.read(resource("demo")), now.astimezone(ZONE).date(), _surroundings(home))
    return sorted((_cut(one, now) for one in woven if one.seen.start < now), key=lambda one: one.seen.start)


def _surroundings(home: Path) -> surroundings.Surroundings:
    return surroundings.read(resource("demo", "surroundings.toml"), home)


def _cut(one: Woven, now: datetime) -> Woven:
    if one.seen.end is None or one.seen.end <= now:
        return one
    return replace(one, seen=replace(one.seen, end=now.astimezone(UTC)))
