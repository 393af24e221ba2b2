"""What the popup shows before anything is typed: copy, where I left off, just now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from desktop_memory.context.fold import is_trivial
from desktop_memory.model import ContextRequest, CopiedContext, Line, Standing
from desktop_memory.ui.copying import summary
from desktop_memory.ui.facts import left_off, since_when
from desktop_memory.ui.ports import Memory
from desktop_memory.ui.rows import Row, clean, event_row, header
from desktop_memory.ui.words import tr

PROJECTS = 3
RECENT = 6
MINUTES = 15


@dataclass(frozen=True, slots=True)
class WriteNote:
    """Enter keeps this as a note."""

    text: str


@dataclass(frozen=True, slots=True)
class Start:
    """What the memory answers for an empty field."""

    context: CopiedContext
    standings: tuple[Standing, ...]
    lines: tuple[Line, ...]


def ask(memory: Memory) -> Start:
    """Everything for an empty field; takes its time, so ask in the background."""
    standings = [memory.standing(project) for project in memory.latest_projects(PROJECTS)]
    return Start(
        memory.context(ContextRequest(minutes=MINUTES), save=False),
        tuple(standing for standing in standings if standing is not None),
        memory.recent(hours=12, limit=RECENT * 8).lines,
    )


def rows(start: Start | None, now: datetime) -> list[Row]:
    """The rows; with None, what stands there until the memory has answered."""
    shown = [_copy_row(start)]
    if start is None:
        return shown
    if start.standings:
        shown.append(header(tr("Where I left off")))
        shown += [_left_off(standing, now) for standing in start.standings]
    if start.lines:
        shown.append(header(tr("Just now")))
        shown += just_now(start.lines)
    return shown


def just_now(lines: Sequence[Line]) -> list[Row]:
    """The newest things that are no trifles, each once."""
    found: dict[str, Row] = {}
    for line in reversed(lines):
        event = line.event
        lasted = (event.end - event.start).total_seconds() if event.end else 0
        if not is_trivial(event, lasted) and len(found) < RECENT:
            row = event_row(event, count=line.count)
            found.setdefault(row.title, row)
    return list(found.values())


def note_rows(text: str) -> list[Row]:
    """What `+ text` offers."""
    body = clean(text)
    title = tr("Write a note: {text}").format(text=body) if body else tr("Write a note")
    second = tr("Kept with this moment, and found by search") if body else tr("Type what you want to keep")
    row = Row(
        key=("note", 0), style="entry", icon="note", tint="note", title=title, second=second, strong=True,
        key_cap="corner-down-left", does=WriteNote(text.strip()),
    )  # fmt: skip
    return [row]


def _copy_row(start: Start | None) -> Row:
    second = " "
    if start is not None:
        project = next((s.project for s in start.standings), "")
        second = f"{project}, {summary(start.context)}" if project else summary(start.context)
        if not start.context.sources:
            second = tr("Nothing recorded yet; what you do from now on can be copied")
    return Row(
        key=("copy", MINUTES), style="entry", icon="copy", tint="accent", title=tr("Copy last 15 minutes"),
        second=second, strong=True, key_cap="corner-down-left", does=ContextRequest(minutes=MINUTES),
    )  # fmt: skip


def _left_off(standing: Standing, now: datetime) -> Row:
    return Row(
        key=("project", standing.project),
        style="entry",
        icon="player-track-next",
        title=clean(standing.project),
        second=left_off(standing),
        time=since_when(standing, now),
        tooltip=left_off(standing),
        event=standing.last,
        does=standing,
    )


def first_selectable(shown: Sequence[Row]) -> int | None:
    return next((place for place, row in enumerate(shown) if row.selectable), None)
