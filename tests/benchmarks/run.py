"""All benchmarks, each beside a baseline measured in the same run: python -m tests.benchmarks.run --help"""

from __future__ import annotations

import argparse
import os
import platform
import shlex
import sys
import tempfile
from contextlib import nullcontext
from pathlib import Path

from tests.benchmarks import (
    answers,
    context_signal,
    embedding,
    encryption,
    graph,
    histories,
    imports,
    processes,
    sources,
)
from tests.benchmarks.report import report
from tests.benchmarks.world import world

_PARTS = (
    "import",
    "answers",
    "graph",
    "sources",
    "histories",
    "signal",
    "embedding",
    "processes",
    "encryption",
)


def main() -> None:
    parser = argparse.ArgumentParser(prog="make bench ARGS=…", description=__doc__)
    parser.add_argument(
        "--events",
        type=int,
        nargs="+",
        default=[10_000, 100_000, 1_000_000],
        help="sizes to ask questions at",
    )
    parser.add_argument("--only", choices=_PARTS, nargs="+", default=_PARTS)
    parser.add_argument("--texts", type=int, default=2_000, help="different texts to embed")
    parser.add_argument("--idle", type=float, default=60, help="seconds of nothing to measure")
    parser.add_argument("--report", type=Path, metavar="FILE", help="also write all of it there as Markdown")
    given = parser.parse_args()
    what = shlex.join(["python", "-m", "tests.benchmarks.run", *sys.argv[1:]])
    with report(given.report, what) if given.report else nullcontext():
        _measure(given)


def _measure(given: argparse.Namespace) -> None:
    cores = os.cpu_count()
    print(
        f"Python {platform.python_version()}, {platform.machine()}, {cores} cores, load {os.getloadavg()[0]:.1f}"
    )
    with tempfile.TemporaryDirectory(prefix="desktop-memory-bench-") as folder:
        if {"import", "answers"} & set(given.only):
            _store(Path(folder), sorted(given.events), given.only)
        for part, measure in (
            ("graph", lambda: graph.main(min(100_000, max(given.events)))),
            ("sources", sources.measure),
            ("histories", histories.measure),
            ("signal", context_signal.main),
            ("embedding", lambda: embedding.main(given.texts)),
        ):
            if part in given.only:
                print(f"\n{part.capitalize()}", flush=True)
                measure()
        if "encryption" in given.only:
            encryption.measure(Path(folder) / "keys", min(200_000, max(given.events)))
        if "processes" in given.only:
            processes.measure(Path(folder) / "home", given.idle)


def _store(folder: Path, sizes: list[int], only: tuple[str, ...]) -> None:
    with world(folder / "memory") as made:
        for size in sizes:
            made.grow(size)
            if "answers" in only:
                answers.measure(made)
        if "import" in only:
            imports.measure(made, folder / "raw")


if __name__ == "__main__":
    main()
