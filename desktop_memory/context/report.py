"""What a stretch of days was spent on, from the records alone: hours, calls, commits, documents, decisions."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from desktop_memory.context import apps
from desktop_memory.context.describe import is_decision, note_text
from desktop_memory.context.fold import is_call
from desktop_memory.context.sources import Sources
from desktop_memory.context.walls import pins_kept_from
from desktop_memory.context.window_title import subject
from desktop_memory.model import Pin, Remembered

OTHER = ""
"""The project of what belongs to none."""

CARRIES = timedelta(minutes=10)
"""How long after the last record of a project its pages, chats and calls still count to it."""

WORTH_A_GOAL = timedelta(hours=2)
DAYS_WORTH_A_GOAL = 3
DOCUMENTS = 12
_TODO = ("todo", "fixme", "wip", "follow-up", "followup", "to do")


@dataclass(frozen=True, kw_only=True, slots=True)
class Call:
    """A call: when, its name, the program, how long."""

    start: datetime
    name: str
    app: str
    seconds: float
    project: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Document:
    """A document, how long it was in front, and for which projects."""

    name: str
    seconds: float
    projects: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Suggestion:
    """What might be worth a goal: a project on so many `days` without one, or what a commit leaves to do."""

    project: str = ""
    days: int = 0
    commit: str = ""
    events: tuple[int, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Report:
    """A stretch in numbers and names; `hours` are seconds by project and local day."""

    since: date
    until: date
    """The last day, included."""
    zone: tzinfo
    hours: Mapping[str, Mapping[date, float]] = field(default_factory=dict)
    calls: tuple[Call, ...] = ()
    commits: tuple[Remembered, ...] = ()
    documents: tuple[Document, ...] = ()
    decisions: tuple[Remembered, ...] = ()
    goals: tuple[Pin, ...] = ()
    suggestions: tuple[Suggestion, ...] = ()
    unrecorded: Mapping[date, float] = field(default_factory=dict)
    """Seconds without a record between the first and the last record of a day."""
    held: Mapping[str, int] = field(default_factory=dict)
    """How many records of which walled project are not told."""

    def days(self) -> Iterator[date]:
        day = self.since
        while day <= self.until:
            yield day
            day += timedelta(days=1)


def report(
    sources: Sources, since: date, until: date, project: str = "", walls: Collection[str] = ()
) -> Report:
    """The report of the local days since..until, both included, of one project if it is named.

    What counts to a project behind `walls` (in small letters) is left out and counted.
    """
    zone = sources.zone()
    hours: dict[str, dict[date, float]] = {}
    owned: list[tuple[Remembered, str]] = []
    unrecorded: dict[date, float] = {}
    day = since
    while day <= until:
        start, end = _midnight(day, zone), min(_midnight(day + timedelta(days=1), zone), sources.now())
        found = [event for event in sources.overlapping(start, end) if start < end]
        for name, seconds in _spent(found, start, end).items():
            hours.setdefault(name, {})[day] = seconds
        owned += [pair for pair in zip(found, _carried(found), strict=True) if start <= pair[0].start < end]
        if missing := _unrecorded(found, sources, start, end):
            unrecorded[day] = missing
        day += timedelta(days=1)
    if project:
        hours = {name: days for name, days in hours.items() if name.casefold() == project.casefold()}
        owned = [pair for pair in owned if pair[1].casefold() == project.casefold()]
    hours = {name: days for name, days in hours.items() if name.casefold() not in walls}
    held = Counter(owner for _, owner in owned if owner.casefold() in walls)
    events = [event for event, owner in owned if owner.casefold() not in walls]
    pins = [
        pin
        for pin in pins_kept_from(sources.pins(), walls)
        if pin.status == "active" and (not project or pin.project == project)
    ]
    goals = tuple(
        sorted((p for p in pins if p.kind == "goal"), key=lambda p: (p.due or _FAR, p.position, p.id))
    )
    commits = tuple(event for event in events if event.kind == "git_commit")
    return Report(
        since=since,
        until=until,
        zone=zone,
        hours=dict(sorted(hours.items(), key=lambda pair: -sum(pair[1].values()))),
        calls=tuple(_calls(events)),
        commits=commits,
        documents=tuple(_documents(events)),
        decisions=tuple(event for event in events if is_decision(event)),
        goals=goals,
        suggestions=tuple(_suggestions(hours, commits, goals)),
        unrecorded=unrecorded,
        held=held,
    )


_FAR = datetime.max.replace(tzinfo=UTC)


def _midnight(day: date, zone: tzinfo) -> datetime:
    return datetime.combine(day, time(), tzinfo=zone)


def _spent(events: Sequence[Remembered], start: datetime, end: datetime) -> dict[str, float]:
    """Seconds by project, each moment counted once: for what began last."""
    spent: defaultdict[str, float] = defaultdict(float)
    projects = _carried(events)
    reached = start
    for event, project in zip(events, projects, strict=True):
        until = min(event.end or event.start, end)
        begin = max(event.start, reached)
        if until > begin:
            spent[project] += (until - begin).total_seconds()
            reached = until
    return spent


def _carried(events: Sequence[Remembered]) -> list[str]:
    """The project of each event; what has none takes that of the work around it."""
    projects: list[str] = []
    last, until = OTHER, None
    for event in events:
        if event.project:
            last, until = event.project, max(until or event.start, event.end or event.start)
            projects.append(event.project)
        elif until is not None and event.start - until <= CARRIES and not apps.is_chatter(event.app):
            projects.append(last)
            until = max(until, min(event.end or event.start, event.start + CARRIES))
        else:
            projects.append(OTHER)
    return projects


def _unrecorded(events: Sequence[Remembered], sources: Sources, start: datetime, end: datetime) -> float:
    if not events:
        return 0.0
    first = max(start, events[0].start)
    last = min(end, max(event.end or event.start for event in events))
    total, reached = 0.0, first
    for gap in sorted(sources.gaps(first, last), key=lambda gap: gap.start):
        begin, until = max(gap.start, reached), min(gap.end or last, last)
        if until > begin:
            total += (until - begin).total_seconds()
            reached = until
    return total


def _calls(events: Iterable[Remembered]) -> Iterator[Call]:
    """Calls in order; the same one after an interruption is one call."""
    calls: list[Call] = []
    for event in events:
        if not is_call(event):
            continue
        given = event.details.get("call")
        name = given if isinstance(given, str) and given else subject(event).text
        seconds = ((event.end or event.start) - event.start).total_seconds()
        last = calls[-1] if calls else None
        if last and last.name == name and event.start - last.start <= timedelta(hours=3):
            calls[-1] = replace(last, seconds=last.seconds + seconds)
        else:
            calls.append(
                Call(
                    start=event.start,
                    name=name,
                    app=apps.label(event.app),
                    seconds=seconds,
                    project=event.project,
                )
            )
    yield from (call for call in calls if call.seconds >= 60)


def _documents(events: Iterable[Remembered]) -> Iterator[Document]:
    """Documents by the time that they were in front, the longest ones."""
    spent: defaultdict[str, float] = defaultdict(float)
    projects: defaultdict[str, set[str]] = defaultdict(set)
    for event in events:
        if event.kind == "window" and (shown := subject(event)).is_file and apps.is_office_file(shown.text):
            spent[shown.text] += ((event.end or event.start) - event.start).total_seconds()
            projects[shown.text].add(event.project)
    for name, seconds in sorted(spent.items(), key=lambda pair: (-pair[1], pair[0]))[:DOCUMENTS]:
        if seconds >= 60:
            yield Document(name=name, seconds=seconds, projects=tuple(sorted(projects[name] - {OTHER})))


def _suggestions(
    hours: Mapping[str, Mapping[date, float]], commits: Sequence[Remembered], goals: Sequence[Pin]
) -> Iterator[Suggestion]:
    """What might be worth a goal: much worked on without one, or left to do by a commit."""
    with_goal = {goal.project for goal in goals}
    for project, days in hours.items():
        long = [day for day, seconds in days.items() if seconds > WORTH_A_GOAL.total_seconds()]
        if project and project not in with_goal and len(long) >= DAYS_WORTH_A_GOAL:
            yield Suggestion(project=project, days=len(long))
    for commit in commits:
        title = " ".join(commit.title.split())
        if any(word in title.casefold() for word in _TODO):
            yield Suggestion(project=commit.project, commit=title, events=(commit.id,))


def note_of(event: Remembered) -> str:
    """A decision's text on one line."""
    return note_text(event)
