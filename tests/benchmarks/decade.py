"""Ten years of one life, four million events: what storing them takes, and what every question takes then.

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
from pathlib import Path

from tests.benchmarks import answers, generator
from tests.benchmarks.table import Timing, heading, row, timed
from tests.benchmarks.world import World, world

_STEP = 250_000
_VIEWS = {"an hour": 1 / 24, "a day": 1, "a month": 30, "two years": 730}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--events", type=int, default=generator.TEN_YEARS)
    parser.add_argument("--folder", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="desktop-memory-bench-") as fresh:
        measure(given.folder or Path(fresh) / "memory", given.events)


def measure(folder: Path, events: int) -> None:
    """Store so many events in this folder, then ask."""
    with world(folder, generator.years(10 * generator.TEN_YEARS)) as made:
        made.go_on()
        _store(made, events)
        _vectors(made)
        answers.measure(made)
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
    print(f"{count:,} vectors stored in {took:,.0f} s ({cpu:,.0f} s of CPU), {_megabytes(made.folder):,.0f} MB")


def timeline(made: World) -> None:
    """What the page loads of the store for a view, and one painting of it; the baseline counts the same rows."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtWidgets import QApplication

    from desktop_memory.ui.theme import Theme
    from desktop_memory.ui.timeline_loading import Loaded, around, load
    from desktop_memory.ui.timeline_view import TimelineView

    application = QApplication.instance() or QApplication([])
    view = TimelineView(Theme("light"))
    view.resize(1600, 280)
    heading(f"The timeline at {made.count:,} events")
    for name, days in _VIEWS.items():
        until = (made.now - timedelta(days=7)).timestamp()
        since = until - days * 86_400
        loaded: list[Loaded] = []

        def one(n: int, span: tuple[datetime, datetime] = around(since, until, made.now)) -> None:
            loaded[:] = [load(made.memory, *span)]

        row(f"load {name}", timed(one, 10), _counted(made, since, until))
        view.show_marks(loaded[0].marks)
        view.show()

        def frame(n: int, since: float = since, until: float = until) -> None:
            view.look_at(since + n * 60, until + n * 60)
            view.viewport().grab()

        row(f"paint {name}", timed(frame, 20), None, "16, a frame")
    view.close()
    del view, application


def _counted(made: World, since: float, until: float) -> Timing:
    span = (until - since) / 2
    return timed(
        lambda n: made.bare()
        .execute(
            "SELECT count(title) FROM event WHERE start BETWEEN ? AND ?",
            (int((since - span) * 1e6), int((until + span) * 1e6)),
        )
        .get,
        10,
    )


def _megabytes(folder: Path) -> float:
    return sum(file.stat().st_size for file in folder.glob("memory.sqlite*")) / 2**20


if __name__ == "__main__":
    main()
