"""What a source must offer: places to read from, or a watch that emits as things happen."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from collectors.event import Event, Gap
from collectors.repository import Checkout

Cursor = Mapping[str, Any]
"""Where reading stopped at a place: plain JSON values that only the collector understands."""

Emit = Callable[[Event | Gap], None]


class Unavailable(Exception):
    """A source cannot be read now; `advice` says what would help, in words for the user."""

    def __init__(self, problem: str, advice: str = "") -> None:
        super().__init__(problem)
        self.problem = problem
        self.advice = advice


@dataclass(frozen=True, kw_only=True, slots=True)
class Place:
    """One history file, one browser profile or one repository, with a cursor of its own.

    `name` is stable and unique within the source (a path as a rule). `advice` tells what this place
    cannot give and what would help, although it works (a bash history without dates, say).
    """

    source: str
    name: str
    advice: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Batch:
    """What one turn at a place gave: events oldest first, where to go on, what was skipped and why.

    `skipped` maps a short reason ("half-written line") to a count. `more` asks for another turn at once;
    `share` is how much of what there is has been told by then, from 0 to 1, where that can be known.
    `checkout` is told by a place that is a repository, so that others' events there are known to be its.
    """

    events: Sequence[Event]
    cursor: Cursor
    skipped: Mapping[str, int] = field(default_factory=dict)
    more: bool = False
    checkout: Checkout | None = None
    gaps: Sequence[Gap] = ()
    share: float | None = None


@runtime_checkable
class Collector(Protocol):
    """A source that is asked when its turn comes."""

    @property
    def source(self) -> str:
        """A short stable name: "zsh", "firefox", "git"."""
        ...

    def places(self) -> Iterable[Place]:
        """The places found now. Raises Unavailable where this source cannot be had at all."""
        ...

    def collect(self, place: Place, cursor: Cursor | None) -> Batch:
        """What is new at `place` since `cursor` (None: from the beginning), in a bounded batch.

        Raises Unavailable when the place cannot be read; a malformed record is skipped and counted.
        Reading again from an older cursor gives the same identities.
        """
        ...


@runtime_checkable
class LiveCollector(Protocol):
    """A source that watches on a thread of its own until `stop` is set."""

    @property
    def source(self) -> str: ...

    def watch(self, emit: Emit, stop: threading.Event) -> None:
        """Emit events and gaps as they happen; an open span is emitted again as its end moves.

        Returns soon after `stop` is set, having closed what was open. Raises Unavailable when
        nothing can be watched here.
        """
        ...
