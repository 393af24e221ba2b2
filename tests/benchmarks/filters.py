"""How long a search within a filter takes, beside the words' lane as SQLite would plan it; and while an import runs."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

from desktop_memory.courtesy import give_way
from desktop_memory.model import Query
from desktop_memory.retrieval.terms import match, terms
from desktop_memory.store.rows import Filter
from tests.benchmarks.table import heading, row, timed
from tests.benchmarks.world import AT_ONCE, World

_ROUNDS = 15


def measure(world: World, asked: Sequence[str], *, bare: bool = True) -> None:
    """Ask each question within each filter; the world has its vectors. The baseline may take half a minute a round."""
    heading(f"Search within a filter at {world.count:,} events")
    for name, filters in _filters(world).items():
        _within(world, name, asked, filters, bare)
    with importing(world):
        ours = timed(lambda n: world.memory.search(Query(text=asked[n % len(asked)])), 3 * _ROUNDS)
    row("everything, while an import runs", ours, None, "p95 150")
    print(f"memory of our own: {anonymous_megabytes()} MB", flush=True)


def _filters(world: World) -> dict[str, dict[str, Any]]:
    quarter = {"since": world.now - timedelta(days=300), "until": world.now - timedelta(days=210)}
    return {
        "an app": {"app": most(world, "app")},
        "an app within three months": {"app": most(world, "app"), **quarter},
        "a project": {"project": most(world, "project")},
        "a site": {"domain": most(world, "domain")},
        "windows": {"kinds": ("window",)},
        "commits": {"kinds": ("git_commit",)},
        "commands that failed": {"failed": True},
    }


def _within(world: World, name: str, asked: Sequence[str], filters: dict[str, Any], with_bare: bool) -> None:
    filter_, connection = Filter(Query(**filters)), world.bare()

    def ours(n: int) -> object:
        return world.memory.search(Query(text=asked[n % len(asked)], phrases=False, **filters))

    def bare(n: int) -> object:
        return connection.execute(
            f"""SELECT event.id FROM event_words JOIN event ON event.id = event_words.rowid
            WHERE event_words MATCH ? AND {filter_.where} ORDER BY event_words.rank LIMIT 50""",
            (match(terms(asked[n % len(asked)])), *filter_.values),
        ).fetchall()

    row(name, timed(ours, _ROUNDS), timed(bare, 3) if with_bare else None, "100")


def most(world: World, kind: str) -> str:
    row_ = (
        world.bare()
        .execute(
            f"""SELECT entity.name FROM event JOIN entity ON entity.id = event.{kind}
        GROUP BY entity.id ORDER BY count(*) DESC LIMIT 1"""
        )
        .fetchone()
    )
    return "" if row_ is None else str(row_[0])


@contextmanager
def importing(world: World) -> Iterator[None]:
    """Events go on arriving meanwhile, as fast as they are remembered."""
    stop = threading.Event()

    def take_in() -> None:
        while not stop.is_set():
            give_way()  # as the engine does before it asks for the next batch
            world.grow(world.count + AT_ONCE // 4)

    thread = threading.Thread(target=take_in, name="import", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def anonymous_megabytes() -> int:
    """What is this process's alone: pages of the store's file are the system's to drop."""
    try:
        lines = Path("/proc/self/smaps_rollup").read_text(encoding="ascii").splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) // 1024 for line in lines if line.startswith("Anonymous")), 0)
