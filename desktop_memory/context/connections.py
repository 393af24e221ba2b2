"""What led to a record, a file, a project or a site, and what came of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from desktop_memory.context.fold import is_trivial
from desktop_memory.model import Entity, Kind, Remembered
from desktop_memory.pipeline.coalesce import normalise
from desktop_memory.retrieval.neighbours import JUST_AFTER, JUST_BEFORE, SAME_SESSION, Neighbours
from desktop_memory.retrieval.topics import Topic, Topics
from desktop_memory.store.store import Store

MOST = 200
"""No list is longer than this, however much is asked for."""
TOPICS = 3
APART = timedelta(minutes=15)
"""What lies further off than this did not lead to it."""
_WALKED = 30
"""Records beyond those asked for that are looked at, so that the closest of them are told."""
_TOUCHES = 400
_SESSIONS = 20
_LONGEST = 2_000
"""Records of a session that are looked at."""
_STEPS = 6
_MADE: frozenset[Kind] = frozenset(["git_commit", "note", "file"])
_LESS: frozenset[Kind] = frozenset(["window", "git_staged", "git_checkout"])
_OF_IT = "of it"


@dataclass(frozen=True, kw_only=True, slots=True)
class Linked:
    """A record beside what was asked for, and why it is there; it stands for `count` that say the same."""

    event: Remembered
    why: str
    count: int = 1


@dataclass(frozen=True, kw_only=True, slots=True)
class Connections:
    """Around an event or an entity, both None when there is no such thing: two lists, the nearest in time first."""

    event: Remembered | None = None
    entity: Entity | None = None
    led_here: tuple[Linked, ...] = ()
    came_of_it: tuple[Linked, ...] = ()
    more_before: bool = False
    more_after: bool = False
    topics: tuple[Topic, ...] = ()
    warnings: tuple[str, ...] = ()


class Connector:
    """Reads the store and walks the graph; each list holds `count` at most."""

    def __init__(self, store: Store, neighbours: Neighbours, topics: Topics) -> None:
        self._store = store
        self._neighbours = neighbours
        self._topics = topics

    def of_event(self, id_: int, count: int) -> Connections:
        """Around one record: what stands before and after it and shares something with it."""
        event = self._store.event(id_)
        if event is None:
            return Connections()
        count = min(max(count, 1), MOST)
        near, notice = self._neighbours.around(
            [id_], most=2 * _WALKED + 6 * count, fanout=_WALKED + 3 * count
        )
        why = {one.event: (one.why, one.closeness) for one in near}
        found = [other for other in self._store.events(why) if not _trivial(other)]
        order = (event.start, event.key)
        before = [other for other in found if (other.start, other.key) < order]
        after = [other for other in found if (other.start, other.key) > order]
        led, more_before = _closest(before, why, count, event)
        came, more_after = _closest(after, why, count, event)
        return self._with_topics(
            Connections(
                event=event, led_here=led, came_of_it=came, more_before=more_before, more_after=more_after,
                warnings=(notice,) if notice else (),
            ),
            [id_],
        )  # fmt: skip

    def of_entity(self, kind: str, name: str, count: int) -> Connections:
        """Around a file, project, site or page: before it was taken up, and what was made of it."""
        entity = self._store.entity(kind, name)
        if entity is None:
            return Connections()
        count = min(max(count, 1), MOST)
        touches = self._store.touching(entity.id, limit=_TOUCHES)
        led: list[Linked] = []
        came: list[Linked] = []
        for touched in _by_session(touches):
            before, after = self._beside(touched)
            led, came = _collapsed([*led, *before]), _collapsed([*came, *after])
            if len(led) > count and len(came) > count:
                break
        return self._with_topics(
            Connections(
                entity=entity, led_here=tuple(led[:count]), came_of_it=tuple(came[:count]),
                more_before=len(led) > count, more_after=len(came) > count,
            ),
            [event.id for event in touches],
        )  # fmt: skip

    def _beside(self, touched: Sequence[Remembered]) -> tuple[list[Linked], list[Linked]]:
        """Of one session: what came just before it was first touched, and what was made from then on."""
        ids = {event.id for event in touched}
        session = self._store.session_events(touched[0].id, _LONGEST)
        told = [event for event in session if event.id in ids or not _trivial(event)]
        places = [place for place, event in enumerate(told) if event.id in ids]
        if not places:
            return [], []
        first, last = places[0], places[-1]
        start = told[first].start
        led = [event for event in told[max(0, first - _STEPS) : first] if start - _end(event) <= APART]
        came = [event for event in told[first:] if event.kind in _MADE]
        close = [
            event for event in told[last + 1 : last + 1 + _STEPS] if event.start - _end(told[last]) <= APART
        ]
        made = {event.id for event in came}
        after = [Linked(event=e, why=_OF_IT if e.id in ids else SAME_SESSION) for e in reversed(came)]
        after += [Linked(event=e, why=JUST_AFTER) for e in close if e.id not in made]
        return [Linked(event=event, why=JUST_BEFORE) for event in reversed(led)], after

    def _with_topics(self, found: Connections, asked: Sequence[int]) -> Connections:
        beside = [linked.event.id for linked in (*found.led_here, *found.came_of_it)]
        return replace(found, topics=tuple(self._topics.of([*asked, *beside])[:TOPICS]))


def _closest(
    events: Iterable[Remembered], why: dict[int, tuple[str, float]], count: int, asked: Remembered
) -> tuple[tuple[Linked, ...], bool]:
    """The closest ones, each thing once, then the nearest in time first; and whether there are more."""
    ranked = sorted(events, key=lambda event: (-why[event.id][1] * _weight(event), event.id))
    single = _collapsed(Linked(event=event, why=why[event.id][0]) for event in ranked)
    single = [linked for linked in single if _says(linked.event) != _says(asked)]
    best = sorted(single[:count], key=lambda linked: (abs(linked.event.start - asked.start), linked.event.id))
    return tuple(best), len(single) > count


def _collapsed(found: Iterable[Linked]) -> list[Linked]:
    """Each thing once, where it stands first."""
    kept: dict[tuple[str, str], Linked] = {}
    for linked in found:
        says = _says(linked.event)
        known = kept.get(says)
        kept[says] = linked if known is None else replace(known, count=known.count + linked.count)
    return list(kept.values())


def _says(event: Remembered) -> tuple[str, str]:
    return event.kind, normalise(event) or event.url or " ".join(event.files)


def _weight(event: Remembered) -> float:
    """What was made or read tells more than a window that was in front."""
    return 1.25 if event.kind in _MADE else 0.6 if event.kind in _LESS else 1.0


def _by_session(touches: Sequence[Remembered]) -> list[list[Remembered]]:
    """The newest sessions first."""
    groups: dict[int, list[Remembered]] = {}
    for event in touches:
        if event.session is not None:
            groups.setdefault(event.session, []).append(event)
    return list(groups.values())[:_SESSIONS]


def _trivial(event: Remembered) -> bool:
    return is_trivial(event, (_end(event) - event.start).total_seconds())


def _end(event: Remembered) -> datetime:
    return event.end or event.start
