"""Makes of events what a person would tell: repeats are one, what is trivial is only counted."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from desktop_memory.context import apps
from desktop_memory.context.window_title import subject
from desktop_memory.model import Remembered
from desktop_memory.pipeline.coalesce import normalise
from desktop_memory.pipeline.tabs import Pages

SAME_WORK = timedelta(minutes=5)
SAME_STRETCH = timedelta(minutes=20)
SAME_DOCUMENT = timedelta(minutes=60)
SAME_COMMAND = timedelta(minutes=15)
SAME_SPAN = timedelta(seconds=60)
SHORT_WINDOW = 10.0
SHORT_GLANCE = 60.0

_TRIVIAL = re.compile(
    r"(?:ls|ll|la|l|cd|pwd|clear|cls|exit|logout|history|htop|top|btop|nvidia-smi|which|whoami|date|cal|reset|fg|bg|jobs"
    r"|dir|pushd|popd|\.\.|z|j|tree|df|free|uptime|man|less|more|cat|head|tail|bat|echo|type"
    r"|git (?:status|st|s|diff|log|lg|show|add|branch|fetch|stash list|remote|blame|reflog))(?:\s|$)"
)
_PIECES = re.compile(r"\s*(?:&&|\|\||;|\|)\s*")


@dataclass(frozen=True, kw_only=True, slots=True)
class Item:
    """One thing to tell: the events it stands for, oldest first, and the time they took."""

    events: tuple[Remembered, ...]
    seconds: float = 0.0
    spans: int = 1
    documents: tuple[str, ...] = ()
    others: tuple[Remembered, ...] = ()
    """The same on other days, for the results of a search."""
    other_seconds: float = 0.0

    @property
    def first(self) -> Remembered:
        return self.events[0]

    @property
    def last(self) -> Remembered:
        return self.events[-1]

    @property
    def ids(self) -> tuple[int, ...]:
        return tuple(event.id for event in (*self.events, *self.others))


@dataclass(kw_only=True, slots=True)
class Trivia:
    """What was only counted: commands by their name, programs by the time in front."""

    commands: Counter[str] = field(default_factory=Counter)
    programs: Counter[str] = field(default_factory=Counter)
    count: int = 0

    def add(self, event: Remembered, seconds: float) -> None:
        self.count += 1
        if event.kind == "terminal":
            self.commands[_command_name(event.text)] += 1
        else:
            self.programs[apps.label(event.app) or event.kind] += round(seconds * 1000)


def fold(
    events: Sequence[Remembered], since: datetime | None = None, until: datetime | None = None
) -> tuple[list[Item], Trivia]:
    """Items in the order of their first events, and what was trivial. Lengths are cut to [since, until)."""
    events = sorted(events, key=lambda event: (event.start, event.id))
    lengths = {event.id: _seconds(event, since, until) for event in events}
    kept = _without_shells(events)
    kept = _pages_with_their_windows(kept, lengths)
    trivia = Trivia()
    items: list[Item] = []
    for event in kept:
        seconds = lengths[event.id]
        if is_trivial(event, seconds):
            trivia.add(event, seconds)
        elif not _merged(items, event, seconds):
            items.append(_item(event, seconds))
    return items, trivia


def is_trivial(event: Remembered, seconds: float) -> bool:
    """Whether it says nothing of the work: looking around, a glance at a window, staging."""
    if event.kind == "terminal":
        pieces = [piece for piece in _PIECES.split(event.text.strip()) if piece]
        return not _failed(event) and ">" not in event.text and all(map(_TRIVIAL.match, pieces))
    if event.kind == "window":
        if is_call(event):
            return False
        return seconds < (SHORT_GLANCE if apps.is_chatter(event.app) else SHORT_WINDOW) and not event.open
    return event.kind in ("git_staged", "git_checkout")


def is_call(event: Remembered) -> bool:
    """A window in which people talk, as its source or its program says."""
    if event.kind != "window":
        return False
    if event.details.get("call"):
        return True
    return apps.is_meeting(event.app) and bool(
        re.search(r"\b(?:meeting|call|webinar|besprechung|réunion)\b", event.title, re.I)
    )


def searched(event: Remembered) -> str:
    """The words that were searched for on this page; empty when it is no page of results."""
    for name in ("query", "searched"):
        if isinstance(words := event.details.get(name), str) and words:
            return words
    return ""


def active_seconds(events: Iterable[Remembered]) -> float:
    """The time that these events cover together, counted once where they overlap."""
    total, reached = 0.0, None
    for start, end in sorted((event.start, event.end or event.start) for event in events):
        if reached is None or start > reached:
            total += (end - start).total_seconds()
            reached = end
        elif end > reached:
            total += (end - reached).total_seconds()
            reached = end
    return total


def _failed(event: Remembered) -> bool:
    return event.details.get("exit") not in (None, 0, 130)


def _seconds(event: Remembered, since: datetime | None, until: datetime | None) -> float:
    start = max(event.start, since) if since else event.start
    end = event.end or event.start
    end = min(end, until) if until else end
    return max(0.0, (end - start).total_seconds())


def _without_shells(events: Sequence[Remembered]) -> list[Remembered]:
    """Without the windows of terminals in which commands were seen: the commands tell more."""
    commands = sorted(event.start for event in events if event.kind == "terminal")
    slack = timedelta(seconds=2)

    def told(event: Remembered) -> bool:
        first = bisect_left(commands, event.start - slack)
        return first < len(commands) and commands[first] <= (event.end or event.start) + slack

    return [e for e in events if not (e.kind == "window" and apps.is_shell(e.app) and commands and told(e))]


def _pages_with_their_windows(events: Sequence[Remembered], lengths: dict[int, float]) -> list[Remembered]:
    """Visits take the time that the browser's window showed them; those windows go."""
    pages = [event for event in events if event.kind == "browser"]
    if not pages:
        return list(events)
    shown = Pages(pages)
    kept, times = [], Counter[int]()
    for event in events:
        if event.kind == "window" and apps.is_browser(event.app):
            page = shown.shown_by(event) or shown.begun_with(event)
            if page is not None:
                times[page.id] += round(lengths[event.id] * 1000)
                continue
        kept.append(event)
    for id_, milliseconds in times.items():
        lengths[id_] = max(lengths[id_], milliseconds / 1000)
    return kept


def _item(event: Remembered, seconds: float) -> Item:
    documents = (subject(event).text,) if event.kind == "window" and not is_call(event) else ()
    return Item(events=(event,), seconds=seconds, documents=documents)


def _merged(items: list[Item], event: Remembered, seconds: float) -> bool:
    """Whether the event went into one of the items before it."""
    for at in range(len(items) - 1, max(-1, len(items) - 60), -1):
        item = items[at]
        if item.first.kind != event.kind:
            continue
        if event.kind == "window" and _goes_on(item, event):
            items[at] = _with_window(item, event, seconds)
            return True
        if event.kind == "browser" and _same_page(item.first, event):
            items[at] = replace(item, events=(*item.events, event), seconds=item.seconds + seconds)
            return True
        if event.kind == "terminal":
            if not _same_command(item, event):
                return False
            items[at] = replace(item, events=(*item.events, event), seconds=seconds)
            return True
    return False


def _goes_on(item: Item, event: Remembered) -> bool:
    if item.first.app != event.app or is_call(item.first) != is_call(event):
        return False
    gap = event.start - _end(item)
    if is_call(event):
        return gap <= SAME_WORK and item.first.title == event.title
    name = subject(event).text
    if item.documents == (name,):
        return gap <= SAME_DOCUMENT
    return gap <= SAME_WORK and event.start - item.first.start <= SAME_STRETCH


def _with_window(item: Item, event: Remembered, seconds: float) -> Item:
    name = subject(event).text
    documents = item.documents if name in item.documents or is_call(event) else (*item.documents, name)
    apart = event.start - _end(item) > SAME_SPAN
    return replace(
        item,
        events=(*item.events, event),
        seconds=item.seconds + seconds,
        spans=item.spans + apart,
        documents=documents,
    )


def _end(item: Item) -> datetime:
    return max(event.end or event.start for event in item.events)


def _same_page(one: Remembered, other: Remembered) -> bool:
    if searched(one) or searched(other):
        return searched(one) == searched(other) and one.domain == other.domain
    if one.url and other.url:
        return one.url.split("#")[0] == other.url.split("#")[0]
    return normalise(one) == normalise(other) and one.domain == other.domain


def _same_command(item: Item, event: Remembered) -> bool:
    return (
        item.first.text == event.text
        and item.first.details.get("exit") == event.details.get("exit")
        and event.start - item.last.start <= SAME_COMMAND
    )


def _command_name(text: str) -> str:
    words = text.split()
    if not words:
        return ""
    return (
        " ".join(words[:2])
        if words[0] in ("git", "docker", "kubectl", "npm") and len(words) > 1
        else words[0]
    )
