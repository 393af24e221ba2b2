"""The events behind the three examples of a copied context, and sources that hold them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from collectors.event import Event, Gap, Kind, identity
from desktop_memory.context.fold import active_seconds
from desktop_memory.context.sources import Neighbour, Redact, Topic
from desktop_memory.model import Entity, Hit, Pin, Query, Remembered, SearchResult, Session, Source, Standing
from desktop_memory.pipeline.redact import Redaction

BERLIN = ZoneInfo("Europe/Berlin")
IDLE_GAP = timedelta(seconds=600)


def at(day: int, clock: str) -> datetime:
    """A moment of August 2026 in Berlin: at(13, "09:41"), at(13, "09:41:20")."""
    hour, minute, *second = (int(part) for part in clock.split(":"))
    return datetime(2026, 8, day, hour, minute, *second, tzinfo=BERLIN)


class ListSources:
    """Sources over a list of events; hits are those that a test names, else events that hold a word."""

    def __init__(self, now: datetime) -> None:
        self._now = now
        self.events: list[Remembered] = []
        self.recorded_gaps: list[Gap] = []
        self.all_pins: list[Pin] = []
        self.stands: Standing | None = None
        self.hits: list[Remembered] | None = None
        self.weaker = 0
        self.linked: dict[int, list[Neighbour]] = {}
        self.known_before: set[str] = set()
        self.names: dict[str, str] = {}
        self.walls: frozenset[str] = frozenset()
        self.copied_until: datetime | None = None
        self.taken: set[str] = set()
        self.copies: list[tuple[str, list[Source]]] = []
        self.found_topics: list[Topic] = []
        self.entities: list[Entity] = []

    def add(self, kind: Kind, start: datetime, seconds: float | None = None, **fields: Any) -> Remembered:
        """Remember an event, in any order."""
        id_ = len(self.events) + 1
        event = Event(
            identity=identity(kind, str(start), id_),
            kind=kind,
            start=start,
            end=None if seconds is None else start + timedelta(seconds=seconds),
            source=fields.pop("source", "test"),
            **fields,
        )
        values = {name: getattr(event, name) for name in Event.__dataclass_fields__}
        self.events.append(Remembered(**values, id=id_, key=f"{id_:064x}"))
        return self.events[-1]

    def _sorted(self) -> list[Remembered]:
        return sorted(self.events, key=lambda e: (e.start, e.key))

    def now(self) -> datetime:
        return self._now

    def zone(self) -> ZoneInfo:
        return BERLIN

    def event(self, id_: int) -> Remembered | None:
        return next((e for e in self.events if e.id == id_), None)

    def overlapping(self, since: datetime, until: datetime) -> Sequence[Remembered]:
        return [e for e in self._sorted() if e.start < until and (e.end or e.start) >= since]

    def newest(self, before: datetime, project: str = "") -> Remembered | None:
        found = [e for e in self._sorted() if e.start < before and project in ("", e.project)]
        return found[-1] if found else None

    def search(self, query: Query) -> SearchResult:
        words = query.text.lower().split()
        found = self.hits
        if found is None:
            found = [e for e in self._sorted() if any(w in f"{e.title} {e.text}".lower() for w in words)]
            found = [e for e in found if query.since is None or e.start >= query.since]
            found = [e for e in found if query.until is None or e.start < query.until]
        weaker = [replace(self.events[0], id=10_000 + n, title=f"weaker {n}") for n in range(self.weaker)]
        hits = [Hit(event=e, score=1.0 - n / 100, lanes=("text",)) for n, e in enumerate([*found, *weaker])]
        return SearchResult(mode="text", filters={}, hits=tuple(hits[: query.limit]))

    def neighbours(self, event: Remembered, *, hops: int, fanout: int) -> Sequence[Neighbour]:
        assert hops > 0
        return self.linked.get(event.id, [])[:fanout]

    def named(self, text: str, hits: Sequence[Hit]) -> Sequence[Entity]:
        return [entity for entity in self.entities if entity.name in text]

    def touching(self, entity: Entity, count: int) -> Sequence[Remembered]:
        return [e for e in reversed(self._sorted()) if getattr(e, entity.kind) == entity.name][:count]

    def repeats(self, event: Remembered) -> Sequence[Remembered]:
        return [e for e in self._sorted() if e.url and e.url == event.url]

    def seen_before(self, event: Remembered) -> bool:
        return any(name in event.title for name in self.known_before)

    def _sessions(self) -> list[tuple[Session, list[Remembered]]]:
        groups: list[list[Remembered]] = []
        reached = None
        for event in self._sorted():
            if reached is None or event.start - reached > IDLE_GAP:
                groups.append([])
                reached = event.end or event.start
            groups[-1].append(event)
            reached = max(reached, event.end or event.start)
        return [(self._session(group), group) for group in groups]

    @staticmethod
    def _session(group: list[Remembered]) -> Session:
        return Session(
            id=group[0].id,
            start=group[0].start,
            end=max(e.end or e.start for e in group),
            projects=tuple(dict.fromkeys(e.project for e in group if e.project)),
            count=len(group),
            active_seconds=active_seconds(group),
        )

    def session(self, member: int) -> Session | None:
        return next((s for s, group in self._sessions() if any(e.id == member for e in group)), None)

    def session_at(self, moment: datetime) -> Session | None:
        started = [s for s, _ in self._sessions() if s.start <= moment]
        return started[-1] if started else None

    def sessions(self, since: datetime, until: datetime) -> Sequence[Session]:
        return [s for s, _ in self._sessions() if s.start < until and s.end >= since]

    def session_events(self, member: int) -> Sequence[Remembered]:
        return next((g for _, g in self._sessions() if any(e.id == member for e in g)), [])

    def gaps(self, since: datetime, until: datetime) -> Sequence[Gap]:
        return [g for g in self.recorded_gaps if g.start < until and (g.end or self._now) > since]

    def pins(self) -> Sequence[Pin]:
        return self.all_pins

    def standing(self, project: str) -> Standing | None:
        return self.stands if self.stands and self.stands.project == project else None

    def topics(self, events: Sequence[int]) -> Sequence[Topic]:
        return self.found_topics

    def last_copy(self) -> datetime | None:
        return self.copied_until

    def copied(self, tag: str, client: str | None = None) -> tuple[str, list[Source]] | None:
        found = [copy for copy in self.copies if tag in ("", copy[0])]
        return found[-1] if found else None

    def tag_taken(self, tag: str) -> bool:
        return tag in self.taken

    def redaction(self, *, strict: bool, projects: Sequence[str]) -> Redact:
        redaction = Redaction(
            strict=strict, user="lena", machine="desk", home="/home/lena", projects=tuple(projects)
        )

        def redact(text: str) -> tuple[str, Counter[str]]:
            return redaction(text)

        return redact

    def aliases(self) -> Mapping[str, str]:
        return self.names

    def walled(self) -> frozenset[str]:
        return self.walls


def goal(text: str, project: str, due: datetime, id_: int = 1) -> Pin:
    return Pin(id=id_, kind="goal", text=text, project=project, due=due, created=at(1, "08:00"))


def last_minutes() -> ListSources:
    """The last quarter of an hour before 09:56: a failing test, a commit, pages, and much that is trivial."""
    sources = ListSources(at(13, "09:56"))
    here: dict[str, Any] = {"project": "billing-api", "branch": "fix/LED-731", "app": "zsh"}

    def ran(clock: str, text: str, exit_code: int = 0, seconds: float = 3) -> Remembered:
        shell = {"app": "GNOME Terminal", "title": "lena@desk: ~/src/billing-api"}
        sources.add("window", at(13, clock), seconds, **shell)
        details = {"exit": exit_code, "cwd": "/home/lena/src/billing-api", "duration": seconds}
        return sources.add("terminal", at(13, clock), seconds, text=text, details=details, **here)

    def edit(clock: str, name: str, seconds: float) -> None:
        title = f"{name} - billing-api - Visual Studio Code"
        sources.add("window", at(13, clock), seconds, app="VS Code", title=title, project="billing-api")

    def page(clock: str, title: str, domain: str, seconds: float, url: str, **details: str) -> None:
        sources.add(
            "browser",
            at(13, clock),
            seconds,
            title=title,
            domain=domain,
            url=url,
            app="Firefox",
            details=details,
        )

    query = "postgres advisory lock transaction vs session"
    ran("09:41", "git rebase main")
    ran("09:41:10", "git status")
    ran("09:41:20", "ls")
    edit("09:42", "retry.py", 60)
    edit("09:43", "test_retry.py", 60)
    page("09:44", f"{query} at DuckDuckGo", "duckduckgo.com", 15, "https://duckduckgo.com/?q=p", query=query)
    page(
        "09:44:20",
        "Explicit Locking – PostgreSQL 16",
        "www.postgresql.org",
        180,
        "https://www.postgresql.org/docs/16/x",
    )
    ran("09:47:20", "git status")
    ran("09:47:26", "git diff")
    ran("09:47:32", "git add -p")
    sources.add(
        "git_commit",
        at(13, "09:47:50"),
        title="LED-731 take advisory lock before charge",
        files=("billing/retry.py", "billing/locks.py"),
        details={"hash": "8c1f2ab" + "0" * 33, "insertions": 41, "deletions": 9},
        **here,
    )
    edit("09:48", "retry.py", 60)
    ran("09:49", "pytest tests/test_retry.py", 0, 14)
    edit("09:49:20", "test_retry.py", 60)
    slack = {"app": "Slack", "title": "payments (Channel) - Ledgerline - Slack"}
    sources.add("window", at(13, "09:50:20"), 40, **slack)
    led = "https://ledgerline.atlassian.net/browse/LED-731"
    page("09:51", "LED-731 Duplicate charge after webhook retry", "ledgerline.atlassian.net", 60, led)
    ran("09:52", "pytest tests/test_retry.py -k backoff", 1, 11)
    ran("09:52:15", "git status")
    ran("09:52:22", "ls")
    edit("09:52:30", "retry.py", 60)
    ran("09:53:30", "git diff")
    ran("09:53:40", "git status")
    failing = ran("09:54", "pytest tests/test_retry.py -k backoff", 1, 11)
    ran("09:54:14", "ls")
    ran("09:54:20", "cd -")
    for second in (22, 23, 24, 25, 26):
        sources.add("window", at(13, f"09:54:{second}"), 1, app="Files", title="logs")
    replay = "STRIPE_KEY=[redacted:key] python -m billing.replay --event evt_19 --dry-run"
    ran("09:54:30", replay)
    edit("09:54:40", "test_retry.py", 30)
    freeze = "https://time-machine.readthedocs.io/en/latest/freeze-and-tick.html"
    page("09:55:10", "Freeze and tick: controlling time in tests", "time-machine.readthedocs.io", 40, freeze)

    sources.all_pins = [
        goal("LED-731: a retried webhook must not charge twice", "billing-api", at(14, "18:00"), 1),
        goal("Chapter 3 methods to Ana", "thesis-ch3", at(20, "18:00"), 2),
    ]
    sources.stands = Standing(
        project="billing-api",
        branch="fix/LED-731",
        base="main",
        ahead=2,
        uncommitted=("billing/retry.py", "tests/test_retry.py"),
        failing=failing,
        failing_streak=2,
    )
    return sources


def calcium() -> ListSources:
    """The search for the paper on calcium baselines, and what stood around it nine days ago."""
    sources = ListSources(at(13, "16:20"))
    thesis = {"project": "thesis-ch3"}
    paper = {"title": "Robust F0 estimation in week-long recordings", "domain": "www.nature.com"}
    paper |= {"url": "https://www.nature.com/articles/f0", "app": "Firefox"}
    query = "ΔF/F baseline drift long recordings zebrafish"
    scholar = {"domain": "scholar.google.com", "url": "https://scholar.google.com/scholar?q=x"}
    comparison = "Baseline estimation for calcium imaging: a comparison"

    sources.add("window", at(4, "14:02"), 19 * 60, app="Zotero", title="Ch. 3 methods - Zotero")
    first = sources.add(
        "browser", at(4, "14:31"), 40, title=f"{query} - Google Scholar", details={"query": query}, **scholar
    )
    second = sources.add(
        "browser",
        at(4, "14:33"),
        180,
        title=comparison,
        domain="www.biorxiv.org",
        url="https://www.biorxiv.org/c",
    )
    third = sources.add("browser", at(4, "14:37"), 11 * 60, **paper)
    sources.add(
        "file",
        at(4, "14:39"),
        title="robust-f0.pdf",
        files=("/home/lena/Downloads/robust-f0.pdf",),
        url="https://www.nature.com/articles/f0",
        domain="www.nature.com",
        details={"downloaded": True},
        source="firefox",
    )
    note = "8th percentile, 60 s window looks right for fish 12; try on 07"
    sources.add("note", at(4, "14:52"), title=note, **thesis)
    sources.add("window", at(4, "14:53"), 33 * 60, app="JupyterLab", title="baseline.ipynb - JupyterLab")
    sources.add(
        "git_commit",
        at(4, "15:27"),
        title="percentile F0, 60 s window",
        files=("analysis/baseline.py",),
        details={"hash": "41d09ce" + "0" * 33},
        **thesis,
    )
    sources.add("window", at(4, "15:31"), 0, app="Files", title="figures")
    for clock in ("10:01", "10:12", "10:19"):
        sources.add("browser", at(5, clock), 120, **paper)
    overleaf = sources.add(
        "window", at(10, "10:14"), 48 * 60, app="Overleaf", title="ch3-methods.tex - Overleaf", **thesis
    )

    sources.recorded_gaps = [Gap(start=at(4, "15:31"), end=at(4, "16:48"), reason="asleep")]
    sources.hits = [second, first, third]
    sources.weaker = 38
    sources.linked = {third.id: [Neighbour(event=overleaf, why="same project")]}
    sources.all_pins = [
        goal("LED-731: a retried webhook must not charge twice", "billing-api", at(14, "18:00"), 1),
        goal("Chapter 3 methods to Ana", "thesis-ch3", at(20, "18:00"), 2),
    ]
    return sources


def retention() -> ListSources:
    """An afternoon's work for a client whose name others know by another one."""
    sources = ListSources(at(13, "15:33"))
    client = "Nordwind AG, retention review"

    def window(day: int, clock: str, seconds: float, app: str, title: str, **fields: Any) -> Remembered:
        return sources.add("window", at(day, clock), seconds, app=app, title=title, **fields)

    def blips(clock: str, count: int) -> None:
        start = at(13, clock)
        for n in range(count):
            sources.add("window", start + timedelta(seconds=n / 2), 0.5, app="Outlook", title=f"Inbox {n}")

    window(11, "10:00", 50 * 60, "Word", "retention-schedule-v1.docx - Word", project=client)
    window(11, "10:50", 35 * 60, "Word", "retention-schedule-v2.docx - Word", project=client)
    kick_off = {"call": "NW kick-off"}
    window(11, "11:25", 25 * 60, "Teams", "NW kick-off | Microsoft Teams", details=kick_off)

    window(13, "13:04", 8 * 60, "Word", "retention-schedule-v2.docx - Nordwind AG - Word")
    blips("13:12", 20)
    window(13, "13:12:10", 7 * 60 + 50, "Word", "retention-schedule-v2.docx - Nordwind AG - Word")
    gdpr = {"title": "Art. 17 GDPR – Right to erasure", "domain": "gdpr-info.eu"}
    sources.add("browser", at(13, "13:20"), 600, url="https://gdpr-info.eu/art-17-gdpr/", **gdpr)
    window(13, "13:30", 22 * 60, "Word", "retention-schedule-v2.docx - Nordwind AG - Word")
    weekly = {"call": "NW weekly"}
    window(13, "13:52", 32 * 60, "Teams", "NW weekly | Nordwind AG | Microsoft Teams", details=weekly)
    window(13, "14:32", 13 * 60, "Excel", "clause-library.xlsx - Excel")
    decision = "Invoices 10 years, applicant files 6 months; ask Dr. Weber about CCTV"
    sources.add("note", at(13, "14:33"), title=decision, project=client, details={"pin": "decision"})
    window(13, "14:45", 15 * 60, "Word", "retention-schedule-v3.docx - Nordwind AG - Word")
    blips("15:00", 25)
    window(13, "15:00:12", 18 * 60 + 48, "Word", "retention-schedule-v3.docx - Nordwind AG - Word")
    query = "CCTV retention 72 hours guideline"
    bing = {"domain": "www.bing.com", "url": "https://www.bing.com/search?q=cctv"}
    sources.add("browser", at(13, "15:19"), 60, title=f"{query} - Search", details={"query": query}, **bing)
    edpb = {"domain": "www.edpb.europa.eu", "url": "https://www.edpb.europa.eu/3-2019"}
    sources.add("browser", at(13, "15:20"), 13 * 60, title="Guidelines 3/2019 on video devices", **edpb)
    live = "EDPB guidelines on video devices - Microsoft Edge"
    window(13, "15:20", 13 * 60, "Microsoft Edge", live)

    sources.recorded_gaps = [Gap(start=at(13, "14:24"), end=at(13, "14:32"), reason="idle")]
    sources.known_before = {"retention-schedule-v2.docx", "clause-library.xlsx"}
    sources.names = {"Nordwind AG": "Client A", "NW": "Retention", "Dr. Weber": "the DPO"}
    sources.all_pins = [goal("Retention schedule to Nordwind AG", client, at(17, "18:00"), 1)]
    return sources
