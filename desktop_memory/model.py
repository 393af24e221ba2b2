"""What the app speaks of: remembered events, sessions, entities, pins, questions and answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from collectors.event import KINDS, Event, Gap, GapReason, Kind

__all__ = [
    "KINDS",
    "Activity",
    "Around",
    "Connected",
    "ContextRequest",
    "CopiedContext",
    "CopiedLine",
    "Entity",
    "EntityKind",
    "Event",
    "Gap",
    "GapReason",
    "HeldBack",
    "Hit",
    "Kind",
    "Line",
    "ModelInfo",
    "Pause",
    "Pin",
    "PinKind",
    "PinStatus",
    "PlaceStatus",
    "Query",
    "Remembered",
    "SearchResult",
    "Session",
    "Source",
    "Spoken",
    "Standing",
    "Stats",
    "Timeline",
    "Told",
]

EntityKind = Literal["app", "project", "file", "url", "domain", "branch", "workspace"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Remembered(Event):
    """An event as the store holds it: `id` is the order of arrival, `key` the keyed hash of its identity."""

    id: int
    key: str
    device: str = ""
    session: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Session:
    """Events between two gaps, known by the id of its first event. `ended_by` is empty while it may go on."""

    id: int
    start: datetime
    end: datetime
    ended_by: str = ""
    apps: tuple[str, ...] = ()
    projects: tuple[str, ...] = ()
    count: int = 0
    active_seconds: float = 0.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Entity:
    """An app, project, file, url, domain, branch or workspace."""

    id: int
    kind: EntityKind
    name: str


PinKind = Literal["goal", "note", "decision", "preference", "fact"]
PinStatus = Literal["active", "done", "archived"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Pin:
    """A goal or note that heads every copied context. `text` is at most 280 characters."""

    id: int
    kind: PinKind
    text: str
    status: PinStatus = "active"
    created: datetime
    project: str = ""
    due: datetime | None = None
    position: int = 0
    event: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Query:
    """A question to the memory: words, filters, or both. `since` is inside, `until` outside."""

    text: str = ""
    kinds: tuple[Kind, ...] = ()
    app: str = ""
    project: str = ""
    domain: str = ""
    repo: str = ""
    device: str = ""
    since: datetime | None = None
    until: datetime | None = None
    failed: bool = False
    without: tuple[str, ...] = ()
    """Projects whose events are as if they were not there."""
    limit: int = 20
    offset: int = 0
    phrases: bool = True
    """A time phrase in the text ("yesterday") filters, unless `since` or `until` is given."""
    typing: bool = False
    """The last word may be unfinished: match it as a prefix, and do not wait for the meaning lane."""
    with_sessions: bool = False
    """Tell the sessions of the hits too, so that they can be shown together."""
    lane: str = ""
    """Questions of one lane overtake each other: one with a higher `turn` ends those before it (Superseded)."""
    turn: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class Hit:
    """A found event and why: `lanes` holds "text" and "meaning"; `relevance` is r of the specification.

    `coverage` is the share of the question's weight that its words cover, `usage` how much it was opened, copied or
    pinned lately, `judged` what the second look said; each from 0 to 1.
    """

    event: Remembered
    score: float
    lanes: tuple[str, ...] = ()
    relevance: float | None = None
    coverage: float = 0.0
    usage: float = 0.0
    judged: float | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class SearchResult:
    """Hits, best first; `mode` says whether meaning took part; `next` is the offset of the next page.

    `sessions` are those of the hits, in the order of each one's best hit, if they were asked for.
    """

    mode: Literal["hybrid", "text"]
    filters: Mapping[str, Any]
    hits: tuple[Hit, ...]
    next: int | None = None
    warnings: tuple[str, ...] = ()
    sessions: tuple[Session, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Line:
    """One line of working memory: the newest of `count` near-equal events."""

    event: Remembered
    count: int
    line: str


@dataclass(frozen=True, kw_only=True, slots=True)
class ContextRequest:
    """What to copy. Query, event, both or neither; neither means the last `minutes`."""

    query: str = ""
    event_id: int | None = None
    session_id: int | None = None
    """A session (any member's id); with `this_session`, the running one."""
    this_session: bool = False
    minutes: int | None = None
    since: datetime | None = None
    until: datetime | None = None
    kinds: tuple[Kind, ...] = ()
    project: str = ""
    top_k: int = 5
    hop_depth: int = 1
    max_neighbors: int = 12
    fanout: int = 15
    include_pins: bool = True
    include_topics: bool = True
    budget_tokens: int | None = None
    """None: 600 for minutes, 1,500 for a query or a session."""
    since_last_copy: bool = False
    question: str = ""
    ask_updates: bool = False
    """Ask the chat, after the context, to end with what should be pinned (context/updates.py reads it)."""
    without: tuple[str, ...] = ()
    """Keys of lines (CopiedLine) that the user struck out."""
    let_in: tuple[str, ...] = ()
    """Walled projects (HeldBack) that the user lets into this one copy."""
    opened_by_hand: bool = True
    """Who chooses a walled project's event, or a stretch in which it is in front, asks for it. Not so a client."""
    format: Literal["markdown", "xml", "json", "text"] = "markdown"
    view: Literal["auto", "timeline", "tasks", "neighbourhood", "profile"] = "auto"
    redaction: Literal["strict", "relaxed"] = "strict"


@dataclass(frozen=True, kw_only=True, slots=True)
class Source:
    """A numbered item of a copied context: the event and the text that stands for it."""

    n: int
    event: int
    text: str


@dataclass(frozen=True, kw_only=True, slots=True)
class CopiedLine:
    """A line of a copied context that can be struck out, by its key, with `ContextRequest.without`."""

    key: str
    text: str


@dataclass(frozen=True, kw_only=True, slots=True)
class HeldBack:
    """Events of a walled project that were found but not told."""

    project: str
    events: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Spoken:
    """A line of a list or of a report, the events that it stands for and the projects it tells of."""

    text: str
    events: tuple[int, ...] = ()
    projects: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Told:
    """A text as others may see it; `held_back` is for the user's own eyes, `events` are those it tells of."""

    text: str
    events: tuple[int, ...] = ()
    masked: Mapping[str, int] = field(default_factory=dict)
    held_back: tuple[HeldBack, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class CopiedContext:
    """A rendered context. `masked` counts what redaction hid, by kind; `left_out` what did not fit.

    `held_back` names walled projects: it is for the user's own eyes and stands nowhere in `text`.
    """

    tag: str
    format: str
    text: str
    tokens: int
    sources: tuple[Source, ...]
    title: str = ""
    """Its heading, in plain words."""
    lines: tuple[CopiedLine, ...] = ()
    masked: Mapping[str, int] = field(default_factory=dict)
    left_out: int = 0
    held_back: tuple[HeldBack, ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class PlaceStatus:
    """How a place fares: `state` is "ok", "waiting", "failing" or "unavailable"."""

    source: str
    place: str
    state: str
    last_event: datetime | None = None
    last_success: datetime | None = None
    today: int = 0
    skipped: Mapping[str, int] = field(default_factory=dict)
    advice: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class ModelInfo:
    """What makes texts into vectors. `hash` is the sha256 of its file: another hash, other vectors.

    The prefixes are put before what is embedded. From `threshold` cosine on, two texts may say the same. From
    `strange` on (as r of the specification) it may answer a question of which it knows no word.
    """

    name: str
    hash: str
    dimension: int
    pooling: str
    query_prefix: str = ""
    passage_prefix: str = ""
    threshold: float = 0.95
    strange: float = 0.40


@dataclass(frozen=True, kw_only=True, slots=True)
class Activity:
    """Working memory or recent activity: lines oldest first; `more` were left out."""

    since: datetime
    until: datetime
    lines: tuple[Line, ...]
    more: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class Timeline:
    """A stretch of time for painting: sessions, gaps and events, each oldest first."""

    since: datetime
    until: datetime
    sessions: tuple[Session, ...]
    gaps: tuple[Gap, ...]
    events: tuple[Remembered, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Around:
    """The events next to a moment: `before` and `after` nearest first."""

    anchor: Remembered | None
    before: tuple[Remembered, ...] = ()
    after: tuple[Remembered, ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Connected:
    """What touched an entity, newest first; `next` is where the next page goes on."""

    entity: Entity | None
    events: tuple[Remembered, ...] = ()
    next: datetime | None = None
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Standing:
    """Where things stand in a project. Branch and uncommitted names are read when asked, never stored."""

    project: str
    branch: str = ""
    base: str = ""
    ahead: int = 0
    uncommitted: tuple[str, ...] = ()
    failing: Remembered | None = None
    failing_streak: int = 0
    last_file: str = ""
    pages: tuple[Remembered, ...] = ()
    last_note: Remembered | None = None
    last: Remembered | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Pause:
    """Recording rests; `until` is None when it was paused until resumed."""

    start: datetime
    until: datetime | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Stats:
    """How much is remembered, and how far search by meaning and the graph have come.

    `events` is what is stored; `hidden` of them no list, search or context shows, by the rules of now.
    """

    events: int
    today: int
    last_id: int
    first: datetime | None = None
    last: datetime | None = None
    vectors: Mapping[str, Any] = field(default_factory=dict)
    graph: Mapping[str, Any] = field(default_factory=dict)
    dropped: Mapping[str, int] = field(default_factory=dict)
    masked: Mapping[str, int] = field(default_factory=dict)
    bytes: int = 0
    hidden: int = 0
