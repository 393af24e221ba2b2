"""A day and a night of use in minutes: the real app under a clock that runs ahead, watched for what grows.

    python -m tests.benchmarks.soak [hours] [folder]

Windows come from a source that watches and tells open spans again every half minute, the rest from one that is
asked every minute, as in life. Pauses of more than ten minutes are jumped over and count as no time.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path

from collectors.collector import Batch, Cursor, Emit, Place
from collectors.event import Event, Gap
from desktop_memory import app as app_module
from desktop_memory import clock
from desktop_memory.app import App
from desktop_memory.model import ContextRequest, Query
from tests.benchmarks import generator

BEAT = timedelta(seconds=30)
POLL = timedelta(minutes=1)
PAUSE = timedelta(minutes=10)
TYPICAL_DAY = 1_000
MB = 1024 * 1024


class Watched:
    """The windows, told as they happen."""

    source = "window"
    backend = "soak"

    def __init__(self) -> None:
        self.emit: Emit | None = None

    def watch(self, emit: Emit, stop: threading.Event) -> None:
        self.emit = emit
        stop.wait()


class Asked:
    """Everything else, told when asked."""

    source = "soak"

    def __init__(self) -> None:
        self.waiting: list[Event] = []

    def places(self) -> list[Place]:
        return [Place(source=self.source, name="here")]

    def collect(self, place: Place, cursor: Cursor | None) -> Batch:
        found, self.waiting = self.waiting, []
        return Batch(events=found, cursor={"told": int((cursor or {}).get("told", 0)) + len(found)})


@dataclass
class Soak:
    """The app, its clock, and what was measured each hour of use."""

    folder: Path
    hours: float
    meaning: bool = True
    """Whether texts are made ready for search by meaning: that loads the model."""
    now: datetime = generator.FIRST_DAY
    used: timedelta = timedelta(0)
    events: int = 0
    rss: list[tuple[float, float]] = field(default_factory=list)
    wal: int = 0
    searches: list[float] = field(default_factory=list)

    def run(self) -> None:
        watched, asked = Watched(), Asked()
        clock.clock = lambda: self.now  # type: ignore[assignment]
        app_module.sources_of = lambda parts: (watched, asked)  # type: ignore[assignment,return-value]
        app = App.open(self.folder)
        app.engine._poll_seconds = 3_600
        if not self.meaning and app.parts.models is not None:
            app.parts.models.close()
            app.parts.models = None
        app.start()
        try:
            while watched.emit is None:
                time.sleep(0.05)
            self._live(app, watched, asked)
            self._measure(app)
            self._settle(app)
            self._report(app)
        finally:
            app.close()

    def _live(self, app: App, watched: Watched, asked: Asked) -> None:
        polled = measured = self.now
        for event in generator.years(10_000_000):
            self._go_to(event.start, watched)
            if event.kind == "window":
                self._tell(event, watched)
            else:
                asked.waiting.append(event)
            self.events += 1
            if self.now - polled >= POLL:
                app.engine.wake()
                polled = self.now
            if len(self.rss) <= self.used.total_seconds() / 3_600:
                self._measure(app)
            if self.now - measured > timedelta(minutes=15):
                self._ask(app, event)
                measured = self.now
            time.sleep(0.02)
            if self.used >= timedelta(hours=self.hours):
                return

    def _go_to(self, at: datetime, watched: Watched) -> None:
        passed = at - self.now
        if passed > PAUSE:
            assert watched.emit is not None
            watched.emit(Gap(start=self.now, end=at, reason="idle"))
        elif passed > timedelta(0):
            self.used += passed
        self.now = max(self.now, at)

    def _tell(self, event: Event, watched: Watched) -> None:
        assert watched.emit is not None
        assert event.end is not None
        end = event.start + timedelta(seconds=2)
        while end < event.end:
            watched.emit(replace(event, end=end, open=True))
            end += BEAT
        watched.emit(event)

    def _ask(self, app: App, event: Event) -> None:
        started = time.perf_counter()
        app.memory.search(Query(text=(event.title or event.text)[:40]))
        self.searches.append(time.perf_counter() - started)
        app.memory.context(ContextRequest(minutes=15), save=False)
        app.status()

    def _measure(self, app: App) -> None:
        hour = self.used.total_seconds() / 3_600
        self.rss.append((hour, rss_mb()))
        self.wal = max(self.wal, *(f.stat().st_size for f in self.folder.glob("memory.sqlite-wal")), 0)
        print(
            f"{hour:5.1f} h  {self.events:>6,} events  {self.rss[-1][1]:6.1f} MB  {app.problems()}",
            flush=True,
        )

    def _settle(self, app: App) -> None:
        app.engine.wake()
        until = time.monotonic() + 120
        while time.monotonic() < until:
            stats = app.memory.stats()
            indexed = not self.meaning or stats.vectors.get("vectors") == stats.vectors.get("docs")
            if indexed and not stats.graph.get("behind"):
                return
            time.sleep(0.5)

    def _report(self, app: App) -> None:
        later = [(hour, mb) for hour, mb in self.rss if hour >= self.hours / 6]
        slope = statistics.linear_regression(*zip(*later, strict=True)).slope if len(later) > 1 else 0.0
        self.wal = max(self.wal, *(f.stat().st_size for f in self.folder.glob("memory.sqlite-wal")), 0)
        days = self.events / TYPICAL_DAY
        print(f"memory: {later[0][1]:.0f} to {later[-1][1]:.0f} MB, slope {slope:.2f} MB an hour (goal 1)")
        print(f"WAL: at most {self.wal / MB:.1f} MB (goal 64)")
        sizes = table_sizes(app)
        total = sum(sizes.values())
        print(
            f"store: {total / MB:.1f} MB for {self.events:,} events: {total / MB / days:.2f} MB a day (goal 3)"
        )
        for name, size in sizes.most_common(12):
            print(f"  {name:<28} {size / MB / days:6.3f} MB a day")
        p95 = sorted(self.searches)[int(len(self.searches) * 0.95)] if self.searches else 0.0
        print(f"search while it records: p95 {p95 * 1_000:.0f} ms over {len(self.searches)}")
        print(f"changes kept: {app.parts.store.read().execute('SELECT count(*) FROM change').get}")


def rss_mb() -> float:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / MB


def table_sizes(app: App) -> Counter[str]:
    """Bytes by table, an index counted with its table and a shadow table with what it belongs to."""
    sizes: Counter[str] = Counter()
    rows: Iterator[tuple[str, int]] = app.parts.store.read().execute(
        """SELECT coalesce(s.tbl_name, d.name), sum(d.pgsize) FROM dbstat AS d
        LEFT JOIN sqlite_schema AS s ON s.name = d.name WHERE d.aggregate = TRUE GROUP BY 1"""
    )
    for name, size in rows:
        sizes[name] += size
    return sizes


def main() -> None:
    hours = float(sys.argv[1]) if len(sys.argv) > 1 else 24.0
    with tempfile.TemporaryDirectory() as fresh:
        folder = Path(sys.argv[2]) if len(sys.argv) > 2 else Path(fresh) / "memory"
        started = time.monotonic()
        Soak(folder=folder, hours=hours).run()
        print(f"{hours:g} hours of use in {time.monotonic() - started:.0f} s")


if __name__ == "__main__":
    main()
