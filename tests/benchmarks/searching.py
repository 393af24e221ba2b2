"""How long each kind of search takes at a million events, alone and while events are imported beside it.

    python -m tests.benchmarks.searching [--events 1000000] [--folder FOLDER] [--rounds 60]

Each question is timed by the clock and by this process's own work, and after it a reference: a loop that always does
the same. How much longer that takes than its own work tells how busy the machine is. A folder is kept, and one that
holds so many events already is asked at once: four minutes on an idle machine. What is imported comes from another
life, years of it late, as a history that is read in would.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from statistics import median, quantiles

from collectors.event import Event
from desktop_memory.embedding.priority import lower_this_thread
from desktop_memory.model import Query
from desktop_memory.workers import take_short_turns
from tests.benchmarks import filters, generator
from tests.benchmarks.answers import questions
from tests.benchmarks.filters import most
from tests.benchmarks.world import AT_ONCE, World, last_of, world

_TO_REACH = 150.0
_LOOP = 12_000

Kinds = Mapping[str, Callable[[int], Query]]


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """Milliseconds of each round: by the clock, of our own work, and of the reference after it."""

    wall: list[float]
    work: list[float]
    reference_wall: list[float]
    reference_work: list[float]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--events", type=int, default=1_000_000)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument(
        "--only", default="", metavar="WORDS", help="kinds of questions whose name holds this"
    )
    parser.add_argument("--life", type=int, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.life:
        _import_for_ever(given.folder, given.life)
        return
    with tempfile.TemporaryDirectory(prefix="desktop-memory-bench-") as fresh:
        folder = given.folder or Path(fresh) / "memory"
        fill(folder, given.events)
        with world(folder, _another_life(time.time_ns())) as made:
            made.now = last_of(made.bare())
            measure(made, given.rounds, given.only)


def fill(folder: Path, events: int) -> None:
    with world(folder) as made:
        if made.store.count() < events:
            made.go_on()
            made.grow(events)
        made.add_vectors()


def _another_life(seed: int) -> Iterator[Event]:
    return generator.stream(10_000_000, seed)


def measure(made: World, rounds: int, only: str = "") -> None:
    """Ask every kind of question, three times over: alone, beside another process's import, beside our own."""
    take_short_turns()
    kinds = {name: ask for name, ask in _kinds(made).items() if only in name}
    stored = made.store.count()
    for beside, importing in (
        ("nothing beside it", _nothing()),
        ("an import in another process", _importing(made.folder)),
        ("an import in this process", filters.importing(made)),
    ):
        print(f"\nSearch at {stored:,} events, {beside}")
        print(f"{'ms':34}{'work':>8}{'p95':>8}{'clock':>9}{'p95':>8}{'reference':>11}{'p95':>7}{'busy':>7}")
        with importing:
            for name, ask in kinds.items():
                _print(name, _timed(made, ask, rounds))
        print(f"{made.store.count() - stored:,} events came in meanwhile", flush=True)
        stored = made.store.count()
    print(f"memory of our own: {filters.anonymous_megabytes()} MB", flush=True)


def _kinds(made: World) -> Kinds:
    asked, now = questions(), made.now
    app, project = most(made, "app"), most(made, "project")
    letters = _beginnings(made, len(asked))

    def of(**more: object) -> Callable[[int], Query]:
        return lambda n: Query(text=asked[n % len(asked)], **more)  # type: ignore[arg-type]

    return {
        "words": of(typing=True),
        "words and meaning, three months": of(since=now - timedelta(days=90)),
        "words and meaning, everything": of(),
        "within an app": of(app=app, phrases=False),
        "within an app, typing": of(app=app, phrases=False, typing=True),
        "within a project": of(project=project, phrases=False),
        "windows alone": of(kinds=("window",), phrases=False),
        "commands that failed": of(failed=True, phrases=False),
        "two letters, typing": lambda n: Query(text=letters[n % len(letters)], typing=True),
        "a word and two letters, typing": lambda n: Query(
            text=f"{asked[n % len(asked)].split()[0]} {letters[n % len(letters)]}", typing=True
        ),
    }


def _beginnings(made: World, count: int) -> list[str]:
    """The two letters that most words begin with, the worst first: some stand in half of all events."""
    rows = made.bare().execute(
        """SELECT substr(term, 1, 2) AS begins FROM event_terms WHERE term GLOB '[a-z][a-z]*'
        GROUP BY begins ORDER BY sum(doc) DESC LIMIT ?""",
        (count,),
    )
    return [str(begins) for (begins,) in rows]


def _timed(made: World, ask: Callable[[int], Query], rounds: int) -> Asked:
    made.memory.search(ask(0))
    asked = Asked(wall=[], work=[], reference_wall=[], reference_work=[])
    for n in range(1, rounds + 1):
        with _taking(asked.wall, asked.work):
            made.memory.search(ask(n))
        with _taking(asked.reference_wall, asked.reference_work):
            _reference()
    return asked


@contextmanager
def _taking(wall: list[float], work: list[float]) -> Iterator[None]:
    clock, own = time.perf_counter(), time.thread_time()
    yield
    work.append((time.thread_time() - own) * 1e3)
    wall.append((time.perf_counter() - clock) * 1e3)


def _reference() -> int:
    total = 0
    for n in range(_LOOP):
        total += n * n % 7
    return total


def _print(name: str, asked: Asked) -> None:
    busy = sum(asked.reference_wall) / sum(asked.reference_work)
    print(
        f"{name:34}{median(asked.work):8.1f}{_p95(asked.work):8.1f}{median(asked.wall):9.1f}"
        f"{_p95(asked.wall):8.1f}{median(asked.reference_wall):11.1f}{_p95(asked.reference_wall):7.1f}{busy:6.1f}×"
        + ("" if _p95(asked.wall) <= _TO_REACH else f"   over {_TO_REACH:.0f}"),
        flush=True,
    )


def _p95(values: list[float]) -> float:
    return quantiles(values, n=20)[-1]


@contextmanager
def _nothing() -> Iterator[None]:
    yield


@contextmanager
def _importing(folder: Path) -> Iterator[None]:
    """Another process takes in events as fast as it can."""
    process = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "tests.benchmarks.searching",
            "--folder",
            folder,
            "--life",
            str(time.time_ns()),
        ],
        stdout=subprocess.PIPE,
    )
    try:
        assert process.stdout is not None
        process.stdout.readline()
        yield
    finally:
        process.terminate()
        process.communicate()


def _import_for_ever(folder: Path, seed: int) -> None:
    lower_this_thread()  # as a command does that imports without the app
    with world(folder, _another_life(seed)) as made:
        while True:
            made.grow(made.count + AT_ONCE)
            print(made.count, flush=True)


if __name__ == "__main__":
    main()
