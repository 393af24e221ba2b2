"""Chooses the events of a context: a stretch of time, a session, or what answers a question."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Literal

from desktop_memory.context.gaps import gaps_after, gaps_within
from desktop_memory.context.seeding import (
    notes_for,
    nothing_else,
    of_what_is_named,
    with_what_is_named,
)
from desktop_memory.context.sources import Neighbour, Sources
from desktop_memory.context.trail import asks_when, trail
from desktop_memory.context.walls import (
    closed,
    closed_around,
    closed_beside,
    hits_kept_from,
    in_front,
    kept_from,
)
from desktop_memory.context.wanted import wanted
from desktop_memory.model import ContextRequest, Gap, Hit, Query, Remembered, Session
from desktop_memory.pipeline.coalesce import normalise
from desktop_memory.pipeline.phrases import find

Mode = Literal["stretch", "session", "query", "event"]

DEFAULT_MINUTES = 15
SEARCH_LIMIT = 50
YOUNG_SESSION = timedelta(minutes=15)
NEAR_SESSION = timedelta(hours=1)
RUNNING = timedelta(minutes=15)
SAME_SPACE = 5


@dataclass(frozen=True, kw_only=True, slots=True)
class Selection:
    """What was chosen, and from when to when. `held_back` counts events of walled projects, by project."""

    mode: Mode
    since: datetime
    until: datetime
    events: tuple[Remembered, ...] = ()
    hits: tuple[Hit, ...] = ()
    neighbours: tuple[Neighbour, ...] = ()
    session: Session | None = None
    running: bool = False
    about: str = ""
    """The project, file, site … that the question names and asks nothing else of."""
    label: str = ""
    """What the heading calls it: "Last 15 minutes"."""
    chip: str = ""
    project: str = ""
    gaps: tuple[Gap, ...] = ()
    weaker: int = 0
    walls: frozenset[str] = frozenset()
    """Walled projects of which nothing may be told."""
    held_back: Mapping[str, int] = field(default_factory=dict)
    notices: tuple[str, ...] = ()
    warnings: tuple[str, ...] = field(default=())

    @property
    def ids(self) -> frozenset[int]:
        """The events that were chosen, and those beside them."""
        found = (*self.events, *(hit.event for hit in self.hits), *(one.event for one in self.neighbours))
        return frozenset(event.id for event in found)


def select(request: ContextRequest, sources: Sources) -> Selection:
    """The events for this request."""
    if request.event_id is not None:
        event = sources.event(request.event_id)
        if event is not None and event.project.casefold() not in closed_around(event, request, sources):
            return _around_event(request, sources, event)
        chosen = select(replace(request, event_id=None), sources)
        return replace(
            chosen,
            warnings=(
                *chosen.warnings,
                f"There is no event {request.event_id}; told instead: {_named(chosen)}.",
            ),
        )
    if request.query.strip():
        last = _last_copy(request, sources)
        if last is None:
            return _answering(request, sources)
        chosen = _answering(replace(request, since=max(filter(None, (request.since, last)))), sources)
        beside = tuple(one for one in chosen.neighbours if one.event.start >= last)
        return replace(chosen, neighbours=beside)
    if request.session_id is not None or request.this_session:
        return _session(request, sources)
    return _stretch(request, sources)


def _named(chosen: Selection) -> str:
    return "what answers the question" if chosen.mode == "query" else chosen.label.lower()


# a stretch of time


def _stretch(request: ContextRequest, sources: Sources) -> Selection:
    now = sources.now()
    since, until, label, notices = _limits(request, sources, now)
    events = wanted(sources.overlapping(since, until), request)
    if not events and request.since is None and request.until is None and not request.since_last_copy:
        since, until, events, notices = _last_active(request, sources, until - since, label)
    walls = closed_beside(events, request, sources)
    kept, held = kept_from(events, walls)
    unknown = bool(request.project) and not events and sources.newest(now, request.project) is None
    return Selection(
        mode="stretch",
        since=since,
        until=until,
        events=tuple(kept),
        label=label,
        project=request.project or in_front(kept),
        gaps=gaps_within(sources, since, until),
        walls=walls,
        held_back=held,
        notices=notices,
        running=until >= now - timedelta(minutes=1),
        warnings=(f"Nothing is recorded of a project {request.project}.",) if unknown else (),
    )


def _limits(
    request: ContextRequest, sources: Sources, now: datetime
) -> tuple[datetime, datetime, str, tuple[str, ...]]:
    if request.since is not None or request.until is not None:
        until = min(request.until or now, now) if request.until else now
        since = request.since or until - timedelta(days=1)
        return min(since, until), until, "What was recorded", ()
    if (last := _last_copy(request, sources)) is not None and last <= now:
        return last, now, "Since the last copy", ()
    minutes = request.minutes or DEFAULT_MINUTES
    notices = ("There is no earlier copy.",) if request.since_last_copy else ()
    return now - timedelta(minutes=minutes), now, f"Last {_length(minutes)}", notices


def _last_copy(request: ContextRequest, sources: Sources) -> datetime | None:
    """From when on it asks, where it asks for what came after the last copy."""
    return sources.last_copy() if request.since_last_copy else None


def _length(minutes: int) -> str:
    if minutes == 1:
        return "minute"
    if minutes < 120 or minutes % 60:
        return f"{minutes} minutes"
    hours = minutes // 60
    return f"{hours} hours" if hours < 48 or hours % 24 else f"{hours // 24} days"


def _last_active(
    request: ContextRequest, sources: Sources, length: timedelta, label: str
) -> tuple[datetime, datetime, list[Remembered], tuple[str, ...]]:
    """The last stretch in which something was recorded, and a sentence that says so."""
    now = sources.now()
    newest = sources.newest(now, request.project)
    if newest is None:
        return now - length, now, [], ()
    until = min(now, max(newest.end or newest.start, newest.start + timedelta(seconds=1)))
    since = until - length
    said = f"Nothing was recorded in the {label.lower()}; these are the last ones before."
    return since, until, wanted(sources.overlapping(since, until), request), (said,)


# a session


def _session(request: ContextRequest, sources: Sources) -> Selection:
    now = sources.now()
    session = (
        sources.session(request.session_id) if request.session_id is not None else sources.session_at(now)
    )
    if session is None:
        chosen = _stretch(replace(request, session_id=None, this_session=False), sources)
        if request.session_id is None:
            return chosen
        return replace(
            chosen,
            warnings=(
                *chosen.warnings,
                f"There is no session {request.session_id}; told instead: {_named(chosen)}.",
            ),
        )
    events = list(sources.session_events(session.id))
    running = session.end >= now - RUNNING
    no_notices: tuple[str, ...] = ()
    since, notices = session.start, no_notices
    if running and session.end - session.start < YOUNG_SESSION:
        since, events, notices = _with_the_one_before(session, events, sources)
    if last := _last_copy(request, sources):
        since, events = max(since, last), [event for event in events if event.start >= last]
    asked_for = wanted(events, request)
    walls = closed_beside(asked_for, request, sources)
    kept, held = kept_from(asked_for, walls)
    until = max((e.end or e.start for e in events), default=session.end)
    until = max(since, min(until, now) if running else until)
    return Selection(
        mode="session",
        since=since,
        until=until,
        events=tuple(kept),
        session=session,
        running=running,
        label="This session" if running or request.this_session else "Session",
        project=request.project or in_front(kept),
        gaps=gaps_within(sources, since, until),
        walls=walls,
        held_back=held,
        notices=notices,
    )


def _with_the_one_before(
    session: Session, events: list[Remembered], sources: Sources
) -> tuple[datetime, list[Remembered], tuple[str, ...]]:
    """A session that has only begun takes in the one before, of the same project and less than an hour ago."""
    earlier = [s for s in sources.sessions(session.start - NEAR_SESSION, session.start) if s.id != session.id]
    if not earlier or session.start - earlier[-1].end >= NEAR_SESSION:
        return session.start, events, ()
    before = list(sources.session_events(earlier[-1].id))
    project = in_front(events)
    if project and in_front(before) not in ("", project):
        return session.start, events, ()
    return earlier[-1].start, before + events, ("This session has only begun; the one before is taken in.",)


# an answer


def _answering(request: ContextRequest, sources: Sources) -> Selection:
    now = sources.now()
    phrase = find(request.query, now, sources.zone())
    since, until, text, chip = request.since, request.until, request.query.strip(), ""
    if phrase is not None:
        since, until, text, chip = phrase.since or since, phrase.until or until, phrase.text, phrase.label
    if chip and not _has_words(text):
        chosen = _stretch(replace(request, query="", since=since, until=until), sources)
        return replace(chosen, label=f'Context for "{request.query.strip()}"', chip=chip)
    query = Query(
        text=text, kinds=request.kinds, project=request.project, since=since, until=until, limit=SEARCH_LIMIT
    )
    result = sources.search(query)
    walls = closed(request, sources)
    hits, held = hits_kept_from(result.hits, walls)
    if held:  # what stands behind a wall took places that others may have
        hits, _ = hits_kept_from(sources.search(replace(query, without=tuple(walls))).hits, walls)
    best_hits = distinct(hits)[: request.top_k]
    if not best_hits:
        return _recent_instead(request, sources, result.warnings)
    session = sources.session(best_hits[0].event.id)
    if session is not None and asks_when(request.query):
        mates, _ = kept_from(sources.session_events(session.id), walls)
        best_hits = trail(best_hits[0], mates, request.top_k)
    best_hits += notes_for(query, best_hits, request, sources, walls)
    best = best_hits[0].event
    seeds = [hit.event for hit in best_hits]
    beside = _neighbours(request, sources, seeds, session, walls)
    named = sources.named(text, hits)
    beside = with_what_is_named(beside, of_what_is_named(named, request, sources, walls), seeds)
    start = session.start if session else best.start
    end = session.end if session else best.end or best.start
    return Selection(
        mode="query",
        since=start,
        until=end,
        hits=tuple(best_hits),
        neighbours=tuple(beside),
        session=session,
        about=nothing_else(text, named),
        chip=chip,
        project=request.project
        or (in_front(kept_from(sources.session_events(session.id), walls)[0]) if session else best.project),
        gaps=gaps_after(sources, start, end),
        weaker=_weaker(hits, best_hits),
        walls=walls,
        held_back=held,
        warnings=tuple(result.warnings),
    )


def _weaker(hits: Sequence[Hit], chosen: Sequence[Hit]) -> int:
    """How many found events are not told, nor the same as one that is."""
    told = {sameness(hit.event) for hit in chosen}
    return sum(1 for hit in hits if sameness(hit.event) not in told)


_NO_WORDS = frozenset(
    ["what", "was", "i", "did", "do", "doing", "on", "the", "in", "at", "of", "my", "me", "were", "when", "have", "had",
     "show", "all", "everything"]
)  # fmt: skip


def _has_words(text: str) -> bool:
    return any(word not in _NO_WORDS for word in text.lower().strip(" ?!.").split())


def _recent_instead(request: ContextRequest, sources: Sources, warnings: Sequence[str]) -> Selection:
    """Nothing was found: the most recent events, marked as such."""
    chosen = _stretch(replace(request, query="", since=None, until=None), sources)
    said = f'Nothing was found for "{request.query.strip()}"; these are the most recent records.'
    return replace(
        chosen,
        label=f'Context for "{request.query.strip()}"',
        notices=(said,) if chosen.events else (f'Nothing was found for "{request.query.strip()}".',),
        warnings=(*warnings, *chosen.warnings),
    )


def distinct(hits: Iterable[Hit]) -> list[Hit]:
    """The best hit of each thing that was seen more than once."""
    seen: set[tuple[str, ...]] = set()
    kept = []
    for hit in hits:
        same = sameness(hit.event)
        if same not in seen:
            seen.add(same)
            kept.append(hit)
    return kept


def sameness(event: Remembered) -> tuple[str, ...]:
    """Equal for events that say the same."""
    return (event.kind, event.app, normalise(event), event.url.split("#")[0])


def _around_event(request: ContextRequest, sources: Sources, event: Remembered) -> Selection:
    """An event chosen by hand: it comes first, then what answers the query, then what stands beside it."""
    session = sources.session(event.id)
    walls = closed_around(event, request, sources)
    hits = [Hit(event=event, score=1.0, lanes=("chosen",))]
    weaker = 0
    if request.query.strip():
        found = _answering(replace(request, event_id=None), sources)
        hits += [hit for hit in found.hits if hit.event.id != event.id]
        weaker = found.weaker
    hits = hits[: request.top_k]
    start = session.start if session else event.start
    end = session.end if session else event.end or event.start
    return Selection(
        mode="event",
        since=start,
        until=end,
        hits=tuple(hits),
        neighbours=tuple(_neighbours(request, sources, [hit.event for hit in hits], session, walls)),
        walls=walls,
        session=session,
        project=request.project or event.project,
        gaps=gaps_after(sources, start, end),
        weaker=weaker,
    )


def _neighbours(
    request: ContextRequest,
    sources: Sources,
    seeds: Sequence[Remembered],
    session: Session | None,
    walls: Collection[str],
) -> list[Neighbour]:
    """What stands beside the seeds: their session, and what shares something with them elsewhere."""
    taken = {seed.id for seed in seeds}
    found: dict[int, Neighbour] = {}
    if session is not None:
        for event in sources.session_events(session.id):
            if event.id not in taken:
                found.setdefault(event.id, Neighbour(event=event, why="same session"))
    if request.hop_depth:
        for seed in seeds[:5]:
            for one in sources.neighbours(seed, hops=request.hop_depth, fanout=request.fanout):
                if one.event.id not in taken:
                    found.setdefault(one.event.id, one)
    return [
        one
        for one in found.values()
        if one.event.project.casefold() not in walls
        and (not request.kinds or one.event.kind in request.kinds)
    ]


# common
