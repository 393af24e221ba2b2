"""The timeline's events as arrays, one set a lane, and which pixel columns they cover at any zoom."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from desktop_memory.model import Gap, Remembered, Session

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

LANES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("window", ("window", "screen")),
    ("browser", ("browser",)),
    ("terminal", ("terminal",)),
    ("git", ("git_commit", "git_stash", "git_staged", "git_checkout")),
    ("file", ("file",)),
    ("note", ("note", "other")),
)
"""Lane names are colour tokens of the palette; each takes these kinds."""

_LANE_OF: dict[str, str] = {kind: lane for lane, kinds in LANES for kind in kinds}


def lane_of(kind: str) -> str:
    """The lane of events of this kind."""
    return _LANE_OF.get(kind, "note")


def always_shown() -> tuple[str, ...]:
    """Lanes that are there even when they are empty."""
    return tuple(name for name, _ in LANES if name != "note")


@dataclass(frozen=True, slots=True)
class Lane:
    """Events sorted by start, in seconds since 1970; `reach` is the latest end up to each of them."""

    start: Floats
    end: Floats
    ids: Ints
    reach: Floats
    weight: Ints
    """How many events there are up to each of them, when one stands for many."""

    @classmethod
    def of(
        cls,
        start: Sequence[float] | Floats,
        end: Sequence[float] | Floats,
        ids: Sequence[int] | Ints,
        counts: Sequence[int] | None = None,
    ) -> Lane:
        """Sorted by start; `counts` says how many events each of them stands for."""
        first = np.asarray(start, dtype=np.float64)
        last = np.maximum(np.asarray(end, dtype=np.float64), first)
        order = np.argsort(first, kind="stable")
        first, last = first[order], last[order]
        reach = np.maximum.accumulate(last) if len(last) else last
        each = np.ones(len(first), np.int64) if counts is None else np.asarray(counts, np.int64)[order]
        weight = np.concatenate((np.zeros(1, np.int64), np.cumsum(each)))
        return cls(first, last, np.asarray(ids, dtype=np.int64)[order], reach, weight)

    def between(self, since: float, until: float) -> tuple[int, int]:
        """The slice that holds every event in view; it may hold some that ended before."""
        low = int(np.searchsorted(self.reach, since, side="left"))
        return low, int(np.searchsorted(self.start, until, side="left"))

    def columns(self, since: float, until: float, width: int) -> tuple[Bools, Ints]:
        """Which of `width` pixel columns hold anything, and how many events start in each.

        Exact at any zoom in time proportional to the width, however many events there are: a column holds
        something when the latest end of what starts before its right edge lies past its left edge.
        """
        edges = np.linspace(since, until, width + 1)
        started = np.searchsorted(self.start, edges, side="left")
        counts = np.diff(self.weight[started])
        if not len(self.reach):
            return np.zeros(width, dtype=np.bool_), counts
        before = started[1:]
        reach = np.where(before > 0, self.reach[np.maximum(before - 1, 0)], -np.inf)
        return (reach > edges[:-1]) | (counts > 0), counts


@dataclass(frozen=True, slots=True)
class Marks:
    """What the timeline paints."""

    lanes: dict[str, Lane] = field(default_factory=dict)
    sessions: tuple[Session, ...] = ()
    gaps: tuple[Gap, ...] = ()
    blocks: Lane = field(default_factory=lambda: Lane.of([], [], []))
    """The sessions' times, their ids being their places among `sessions`."""

    @property
    def empty(self) -> bool:
        return not self.sessions and not any(len(lane.start) for lane in self.lanes.values())


def marks(events: Iterable[Remembered], sessions: Iterable[Session], gaps: Iterable[Gap]) -> Marks:
    """The arrays of these events; lanes that are always shown are there even when empty."""
    columns: dict[str, tuple[list[float], list[float], list[int]]] = {name: ([], [], []) for name, _ in LANES}
    for event in events:
        start, end, ids = columns[lane_of(event.kind)]
        first = event.start.timestamp()
        start.append(first)
        end.append(event.end.timestamp() if event.end else first)
        ids.append(event.id)
    shown = {
        name: Lane.of(*column) for name, column in columns.items() if column[0] or name in always_shown()
    }
    return with_blocks(shown, tuple(sessions), tuple(gaps))


def with_blocks(lanes: dict[str, Lane], sessions: tuple[Session, ...], gaps: tuple[Gap, ...] = ()) -> Marks:
    """Marks whose sessions can be found by time."""
    starts, ends = [s.start.timestamp() for s in sessions], [s.end.timestamp() for s in sessions]
    return Marks(lanes, sessions, gaps, Lane.of(starts, ends, range(len(sessions))))
