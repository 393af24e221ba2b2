# ruff: noqa: E501
"""A memory that answers from a script, at once or as slowly as a test wants: one believable fortnight."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from desktop_memory.context.check import Checked, check
from desktop_memory.context.connections import Connections, Linked
from desktop_memory.context.report_wording import ENGLISH, Wording
from desktop_memory.context.updates import Proposal, Update, Updates, find_block, read_updates
from desktop_memory.model import (
    Activity,
    Connected,
    ContextRequest,
    CopiedContext,
    CopiedLine,
    Entity,
    Gap,
    HeldBack,
    Hit,
    Line,
    Pause,
    Pin,
    PlaceStatus,
    Query,
    Remembered,
    SearchResult,
    Session,
    Source,
    Spoken,
    Standing,
    Stats,
    Timeline,
    Told,
)
from desktop_memory.pipeline.keeping import limits
from desktop_memory.receipts import Excluded, Forgotten, Masked, Merged, Receipt, Retiring
from desktop_memory.retrieval.topics import Topic
from desktop_memory.store.copies import SavedCopy
from desktop_memory.store.whole import Cancelled
from tests.desktop_memory.ui.scripted_projects import ScriptedProjects

BERLIN = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 8, 13, 9, 56, tzinfo=BERLIN).astimezone(UTC)


def local(day: int, clock: str) -> datetime:
    """A moment of August 2026 in Berlin."""
    hour, minute = (int(part) for part in clock.split(":"))
    return datetime(2026, 8, day, hour, minute, tzinfo=BERLIN).astimezone(UTC)


class Script:
    """Events in the order they are told, cut into sessions by whoever tells them."""

    def __init__(self) -> None:
        self.events: list[Remembered] = []
        self.sessions: list[Session] = []
        self._open: int | None = None

    def session(
        self, project: str, day: int, start: str, end: str, *told: Remembered, ended: str = "idle"
    ) -> None:
        first = len(self.events) + 1
        for event in told:
            self.events.append(
                replace(event, id=len(self.events) + 1, session=first, project=event.project or project)
            )
        apps = dict.fromkeys(event.app for event in told if event.app)
        begin, finish = local(day, start), local(day, end)
        self.sessions.append(
            Session(
                id=first, start=begin, end=finish, ended_by=ended, apps=tuple(apps), projects=(project,),
                count=len(told), active_seconds=(finish - begin).total_seconds() * 0.9,
            )
        )  # fmt: skip


def told(kind: Any, day: int, clock: str, title: str = "", *, minutes: float = 0, **more: Any) -> Remembered:
    start = local(day, clock)
    text = more.pop("text", title if kind == "terminal" else "")
    return Remembered(
        id=0, key="", identity=f"{kind}{day}{clock}{title}", kind=kind, start=start,
        end=start + timedelta(minutes=minutes) if minutes else None,
        title="" if kind == "terminal" else title, text=text, **more,
    )  # fmt: skip


def fortnight(*, dense: int = 0) -> Script:
    """The days of the drawings; `dense` adds that many made-up events to today."""
    script = Script()
    _days_before(script)
    script.session(
        "thesis-ch3", 4, "14:02", "15:31",
        told("window", 4, "14:02", "Ch. 3 methods", minutes=19, app="Zotero"),
        told("browser", 4, "14:37", "Robust F0 estimation in week-long recordings", minutes=11, url="https://nature.com/a", domain="nature.com", app="Firefox"),
        told("note", 4, "14:52", "8th percentile, 60 s window looks right for fish 12; try on 07"),
        told("git_commit", 4, "15:27", text="percentile F0, 60 s window\n\nas in the paper", files=("analysis/baseline.py",), details={"insertions": 12, "deletions": 3, "hash": "41d09ce"}),
    )  # fmt: skip
    script.session(
        "billing-api", 11, "14:02", "15:31",
        told("browser", 11, "14:20", "Idempotent requests · Stripe API reference", minutes=4, url="https://stripe.com/docs/idempotency", domain="stripe.com", app="Firefox"),
        told("window", 11, "14:31", "冪等性キー_設計.md – billing-api", minutes=6, app="VS Code"),
        told("note", 11, "15:12", "decision: key = event id + attempt, never the amount"),
    )  # fmt: skip
    script.session(
        "Client A", 12, "13:04", "15:33",
        told("window", 12, "13:04", "retention-schedule-v2.docx", minutes=38, app="Word"),
        told("browser", 12, "13:20", "Art. 17 GDPR – Right to erasure (“right to be forgotten”) - General Data Protection Regulation (GDPR) – final text neatly arranged", minutes=10, url="https://gdpr-info.eu/17", domain="gdpr-info.eu", app="Firefox"),
        told("file", 12, "14:45", "/home/ada/clients/client-a/2026/retention/schedules/drafts/retention-schedule-v3-after-review-by-legal.docx", minutes=34, details={"path": "/home/ada/x.docx"}),
        told("window", 12, "15:10", "🎉 Team channel | retention weekly", minutes=3, app="Slack"),
    )  # fmt: skip
    script.session(
        "inbox", 13, "08:08", "09:26",
        told("window", 13, "08:08", "Inbox – ada@example.org", minutes=20, app="Thunderbird"),
        told("browser", 13, "08:40", "Release notes – PostgreSQL 17", minutes=3, url="https://postgresql.org/r", domain="postgresql.org", app="Firefox"),
        told("terminal", 13, "09:01", "sudo apt upgrade", details={"exit": 0, "cwd": "/"}),
        told("window", 13, "09:05", "Sprint 32 planning", minutes=20, app="Zoom"),
    )  # fmt: skip
    _this_morning(script)
    if dense:
        _dense(script, dense)
    return script


def _this_morning(script: Script) -> None:
    branch = {"branch": "fix/LED-731"}
    script.session(
        "billing-api", 13, "09:41", "09:56",
        told("terminal", 13, "09:41", "git rebase main", details={"exit": 0, "cwd": "/"}),
        told("window", 13, "09:42", "retry.py, test_retry.py", minutes=6, app="VS Code"),
        told("browser", 13, "09:44", "Explicit Locking – PostgreSQL 16", minutes=3, url="https://www.postgresql.org/docs/16/explicit-locking.html", domain="postgresql.org", app="Firefox"),
        told("git_commit", 13, "09:47", text="LED-731 take advisory lock before charge\n\nRetries", details={"insertions": 41, "deletions": 9, "hash": "8c1f2ab"}, files=("billing/retry.py", "billing/locks.py"), **branch),
        told("terminal", 13, "09:49", "pytest tests/test_retry.py", details={"exit": 0}),
        told("terminal", 13, "09:50", "git status", details={"exit": 0}),
        told("browser", 13, "09:51", "LED-731 Duplicate charge after webhook retry", minutes=1, url="https://acme.atlassian.net/LED-731", domain="atlassian.net", app="Firefox"),
        told("terminal", 13, "09:52", "pytest tests/test_retry.py -k backoff", details={"exit": 1}),
        told("terminal", 13, "09:54", "pytest tests/test_retry.py -k backoff", details={"exit": 1}),
        told("terminal", 13, "09:54", "python -m billing.replay --event evt_19 --dry-run", details={"exit": 0}),
        told("browser", 13, "09:55", "Freeze and tick: controlling time in tests", minutes=0.67, url="https://time-machine.readthedocs.io", domain="readthedocs.io", app="Firefox"),
        ended="",
    )  # fmt: skip


def _days_before(script: Script) -> None:
    chance = random.Random(7)
    for day in range(1, 13):
        for start in ("09:10", "16:30"):
            if chance.random() < 0.6:
                length = chance.randint(20, 89)
                hour, minute = start.split(":")
                end = f"{int(hour) + (int(minute) + length) // 60:02}:{(int(minute) + length) % 60:02}"
                script.session(
                    "notes",
                    day,
                    start,
                    end,
                    told("window", day, start, "Journal", minutes=length, app="Obsidian"),
                )


def _dense(script: Script, count: int) -> None:
    chance = random.Random(3)
    kinds = ("window", "browser", "terminal", "git_commit", "file")
    for n in range(count):
        start = local(13, "08:10") + timedelta(seconds=chance.random() * 6000)
        kind = chance.choices(kinds, (5, 3, 4, 1, 1))[0]
        length = timedelta(minutes=chance.random() * 6 if kind in ("window", "file") else 0.5)
        script.events.append(
            Remembered(
                id=len(script.events) + 1, key="", identity=str(n), kind=kind, start=start, end=start + length,
                title=f"thing {n}", text=f"thing {n}", session=script.sessions[-1].id,
            )
        )  # fmt: skip


class ScriptedMemory(ScriptedProjects):
    """Answers like Memory from a script. `hold` makes every call wait until it is set again."""

    def __init__(self, script: Script | None = None, now: datetime = NOW) -> None:
        super().__init__()
        script = script or fortnight()
        self.kept = sorted(script.events, key=lambda event: (event.start, event.id))
        self.all_sessions = script.sessions
        self.changed: list[Callable[[], None]] = []
        self.clock: Callable[[], datetime] = lambda: now
        self.gone: list[Remembered] = []
        self.all_copies = [
            SavedCopy(tag="ctx-7f3a", at=NOW - timedelta(minutes=2), title="Last 15 minutes · billing-api", format="markdown", tokens=390, records=10),
            SavedCopy(tag="ctx-11b0", at=NOW - timedelta(days=1), title="Context for \"calcium baseline\"", format="xml", tokens=1210, records=18, client="Claude Desktop"),
        ]  # fmt: skip
        self.walled: dict[str, int] = {}
        self.asked: list[tuple[str, Any]] = []
        self.threads: set[str] = set()
        self.goes = threading.Event()
        self.goes.set()
        self.pause_until: Pause | None = None
        self.all_pins: list[Pin] = [
            Pin(id=1, kind="goal", text="LED-731: a retried webhook must not charge twice", created=NOW, project="billing-api"),
            Pin(id=2, kind="goal", text="Chapter 3 methods to Ana", created=NOW, project="thesis-ch3"),
        ]  # fmt: skip
        self.before_updates: list[Pin] = []
        self.all_proposals: list[Proposal] = []
        self.all_places = [
            PlaceStatus(source=source, place=place, state="ok", last_event=now, last_success=now, today=count)
            for source, place, count in (("window", "X11", 412), ("git", "/home/ada/billing-api", 3), ("firefox", "default", 61))
        ]  # fmt: skip
        self.gaps = (
            [
                Gap(
                    start=s.end,
                    end=t.start,
                    reason="asleep" if (t.start - s.end).total_seconds() > 5 * 3600 else "idle",
                )
                for s, t in zip(self.all_sessions, self.all_sessions[1:], strict=False)
                if t.start > s.end
            ]
            if len(self.all_sessions) > 1
            else []
        )

    def _ask(self, name: str, *what: Any) -> None:
        self.asked.append((name, what))
        self.threads.add(threading.current_thread().name)
        self.goes.wait(20)

    def tell(self) -> None:
        for callback in self.changed:
            callback()

    def now(self, minutes: float = 15, limit: int = 200) -> Activity:
        self._ask("now", minutes)
        return self._activity(timedelta(minutes=minutes), limit)

    def recent(self, hours: float = 3, app: str = "", limit: int = 200) -> Activity:
        self._ask("recent", hours)
        return self._activity(timedelta(hours=hours), limit)

    def _activity(self, span: timedelta, limit: int) -> Activity:
        since, until = self.clock() - span, self.clock()
        events = [event for event in self.kept if since <= event.start < until]
        lines = [Line(event=event, count=1, line=event.title or event.text) for event in events]
        return Activity(
            since=since, until=until, lines=tuple(lines[-limit:]), more=max(0, len(lines) - limit)
        )

    def latest_projects(self, count: int = 3) -> list[str]:
        self._ask("latest_projects")
        return list(dict.fromkeys(event.project for event in reversed(self.kept) if event.project))[:count]

    def warm(self) -> None:
        self._ask("warm")

    def used(self, events: Sequence[int]) -> None:
        self._ask("used", tuple(events))

    def search(self, query: Query) -> SearchResult:
        self._ask("search", query)
        phrase = "last week" if query.phrases and "last week" in query.text else ""
        words = query.text.replace(phrase, "").casefold().split() if phrase else query.text.casefold().split()
        hits = [
            Hit(event=event, score=score, lanes=("text",))
            for event in reversed(self.kept)
            if (score := self._score(event, words, query))
        ]
        hits.sort(key=lambda hit: -hit.score)
        if query.text and not query.typing:
            have = {hit.event.id for hit in hits}
            near = {hit.event.project for hit in hits[:1]}
            hits += [
                Hit(event=event, score=0.3, lanes=("meaning",), relevance=0.4)
                for event in self.kept
                if event.project in near
                and event.id not in have
                and event.start < local(12, "00:00")
                and self._score(event, [], query)
            ]
        page = hits[query.offset : query.offset + query.limit]
        more = query.offset + query.limit if len(hits) > query.offset + query.limit else None
        return SearchResult(
            mode="text" if query.typing else "hybrid",
            filters={"phrase": phrase} if phrase else {},
            hits=tuple(page),
            next=more,
            sessions=tuple(
                self.sessions_of([hit.event.session for hit in page if hit.event.session is not None])
            ),
        )

    def _score(self, event: Remembered, words: Sequence[str], query: Query) -> float:
        if query.kinds and event.kind not in query.kinds:
            return 0
        if query.failed and not event.details.get("exit"):
            return 0
        if any(
            wanted and wanted != has
            for wanted, has in (
                (query.app, event.app),
                (query.project, event.project),
                (query.domain, event.domain),
            )
        ):
            return 0
        text = f"{event.title} {event.text} {event.domain}".casefold()
        return sum(word in text for word in words) if words else 1

    def events(self, ids: Sequence[int]) -> list[Remembered]:
        self._ask("events", tuple(ids))
        return [event for event in self.kept if event.id in ids]

    def timeline(self, since: datetime, until: datetime) -> Timeline:
        self._ask("timeline", since, until)
        inside: Callable[[Any], bool] = lambda it: it.start < until and (it.end or it.start) >= since  # noqa: E731
        return Timeline(
            since=since, until=until,
            sessions=tuple(filter(inside, self.all_sessions)), gaps=tuple(filter(inside, self.gaps)),
            events=tuple(filter(inside, self.kept)),
        )  # fmt: skip

    def density(self, since: datetime, until: datetime, seconds: float) -> list[tuple[str, float, int]]:
        self._ask("density", since, until)
        return [
            (event.kind, event.start.timestamp() // seconds * seconds, 1)
            for event in self.kept
            if since <= event.start < until
        ]

    def session(self, at: datetime | None = None, app: str = "", event: int | None = None) -> Any:
        self._ask("session", event)
        if not self.all_sessions:
            return None
        found = next((s for s in self.all_sessions if s.id == event), self.all_sessions[-1])
        return found, [e for e in self.kept if e.session == found.id]

    def sessions(self, since: datetime | None, until: datetime | None, limit: int = 200) -> list[Session]:
        self._ask("sessions", since, until)
        return self.all_sessions[-limit:]

    def sessions_of(self, events: Sequence[int]) -> list[Session]:
        self._ask("sessions_of", events)
        return [session for session in self.all_sessions if session.id in events]

    def connected(self, kind: str, name: str, limit: int = 20, before: datetime | None = None) -> Connected:
        self._ask("connected", kind, name)
        events = tuple(e for e in reversed(self.kept) if e.project == name or e.domain == name)
        entity = Entity(id=1, kind="project", name=name) if events else None
        return Connected(entity=entity, events=events[:limit])

    def connections(
        self, event: int | None = None, kind: str = "", name: str = "", count: int = 12
    ) -> Connections:
        self._ask("connections", event, kind, name, count)
        mine = [e for e in self.kept if e.id == event or (name and name in (e.project, e.domain, *e.files))]
        if not mine:
            return Connections()
        near = [e for e in self.kept if e.project == mine[0].project and e not in mine[:1]]
        before = [Linked(event=e, why="same project") for e in reversed(near) if e.start < mine[0].start]
        after = [Linked(event=e, why="just after") for e in near if e.start >= mine[0].start]
        thing = Entity(id=1, kind="domain" if kind == "domain" else "project", name=name)
        topic = Topic(
            id=1, name="LED-731", entities=(thing, Entity(id=2, kind="file", name="billing/retry.py"))
        )
        return Connections(
            event=mine[0] if event else None, entity=None if event else thing,
            led_here=tuple(before[:count]), came_of_it=tuple(after[:count]),
            more_before=len(before) > count, more_after=len(after) > count, topics=(topic,),
        )  # fmt: skip

    def context(self, request: ContextRequest, *, save: bool = True) -> CopiedContext:
        self._ask("context", request, save)
        events = [e for e in self._chosen(request) if f"event:{e.id}" not in request.without]
        lines = [
            f"- {e.start.astimezone(BERLIN):%H:%M} [{n}] {e.title or e.text}" for n, e in enumerate(events, 1)
        ]
        text = "\n".join(
            [
                "# Last 15 minutes · billing-api · Thu 13 Aug 2026, 09:41–09:56 (UTC+02:00)",
                "Recorded on my computer: commands, commits, page and window titles; not their contents or output.",
                "",
                "**Goal** LED-731: a retried webhook must not charge twice",
                "",
                *lines,
                "",
                "End of ctx-7f3a.",
            ]
        )
        sources = tuple(
            Source(n=n, event=e.id, text=line)
            for n, (e, line) in enumerate(zip(events, lines, strict=True), 1)
        )
        told = [CopiedLine(key=f"event:{e.id}", text=line[2:]) for e, line in zip(events, lines, strict=True)]
        return CopiedContext(
            lines=tuple(told), held_back=tuple(
                HeldBack(project=name, events=n) for name, n in self.walled.items() if name not in request.let_in
            ),
            tag="ctx-7f3a", format="markdown", text=text, tokens=len(text) // 4, sources=sources,
            masked={"key": 1} if events else {},
        )  # fmt: skip

    def _chosen(self, request: ContextRequest) -> list[Remembered]:
        if request.event_id is not None:
            return [e for e in self.kept if abs(e.id - request.event_id) < 4]
        if request.session_id is not None:
            return [e for e in self.kept if e.session == request.session_id][:20]
        if request.since and request.until:
            return [e for e in self.kept if request.since <= e.start < request.until]
        if request.query:
            return [e for e in self.kept if self._score(e, request.query.casefold().split(), Query())]
        return [e for e in self.kept if e.start >= self.clock() - timedelta(minutes=request.minutes or 15)]

    def copies(self, limit: int = 20, before: datetime | None = None) -> list[SavedCopy]:
        self._ask("copies", limit, before)
        return [c for c in self.all_copies if before is None or c.at < before][:limit]

    def copied(self, tag: str = "") -> SavedCopy | None:
        self._ask("copied", tag)
        found = next((c for c in self.all_copies if c.tag == tag or not tag), None)
        if found is None:
            return None
        events = [e for e in self.kept if e.start >= NOW - timedelta(minutes=15)]
        sources = tuple(
            Source(n=n, event=e.id, text=f"{e.start.astimezone(BERLIN):%H:%M} [{n}] {e.title or e.text}")
            for n, e in enumerate(events, 1)
        )
        return replace(found, sources=(*sources, Source(n=len(sources) + 1, event=9_999, text="")))

    def report(self, since: date, until: date, project: str = "", format: str = "markdown") -> str:
        self._ask("report", since, until, project, format)
        told = [e for e in self.kept if since <= e.start.astimezone(BERLIN).date() <= until]
        return (
            f"# {since} to {until}, {len(told)} records" if format == "markdown" else f"records,{len(told)}"
        )

    def _held(self) -> tuple[HeldBack, ...]:
        return tuple(HeldBack(project=name, events=count) for name, count in self.walled.items())

    def report_lines(
        self, since: date, until: date, project: str = "", wording: Wording = ENGLISH
    ) -> list[Spoken]:
        return [Spoken(text=line) for line in self.report(since, until, project).split("\n")]

    def tell_report(
        self, since: date, until: date, project: str = "", format: str = "markdown",
        wording: Wording = ENGLISH,
    ) -> Told:  # fmt: skip
        return Told(text=f"told: {self.report(since, until, project, format)}", held_back=self._held())

    def tell_lines(self, lines: Sequence[Spoken], project: str = "") -> Told:
        self._ask("tell_lines", lines, project)
        told = "\n".join(f"told: {line.text}" for line in lines)
        events = tuple(id_ for line in lines for id_ in line.events)
        return Told(text=told, events=events, held_back=self._held())

    def check(self, answer: str, tag: str = "") -> Checked:
        self._ask("check", answer)
        sources = self.context(ContextRequest(minutes=15), save=False).sources
        return check(answer, sources, tag or "ctx-7f3a")

    def standing(self, project: str = "") -> Standing | None:
        self._ask("standing", project)
        events = [event for event in self.kept if not project or event.project == project]
        if not events:
            return None
        if project == "billing-api":
            failing = next((e for e in reversed(events) if e.details.get("exit")), None)
            return Standing(
                project=project, branch="fix/LED-731", base="main", ahead=2, failing=failing, failing_streak=2,
                uncommitted=("billing/retry.py", "tests/test_retry.py"), last=events[-1],
            )  # fmt: skip
        notes = [event for event in events if event.kind == "note"]
        return Standing(project=project or "notes", last_note=notes[-1] if notes else None, last=events[-1])

    def pins(self, status: str = "active") -> list[Pin]:
        self._ask("pins")
        return [pin for pin in self.all_pins if not status or pin.status == status]

    def pin(self, kind: Any, text: str, project: str = "", due: datetime | None = None) -> Pin:
        self._ask("pin", text)
        made = Pin(
            id=len(self.all_pins) + 1, kind=kind, text=text, created=self.clock(), project=project, due=due
        )
        self.all_pins.append(made)
        return made

    def set_pin_status(self, id_: int, status: Any) -> None:
        self._ask("set_pin_status", id_, status)
        self.all_pins = [replace(pin, status=status) if pin.id == id_ else pin for pin in self.all_pins]

    def order_pins(self, ids: Sequence[int]) -> None:
        self._ask("order_pins", tuple(ids))
        mine = iter([next(pin for pin in self.all_pins if pin.id == id_) for id_ in ids])
        self.all_pins = [next(mine) if pin.id in ids else pin for pin in self.all_pins]

    def read_updates(self, answer: str) -> Updates:
        self._ask("read_updates", answer)
        return read_updates(find_block(answer), self.all_pins, BERLIN)

    def apply_updates(self, updates: Sequence[Update], proposal: int | None = None) -> int:
        self._ask("apply_updates", tuple(updates), proposal)
        self.before_updates = self.all_pins
        for update in updates:
            if update.what == "add":
                self.pin(update.kind, update.text, update.project, update.due)
            elif update.what == "done" and update.pin is not None:
                self.set_pin_status(update.pin, "done")
            elif update.what == "remove" and update.pin is not None:
                self.unpin(update.pin)
        self.all_proposals = [one for one in self.all_proposals if one.id != proposal]
        return 1

    def undo_updates(self, batch: int | None = None) -> int:
        self._ask("undo_updates", batch)
        self.all_pins = self.before_updates
        return 1

    def proposals(self, state: str = "waiting") -> list[Proposal]:
        self._ask("proposals")
        return self.all_proposals

    def drop_proposal(self, id_: int) -> None:
        self._ask("drop_proposal", id_)
        self.all_proposals = [one for one in self.all_proposals if one.id != id_]

    def unpin(self, id_: int) -> None:
        self._ask("unpin", id_)
        self.all_pins = [pin for pin in self.all_pins if pin.id != id_]

    def note(self, text: str, project: str = "") -> Remembered:
        self._ask("note", text)
        made = replace(told("note", 13, "09:56", text), id=len(self.kept) + 1)
        self.kept.append(made)
        self.tell()
        return made

    def _matching(self, query: Query) -> list[Remembered]:
        return [
            event
            for event in self.kept
            if (not query.since or event.start >= query.since)
            and (not query.app or event.app == query.app)
            and (not query.domain or event.domain == query.domain)
            and query.text.casefold() in f"{event.title} {event.text}".casefold()
        ]

    def preview_excluded(self) -> Excluded:
        self._ask("preview_excluded")
        gone = self._matching(Query(app="Slack"))
        return Excluded(events=len(gone), rules={"excluded app: Slack": len(gone)})

    def excluded_share(self) -> float:
        return 0.4

    def cancel_excluded(self) -> None:
        self._ask("cancel_excluded")

    def forget_excluded(self, *, now: bool = True) -> Forgotten:
        return self.forget(Query(app="Slack"), now=now)

    def masked(self, limit: int = 200) -> list[Masked]:
        return [
            Masked(day=date(2026, 8, 13), source="terminal", kind="terminal", secret="token", count=3),
            Masked(day=date(2026, 8, 12), source="chrome", kind="browser", secret="password", count=1),
        ]

    def preview_forget(self, query: Query) -> Forgotten:
        self._ask("preview_forget", query)
        gone = self._matching(query)
        first, last = (gone[0].start, gone[-1].start) if gone else (None, None)
        return Forgotten(batch=None, events=len(gone), first=first, last=last)

    def forget(self, query: Query, events: Sequence[int] = (), *, now: bool = True) -> Forgotten:
        self._ask("forget", query, tuple(events), now)
        gone = [event for event in self.kept if event.id in events] if events else self._matching(query)
        self.gone = gone
        self.kept = [event for event in self.kept if event not in gone]
        self.tell()
        first, last = (gone[0].start, gone[-1].end or gone[-1].start) if gone else (None, None)
        return Forgotten(
            batch=1, events=len(gone), texts=len(gone), vectors=len(gone), first=first, last=last
        )

    def note_backup(self, path: str, last: int) -> None:
        self._ask("note_backup", path, last)

    def preview_retire(self, keep: Sequence[str] | None = None) -> list[Retiring]:
        self._ask("preview_retire", keep)
        days = [limit.days for limit in limits(keep or ()) if limit.days is not None]
        before = self.clock() - timedelta(days=min(days, default=10_000))
        old = [event for event in self.kept if event.start < before]
        return [Retiring(kind="all", before=before, events=len(old))] if old else []

    def undo_forget(self, batch: int | None = None) -> int:
        self._ask("undo_forget", batch)
        self.kept = sorted([*self.kept, *self.gone], key=lambda event: (event.start, event.id))
        self.tell()
        return len(self.gone)

    def stats(self) -> Stats:
        self._ask("stats")
        today = sum(1 for event in self.kept if event.start >= local(13, "00:00"))
        return Stats(
            events=len(self.kept), today=4812 if today else 0, last_id=len(self.kept),
            masked={"key": 12, "password": 3} if today else {}, dropped={"excluded app": 40} if today else {},
            vectors={"model": "m", "vectors": 4100, "docs": 4100, "problem": ""} if today else {},
            graph={"state": "ready", "behind": 12, "reason": ""} if today else {},
        )  # fmt: skip

    def places(self) -> list[PlaceStatus]:
        self._ask("places")
        return self.all_places

    def paused(self) -> Pause | None:
        self._ask("paused")
        return self.pause_until


class ScriptedApp:
    """The app's switches, acting on a scripted memory."""

    def __init__(self, memory: ScriptedMemory) -> None:
        self.memory = memory
        self.exchanging = threading.Event()
        """While it is set, an exchange with the shared folder goes on."""

    def pause(self, duration: timedelta | None = None) -> None:
        now = self.memory.clock()
        self.memory.pause_until = Pause(start=now, until=None if duration is None else now + duration)
        self.memory.tell()

    def resume(self) -> None:
        self.memory.pause_until = None
        self.memory.tell()

    def collect(self, source: str = "") -> object:
        return Receipt(read=12, new=3)

    now_reading: list[dict[str, Any]] = []  # noqa: RUF012

    def cancel_reading(self) -> None:
        self.memory.asked.append(("cancel_reading", ()))
        self.now_reading = []

    shared: dict[str, Any] | None = None

    def share_on(self, folder: str, passphrase: str = "", plain: bool = False) -> None:
        self.memory.asked.append(("share_on", (folder, passphrase, plain)))
        self.shared = {
            "folder": folder, "encrypted": not plain, "device": "a", "devices": ["a", "b"], "problem": "",
            "doing": "", "share": 0.0,
            "heard": {"b": (NOW - timedelta(days=9)).isoformat()},
        }  # fmt: skip

    def share_now(self, progress: Callable[[str, float], bool] | None = None) -> dict[str, Any]:
        while self.exchanging.is_set():
            if progress is not None and progress("reading", 0.4):
                raise Cancelled
            time.sleep(0.01)
        return {"new": 12, "written": 3, "forgotten": 0, "waiting": 0}

    def share_off(self) -> None:
        self.shared = None

    def share_state(self) -> dict[str, Any] | None:
        return self.shared

    def merge(self, other: str, progress: Callable[[str, float], bool] | None = None) -> Merged:
        self.memory.asked.append(("merge", (other,)))
        return Merged(receipt=Receipt(read=8, new=5, known=3, dropped=1), pins=2, forgotten=0, projects=3)

    def share_remove(self, device: str) -> None:
        assert self.shared is not None
        self.shared = {**self.shared, "devices": [each for each in self.shared["devices"] if each != device]}

    def reload(self) -> None:
        self.memory.asked.append(("reload", ()))

    troubles: dict[str, str] = {}  # noqa: RUF012

    def problems(self) -> dict[str, str]:
        return self.troubles

    def status(self) -> dict[str, Any]:
        if not self.memory.all_places:
            return {"live": {}, "problems": {}, "reading": self.now_reading}
        return {
            "live": {
                "window": {"watching": True, "backend": "X11", "tried": {}, "advice": ""},
                "idle": {
                    "watching": False,
                    "backend": "",
                    "tried": {"XScreenSaver": "not there"},
                    "advice": "Install libxss1.",
                },
            },
            "problems": {},
            "reading": self.now_reading,
        }


def empty() -> ScriptedMemory:
    """A memory in which nothing happened yet."""
    memory = ScriptedMemory(Script())
    memory.all_pins, memory.all_places = [], []
    return memory


def titles(events: Iterable[Remembered]) -> list[str]:
    return [event.title or event.text for event in events]
