"""What a list shows for an event: icon, title, marks, tail, chip, time. Values in, values out."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from desktop_memory.context.apps import label
from desktop_memory.context.window_title import subject
from desktop_memory.model import Pin, Remembered, Spoken
from desktop_memory.ui.icons import KIND_COLOURS, KIND_ICONS
from desktop_memory.ui.words import clock_time, local, short_day, stretch, tr

LONGEST = 300
"""Characters of a title that a row may have to lay out; the tooltip has more."""

Style = Literal["header", "event", "entry", "quiet"]
Spot = tuple[int, int]

_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]+")


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """One line of a list. `key` stays the same while the row does; `tail`, (text, colour), is never cut.

    A "header" divides, an "event" is one line, an "entry" has a `second` line, a "quiet" row is muted text.
    """

    key: tuple[str, Any]
    style: Style = "event"
    title: str = ""
    icon: str = ""
    tint: str = "muted"
    marks: tuple[Spot, ...] = ()
    tail: tuple[tuple[str, str], ...] = ()
    chip: str = ""
    time: str = ""
    second: str = ""
    tooltip: str = ""
    strong: bool = False
    path: bool = False
    """Cut in the middle where it is too long."""
    key_cap: str = ""
    """A key drawn at the right end: what Enter does here."""
    event: Remembered | None = None
    members: tuple[int, ...] = ()
    """Ids of all events that it stands for, where they are more than one."""
    state: str = ""
    """What a screen reader says of it first: whether it is ticked."""
    does: Any = None
    """What the list's owner does with it when there is no event."""

    @property
    def selectable(self) -> bool:
        return self.style in ("event", "entry")

    @property
    def spoken(self) -> str:
        """The row as a screen reader says it, and as Ctrl+C copies it."""
        tail = " ".join(text for text, _ in self.tail)
        parts = (self.state, self.time, self.title + (f" {tail}" if tail else ""), self.second, self.chip)
        return " · ".join(part for part in parts if part)


def events_of(rows: Iterable[Row]) -> list[int]:
    """The ids of all events that these rows stand for."""
    return [id_ for row in rows for id_ in (row.members or ((row.event.id,) if row.event else ()))]


def spoken(row: Row) -> Spoken:
    """The row as it is copied, with what it tells of."""
    project = row.does.project if isinstance(row.does, Pin) else ""
    return Spoken(text=row.spoken, events=tuple(events_of([row])), projects=(project,) if project else ())


def event_row(event: Remembered, *, count: int = 1, words: Sequence[str] = (), by: str = "place") -> Row:
    """The row of an event that stands for `count` like it, with these words marked.

    `by` is what the chip tells: "place" (project or site, as in search) or "length" (how long it lasted).
    """
    title = headline(event) or tr("untitled")
    return Row(
        key=("event", event.id),
        title=title,
        icon=KIND_ICONS[event.kind],
        tint=KIND_COLOURS[event.kind],
        marks=tuple(marked(title, words)),
        tail=tuple(_tail(event, count)),
        chip=clean(_chip(event, by))[:40],
        time=clock_time(event.start),
        tooltip=_tooltip(event),
        path=event.kind == "file",
        event=event,
    )


def header(text: str, key: Any = None) -> Row:
    """A line that divides a list."""
    return Row(key=("header", text if key is None else key), style="header", title=text)


def quiet(text: str, icon: str = "dots") -> Row:
    """A muted line that says something about the list itself."""
    return Row(key=("quiet", text), style="quiet", title=text, icon=icon)


def headline(event: Remembered) -> str:
    """One clean line for an event, in the person's own words."""
    first = clean(event.title or event.text)
    if event.kind == "terminal":
        return clean(event.text or event.title)
    if event.kind == "window":
        about, app = clean(subject(event).text), clean(label(event.app))
        return f"{app}: {about}" if app and about else about or app
    if event.kind == "browser":
        return first or clean(event.url) or clean(event.domain)
    if event.kind.startswith("git"):
        return clean(next(iter((event.text or event.title).strip().splitlines()), ""))
    if event.kind == "file":
        return first or clean(event.files[0] if event.files else "")
    return first


def clean(text: str) -> str:
    """Text that can stand on one line: no control characters, no lone surrogates, not endless."""
    text = text[: LONGEST * 2].encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    text = " ".join(_CONTROLS.sub(" ", text).split())
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def marked(title: str, words: Iterable[str]) -> list[Spot]:
    """Where words of the question begin a word of the title; neighbours become one stretch."""
    spots: list[Spot] = []
    folded = _folded(title)
    for word in words:
        if not word:
            continue
        boundary = r"(?<![^\W_])" if word[0].isascii() else ""
        spots += [m.span() for m in re.finditer(boundary + re.escape(_folded(word)), folded)]
    merged: list[Spot] = []
    for start, end in sorted(spots):
        if merged and start <= merged[-1][1] + (title[merged[-1][1] : start] == " "):
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def query_words(text: str) -> list[str]:
    """The words of a question that can be marked."""
    return [word for word in re.findall(r"\w+", text) if len(word) > 1 or not word.isascii()]


def _folded(text: str) -> str:
    """Without case and accents, each character in its place."""
    return "".join(unicodedata.normalize("NFKD", c)[0].lower()[0] for c in text)


def _tail(event: Remembered, count: int) -> Iterable[tuple[str, str]]:
    exit_code = event.details.get("exit")
    if isinstance(exit_code, int) and exit_code:
        yield tr("exit {code}").format(code=exit_code), "danger"
    added, gone = event.details.get("insertions"), event.details.get("deletions")
    if isinstance(added, int) and isinstance(gone, int):
        yield f"+{added} −{gone}", "muted"
    if count > 1:
        yield f"×{count}", "muted"


def _chip(event: Remembered, by: str) -> str:
    lasted = (event.end - event.start).total_seconds() if event.end else 0
    if by == "length":
        if event.kind in ("window", "browser", "file") and lasted >= 1:
            return stretch(lasted)
        if event.kind.startswith("git"):
            return event.branch or event.project
        return event.project or event.domain or _kind_word(event)
    if event.kind == "browser":
        return event.domain
    if event.kind == "window":
        return event.project or (stretch(lasted) if lasted >= 1 else "")
    return event.project or _kind_word(event)


def _kind_word(event: Remembered) -> str:
    return {"note": tr("note"), "file": tr("file")}.get(event.kind, "")


def _tooltip(event: Remembered) -> str:
    when = f"{short_day(local(event.start).date())} {clock_time(event.start)}"
    if event.end and event.end > event.start:
        when += f"–{clock_time(event.end)}"
    whole = (event.text if event.kind == "terminal" else event.title or event.text)[:1500]
    lines = [whole, event.url if event.kind == "browser" else "", *event.files[:5], when]
    text = "\n".join(line for line in lines if line)
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").replace("\x00", " ")
