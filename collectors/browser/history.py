"""Reads browser histories bit by bit: a snapshot, the newest visits first, and where to go on."""

from __future__ import annotations

import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from collectors.browser import download
from collectors.browser.browsers import Browser
from collectors.browser.copy import Snapshot, mark, remove_leftovers, take, trouble_of
from collectors.browser.download import Download
from collectors.browser.profiles import Profile, profiles
from collectors.browser.progress import END, Moment, Progress, Stretch, bounded, progress
from collectors.browser.visit import Visit, event
from collectors.collector import Batch, Cursor, Place, Unavailable
from collectors.event import Event

# Titles and durations are written late: what is this much older than the newest is looked at again.
OVERLAP_US = 6 * 3_600 * 1_000_000
# Copying a large history takes a while: one of 64 MB is copied at most each second, one of 2 GB each 16 minutes.
MOST_DOWNLOADS = 5_000
COPIED_EACH_SECOND = 64_000_000


Found = tuple[Moment, Visit | None]


class Format(Protocol):
    """How one family writes its history. Times are microseconds since 1970."""

    @property
    def file(self) -> str:
        """The name of the database in a profile."""
        ...

    def newest(self, history: sqlite3.Connection) -> Moment | None:
        """Time and id of the newest visit of any sort."""
        ...

    def earliest_since(self, history: sqlite3.Connection, id: int) -> int | None:
        """The time of the oldest visit that was written after this one; a clock may have been set back."""
        ...

    def visits(self, history: sqlite3.Connection, stretch: Stretch, limit: int) -> Iterator[Found]:
        """Visible visits inside the stretch, newest first; with None for one that makes no sense."""
        ...

    def downloads(self, history: sqlite3.Connection, after: int, limit: int) -> Iterator[Download | None]:
        """The newest complete downloads that began after that time; None for one that makes no sense."""
        ...


@dataclass(kw_only=True)
class Histories:
    """All profiles of one family of browsers.

    `copies` is a private folder, this object's own, for snapshots; they live while a history is being read.
    """

    source: str
    format: Format
    browsers: tuple[Browser, ...]
    copies: Path
    home: Path = field(default_factory=Path.home)
    batch: int = 8_000
    clock: Callable[[], float] = time.monotonic
    _profiles: dict[str, Profile] = field(default_factory=dict, init=False)
    _snapshots: dict[str, Snapshot] = field(default_factory=dict, init=False)
    _oldest: dict[str, int] = field(default_factory=dict, init=False)
    _not_before: dict[str, float] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        remove_leftovers(self.copies)

    def places(self) -> Iterable[Place]:
        found = profiles(self.browsers, self.home, self.format.file)
        self._profiles = {str(profile.history): profile for profile in found}
        return [Place(source=self.source, name=name) for name in self._profiles]

    def bring(self, history: Path) -> None:
        """Know a database that stands elsewhere as a profile too: its app is told by the name of the file."""
        words = history.name.casefold()
        named = sorted(
            (browser.name for browser in self.browsers if browser.name.casefold() in words), key=len
        )
        known = named or [browser.name for browser in self.browsers[:1]]
        app = known[-1] if known else self.source.capitalize()  # one that this system does not have
        self._profiles[str(history)] = Profile(app=app, name="", history=history)

    def collect(self, place: Place, cursor: Cursor | None) -> Batch:
        profile = self._profile(place)
        there = progress(cursor)
        if not there.stretches:
            self._drop(place.name)
            if cursor is not None and (mark(profile.history) == there.mark or not self._may_copy(place.name)):
                return Batch(events=(), cursor=cursor)
        try:
            with trouble_of(profile.history):
                batch, there = self._collect(profile, there)
        except BaseException:
            self._drop(place.name)
            raise
        if not there.stretches:
            self._drop(place.name)
        return batch

    def close(self) -> None:
        """Delete all copies."""
        for name in list(self._snapshots):
            self._drop(name)

    def _collect(self, profile: Profile, there: Progress) -> tuple[Batch, Progress]:
        name = str(profile.history)
        events: list[Event] = []
        skipped: Counter[str] = Counter()
        snapshot = self._snapshots.get(name)
        if snapshot is None:
            snapshot = self._snapshots[name] = take(profile.history, self.copies)
            self._not_before[name] = self.clock() + (snapshot.size / COPIED_EACH_SECOND) ** 2
            there = self._begun(snapshot, there)
            events += self._downloads(profile, snapshot, there, skipped)
        while there.stretches and len(events) < self.batch:
            there = self._read(profile, snapshot, there, events, skipped)
        batch = Batch(
            events=sorted(events, key=lambda event: event.start),
            cursor=there.cursor(),
            skipped=skipped,
            more=bool(there.stretches),
            share=self._share(name, there),
        )
        return batch, there

    def _share(self, name: str, there: Progress) -> float | None:
        """How much of the time that the history covers was told of; not known for what is only looked at again."""
        if there.told is None or not there.stretches or there.stretches[-1].told is not None:
            return None
        newest, oldest = there.told[0], self._oldest.get(name)
        if oldest is None:
            oldest = self.format.earliest_since(self._snapshots[name].connection, 0) or 0
            self._oldest[name] = oldest
        left = there.stretches[-1].before[0] - oldest
        return 1 - min(1.0, max(0.0, left / max(1, newest - oldest)))

    def _begun(self, snapshot: Snapshot, there: Progress) -> Progress:
        """What a new snapshot adds to what is still to be read."""
        newest = None if snapshot.is_empty() else self.format.newest(snapshot.connection)
        if newest is None:
            return there.with_(mark=snapshot.mark)
        if there.is_beyond(newest):
            there = Progress()
        since = 0
        if there.told is not None:
            since = there.told[0] - OVERLAP_US
            earliest = self.format.earliest_since(snapshot.connection, there.told[1])
            since = since if earliest is None else min(since, earliest - 1)
        fresh = Stretch(after=max(0, since), before=END, told=there.told)
        return there.with_(mark=snapshot.mark, told=bounded(newest), stretches=(*there.stretches, fresh))

    def _read(
        self,
        profile: Profile,
        snapshot: Snapshot,
        there: Progress,
        events: list[Event],
        skipped: Counter[str],
    ) -> Progress:
        """Read on in the newest stretch; what is left afterwards."""
        stretch = there.stretches[-1]
        met: list[Moment] = []
        for moment, visit in self.format.visits(snapshot.connection, stretch, self.batch):
            met.append(moment)
            if visit is None:
                skipped["malformed visit"] += 1
            elif not stretch.is_known(visit):
                self._tell(profile, visit, events, skipped)
        rest = there.stretches[:-1]
        if len(met) < self.batch:
            return there.with_(stretches=rest)
        return there.with_(stretches=(*rest, stretch.until(met[-1])))

    def _downloads(
        self, profile: Profile, snapshot: Snapshot, there: Progress, skipped: Counter[str]
    ) -> Iterator[Event]:
        if not there.stretches:
            return
        for found in self.format.downloads(snapshot.connection, there.stretches[-1].after, MOST_DOWNLOADS):
            try:
                if found is None:
                    raise ValueError
                yield download.event(found, app=profile.app, source=self.source, profile=profile.name)
            except (ValueError, OverflowError):
                skipped["malformed download"] += 1

    def _tell(self, profile: Profile, visit: Visit, events: list[Event], skipped: Counter[str]) -> None:
        try:
            made = event(visit, app=profile.app, source=self.source, profile=profile.name)
        except (ValueError, OverflowError):
            skipped["malformed visit"] += 1
            return
        if made is not None:
            events.append(made)

    def _profile(self, place: Place) -> Profile:
        if place.name not in self._profiles:
            list(self.places())
        if place.name not in self._profiles:
            raise Unavailable(f"The history {place.name} is gone.")
        return self._profiles[place.name]

    def _may_copy(self, name: str) -> bool:
        return self.clock() >= self._not_before.get(name, float("-inf"))

    def _drop(self, name: str) -> None:
        self._oldest.pop(name, None)
        if (snapshot := self._snapshots.pop(name, None)) is not None:
            snapshot.close()
