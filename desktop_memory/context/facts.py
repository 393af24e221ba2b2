"""The lines at a context's head: goals, where things stand, what fails, what was decided and left open."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime, timedelta

from desktop_memory.context import apps, moments
from desktop_memory.context.describe import COMMAND_LIMIT, is_decision, note_text
from desktop_memory.context.draft import Fact, Part, Text, code, own, ref, said
from desktop_memory.context.fold import Item, searched
from desktop_memory.context.select import Selection
from desktop_memory.context.sources import Sources
from desktop_memory.context.window_title import subject
from desktop_memory.model import Pin, Remembered, Standing
from desktop_memory.pipeline.coalesce import command_line

GOALS = 10
OTHERS = 5
UNCOMMITTED = 5
LEFT_OPEN = 3
FRESH = timedelta(hours=24)
_LABELS = {"goal": "Goal", "decision": "Decided", "note": "Note", "preference": "Preference", "fact": "Fact"}


def pinned(
    pins: Iterable[Pin],
    project: str,
    sources: Sources,
    *,
    everywhere: bool = False,
    beside: Collection[int] = (),
) -> list[Fact]:
    """Active goals by due date, then the others in the user's order, of this project or of none.

    After them a few that were pinned from one of the events `beside`.
    """
    active = [pin for pin in pins if pin.status == "active"]
    mine = [
        pin
        for pin in active
        if everywhere or not project or pin.project.casefold() in ("", project.casefold())
    ]
    far = datetime.max.replace(tzinfo=sources.now().tzinfo)
    goals = sorted((p for p in mine if p.kind == "goal"), key=lambda p: (p.due or far, p.position, p.id))
    others = sorted((p for p in mine if p.kind != "goal"), key=lambda p: (p.position, p.id))
    always = [*goals[:GOALS], *others[:OTHERS]]
    near = [pin for pin in active if pin.event in beside and pin not in always]
    return [_pin(pin, sources) for pin in (*always, *near[:OTHERS])]


def _pin(pin: Pin, sources: Sources) -> Fact:
    parts: list[Part] = [said(" ".join(pin.text.split()))]
    if pin.due is not None:
        parts.append(own(f" ({moments.due(pin.due, sources.now(), sources.zone())})"))
    if pin.event is not None:
        parts.append(ref(pin.event))
    return Fact(label=_LABELS[pin.kind], text=tuple(parts), pin=pin)


def best_match(selection: Selection, sources: Sources) -> Fact:
    """When the best match was, how long ago, in which session."""
    event, zone, now = selection.hits[0].event, sources.zone(), sources.now()
    text = f"{moments.day(event.start, zone)}, {moments.clock(event.start, zone)}"
    text += f" ({moments.ago(event.start, now, zone)})"
    parts: list[Part] = [own(text)]
    session = selection.session
    if session is not None:
        start, end = moments.clock(session.start, zone), moments.clock(session.end, zone)
        parts.append(own(f", in a session {start}–{end}"))
        if selection.project:
            parts += [own(" on "), said(selection.project)]
    return Fact(label="Best match", text=(*parts, ref(event.id)))


def standing(selection: Selection, sources: Sources) -> list[Fact]:
    """Branch, what is uncommitted, what fails: of the project in front, as it is now."""
    if not selection.running or not selection.project:
        return []
    found = sources.standing(selection.project)
    if found is None:
        return []
    return [*_stands_at(found), *_failing(found, selection.until)]


def _stands_at(found: Standing) -> list[Fact]:
    if not found.branch:
        return []
    parts: list[Part] = [own("branch "), said(found.branch)]
    if found.ahead and found.base:
        parts += [own(f", {found.ahead} ahead of "), said(found.base)]
    if found.uncommitted:
        parts += [own("; uncommitted: "), said(", ".join(found.uncommitted[:UNCOMMITTED]))]
    return [Fact(label="Stands at", text=tuple(parts))]


def _failing(found: Standing, until: datetime) -> list[Fact]:
    event = found.failing
    if event is None or until - event.start > FRESH:
        return []
    parts: list[Part] = [
        code(command_line(event.text, COMMAND_LIMIT)),
        own(f", exit {event.details.get('exit')}"),
    ]
    if found.failing_streak > 1:
        times = "twice" if found.failing_streak == 2 else f"{found.failing_streak} times"
        parts.append(own(f", {times} in a row"))
    return [Fact(label="Failing", text=(*parts, ref(event.id)))]


def decided(events: Sequence[Remembered], sources: Sources) -> list[Fact]:
    """What was decided in a session, each at its time."""
    found = [event for event in events if is_decision(event)][-OTHERS:]
    zone = sources.zone()
    return [
        Fact(
            label="Decided",
            text=(
                own(f"{moments.clock(e.start, zone)} "),
                own('"'),
                said(note_text(e).replace('"', "'")),
                own('"'),
                ref(e.id),
            ),
        )
        for e in found
    ]


def left_open(items: Sequence[Item], events: Sequence[Remembered]) -> list[Fact]:
    """The last document of each program, and the last page."""
    latest: dict[str, tuple[datetime, str]] = {}
    for event in events:
        if event.kind == "window" and (shown := subject(event)).is_file:
            latest[event.app] = (event.start, shown.text)
    names = [name for _, name in sorted(latest.values(), reverse=True)][:LEFT_OPEN]
    parts: list[Part] = [said(", ".join(dict.fromkeys(names)))] if names else []
    page = next((i for i in reversed(items) if i.first.kind == "browser" and not searched(i.first)), None)
    if page is not None:
        title = _live_title(page.last, events) or page.last.title
        parts += [own("; last page: " if parts else "last page: "), said(title), ref(page.last.id)]
    return [Fact(label="Left open", text=tuple(parts))] if parts else []


def _live_title(page: Remembered, events: Sequence[Remembered]) -> str:
    """What the browser's window called this page while it was in front."""
    slack = timedelta(seconds=5)
    for event in reversed(events):
        if event.kind == "window" and apps.is_browser(event.app) and abs(event.start - page.start) <= slack:
            return subject(event).text
    return ""


def shorter_names(names: Sequence[str]) -> list[str]:
    """Names in a row, each without what it shares with the one before: "plan-v1.docx, v2.docx"."""
    shown: list[str] = []
    for at, name in enumerate(names):
        shared = _shared_start(names[at - 1], name) if at else ""
        cut = max(shared.rfind("-"), shared.rfind("_"), shared.rfind(" ")) + 1
        shown.append(name[cut:] if cut >= 6 else name)
    return shown


def _shared_start(one: str, other: str) -> str:
    same = 0
    while same < min(len(one), len(other)) and one[same] == other[same]:
        same += 1
    return one[:same]


def joined(texts: Sequence[Text], between: str) -> Text:
    """Texts with our own words between them."""
    parts: list[Part] = []
    for at, text in enumerate(texts):
        if at:
            parts.append(own(between))
        parts += text
    return tuple(parts)
