"""ActivityWatch's export: windows, pages, edited files and absences that its watchers saw.

The whole server and a single bucket are exported as `{"buckets": {id: {..., "events": [...]}}}`, a bucket's events
over its API as a plain list. Which watcher wrote a record is told by its data. Windows and pages stay open there
while nobody is at the computer: they are cut where the afk watcher saw nobody.
"""

from __future__ import annotations

import os
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from collectors.browser.visit import Visit, local_offset
from collectors.browser.visit import event as page
from collectors.collector import Batch
from collectors.event import Event, Gap, identity, in_each_zone, microseconds, moment
from collectors.exports.elements import Elements
from collectors.exports.reading import Export
from collectors.window.backend import Window, window
from collectors.window.spans import BLIP

IMPORTED = "ActivityWatch"

Span = tuple[int, int]
"""From when to when, in microseconds."""

_BROWSER = re.compile(r"aw-watcher-web-([a-z]+)")
_EDITOR = re.compile(r"aw-watcher-([a-z]+)")
_LONGEST = timedelta(days=7)
_SHORTEST_US = int(BLIP.total_seconds() * 1_000_000)


@dataclass(kw_only=True)
class ActivityWatch(Export):
    """Reads one export; `describe` makes an event of a window, as it does of the windows seen here."""

    describe: Callable[[Window], Event]
    source: str = field(default="activitywatch", init=False)
    batch: int = 4_000

    def _batches(self, path: Path) -> Iterator[Batch]:
        absences: list[Span] = []
        with path.open("rb") as file:
            elements = Elements(file, _within, Counter())
            for number, (_, record) in enumerate(elements, 1):
                if _data(record).get("status") == "afk" and (span := _span(record)) is not None:
                    absences.append(span)
                if number % (10 * self.batch) == 0:
                    yield Batch(events=(), cursor={}, more=True, share=elements.share / 2)
        yield from self._told(path, _Here(absences))

    def _told(self, path: Path, here: _Here) -> Iterator[Batch]:
        skipped: Counter[str] = Counter()
        events: list[Event] = []
        gaps: list[Gap] = []
        with path.open("rb") as file:
            elements = Elements(file, _within, skipped)
            for where, record in elements:
                seen = list(self._seen(where[1] if len(where) > 1 else "", record, here, skipped))
                events += [one for one in seen if isinstance(one, Event)]
                gaps += [one for one in seen if isinstance(one, Gap)]
                if len(events) + len(gaps) >= self.batch:
                    yield _batch(events, gaps, skipped, share=0.5 + elements.share / 2)
                    events, gaps = [], []
                    skipped.clear()
        yield _batch(events, gaps, skipped, share=None)

    def _seen(self, bucket: str, record: Any, here: _Here, skipped: Counter[str]) -> Iterator[Event | Gap]:
        data, span = _data(record), _span(record)
        if span is None:
            skipped["no time" if data else "not a record"] += 1
        elif data.get("status") in ("afk", "not-afk"):
            if data["status"] == "afk" and span[1] > span[0]:
                yield Gap(start=moment(span[0]), end=moment(span[1]), reason="idle")
        elif isinstance(data.get("url"), str):
            yield from self._pages(bucket, data, span, here, skipped)
        elif isinstance(data.get("file"), str):
            yield from self._files(bucket, data, span)
        elif isinstance(data.get("app"), str):
            yield from self._windows(data, span, here, skipped)
        else:
            skipped["a watcher that is not known here"] += 1

    def _windows(
        self, data: Mapping[str, Any], span: Span, here: _Here, skipped: Counter[str]
    ) -> Iterator[Event]:
        shown = window(_text(data, "title"), app_id=_text(data, "app"))
        if shown.nameless:
            skipped["no title"] += 1
            return
        pieces = [piece for piece in here.of(span) if piece[1] - piece[0] >= _SHORTEST_US]
        if not pieces:
            skipped["under two seconds"] += 1
        for start, end in pieces:
            yield replace(
                self.describe(shown),
                identity=identity(self.source, "window", start, shown.app_id, shown.title),
                start=moment(start),
                end=moment(end),
                source=self.source,
                utc_offset=local_offset(start),
                details={"imported": IMPORTED},
            )

    def _pages(
        self, bucket: str, data: Mapping[str, Any], span: Span, here: _Here, skipped: Counter[str]
    ) -> Iterator[Event]:
        browser = _BROWSER.match(bucket)
        pieces = here.of(span) or ([(span[0], span[0])] if span[0] == span[1] else [])
        if not pieces:
            skipped["nobody was there"] += 1
        for start, end in pieces:
            visit = Visit(
                id=0, at=start, url=data["url"], title=_text(data, "title"), transition="", stayed=end - start
            )
            try:
                seen = page(visit, app=browser[1].title() if browser else "", source=self.source, profile="")
            except (ValueError, OverflowError):
                skipped["malformed address"] += 1
                return
            if seen is None:
                skipped["a page of the browser itself"] += 1
                return
            details = {name: value for name, value in seen.details.items() if value}
            private = bool(data.get("incognito"))
            yield replace(seen, private=private, details={**details, "imported": IMPORTED})

    def _files(self, bucket: str, data: Mapping[str, Any], span: Span) -> Iterator[Event]:
        editor = _EDITOR.match(bucket)
        yield Event(
            identity=identity(self.source, "file", span[0], data["file"]),
            kind="file",
            start=moment(span[0]),
            end=moment(span[1]) if span[1] > span[0] else None,
            title=os.path.basename(data["file"].replace("\\", "/")),
            app=editor[1].title() if editor else "",
            project=os.path.basename(_text(data, "project").replace("\\", "/").rstrip("/")),
            files=(data["file"],),
            source=self.source,
            utc_offset=local_offset(span[0]),
            details={"imported": IMPORTED},
        )


class _Here:
    """When somebody was there."""

    def __init__(self, absences: list[Span]) -> None:
        self._absences: list[Span] = []
        for start, end in sorted(absences):
            if self._absences and start <= self._absences[-1][1]:
                before = self._absences.pop()
                start, end = before[0], max(end, before[1])
            self._absences.append((start, end))
        self._ends = [end for _, end in self._absences]

    def of(self, span: Span) -> list[Span]:
        """The span without the absences in it."""
        start, end = span
        pieces: list[Span] = []
        for away, back in self._absences[bisect_left(self._ends, start) :]:
            if away >= end or start >= end:
                break
            if away > start:
                pieces.append((start, away))
            start = max(start, back)
        return [*pieces, (start, end)] if start < end else pieces


def _within(path: tuple[str, ...]) -> bool:
    if len(path) == 3:
        return path[2] == "events"
    return len(path) < 3 and path[:1] in ((), ("buckets",))


def _data(record: Any) -> Mapping[str, Any]:
    data = record.get("data") if isinstance(record, dict) else None
    return data if isinstance(data, dict) else {}


def _span(record: Any) -> Span | None:
    """From when to when a record is; None where it does not say, or nonsense."""
    if not _data(record):
        return None
    try:
        start = datetime.fromisoformat(record["timestamp"])
        lasted = timedelta(seconds=float(record.get("duration") or 0))
        if start.tzinfo is None or not timedelta(0) <= lasted <= _LONGEST:
            return None
        if not in_each_zone(start):
            return None
        return microseconds(start), microseconds(start + lasted)
    except (KeyError, TypeError, ValueError, OverflowError):
        return None


def _text(data: Mapping[str, Any], name: str) -> str:
    value = data.get(name)
    return value if isinstance(value, str) else ""


def _batch(events: list[Event], gaps: list[Gap], skipped: Counter[str], *, share: float | None) -> Batch:
    return Batch(
        events=sorted(events, key=lambda event: event.start),
        gaps=gaps,
        cursor={},
        skipped=dict(skipped),
        more=share is not None,
        share=share,
    )
