"""Which keys the popup's foot names for the chosen row."""

from __future__ import annotations

from desktop_memory.model import ContextRequest, Standing
from desktop_memory.ui.key_hints import Hint
from desktop_memory.ui.rows import Row
from desktop_memory.ui.words import tr


def hints(row: Row | None, *, choosing: bool, tokens: str) -> list[Hint]:
    """The keys, the most useful first; `tokens` is what the context around the row weighs, once that is known."""
    if choosing:
        return [("↵", tr("only this"), False), ("Esc", tr("back"), False)]
    if row is None:
        return [("Esc", tr("close"), False)]
    if isinstance(row.does, ContextRequest):
        return [("↵", tr("copy"), False), ("↓", tr("more"), False), ("Esc", tr("close"), False)]
    if isinstance(row.does, Standing):
        return [("↵", tr("show in timeline"), False), ("Ctrl ⇧ C", tr("copy where it stands"), False)]
    if row.event is None:
        return [("↵", tr("keep"), False), ("Esc", tr("close"), False)]
    return [
        ("↵", tr("open"), False),
        ("Ctrl ↵", tr("in timeline"), False),
        ("Ctrl ⇧ C", tr("copy context around it") + tokens, bool(tokens)),
        ("Tab", tr("filter"), False),
    ]
