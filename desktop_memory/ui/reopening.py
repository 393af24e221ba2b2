"""What of a session can be opened again: its pages and files, the longest used first, and which are gone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from desktop_memory.model import Remembered
from desktop_memory.ui.opening import target
from desktop_memory.ui.rows import headline

TICKED = 10
"""So many of the longest are ticked at first, and can be opened without a question."""
LONG_ENOUGH = 20.0
"""What was open for fewer seconds is listed, but not ticked."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Thing:
    """A page or a file; `target` is what is opened."""

    target: str
    title: str
    seconds: float
    event: Remembered
    gone: bool = False

    @property
    def page(self) -> bool:
        return "://" in self.target


def things(events: Iterable[Remembered]) -> list[Thing]:
    """Each page and file once, the longest used first. Looks at the disk: not for Qt's thread."""
    found: dict[str, Thing] = {}
    for event in events:
        if event.kind not in ("browser", "file") or not (where := target(event)):
            continue
        seconds = ((event.end or event.start) - event.start).total_seconds()
        key = where.split("#", 1)[0].rstrip("/")
        known = found.get(key)
        title = headline(event) or where
        found[key] = Thing(
            target=where, title=title, seconds=seconds + (known.seconds if known else 0.0), event=event,
            gone=_gone(where) if known is None else known.gone,
        )  # fmt: skip
    return sorted(found.values(), key=lambda thing: (-thing.seconds, thing.event.start))


def ticked_first(found: Iterable[Thing]) -> set[str]:
    """The targets that are ticked until the person chooses."""
    there = [thing for thing in found if not thing.gone]
    long = [thing for thing in there if thing.seconds >= LONG_ENOUGH] or there
    return {thing.target for thing in long[:TICKED]}


def _gone(where: str) -> bool:
    path = where.removeprefix("file://")
    if "://" in path:
        return False
    try:
        return not Path(path).exists()
    except (OSError, ValueError):
        return True
