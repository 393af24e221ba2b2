"""Memory: the one door to what is remembered. CLI, window and AI clients call these methods and no others."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import logging
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta, tzinfo
from typing import Protocol

from collectors.collector import Cursor, Place
from collectors.event import Event, Gap, identity, microseconds, moment
from desktop_memory.context.check import Checked
from desktop_memory.context.did_i import DidI
from desktop_memory.context.report import Report
from desktop_memory.context.report_text import written
from desktop_memory.errors import KnownError, UsageError
from desktop_memory.model import (
    Activity,
    Around,
    Connected,
    ContextRequest,
    CopiedContext,
    Forgotten,
    Pause,
    Pin,
    PinKind,
    PinStatus,
    PlaceStatus,
    Query,
    Receipt,
    Remembered,
    SearchResult,
    Session,
    Standing,
    Stats,
    Timeline,
)
from desktop_memory.pipeline import phrases
from desktop_memory.pipeline.coalesce import embedding_text
from desktop_memory.pipeline.gate import Gate
from desktop_memory.records import NotARecord, event_from, key_of
from desktop_memory.retrieval.activity import activity
from desktop_memory.retrieval.search import Search, filters_of
from desktop_memory.retrieval.standing import ReadBranch, latest_projects, standing
from desktop_memory.store import notes
from desktop_memory.store.density import Bucket
from desktop_memory.store.events import Incoming
from desktop_memory.store.forget import Found, Removed
from desktop_memory.store.store import Clock, Store

logger = logging.getLogger(__name__)

UNDO_TIME = timedelta(minutes=10)
DIRECTIONS = ("before", "after", "both")
ENTITY_KINDS = ("app", "project", "file", "url", "domain", "branch")


class Projection(Protocol):
    """A store derived from the events: how far it has come, in plain numbers."""

    def state(self) -> Mapping[str, object]: ...
    def forget(self, ids: Sequence[int]) -> int: ...


class Contexts(Protocol):
    """Builds what is copied for an AI chat."""

    def build(self, request: ContextRequest) -> CopiedContext: ...
    def check(self, answer: str, tag: str = "") -> Checked: ...
    def did_i(self, claim: str) -> DidI: ...
    def report(self, since: date, until: date, project: str = "") -> Report: ...


@dataclass(frozen=True, kw_only=True)
class Parts:
    """What a Memory is made of; app.py chooses them."""

    store: Store
    gate: Gate
    search: Search
    clock: Clock
    zone: Callable[[], tzinfo]
    read_branch: ReadBranch
    contexts: Callable[[Memory], Contexts]
    vectors: Projection | None = None
    graph: Projection | None = None


class Memory:
    """Thread-safe. Nothing is written before the gate saw it; `changed` is called after each write."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._store = parts.store
        self._clock = parts.clock
        self._contexts = parts.contexts(self)
        self.changed: list[Callable[[], None]] = []

    # remembering

    def remember(
        self,
        seen: Iterable[Event | Gap],
        *,
        place: Place | None = None,
        cursor: Cursor | None = None,
        skipped: Mapping[str, int] | None = None,
    ) -> Receipt:
        """Store what was seen, in one transaction with the place's cursor; what became of it."""
        events: list[tuple[Event, tuple[bytes, ...]]] = []
        gaps: list[Gap] = []
        pause = self.paused()
        for item in seen:
            if isinstance(item, Gap):
                gaps.append(item)
            else:
                events.append((_until_pause(item, pause), ()))
        return self._store_all(events, gaps, place=place, cursor=cursor, skipped=skipped)

    def _store_all(
        self,
        events: Sequence[tuple[Event, tuple[bytes, ...]]],
        gaps: Sequence[Gap],
        *,
        place: Place | None = None,
        cursor: Cursor | None = None,
        skipped: Mapping[str, int] | None = None,
    ) -> Receipt:
        counts: Counter[tuple[str, str]] = Counter()
        incoming: list[Incoming] = []
        for event, keys in events:
            admitted = self._parts.gate.admit(event)
            counts.update(admitted.counts)
            if admitted.event is not None:
                incoming.append(
                    Incoming(event=admitted.event, body=embedding_text(admitted.event), keys=keys)
                )
        outcomes = self._store.record(incoming, gaps, place=place, cursor=cursor, skipped=skipped)
        self._tally(counts)
        if outcomes["new"] or outcomes["updated"] or gaps:
            self._tell()
        dropped = sum(n for (what, _), n in counts.items() if what == "dropped")
        return Receipt(
            read=len(events) + sum((skipped or {}).values()),
            new=outcomes["new"],
            known=outcomes["known"] + outcomes["updated"] + outcomes["forgotten"],
            dropped=dropped + outcomes["paused"],
            masked=sum(n for (what, _), n in counts.items() if what == "masked"),
            skipped=dict(skipped or {}),
        )

    def note(self, text: str, project: str = "") -> Remembered:
        """Remember a thought, now."""
        if not text.strip():
            raise UsageError("An empty note says nothing.", 'Write it after the command: note "…".')
        now = self._clock()
        event = Event(
            identity=identity("note", self._store.device, microseconds(now), text),
            kind="note",
            start=now,
            title=text.strip(),
            project=project,
            source="note",
            utc_offset=_offset(now, self._parts.zone()),
        )
        self.remember([event])
        found = self._store.between(now, now + timedelta(microseconds=1), query=Query(kinds=("note",)))
        if not found:
            raise KnownError("A privacy rule keeps this note out.", "See Privacy in the settings.")
        return found[-1]

    def import_lines(self, lines: Sequence[str]) -> Receipt:
        """Events from JSON Lines, through the same gate; what cannot be an event is skipped and counted."""
        incoming: list[tuple[Event, tuple[bytes, ...]]] = []
        skipped: Counter[str] = Counter()
        for text in lines:
            if not text.strip():
                continue
            try:
                record = json.loads(text)
                event = event_from(record)
                key = key_of(record)
                incoming.append((event, () if key is None else (key,)))
            except NotARecord as error:
                skipped[str(error)] += 1
            except (ValueError, RecursionError):
                skipped["not JSON"] += 1
        return self._store_all(incoming, [], skipped=skipped)

    def cursor(self, place: Place) -> Cursor | None:
        """Where reading stopped at a place."""
        return self._store.cursor(place)

    # asking

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
        return Around(anchor=anchor, before=tuple(before), after=tuple(after))

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
        return Connected(entity=entity, events=tuple(events[:limit]), next=more)

    def standing(self, project: str = "") -> Standing | None:
        """Where things stand in a project, the latest one when none is named."""
        return standing(self._store, project, self._clock, self._parts.read_branch)

    def latest_projects(self, count: int = 3) -> list[str]:
        return latest_projects(self._store, self._clock, count)

    def gaps(self, since: datetime, until: datetime) -> list[Gap]:
        return self._store.gaps(since, until)

    def context(self, request: ContextRequest, *, save: bool = True) -> CopiedContext:
        """A bounded, cited, redacted block for an AI chat; remembered as a copy unless it is only a preview."""
        copied = self._contexts.build(request)
        if save and copied.sources:
            hashes = [hashlib.sha256(source.text.encode()).hexdigest()[:16] for source in copied.sources]
            with self._store.transaction() as connection:
                notes.save_copy(connection, copied, _plain(request), hashes, self._clock())
        return copied

    def check(self, answer: str, tag: str = "") -> Checked:
        """Each claim of a model's answer against the copy it cites, by its tag or the last one."""
        return self._contexts.check(answer, tag)

    def did_i(self, claim: str) -> DidI:
        """Whether the log confirms a claim, knows something like it, or holds nothing of it."""
        if not claim.strip():
            raise UsageError("What did you do?", 'For example: did-i "rebase onto main on Thursday".')
        return self._contexts.did_i(claim)

    def report(self, since: date, until: date, project: str = "", format: str = "markdown") -> str:
        """Hours by project and day, calls, commits, documents, decisions of these local days, both included.

        `format` is markdown, csv or json.
        """
        if since > until:
            raise UsageError("The report would end before it begins.", "Swap --since and --until.")
        return written(self._contexts.report(since, until, project), format)

    # pins

    def pins(self, status: str = "active") -> list[Pin]:
        return self._store.pins(status)

    def pin(self, kind: PinKind, text: str, project: str = "", due: datetime | None = None) -> Pin:
        """Keep a goal or note at the head of every copied context."""
        clean, _ = self._parts.gate.mask(text)
        with self._store.transaction() as connection:
            id_ = notes.add_pin(connection, kind, clean, self._clock(), project, due)
        self._tell()
        return next(pin for pin in self._store.pins("") if pin.id == id_)

    def set_pin_status(self, id_: int, status: PinStatus) -> None:
        with self._store.transaction() as connection:
            notes.set_pin(connection, id_, status=status)
        self._tell()

    def unpin(self, id_: int) -> None:
        with self._store.transaction() as connection:
            notes.remove_pin(connection, id_)
        self._tell()

    # AI clients

    def log_read(self, client: str, tool: str, events: int) -> None:
        """Note that a client was told so many events, where the user can see it."""
        with self._store.transaction() as connection:
            notes.log_read(connection, client, tool, events, self._clock())

    def propose(self, client: str, body: str) -> int:
        """Queue notes that a client proposes; nothing is taken without the user."""
        clean, _ = self._parts.gate.mask(body)
        with self._store.transaction() as connection:
            id_ = notes.propose(connection, client, clean, self._clock())
        self._tell()
        return id_

    # resting and forgetting

    def pause(self, until: datetime | None = None) -> Pause:
        """Record nothing until then, or until `resume`; histories read later do not fill it either."""
        now = self._clock()
        if until is not None and until <= now:
            raise UsageError("A pause must end in the future.")
        with self._store.transaction() as connection:
            notes.start_pause(connection, now, until)
            self._store.rechain(connection, now)
        self._tell()
        return Pause(start=now, until=until)

    def resume(self) -> None:
        with self._store.transaction() as connection:
            notes.end_pause(connection, self._clock())
        self._tell()

    def paused(self) -> Pause | None:
        found = notes.running_pause(self._store.read(), self._clock())
        return None if found is None else Pause(start=found[0], until=found[1])

    def preview_forget(self, query: Query, events: Sequence[int] = ()) -> Forgotten:
        """What `forget` would remove, without removing it."""
        return _receipt(self._store.forgettable(query, events), None, 0)

    def forget(self, query: Query, events: Sequence[int] = (), *, now: bool = True) -> Forgotten:
        """Remove events everywhere: reading their source again does not bring them back.

        For good, or with `now=False` set aside for ten minutes, in which `undo_forget` brings them back.
        """
        if query.text or not (events or filters_of(query)):
            raise UsageError(
                "Say what to forget.", "A time, an app, a domain, a project, a kind, or single events."
            )
        found, removed = self._store.forget(query, events, undoable=not now)
        nodes = self._parts.graph.forget([row[0] for row in found]) if self._parts.graph else 0
        self._tell()
        return _receipt(found, removed, nodes)

    def undo_forget(self, batch: int | None = None) -> int:
        """Bring back what a forget set aside, the last one when none is named; how many events.

        Raises KnownError when the ten minutes are over.
        """
        back = self._store.take_back(batch)
        if back is None:
            raise KnownError("It cannot be undone any more.", "What was forgotten is gone for good.")
        self._tell()
        return back

    def purge_forgotten(self) -> None:
        """End for good what was forgotten more than ten minutes ago."""
        self._store.purge(self._clock() - UNDO_TIME)

    # how it is

    def stats(self) -> Stats:
        """How much is remembered and how far the projections have come."""
        return self._store.stats(
            since=self._midnight(),
            vectors=self._parts.vectors.state() if self._parts.vectors else {},
            graph=self._parts.graph.state() if self._parts.graph else {},
        )

    def places(self) -> list[PlaceStatus]:
        return self._store.places(self._midnight())

    def newer(self, than: int) -> int:
        """How many events arrived after this id."""
        return max(0, self._store.last_id() - than)

    def note_start(self) -> None:
        """The recorder starts: the time since it last lived was not recorded."""
        alive = self._store.last_alive()
        now = self._clock()
        if alive is not None and now - alive > timedelta(minutes=2):
            self.remember([Gap(start=alive, end=now, reason="not running")])
        self.note_alive()

    def note_alive(self) -> None:
        self._store.mark_alive(self._clock())

    # inside

    def _activity(self, span: timedelta, query: Query | None, limit: int) -> Activity:
        until = self._clock()
        return activity(
            self._store, until - span, until, query=query, limit=max(1, limit), zone=self._parts.zone()
        )

    def _midnight(self) -> datetime:
        return self._clock().astimezone(self._parts.zone()).replace(hour=0, minute=0, second=0, microsecond=0)

    def _tally(self, counts: Counter[tuple[str, str]]) -> None:
        if counts:
            day = self._clock().astimezone(self._parts.zone()).date().isoformat()
            with self._store.transaction() as connection:
                notes.tally(connection, day, counts)

    def _tell(self) -> None:
        for callback in list(self.changed):
            callback()


def _may_hold_phrase(query: Query) -> bool:
    return query.phrases and query.since is None and query.until is None and bool(query.text.strip())


def _until_pause(event: Event, pause: Pause | None) -> Event:
    """A span that was open when a pause began ends there."""
    if pause is None or event.end is None or event.start >= pause.start or event.end <= pause.start:
        return event
    return replace(event, end=pause.start, open=False)


def _receipt(found: Sequence[Found], removed: Removed | None, nodes: int) -> Forgotten:
    return Forgotten(
        batch=None if removed is None else removed.batch,
        events=len(found),
        texts=0 if removed is None else removed.texts,
        vectors=0 if removed is None else removed.vectors,
        nodes=nodes,
        first=moment(min(row[1] for row in found)) if found else None,
        last=moment(max(row[2] for row in found)) if found else None,
    )


def _positive(value: float, what: str) -> float:
    if not 0 < value <= 24 * 366 * 60:
        raise UsageError(f"{what} must be above 0 and at most a year.")
    return value


def _offset(at: datetime, zone: tzinfo) -> int:
    delta = at.astimezone(zone).utcoffset()
    return 0 if delta is None else int(delta.total_seconds() // 60)


def _plain(request: ContextRequest) -> dict[str, object]:
    return dataclasses.asdict(request)
