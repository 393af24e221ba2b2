"""What encryption costs: the same questions and the same import, plain and encrypted in turn, on the same machine."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path
from statistics import median

from desktop_memory import encryption
from desktop_memory.model import Query
from tests.benchmarks.answers import questions
from tests.benchmarks.world import World, last_of, world

ROUNDS = 40
IMPORTED = 20_000
PASSPHRASE = "only for this benchmark"


def measure(folder: Path, count: int) -> None:
    """Prints both times and their ratio for each kind of question, and for an import."""
    with world(folder / "plain") as made:
        made.grow(count)
        made.add_vectors()
    shutil.copytree(folder / "plain", folder / "encrypted")
    started = time.perf_counter()
    encryption.turn_on(folder / "encrypted", _plan(), lambda share: False)
    size = (folder / "plain" / "memory.sqlite").stat().st_size / 1e6
    print(f"\nEncrypting {count:,} events ({size:,.0f} MB): {time.perf_counter() - started:.1f} s, compared")
    print(f"{'':34}{'plain':>9}{'encrypted':>11}{'ratio':>8}   to reach")
    with ExitStack() as held:
        plain, encrypted = (held.enter_context(world(folder / name)) for name in ("plain", "encrypted"))
        for one in (plain, encrypted):
            one.count, one.now = count, last_of(one.bare())
        since = plain.now - timedelta(days=90)
        asked = questions()
        for name, query in (
            ("search by words", lambda n: Query(text=asked[n], typing=True)),
            ("words and meaning, three months", lambda n: Query(text=asked[n], since=since)),
            ("words and meaning, everything", lambda n: Query(text=asked[n])),
        ):
            _row(name, *_in_turn(plain, encrypted, query), "1.5")
    _import(folder)


def _in_turn(one: World, other: World, query: Callable[[int], Query]) -> tuple[float, float]:
    """The middle times in milliseconds, after one round to warm up."""
    taken: tuple[list[float], list[float]] = ([], [])
    for number in range(ROUNDS + 1):
        for memory, times in zip((one.memory, other.memory), taken, strict=True):
            started = time.perf_counter()
            memory.search(query(number))
            times.append((time.perf_counter() - started) * 1_000)
    return median(taken[0][1:]), median(taken[1][1:])


def _import(folder: Path) -> None:
    """Into two empty memories, a thousand events at a time."""
    with world(folder / "new-encrypted"):
        pass
    encryption.turn_on(folder / "new-encrypted", _plan(), lambda share: False)
    with world(folder / "new-plain") as plain, world(folder / "new-encrypted") as encrypted:
        for size in range(1_000, IMPORTED + 1, 1_000):
            plain.grow(size)
            encrypted.grow(size)
        each = [one.seconds_importing * 1_000 / IMPORTED for one in (plain, encrypted)]
        _row("import, an event", each[0], each[1], "1.5")


def _plan() -> encryption.Plan:
    return encryption.plan(PASSPHRASE, keyring=False)


def _row(name: str, plain: float, encrypted: float, reach: str) -> None:
    print(f"{name:34}{plain:9.2f}{encrypted:11.2f}{encrypted / plain:8.2f}   {reach}", flush=True)
