"""A session's records as a person wants to read them: repeats in one row, trifles folded into a count."""

from __future__ import annotations

from collections.abc import Sequence

from desktop_memory.model import Remembered
from desktop_memory.ui.rows import Row, event_row, headline, quiet
from desktop_memory.ui.words import number, tr

_TRIFLES = frozenset(
    ("ls", "ll", "la", "cd", "pwd", "clear", "exit", "git status", "git diff", "git log", "history")
)
SHORTEST_WINDOW = 10
"""Seconds below which a window is a trifle."""


def trivial(event: Remembered) -> bool:
    """`ls`, `cd`, `git status`, windows under ten seconds; never what failed."""
    if event.details.get("exit"):
        return False
    if event.kind == "terminal":
        command = headline(event)
        return command in _TRIFLES or command.split(" ", 1)[0] in ("ls", "cd", "clear")
    if event.kind == "window" and event.end is not None:
        return (event.end - event.start).total_seconds() < SHORTEST_WINDOW
    return False


def collapsed(events: Sequence[Remembered]) -> list[Row]:
    """Oldest first; the newest of equal neighbours of a kind stands for all of them."""
    kept: dict[int, tuple[Remembered, int]] = {}
    last: dict[str, int] = {}
    folded = 0
    for place, event in enumerate(events):
        if trivial(event):
            folded += 1
            continue
        before = last.get(event.kind, -1)
        count = 1
        if before >= 0 and _same(kept[before][0], event):
            count += kept.pop(before)[1]
        kept[place] = (event, count)
        last[event.kind] = place
    rows = [event_row(event, count=count, by="length") for event, count in kept.values()]
    if folded:
        rows.append(quiet(tr("{count} trivial folded").format(count=number(folded))))
    return rows


def _same(one: Remembered, other: Remembered) -> bool:
    return headline(one) == headline(other) and one.details.get("exit") == other.details.get("exit")
