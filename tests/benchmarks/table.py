"""Times measured and printed: ours, the baseline's beside it, their ratio, and what to reach."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median, quantiles


@dataclass(frozen=True, kw_only=True, slots=True)
class Timing:
    """Milliseconds: the middle one and the 95th of a hundred."""

    middle: float
    p95: float


def timed(call: Callable[[int], object], rounds: int = 40) -> Timing:
    """How long a call takes; it is handed the number of its round, and one round goes before to warm up."""
    call(0)
    taken = []
    for number in range(rounds):
        started = time.perf_counter()
        call(number)
        taken.append((time.perf_counter() - started) * 1_000)
    return Timing(middle=median(taken), p95=quantiles(taken, n=20)[-1])


def heading(text: str) -> None:
    print(f"\n{text}\n{'':34}{'ms':>9}{'p95':>9}{'bare':>9}{'ratio':>8}   to reach")


def row(name: str, ours: Timing, bare: Timing | None = None, reach: str = "") -> None:
    other = f"{bare.middle:9.2f}{ours.middle / bare.middle:8.1f}" if bare else f"{'':17}"
    print(f"{name:34}{ours.middle:9.2f}{ours.p95:9.2f}{other}   {reach}", flush=True)
