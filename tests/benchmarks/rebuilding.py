"""The graph and the codes of search by meaning made anew at scale: how long, with progress, cancelled and resumed.

python -m tests.benchmarks.rebuilding FOLDER    (a copy of a data folder: it is written to)
"""

from __future__ import annotations

import sys
import threading
import time
from pathlib import Path

from desktop_memory.app import App
from desktop_memory.model import Query

WORDS = (
    "editor",
    "parser invoice",
    "review the draft",
    "network",
    "pytest",
    "mail",
    "release notes",
    "graph",
)


def main() -> None:
    folder = Path(sys.argv[1])
    begun = time.monotonic()
    app = App.open(folder)
    print(f"opened {app.parts.store.count():,} events in {time.monotonic() - begun:.1f} s", flush=True)
    try:
        graph(app)
        vectors(app)
        search(app)
    finally:
        app.close()


def graph(app: App) -> None:
    told: list[str] = []
    begun = time.monotonic()
    app.rebuild("graph", told.append)
    whole = time.monotonic() - begun
    print(f"graph made anew in {whole:.1f} s, told {len(told)} times ({told[0]} to {told[-1]})", flush=True)
    cancel = threading.Timer(whole / 3, app.cancel_rebuild)
    cancel.start()
    begun = time.monotonic()
    done = app.rebuild("graph")
    state = app.memory.stats().graph["state"]
    print(
        f"cancelled after {time.monotonic() - begun:.1f} s: done {done}, the old one is {state}", flush=True
    )
    cancel.join()


def vectors(app: App) -> None:
    """A minute of it: how many texts a second, and that a second call goes on where the first was stopped."""
    if app.parts.models is None:
        return
    app.parts.models.rebuild()
    reached = []
    for _ in range(2):
        begun, stop = time.monotonic(), threading.Event()
        while time.monotonic() - begun < 20 and app.parts.models.catch_up(stop):
            pass
        reached.append(int(str(app.parts.models.state()["vectors"])))
    rate = (reached[1] - reached[0]) / 20
    docs = int(str(app.parts.models.state()["docs"]))
    print(f"vectors: {reached[0]:,}, then on to {reached[1]:,}; {rate:.0f} texts a second,", end=" ")
    print(f"all {docs:,} in {docs / max(rate, 1) / 60:.0f} min", flush=True)


def search(app: App) -> None:
    took = []
    for words in WORDS * 5:
        begun = time.perf_counter()
        app.memory.search(Query(text=words))
        took.append(time.perf_counter() - begun)
    print(f"search: median {sorted(took)[20] * 1e3:.0f} ms, p95 {sorted(took)[37] * 1e3:.0f} ms", flush=True)


if __name__ == "__main__":
    main()
