"""A day in front of the screen, told to Spans second by second, as its store sees it."""

from __future__ import annotations

from datetime import datetime, timedelta

from collectors.event import EPOCH, Event
from collectors.window.backend import window
from collectors.window.spans import Spans
from tests.factories import NOON


def second(seconds: float) -> datetime:
    return NOON + timedelta(seconds=seconds)


def seconds(moment: datetime | None) -> float:
    assert moment is not None
    return (moment - NOON).total_seconds()


class Day:
    """A watch as its store sees it: of each identity the last that was told."""

    def __init__(self) -> None:
        self.spans = Spans(
            device="d", describe=lambda w: Event(identity="", kind="window", start=EPOCH, title=w.title)
        )
        self.told: list[Event] = []
        self.stored: dict[str, Event] = {}

    def _keep(self, events: list[Event]) -> None:
        self.told += events
        for event in events:
            self.stored[event.identity] = event

    def front(self, at: float, title: str | None, key: str = "1", app: str = "app") -> None:
        seen = None if title is None else window(title, app_id=app, key=key)
        self._keep(self.spans.front(seen, second(at)))

    def tick(self, at: float) -> None:
        self._keep(self.spans.tick(second(at)))

    def away(self, since: float) -> None:
        self._keep(self.spans.away(second(since)))

    def back(self, at: float) -> None:
        self.spans.back(second(at))

    def jumped(self, at: float) -> None:
        self._keep(self.spans.jumped(second(at)))

    def stop(self, at: float) -> None:
        self._keep(self.spans.stop(second(at)))

    @property
    def lines(self) -> list[tuple[str, float, float]]:
        return [(e.title, seconds(e.start), seconds(e.end)) for e in self.stored.values()]
