"""A stretch of time as a person wants to read it: documents of one program together, trifles only counted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from desktop_memory.context.apps import label
from desktop_memory.context.fold import Item, Trivia, fold
from desktop_memory.model import Remembered
from desktop_memory.ui.rows import Row, clean, event_row, quiet
from desktop_memory.ui.words import clock_time, number, stretch, tr

NAMES = 4
"""Documents of one program that a row names."""


def folded_rows(
    events: Sequence[Remembered], since: datetime | None = None, until: datetime | None = None
) -> list[Row]:
    """Oldest first, and a last row that counts what was trivial; lengths are cut to the stretch."""
    items, trivia = fold(events, since, until)
    rows = [item_row(item) for item in items]
    if trivia.count:
        rows.append(_trifles(trivia))
    return rows


def item_row(item: Item) -> Row:
    """The row of one thing that was done, which may be several events."""
    row = event_row(item.last, count=_times(item), by="length")
    if item.first.kind == "window" and any(item.documents):
        row = replace(row, title=_documents(item))
    chip = (
        stretch(item.seconds) if item.seconds >= 1 and item.first.kind in ("window", "browser") else row.chip
    )
    return replace(
        row, key=("event", item.first.id), members=item.ids, chip=chip, time=clock_time(item.first.start)
    )


def _times(item: Item) -> int:
    """How often a command ran or a page was seen; a window's spans are in its length."""
    return 1 if item.first.kind == "window" else len(item.events)


def _documents(item: Item) -> str:
    named = [clean(name) for name in item.documents if name]
    shown = ", ".join(named[:NAMES]) + (f" +{len(named) - NAMES}" if len(named) > NAMES else "")
    app = clean(label(item.first.app))
    return clean(f"{app}: {shown}" if app else shown)


def _trifles(trivia: Trivia) -> Row:
    commands = [f"{name} ×{n}" if n > 1 else name for name, n in trivia.commands.most_common(8)]
    programs = [f"{name} {stretch(ms / 1000)}" for name, ms in trivia.programs.most_common(6)]
    row = quiet(tr("{count} trivial folded").format(count=number(trivia.count)))
    return replace(row, key=("quiet", "trifles"), tooltip=clean(", ".join(commands + programs)))
