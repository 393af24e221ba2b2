"""How a pin's sort and its day are said."""

from __future__ import annotations

from datetime import date, datetime

from desktop_memory.model import PinKind
from desktop_memory.ui.words import day_name, local, tr

KINDS: tuple[PinKind, ...] = ("goal", "note", "decision", "preference", "fact")


def kind_word(kind: PinKind) -> str:
    return {
        "goal": tr("Goal"),
        "note": tr("Note"),
        "decision": tr("Decision"),
        "preference": tr("Preference"),
        "fact": tr("Fact"),
    }[kind]


def due_word(due: datetime | None, today: date) -> str:
    """due Fri 14 Aug; nothing where there is no such day."""
    return tr("due {day}").format(day=day_name(local(due).date(), today)) if due else ""
