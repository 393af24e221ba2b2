"""More than a decade of one life, four million events: what storing them takes, and what every question takes then.

    python -m tests.benchmarks.decade [--events 4000000] [--folder FOLDER]

A folder is kept, and a second run goes on where the first ended; `tests.benchmarks.rebuilding` then measures its graph.
Vectors have made-up directions, as embedding a million texts takes an hour: right for times, not for what is found.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from collectors.event import microseconds
from tests.benchmarks import answers, generator
from tests.benchmarks.table import Timing, heading, row, timed
from tests.benchmarks.world import World, world

if TYPE_CHECKING:
    from desktop_memory.ui.timeline_view import TimelineView

_ALL = 4_000_000
_STEP = 250_000
_VIEWS = {"an hour": 1 / 24, "a day": 1, "a month": 30, "two years": 730}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--events", type=int, default=_ALL)
    parser.add_argument("--folder", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="desktop-memory-bench-") as fresh:
        measure(given.folder or Path(fresh) / "memory", given.events)


def measure(folder: Path, events: int) -> None:
    """Store so many events in this folder, then ask."""
    with world(folder, generator.years(10 * _ALL)) as made:
        made.go_on()
        _store(made, events)
        _vectors(made)
        answers.measure(made, bare_filters=False)
        timeline(made)


def _store(made: World, events: int) -> None:
    already = made.count
    print(f"\nStoring {events:,} events, {already:,} of them by an earlier run")
    while made.count < events:
        made.grow(min(events, made.count + _STEP))
        each = 1_000 / (made.count - already)
        print(
            f"{made.count:>10,} until {made.now:%Y-%m}, {_megabytes(made.folder):>7,.0f} MB, "
            f"{made.seconds_importing:>6,.0f} s ({made.seconds_importing * each:.2f} ms each, "
            f"{made.cpu_importing * each:.2f} of CPU), load {os.getloadavg()[0]:.1f}",
            flush=True,
        )


def _vectors(made: World) -> None:
    began, worked = time.perf_counter(), time.process_time()
    count = made.add_vectors()
    took, cpu = time.perf_counter() - began, time.process_time() - worked
    print(
        f"{count:,} vectors stored in {took:,.0f} s ({cpu:,.0f} s of CPU), {_megabytes(made.folder):,.0f} MB"
    )


def timeline(made: World) -> None:
    """What the page loads of the store for a view, and one painting of it; the baseline reads the same rows' titles."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtWidgets import QApplication

    from desktop_memory.ui.theme import Theme
    from desktop_memory.ui.timeline_loading import around, load
    from desktop_memory.ui.timeline_view import TimelineView

    application = QApplication.instance() or QApplication([])
    view = TimelineView(Theme("light"))
    view.resize(1600, 280)
    view.show()
    heading(f"The timeline at {made.count:,} events")
    for name, days in _VIEWS.items():
        until = (made.now - timedelta(days=7)).timestamp()
        since = until - days * 86_400
        span = around(since, until, made.now)
        row(f"load {name}", timed(partial(_loaded, made, span), 10), _bare(made, span))
        view.show_marks(load(made.memory, *span).marks)
        row(f"paint {name}", timed(partial(_frame, view, since, until), 20), None, "16, a frame")
    view.close()
    del view, application


def _loaded(made: World, span: tuple[datetime, datetime], n: int) -> object:
    from desktop_memory.ui.timeline_loading import load

    return load(made.memory, *span)


def _frame(view: TimelineView, since: float, until: float, n: int) -> None:
    view.look_at(since + n * 60, until + n * 60)
    view.viewport().grab()


def _bare(made: World, span: tuple[datetime, datetime]) -> Timing:
    since, until = map(microseconds, span)
    read = "SELECT id, kind, start, end, title FROM event WHERE start BETWEEN ? AND ?"
    return timed(lambda n: made.bare().execute(read, (since, until)).fetchall(), 10)


def _megabytes(folder: Path) -> float:
    return sum(file.stat().st_size for file in folder.glob("memory.sqlite*")) / 2**20


if __name__ == "__main__":
    main()
