"""The demo's events as they would have come: day by day, from the places that tell of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path

from collectors.collector import Place
from collectors.event import Event, Gap
from desktop_memory.demo.weave import ZONE

_FILES = {
    "zsh": ".zsh_history",
    "firefox": ".mozilla/firefox/k3w8.default/places.sqlite",
    "files": "Documents",
}


def told(seen: Iterable[Event | Gap], home: Path) -> Iterator[tuple[Place | None, list[Event | Gap]]]:
    """Batches oldest day first, each with its place; None for what comes from no place (notes, gaps)."""
    for _, day in groupby(seen, key=lambda one: one.start.astimezone(ZONE).date()):
        batches: dict[Place | None, list[Event | Gap]] = {}
        for one in day:
            batches.setdefault(_place(one, home), []).append(one)
        yield from batches.items()


def _place(one: Event | Gap, home: Path) -> Place | None:
    if isinstance(one, Gap):
        return None
    if one.source == "git":
        return Place(source="git", name=str(home / one.project))
    if one.source == "window":
        return Place(source="window", name="this desktop")
    file = _FILES.get(one.source)
    return None if file is None else Place(source=one.source, name=str(home / file))
