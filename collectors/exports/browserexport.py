"""browserexport's merged history: `{"url", "dt", "metadata"}` a visit, as one list or an object a line.

It writes Chromium's addresses with their percent signs undone and times that went through a float; both are mended as
far as they can be. Redirects and frames are in it too: nothing there tells them from pages that somebody saw.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

from collectors.browser.visit import Visit, event
from collectors.collector import Batch
from collectors.event import Event
from collectors.exports.elements import Elements
from collectors.exports.reading import Export

IMPORTED = "browserexport"

_AS_IT_IS = "%/:?#[]@!$&'()*+,;=~"
_LATEST = 32_503_680_000  # the year 3000


@dataclass(kw_only=True)
class BrowserExport(Export):
    """Reads one such file."""

    source: str = field(default="browserexport", init=False)
    batch: int = 4_000

    def _batches(self, path: Path) -> Iterator[Batch]:
        skipped: Counter[str] = Counter()
        events: list[Event] = []
        with path.open("rb") as file:
            elements = Elements(file, lambda path: False, skipped)
            for _, record in elements:
                if (seen := _visit(record, self.source, skipped)) is not None:
                    events.append(seen)
                if len(events) >= self.batch:
                    yield _batch(events, skipped, share=elements.share)
                    events = []
                    skipped.clear()
        yield _batch(events, skipped, share=None)


def _visit(record: Any, source: str, skipped: Counter[str]) -> Event | None:
    try:
        at, url = round(float(record["dt"]) * 1_000_000), record["url"]
        known = record.get("metadata") or {}
        if not 0 < at < _LATEST * 1_000_000:
            raise ValueError
        visit = Visit(
            id=0,
            at=at,
            url=quote(url, safe=_AS_IT_IS, errors="replace"),
            title=known.get("title") or "",
            transition="",
            stayed=int(known.get("duration") or 0) * 1_000_000,
        )
        seen = event(visit, app="", source=source, profile="")
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError):
        skipped["malformed visit"] += 1
        return None
    if seen is None:
        skipped["a page of the browser itself"] += 1
        return None
    details = {name: value for name, value in seen.details.items() if value}
    return replace(seen, details={**details, "imported": IMPORTED})


def _batch(events: list[Event], skipped: Counter[str], *, share: float | None) -> Batch:
    return Batch(
        events=sorted(events, key=lambda event: event.start),
        cursor={},
        skipped=dict(skipped),
        more=share is not None,
        share=share,
    )
