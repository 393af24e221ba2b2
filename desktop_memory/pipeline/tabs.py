"""Which page a browser's window showed, told by its title and time: the visit itself is known only later."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from functools import cache, lru_cache
from typing import Generic, TypeVar

from collectors.event import Event
from desktop_memory.pipeline.coalesce import page_title
from desktop_memory.pipeline.default_lists import default_lists
from desktop_memory.pipeline.names import app_names

SLACK = timedelta(seconds=5)
"""A visit is written this much before or after the window takes its title."""
SOON = timedelta(minutes=30)
"""So long after a visit the latest page of that title is meant, whatever else was called the same."""
LONG_OPEN = timedelta(hours=24)
"""A tab that is come back to within this time is known by its title if only one page had it."""

_WORD = re.compile(r"[^\W_]+")
_OF_ANY_BROWSER = frozenset(
    ["google", "microsoft", "mozilla", "apple", "org", "com", "web", "browser", "esr", "stable", "beta", "dev",
     "canary", "unstable", "snapshot", "developer", "edition", "nightly"]
)  # fmt: skip

T = TypeVar("T", bound=Event)


def is_browser(app: str) -> bool:
    return not app_names(app).isdisjoint(_browsers())


def same_browser(one: str, other: str) -> bool:
    """ "Chrome" and "Google Chrome", "Firefox ESR" and "firefox" are one; one without a name may be any."""
    mine, theirs = _own_words(one), _own_words(other)
    return not mine or not theirs or not mine.isdisjoint(theirs)


class Pages(Generic[T]):
    """Visits, asked which of them a window showed."""

    def __init__(self, visits: Iterable[T]) -> None:
        self._all = sorted(visits, key=_start)
        self._by_title: dict[str, list[T]] = {}
        self._by_url: dict[str, list[T]] = {}
        for page in self._all:
            self._by_title.setdefault(page_title(page.title), []).append(page)
            self._by_url.setdefault(page.url, []).append(page)

    def certain(self, window: Event) -> T | None:
        """The visit that this browser's window showed without doubt; None where two could be meant."""
        title = page_title(window.title)
        if not title:
            return None
        same = _until(self._by_title.get(title, ()), window)
        same = [page for page in same if same_browser(page.app, window.app)]
        if same and same[-1].start >= window.start - SOON:
            return same[-1]
        recent = [page for page in same if page.start >= window.start - LONG_OPEN]
        if recent:
            return recent[-1] if len({page.url for page in recent}) == 1 else None
        return self._nameless(window)

    def shown_by(self, window: Event) -> T | None:
        """The visit among these to which a window is known to belong, or does without doubt."""
        if window.url:
            same = self._by_url.get(window.url, ())
            before = _until(same, window)
            return before[-1] if before else same[0] if same else None
        return self.certain(window)

    def begun_with(self, window: Event) -> T | None:
        """The first visit that began when this window came to the front: its title may have changed since."""
        near = self._near(window)
        return near[0] if near else None

    def _nameless(self, window: Event) -> T | None:
        """The only visit that began with this window, where nobody noted its title."""
        near = self._near(window)
        if len(near) != 1 or near[0].title or not same_browser(near[0].app, window.app):
            return None
        return near[0]

    def _near(self, window: Event) -> Sequence[T]:
        first = bisect_left(self._all, window.start - SLACK, key=_start)
        return self._all[first : bisect_right(self._all, window.start + SLACK, key=_start)]


def without_shown(events: Sequence[T]) -> list[T]:
    """The events without the windows whose page stands among them: a page is one thing, not two."""
    pages = Pages(event for event in events if event.kind == "browser")
    return [
        event
        for event in events
        if event.kind != "window" or not is_browser(event.app) or pages.shown_by(event) is None
    ]


def _until(pages: Sequence[T], window: Event) -> Sequence[T]:
    """Of these, oldest first, the ones that began before the window was left."""
    return pages[: bisect_right(pages, (window.end or window.start) + SLACK, key=_start)]


def _start(event: Event) -> datetime:
    return event.start


@lru_cache(maxsize=256)
def _own_words(app: str) -> frozenset[str]:
    return frozenset(_WORD.findall(app.casefold())) - _OF_ANY_BROWSER


@cache
def _browsers() -> frozenset[str]:
    return frozenset(default_lists().marks.browsers)
