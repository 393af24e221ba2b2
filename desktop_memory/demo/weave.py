"""Days woven from a diary: its acts in order, and between them what people do without noticing.

Nothing here looks at a clock or at global randomness: the same diary gives the same events.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta, timezone
from random import Random

from collectors.event import Event, Gap
from desktop_memory.demo.between import Between
from desktop_memory.demo.diary import Act, Block, Day
from desktop_memory.demo.surroundings import Place, Surroundings
from desktop_memory.demo.traces import Moment, Traces

ZONE = timezone(timedelta(hours=2))
"""Where the demo's person lives, in summer."""

_SECONDS = {
    "edit": (90, 300),
    "page": (60, 240),
    "search": (15, 45),
    "mail": (40, 150),
    "chat": (25, 110),
    "window": (60, 240),
    "ran": (2, 6),
    "call": (600, 900),
}
_A_MOMENT = (3, 9)
_ASIDE = frozenset(
    (
        "commit",
        "stage",
        "stash",
        "note",
        "decide",
        "saved",
        "downloaded",
        "appointment",
        "screen",
        "behind",
        "skim",
    )
)
"""What takes no time of its own: the window in front stays there."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Woven:
    """One thing seen. `signal` says whether the diary tells of it, or it only came in between."""

    seen: Event | Gap
    signal: bool = True


@dataclass(frozen=True, kw_only=True, slots=True)
class _Span:
    start: datetime
    end: datetime


@dataclass(kw_only=True, slots=True)
class _World:
    """What outlives a block: the programs, and what was last at hand in each place."""

    surroundings: Surroundings
    traces: Traces
    at_hand: dict[str, list[Act]] = field(default_factory=dict)


def weave(days: Sequence[Day], last: date, surroundings: Surroundings) -> Iterator[Woven]:
    """All events and gaps, oldest first but for what overlaps; the diary's last day is `last`."""
    world = _World(surroundings=surroundings, traces=Traces(surroundings))
    night_began: datetime | None = None
    for day in days:
        date_ = last - timedelta(days=day.ago)
        morning = _span(date_, day.blocks[0]).start
        if night_began is not None:
            yield Woven(seen=Gap(start=night_began, end=morning, reason="not running"))
        yield from _day(day, date_, world)
        night_began = _span(date_, day.blocks[-1]).end


def _day(day: Day, date_: date, world: _World) -> Iterator[Woven]:
    previous: datetime | None = None
    for number, block in enumerate(day.blocks):
        span = _span(date_, block)
        if previous is not None and span.start - previous > timedelta(minutes=1):
            yield Woven(seen=Gap(start=previous, end=span.start, reason="asleep"))
        previous = span.end
        if block.away is not None:
            yield Woven(seen=Gap(start=span.start, end=span.end, reason=block.away))
        else:
            rng = Random(f"{day.ago} {number} {block.place}")
            yield from _Weaver(block, span, world, rng).events()


def _span(date_: date, block: Block) -> _Span:
    return _Span(start=_local(date_, block.start), end=_local(date_, block.end))


def _local(date_: date, at: time) -> datetime:
    return datetime.combine(date_, at, tzinfo=ZONE)


class _Weaver:
    """Walks through one block."""

    def __init__(self, block: Block, span: _Span, world: _World, rng: Random) -> None:
        self._block, self._span, self._traces, self._rng = block, span, world.traces, rng
        self._place: Place = world.surroundings.places[block.place]
        first = next((act for act in block.acts if act.verb == "edit"), None)
        self._between = Between(self._place, world.at_hand.setdefault(block.place, []), first, rng)
        self._now = span.start
        self._seconds = [act.seconds or rng.uniform(*_SECONDS.get(act.verb, _A_MOMENT)) for act in block.acts]

    def events(self) -> Iterator[Woven]:
        for index, act in enumerate(self._block.acts):
            at = None if act.at is None else _local(self._span.start.date(), act.at)
            if at is not None:
                yield from self._fill_until(at)
            yield from self._do(act, self._seconds[index], signal=True, at=at)
            self._between.after(act)
            yield from self._fill_until(self._due(index + 1))
        yield from self._fill_until(self._span.end)

    def _due(self, index: int) -> datetime:
        """When the act at `index` is due: the time that the acts themselves leave free is spread evenly."""
        acts = self._block.acts[index:]
        fixed = next((n for n, act in enumerate(acts) if act.at is not None), None)
        until = self._span.end
        if fixed is not None and (at := acts[fixed].at) is not None:
            until, acts = _local(self._span.start.date(), at), acts[:fixed]
        taken = sum(self._seconds[index + n] for n, act in enumerate(acts) if act.verb not in _ASIDE)
        free = until - self._now - timedelta(seconds=taken)
        return self._now + max(free, timedelta(0)) / (len(acts) + 1)

    def _fill_until(self, until: datetime) -> Iterator[Woven]:
        while not self._block.exactly and (left := (until - self._now).total_seconds()) > 3:
            act, seconds, signal = self._between.next()
            yield from self._do(act, min(seconds, left), signal=signal)
        self._now = max(self._now, until)

    def _do(self, act: Act, seconds: float, *, signal: bool, at: datetime | None = None) -> Iterator[Woven]:
        begin = at if at is not None and act.verb in _ASIDE else self._now
        start = (
            begin if at is not None else begin + timedelta(microseconds=self._rng.randrange(1_000, 300_000))
        )
        end = begin + timedelta(seconds=seconds)
        for event in self._traces.of(
            act, Moment(start=start, end=end, place=self._place, branch=self._block.branch)
        ):
            yield Woven(seen=event, signal=signal)
        if act.verb not in _ASIDE:
            self._now = end
