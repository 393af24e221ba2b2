"""A live collector on a thread of its own, and what it has told so far."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator

from collectors.collector import LiveCollector
from collectors.event import Event, Gap
from tests.desktop_session import eventually


class Watch:
    """What a store would hold: of each identity the last event, of each gap the last end."""

    def __init__(self) -> None:
        self.told: list[Event | Gap] = []
        self.failed: Exception | None = None
        self.stop = threading.Event()
        self.thread: threading.Thread

    @property
    def events(self) -> list[Event]:
        return list({e.identity: e for e in list(self.told) if isinstance(e, Event)}.values())

    @property
    def gaps(self) -> list[Gap]:
        return list({(g.start, g.reason): g for g in list(self.told) if isinstance(g, Gap)}.values())

    @property
    def titles(self) -> list[str]:
        return [event.title for event in self.events]

    def until_told(self, *titles: str, within: float = 10) -> None:
        eventually(lambda: self.titles[-len(titles) :] == list(titles), within, f"told: {self.titles}")


@contextlib.contextmanager
def watching(collector: LiveCollector) -> Iterator[Watch]:
    """Watch on a thread for as long as the block lasts."""
    watch = Watch()

    def run() -> None:
        try:
            collector.watch(watch.told.append, watch.stop)
        except Exception as error:
            watch.failed = error

    watch.thread = threading.Thread(target=run, name="watch")
    watch.thread.start()
    try:
        yield watch
    finally:
        watch.stop.set()
        asked = time.monotonic()
        watch.thread.join(5)
        assert time.monotonic() - asked < 2, "did not stop soon"
