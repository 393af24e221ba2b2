"""What stands beside an event and why: in time, in its session, and by what they share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from desktop_memory.graph.graph import GraphNotReady

_T = TypeVar("_T")

WHY: Mapping[str, str] = {
    "file": "same file",
    "url": "same page",
    "branch": "same branch",
    "workspace": "same workspace",
    "project": "same project",
    "domain": "same site",
    "app": "same app",
}
JUST_BEFORE, JUST_AFTER, SAME_SESSION = "just before", "just after", "same session"

_CLOSENESS = {
    "same file": 1.0,
    "same page": 1.0,
    JUST_BEFORE: 0.9,
    JUST_AFTER: 0.9,
    "same branch": 0.8,
    SAME_SESSION: 0.6,
    "same workspace": 0.5,
    "same project": 0.5,
    "same site": 0.4,
    "same app": 0.2,
}
_CHAIN_STEPS = 2
_SAME_SPACE = 5
_SPACES = ("project", "domain", "workspace")
_WALKED_FURTHER = 5
"""Neighbours of an event from which the next hop goes on."""


class Walk(Protocol):
    """The graph, or SQL in its place."""

    @property
    def hubs(self) -> frozenset[int]: ...
    def before(self, event: int, count: int) -> Sequence[int]: ...
    def after(self, event: int, count: int) -> Sequence[int]: ...
    def entities(self, event: int) -> Sequence[tuple[int, str]]: ...
    def session_mates(self, event: int, count: int) -> Sequence[int]: ...
    def sharing(self, entity: int, kind: str, event: int, count: int) -> Sequence[int]: ...
    def going_together(self, entity: int, today: int, count: int) -> Sequence[tuple[int, float]]: ...
    def co_occurrences(self, since_day: int, until_day: int) -> Iterable[tuple[int, int, int, int]]: ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Neighbour:
    """An event, why it is there, how many hops away, and beside which of the asked events. Closer is greater."""

    event: int
    why: str
    hops: int
    beside: int
    closeness: float


class Neighbours:
    """Asks the graph; where it is missing or does not answer, asks SQL and says so in `notice`."""

    def __init__(
        self, sql: Walk, graph: Walk | None = None, not_ready: type[Exception] = LookupError
    ) -> None:
        self._sql = sql
        self._graph = graph
        self._not_ready = not_ready

    @property
    def hubs(self) -> frozenset[int]:
        """Entities of so many sessions that sharing one says nothing."""
        return self._sql.hubs

    def around(
        self,
        events: Sequence[int],
        *,
        hop_depth: int = 1,
        most: int = 12,
        fanout: int = 15,
        elsewhere: bool = False,
    ) -> tuple[list[Neighbour], str]:
        """The closest events beside these, none of them among these, none twice; and a notice for the user.

        `hop_depth` 0 asks nothing. `fanout` bounds what one step of the walk may find. `elsewhere` leaves
        out what merely stands near in time: neighbours in the chain and in the session.
        """
        if hop_depth < 1 or most < 1:
            return [], ""
        return self._ask(lambda walk: _around(walk, events, hop_depth, fanout, elsewhere)[:most])

    def going_together(self, entity: int, today: int, count: int = 10) -> tuple[list[tuple[int, float]], str]:
        """Entities that share ten minutes with this one most, lately: (id, weight)."""
        return self._ask(lambda walk: list(walk.going_together(entity, today, count)))

    def co_occurrences(self, since_day: int, today: int) -> tuple[list[tuple[int, int, int, int]], str]:
        """(entity, entity, day, times) since that day, hubs left out; today's, which goes on, is SQL's."""

        def question(walk: Walk) -> list[tuple[int, int, int, int]]:
            found = [*walk.co_occurrences(since_day, today), *self._sql.co_occurrences(today, today + 1)]
            hubs = walk.hubs
            return [edge for edge in found if edge[0] not in hubs and edge[1] not in hubs]

        return self._ask(question)

    def _ask(self, question: Callable[[Walk], _T]) -> tuple[_T, str]:
        if self._graph is None:
            return question(self._sql), ""
        try:
            return question(self._graph), ""
        except GraphNotReady as error:
            return question(self._sql), f"Answered without the graph: {error}."


def _around(
    walk: Walk, events: Sequence[int], hop_depth: int, fanout: int, elsewhere: bool
) -> list[Neighbour]:
    found: dict[int, Neighbour] = {}
    asked = set(events)
    for seed in dict.fromkeys(events):
        front = [seed]
        for hop in range(1, hop_depth + 1):
            new: list[Neighbour] = []
            for event in front:
                if not elsewhere:
                    new += _in_time(walk, event, seed, hop, fanout)
                new += _sharing(walk, event, seed, hop, fanout)
            fresh = [one for one in new if one.event not in asked and _better(one, found.get(one.event))]
            found.update((one.event, one) for one in sorted(fresh, key=lambda one: one.closeness))
            front = list(dict.fromkeys(one.event for one in sorted(fresh, key=_rank)))[:_WALKED_FURTHER]
    return sorted(found.values(), key=_rank)


def _better(one: Neighbour, known: Neighbour | None) -> bool:
    return known is None or one.closeness > known.closeness


def _rank(one: Neighbour) -> tuple[float, int]:
    return (-one.closeness, one.event)


def _in_time(walk: Walk, event: int, seed: int, hop: int, fanout: int) -> list[Neighbour]:
    """What stands just before and after this event and in its session, the nearest first."""
    steps = min(_CHAIN_STEPS, fanout)
    found = _told(walk.before(event, steps), JUST_BEFORE, seed, hop)
    found += _told(walk.after(event, steps), JUST_AFTER, seed, hop)
    return found + _told(walk.session_mates(event, fanout), SAME_SESSION, seed, hop)


def _sharing(walk: Walk, event: int, seed: int, hop: int, fanout: int) -> list[Neighbour]:
    """What touches the same things, the nearest in time first."""
    found: list[Neighbour] = []
    for entity, kind in walk.entities(event):
        if kind in WHY and entity not in walk.hubs:
            count = min(fanout, _SAME_SPACE) if kind in _SPACES else fanout
            found += _told(walk.sharing(entity, kind, event, count), WHY[kind], seed, hop)
    return found


def _told(events: Sequence[int], why: str, seed: int, hop: int) -> list[Neighbour]:
    return [
        Neighbour(
            event=event, why=why, hops=hop, beside=seed, closeness=_CLOSENESS[why] / hop / (1 + 0.05 * place)
        )
        for place, event in enumerate(events)
    ]
