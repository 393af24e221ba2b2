"""The source "files": documents that were opened, out of the lists that desktops keep."""

from __future__ import annotations

import os
import sys
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from collectors.collector import Batch, Cursor, Place, Unavailable
from collectors.event import Event, microseconds
from collectors.files.kde import DesktopEntries, KActivities
from collectors.files.macos import SharedLists
from collectors.files.use import Lists, event
from collectors.files.windows import Shortcuts
from collectors.files.xbel import Xbel
from collectors.plain import DAMAGED, number

# Programs note a time that may be a little older than what another one wrote before.
OVERLAP_US = 600_000_000


@dataclass(kw_only=True)
class RecentFiles:
    """Each use of a document; a place is the list that it stands in. `copies` is a private folder of its own."""

    copies: Path
    home: Path = field(default_factory=Path.home)
    source: str = field(default="files", init=False)
    kinds: Sequence[Lists] = ()
    _kind_of: dict[str, Lists] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        self.kinds = self.kinds or _here(self.copies)

    def places(self) -> Iterable[Place]:
        """The lists found now, each once though folders may be links."""
        real: dict[str, tuple[Path, Lists]] = {}
        for kind in self.kinds:
            for path in kind.places(self.home):
                real.setdefault(os.path.realpath(path), (path, kind))
        self._kind_of = {str(path): kind for path, kind in real.values()}
        return [Place(source=self.source, name=name) for name in self._kind_of]

    def collect(self, place: Place, cursor: Cursor | None) -> Batch:
        if place.name not in self._kind_of:
            list(self.places())
        kind = self._kind_of.get(place.name)
        if kind is None:
            raise Unavailable(f"The list {place.name} is gone.")
        try:
            return self._collect(kind, Path(place.name), cursor)
        except OSError as error:
            advice = "Check its permissions."
            if sys.platform == "darwin":
                advice = "Give this app Full Disk Access in System Settings, Privacy & Security."
            raise Unavailable(f"{place.name} cannot be read: {error.strerror}.", advice) from error

    def _collect(self, kind: Lists, path: Path, cursor: Cursor | None) -> Batch:
        mark = kind.mark(path)
        until = _until(cursor)
        if until is not None and cursor is not None and mark == cursor.get("mark"):
            return Batch(events=(), cursor=cursor)
        until = until or 0
        skipped: Counter[str] = Counter()
        told: list[Event] = []
        for use in kind.uses(path, until - OVERLAP_US, skipped):
            if microseconds(use.at) > until - OVERLAP_US:
                told.append(event(use))
        newest = max((microseconds(one.start) for one in told), default=until)
        newest = min(newest, _now())
        return Batch(
            events=sorted(told, key=lambda one: one.start),
            cursor={"mark": mark, "until": max(newest, until)},
            skipped=skipped,
        )


def _here(copies: Path) -> Sequence[Lists]:
    if sys.platform == "win32":
        return (Shortcuts(),)
    if sys.platform == "darwin":
        return (SharedLists(),)
    return (Xbel(), DesktopEntries(), KActivities(copies=copies))


def _until(cursor: Cursor | None) -> int | None:
    """Up to when, in microseconds, uses were told; None without a cursor, or where it is damaged.

    One from a time to come is damaged too, or the clock was ahead for a while: all is told again.
    """
    try:
        until = number((cursor or {})["until"])
        return until if until <= _now() else None
    except DAMAGED:
        return None


def _now() -> int:
    return time.time_ns() // 1_000
