"""Asking the memory: the half of the door through which nothing is written."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta, tzinfo
from typing import Protocol

from collectors.event import Gap, microseconds
from desktop_memory.context.check import Checked
from desktop_memory.context.connections import Connections, Connector
from desktop_memory.context.did_i import DidI
from desktop_memory.context.report import Report
from desktop_memory.context.report_text import spoken, written
from desktop_memory.context.report_wording import ENGLISH, Wording
from desktop_memory.context.updates import Updates
from desktop_memory.counting import counted
from desktop_memory.errors import UsageError, sentences
from desktop_memory.model import (
    Activity,
    Around,
    Connected,
    ContextRequest,
    CopiedContext,
    Pause,
    Pin,
    PlaceStatus,
    Query,
    Remembered,
    SearchResult,
    Session,
    Spoken,
    Standing,
    Stats,
    Timeline,
    Told,
)
from desktop_memory.pipeline import phrases
from desktop_memory.pipeline.coalesce import Similar
from desktop_memory.pipeline.gate import Gate
from desktop_memory.receipts import Masked
from desktop_memory.retrieval.activity import activity
from desktop_memory.retrieval.search import Search
from desktop_memory.retrieval.standing import ReadBranch, latest_projects, standing
from desktop_memory.retrieval.topics import Topic, Topics
from desktop_memory.retrieval.usage import Usage
from desktop_memory.scopes import Scope
from desktop_memory.store import copies, counts, notes
from desktop_memory.store.copies import SavedCopy
from desktop_memory.store.density import Bucket
from desktop_memory.store.notes import ClientRead
from desktop_memory.store.store import Clock, Store

WORTH_SAYING = 200
"""From so many events on, that the graph is behind is said: a few are linked within the second."""

DIRECTIONS = ("before", "after", "both")
ENTITY_KINDS = ("app", "project", "file", "url", "domain", "branch")


class Projection(Protocol):
    """A store derived from the events: how far it has come, in plain numbers."""

    def state(self) -> Mapping[str, object]: ...
    def forget(self, ids: Sequence[int]) -> int: ...


class GraphProjection(Projection, Protocol):
    def counts(self) -> Mapping[str, int] | None:
        """How many nodes and edges of each sort it holds; None while it cannot say."""
        ...


class Contexts(Protocol):
    """Builds what is copied for an AI chat."""

    def build(self, request: ContextRequest, scope: Scope | None = None) -> CopiedContext: ...
    def check(self, answer: str, tag: str = "", client: str | None = None) -> Checked: ...
    def read_updates(self, answer: str) -> Updates: ...
    def did_i(self, claim: str, scope: Scope | None = None) -> DidI: ...
    def report(self, since: date, until: date, project: str = "") -> Report: ...
    def tell_report(self, since: date, until: date, project: str, format: str, wording: Wording) -> Told: ...
    def tell_lines(self, lines: Sequence[Spoken], project: str = "") -> Told: ...


@dataclass(frozen=True, kw_only=True, slots=True)
class GraphStats:
    """`counts` are of nodes and edges, counted `by` the graph itself or by the store in its place."""

    state: str
    reason: str
    behind: int
    progress: str
    by: str
    counts: Mapping[str, int]


@dataclass(frozen=True, kw_only=True)
class Parts:
    """What a Memory is made of; app.py chooses them."""

    store: Store
    gate: Gate
    search: Search
    clock: Clock
    zone: Callable[[], tzinfo]
    read_branch: ReadBranch
    contexts: Callable[[Asking], Contexts]
    vectors: Projection | None = None
    graph: GraphProjection | None = None
    topics: Topics | None = None
    connector: Connector | None = None
    usage: Usage | None = None
    similar: Similar | None = None
    warm: Callable[[], None] = lambda: None


class Asking:
    """Everything that can be asked. Thread-safe."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._store = parts.store
        self._clock = parts.clock
        self._contexts = parts.contexts(self)

    def now(self, minutes: float = 15, limit: int = 200) -> Activity:
        """Working memory: the last minutes, one line an event."""
        return self._activity(timedelta(minutes=_positive(minutes, "minutes")), None, limit)

    def recent(self, hours: float = 3, app: str = "", limit: int = 200) -> Activity:
        """The last hours, of one app if named."""
        return self._activity(
            timedelta(hours=_positive(hours, "hours")), Query(app=app) if app else None, limit
        )

    def search(self, query: Query) -> SearchResult:
        """Events by words and meaning; filters act before the limit."""
        if query.limit < 1 or query.offset < 0:
            raise UsageError("A search needs a limit of at least 1.", "Leave --limit out for 20.")
        phrase = (
            phrases.find(query.text, self._clock(), self._parts.zone()) if _may_hold_phrase(query) else None
        )
        if phrase is None:
            return self._parts.search(query)
        result = self._parts.search(replace(query, text=phrase.text, since=phrase.since, until=phrase.until))
        return replace(result, filters={**result.filters, "phrase": phrase.label})

    def warm(self) -> None:
        """Search is about to be used: get search by meaning ready, without waiting for it."""
        self._parts.warm()

    def event(self, id_: int) -> Remembered | None:
        return self._store.event(id_)

    def events(self, ids: Sequence[int]) -> list[Remembered]:
        return self._store.events(ids)

    def timeline(self, since: datetime, until: datetime) -> Timeline:
        """Sessions, gaps and events of a stretch, for painting."""
        return Timeline(
            since=since,
            until=until,
            sessions=tuple(self._store.sessions(since, until, limit=2_000)),
            gaps=tuple(self._store.gaps(since, until)),
            events=tuple(self._store.overlapping(since, until, limit=20_000)),
        )

    def density(self, since: datetime, until: datetime, seconds: float) -> list[Bucket]:
        """How many events of each kind began in each so long stretch, for painting months and years."""
        return self._store.density(since, until, seconds)

    def sessions(self, since: datetime | None, until: datetime | None, limit: int = 200) -> list[Session]:
        return self._store.sessions(since, until, limit)

    def sessions_of(self, events: Sequence[int]) -> list[Session]:
        """The sessions of these events, each once, oldest first."""
        found = {session.id: session for id_ in events if (session := self._store.session(id_)) is not None}
        return sorted(found.values(), key=lambda session: (session.start, session.id))

    def session(
        self, at: datetime | None = None, app: str = "", event: int | None = None
    ) -> tuple[Session, list[Remembered]] | None:
        """The session of an event, or at a moment (now when none is given), with its events."""
        if event is not None:
            found = self._store.session(event)
        else:
            found = self._store.session_at(at or self._clock(), Query(app=app) if app else None)
        return None if found is None else (found, self._store.session_events(found.id))

    def around(self, at: datetime, app: str = "", direction: str = "both", count: int = 3) -> Around:
        """The event nearest to a moment, and those before and after it."""
        if direction not in DIRECTIONS:
            raise UsageError(f"A direction is one of {', '.join(DIRECTIONS)}, not {direction!r}.")
        query = Query(app=app) if app else None
        anchor = self._store.nearest(at, query)
        if anchor is None:
            return Around(anchor=None)
        before = self._store.before(anchor, count) if direction != "after" else []
        after = self._store.after(anchor, count) if direction != "before" else []
        return Around(anchor=anchor, before=tuple(before), after=tuple(after), warnings=self.without_graph())

    def connected(self, kind: str, name: str, limit: int = 20, before: datetime | None = None) -> Connected:
        """What touched a file, project, url, domain or app, newest first."""
        if kind not in ENTITY_KINDS:
            raise UsageError(f"{kind!r} is not one of {', '.join(ENTITY_KINDS)}.")
        entity = self._store.entity(kind, name)
        if entity is None:
            return Connected(entity=None)
        high = None if before is None else microseconds(before)
        events = self._store.touching(entity.id, limit=limit + 1, before=high)
        more = events[limit - 1].start if len(events) > limit else None
        return Connected(
            entity=entity, events=tuple(events[:limit]), next=more, warnings=self.without_graph()
        )

    def connections(
        self, event: int | None = None, kind: str = "", name: str = "", count: int = 12
    ) -> Connections:
        """What led to an event, or to a file, project, url, domain, app or branch, and what came of it."""
        if self._parts.connector is None:
            return Connections()
        if event is not None:
            return self._parts.connector.of_event(event, count)
        if kind not in ENTITY_KINDS:
            raise UsageError(f"{kind!r} is not one of {', '.join(ENTITY_KINDS)}.")
        return self._parts.connector.of_entity(kind, name, count)

    def standing(self, project: str = "") -> Standing | None:
        """Where things stand in a project, the latest one when none is named."""
        return standing(self._store, project, self._clock, self._parts.read_branch)

    def latest_projects(self, count: int = 3) -> list[str]:
        return latest_projects(self._store, self._clock, count)

    def gaps(self, since: datetime, until: datetime) -> list[Gap]:
        return self._store.gaps(since, until)

    def check(self, answer: str, tag: str = "", client: str | None = None) -> Checked:
        """Each claim of a model's answer against the copy it cites, by its tag or the last one.

        `client` is the AI client that asks: without a tag, its own last copy counts.
        """
        return self._contexts.check(answer, tag, client)

    def client_reads(self, limit: int = 50, client: str = "") -> list[ClientRead]:
        """What AI clients were told lately, newest first; of one client if named."""
        return notes.client_reads(self._store.read(), min(max(limit, 1), 1_000), client)

    def did_i(self, claim: str, scope: Scope | None = None) -> DidI:
        """Whether the log confirms a claim, knows something like it, or holds nothing of it."""
        if not claim.strip():
            raise UsageError("What did you do?", 'For example: did-i "rebase onto main on Thursday".')
        return self._contexts.did_i(claim, scope)

    def masked(self, limit: int = 200) -> list[Masked]:
        """Where secrets were masked before anything was written, the newest day first; never the secrets."""
        return notes.masked(self._store.read(), min(max(limit, 1), 5_000))

    def copies(self, limit: int = 20, before: datetime | None = None) -> list[SavedCopy]:
        """The newest copies, newest first, without their sources."""
        return copies.latest(self._store.read(), min(max(limit, 1), 500), before)

    def copied(self, tag: str = "") -> SavedCopy | None:
        """A copy with its sources, by its tag; the last one when no tag is given."""
        return copies.read(self._store.read(), tag)

    def read_updates(self, answer: str) -> Updates:
        """What the JSON block in a chat's answer would change among the pins. Raises UsageError for none."""
        return self._contexts.read_updates(answer)

    def topics(self) -> list[Topic]:
        """What goes together, the heaviest first; sought again once a day."""
        return [] if self._parts.topics is None else self._parts.topics.all()

    def graph_stats(self) -> GraphStats:
        """How much the graph holds and how far it has come; the store counts while the graph cannot."""
        graph = self._parts.graph
        state = {} if graph is None else graph.state()
        counted = None if graph is None else graph.counts()
        return GraphStats(
            state=str(state.get("state", "closed")),
            reason=str(state.get("reason", "the app that keeps it is not running")),
            behind=int(str(state.get("behind", 0))),
            progress=str(state.get("progress", "")),
            by="store" if counted is None else "graph",
            counts=counts.counts(self._store.read()) if counted is None else counted,
        )

    def without_graph(self) -> tuple[str, ...]:
        """Why the store alone answers, where a graph is kept but is missing, being made or far behind."""
        state = {} if self._parts.graph is None else self._parts.graph.state()
        behind = int(str(state.get("behind", 0)))
        if not state or (state["state"] == "ready" and behind < WORTH_SAYING):
            return ()
        reason = state["reason"] or f"it is {counted(behind, 'event')} behind"
        return (f"Answered by the store alone: the graph is not ready ({reason}).",)

    def report(self, since: date, until: date, project: str = "", format: str = "markdown") -> str:
        """Hours by project and day, calls, commits, documents, decisions of these local days, both included.

        `format` is markdown, csv or json.
        """
        return written(self._report(since, until, project), format)

    def report_lines(
        self, since: date, until: date, project: str = "", wording: Wording = ENGLISH
    ) -> list[Spoken]:
        """The same in Markdown, each line with what it tells of."""
        return spoken(self._report(since, until, project), wording)

    def tell_report(
        self,
        since: date,
        until: date,
        project: str = "",
        format: str = "markdown",
        wording: Wording = ENGLISH,
    ) -> Told:
        """The report as others may see it."""
        _days(since, until)
        return self._contexts.tell_report(since, until, self._called(project), format, wording)

    def tell_lines(self, lines: Sequence[Spoken], project: str = "") -> Told:
        """Lines of lists and reports as others may see them; `project` is open, else the one in front."""
        return self._contexts.tell_lines(lines, self._called(project))

    def _report(self, since: date, until: date, project: str) -> Report:
        _days(since, until)
        return self._contexts.report(since, until, self._called(project))

    def pins(self, status: str = "active") -> list[Pin]:
        return self._store.pins(status)

    def paused(self) -> Pause | None:
        found = notes.running_pause(self._store.read(), self._clock())
        return None if found is None else Pause(start=found[0], until=found[1])

    def stats(self) -> Stats:
        """How much is remembered and how far the projections have come."""
        return self._store.stats(
            since=self._midnight(),
            vectors=self._parts.vectors.state() if self._parts.vectors else {},
            graph=self._parts.graph.state() if self._parts.graph else {},
        )

    def places(self) -> list[PlaceStatus]:
        return self._store.places(self._midnight())

    def unwritable(self) -> str:
        """Why nothing can be written here, in words for the user; empty where it can."""
        error = self._store.unwritable
        return "" if error is None else sentences(error.problem, error.advice)

    def newer(self, than: int) -> int:
        """How many events arrived after this id."""
        return max(0, self._store.last_id() - than)

    # inside

    def _called(self, project: str) -> str:
        """What the project that goes, or went, by this name is called now."""
        found = self._store.entity("project", project) if project else None
        return project if found is None else found.name

    def _activity(self, span: timedelta, query: Query | None, limit: int) -> Activity:
        until = self._clock()
        return activity(
            self._store,
            until - span,
            until,
            query=query,
            limit=max(1, limit),
            zone=self._parts.zone(),
            similar=self._parts.similar,
        )

    def _midnight(self) -> datetime:
        return self._clock().astimezone(self._parts.zone()).replace(hour=0, minute=0, second=0, microsecond=0)


def _days(since: date, until: date) -> None:
    if since > until:
        raise UsageError("The report would end before it begins.", "Swap --since and --until.")


def _may_hold_phrase(query: Query) -> bool:
    return query.phrases and query.since is None and query.until is None and bool(query.text.strip())


def _positive(value: float, what: str) -> float:
    if not 0 < value <= 24 * 366 * 60:
        raise UsageError(f"{what} must be above 0 and at most a year.")
    return value
