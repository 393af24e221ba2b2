"""Spans made of what is in front: pure, told the time with each call."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from collectors.event import Event, identity, microseconds
from collectors.window.backend import Window
from collectors.window.titles import normal

BLIP = timedelta(seconds=2)
"""A window or title that is gone sooner is not told of."""
_BACK = 2.5
"""Coming back to the window of the span within so many blips (5 s) goes on with the span."""
BEAT = timedelta(seconds=30)
"""An open span is told again this often: a crash loses no more of its end."""
_SLEWED = timedelta(seconds=2)
"""The clock may go back this far while it is being adjusted; further, and it was set."""
_STOPPED = timedelta(minutes=2)
"""Who is not asked for so long while a span is open was stopped: nothing is known of that time."""
_KEPT = timedelta(hours=1)
"""How long an ended span can still be shortened, when it turns out that nobody was there."""

SOURCE = "window"

Describe = Callable[[Window], Event]
"""Makes the event of a window: app, title, project, files; identity, times and `open` are set by Spans."""


@dataclass(slots=True)
class _Span:
    """The window that is being told of: in front from `start`, last certainly so at `end`."""

    window: Window
    start: datetime
    end: datetime
    told: datetime


@dataclass(slots=True)
class _InFront:
    """What is in front: this title since `since`, this very window since `window_since`."""

    window: Window | None
    since: datetime
    window_since: datetime


@dataclass(slots=True)
class Spans:
    """Tell it what is in front (`front`), that time passes (`tick`), that nobody is there (`away`).

    Each call gives the events to emit: an open span when it is certain, again every 30 s, and once
    more when it is over. Only its end and `open` differ between these; the end can also move back.
    """

    device: str
    describe: Describe
    blip: timedelta = BLIP
    _span: _Span | None = None
    _in_front: _InFront | None = None
    _away_since: datetime | None = None
    _last: datetime | None = None
    _ended: deque[_Span] = field(default_factory=deque)

    def front(self, window: Window | None, at: datetime) -> list[Event]:
        """This window is in front at `at`; None when there is none, or none worth telling of."""
        at, events = self._go_to(at)
        now = self._in_front
        if now is None or not _same_window(window, now.window):
            self._in_front = _InFront(window, at, at)
        elif not _alike(window, now.window):
            self._in_front = _InFront(window, at, now.window_since)
        return events

    def tick(self, at: datetime) -> list[Event]:
        """Nothing has changed up to `at`."""
        return self._go_to(at)[1]

    def away(self, since: datetime) -> list[Event]:
        """Nobody has been there since then: no span reaches beyond it."""
        if self._away_since is not None:
            return []
        self._away_since = since
        told_too_much = [span for span in self._ended if span.end > since]
        events = [self._tell(_cut(span, since), open=False) for span in told_too_much]
        if self._span is not None:
            events.append(self._close(_cut(self._span, since)))
        return events

    def back(self, at: datetime) -> None:
        """Somebody has been there again since `at`."""
        if self._away_since is None:
            return
        at = max(at, self._away_since)
        self._away_since = None
        if self._in_front is not None:
            since = max(at, self._in_front.since)
            self._in_front = _InFront(self._in_front.window, since, max(at, self._in_front.window_since))

    def jumped(self, at: datetime) -> list[Event]:
        """The clock was set: what was open ends where it was last seen, what is in front starts anew."""
        events = [self._close(self._span)] if self._span is not None else []
        self._ended.clear()
        self._last = at
        if self._away_since is not None:
            self._away_since = min(self._away_since, at)
        if self._in_front is not None:
            self._in_front = _InFront(self._in_front.window, at, at)
        return events

    def _resume(self, span: _Span, at: datetime) -> list[Event]:
        """Nothing was seen since the last call: the span ends there, what is in front starts anew."""
        if self._in_front is not None:
            self._in_front = _InFront(self._in_front.window, at, at)
        return [self._close(span)]

    def stop(self, at: datetime) -> list[Event]:
        """The watch ends."""
        events = self._go_to(at)[1]
        self._in_front = None
        if self._span is not None:
            events.append(self._close(self._span))
        return events

    def seconds_to_next(self, at: datetime) -> float | None:
        """When `tick` should be called although nothing happens; None: not needed."""
        moments = []
        if self._span is not None:
            moments.append(self._span.told + BEAT)
        if self._in_front is not None and self._away_since is None and not self._in_span():
            if self._in_front.window is not None:
                moments += [self._in_front.since + self.blip, self._in_front.window_since + self.blip]
            if self._span is not None:
                moments.append(self._span.end + self.blip * _BACK)
        later = [moment for moment in moments if moment > at]
        return (min(later) - at).total_seconds() if later else None

    def _go_to(self, at: datetime) -> tuple[datetime, list[Event]]:
        """Decide about the time up to `at`; gives the time to go on with, never before the last one."""
        events: list[Event] = []
        if self._last is not None and at < self._last:
            if self._last - at < _SLEWED:
                at = self._last
            else:
                events = self.jumped(at)
        elif self._last is not None and self._span is not None and at - self._last > _STOPPED:
            events = self._resume(self._span, at)
        self._last = at
        return at, events + self._settle(at)

    def _settle(self, at: datetime) -> list[Event]:
        now, span = self._in_front, self._span
        if now is None or self._away_since is not None:
            return []
        if self._in_span():
            assert span is not None
            span.end = max(span.end, at)
            return self._beat(at)
        if now.window is None:
            return self._let_go(at)
        still_this_window = span is not None and _same_window(now.window, span.window)
        if span is not None and still_this_window:
            span.end = max(span.end, now.since)  # however restless its title was
        if at - now.since >= self.blip:
            return self._change(now.window, now.since, at)
        if still_this_window:
            return self._beat(at)
        if at - now.window_since >= self.blip:
            return self._change(now.window, now.window_since, at)
        return self._let_go(at)

    def _in_span(self) -> bool:
        """Whether the window in front is the one being told of."""
        if self._in_front is None or self._span is None or self._in_front.window is None:
            return False
        return _alike(self._in_front.window, self._span.window)

    def _change(self, window: Window, since: datetime, at: datetime) -> list[Event]:
        """End the span where the next one starts, and start that."""
        events = []
        if self._span is not None:
            if since - self._span.end < self.blip:
                self._span.end = since  # what was dropped between the two is no hole
            events.append(self._close(_cut(self._span, since)))
        self._span = _Span(window, since, at, at)
        events.append(self._tell(self._span, open=True))
        return events

    def _let_go(self, at: datetime) -> list[Event]:
        """End the span when its window has not come back in time."""
        if self._span is None or at - self._span.end < self.blip * _BACK:
            return []
        return [self._close(self._span)]

    def _close(self, span: _Span) -> Event:
        self._span = None
        self._ended.append(span)
        while self._ended[0].end < span.end - _KEPT:
            self._ended.popleft()
        return self._tell(span, open=False)

    def _beat(self, at: datetime) -> list[Event]:
        if self._span is None or at - self._span.told < BEAT:
            return []
        self._span.told = at
        return [self._tell(self._span, open=True)]

    def _tell(self, span: _Span, *, open: bool) -> Event:
        offset = span.start.astimezone().utcoffset()
        return replace(
            self.describe(span.window),
            identity=identity(SOURCE, self.device, microseconds(span.start)),
            start=span.start,
            end=span.end,
            open=open,
            utc_offset=None if offset is None else round(offset.total_seconds() / 60),
        )


def _cut(span: _Span, at: datetime) -> _Span:
    """The span, ended at that time if it reaches further; never before its start."""
    span.end = max(span.start, min(span.end, at))
    return span


def _alike(one: Window | None, other: Window | None) -> bool:
    """Whether both would be told as the same: equal apps, titles equal but for what ticks."""
    if one is None or other is None:
        return one is other
    return one.app_id == other.app_id and (
        one.title == other.title or normal(one.title) == normal(other.title)
    )


def _same_window(one: Window | None, other: Window | None) -> bool:
    """Whether it is the same window on the screen, whatever its title says now."""
    if one is None or other is None:
        return one is other
    return one.app_id == other.app_id and one.key == other.key
