"""What a client proposes, parted: what the user will be asked, and what cannot be taken, each with the reason."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from desktop_memory.clock import zone
from desktop_memory.context.updates import Update, What, read_due
from desktop_memory.mcp.shown import Gate
from desktop_memory.memory import Memory

_SORTS: Mapping[str, What] = {
    "additions": "add",
    "changes": "change",
    "done": "done",
    "removals": "remove",
}
_NAMED_LIMIT = 80


@dataclass(frozen=True, kw_only=True, slots=True)
class Refused:
    """One thing that was not taken, in the client's own words."""

    what: What
    named: str
    why: str


def parted(
    memory: Memory, gate: Gate, body: Mapping[str, Any]
) -> tuple[dict[str, Any] | None, list[Refused]]:
    """The body with what can be taken, None when that is nothing, and the rest."""
    read = {
        (update.what, update.nth): update
        for update in memory.read_updates(json.dumps(body, ensure_ascii=False)).updates
    }
    shown = {pin.id for pin in gate.visible_pins(memory.pins())}
    taken, refused = dict(body), list[Refused]()
    for sort, what in _SORTS.items():
        taken[sort] = []
        for nth, one in enumerate(body[sort]):
            if why := next(_reasons(one, read.get((what, nth)), shown), ""):
                refused.append(Refused(what=what, named=_named(one), why=why))
            else:
                taken[sort].append(one)
    return (taken if any(taken[sort] for sort in _SORTS) else None), refused


def _reasons(one: Any, update: Update | None, shown: set[int]) -> Iterator[str]:
    due = one.get("due", "") if isinstance(one, Mapping) else ""
    if due:
        try:
            read_due(due, zone())
        except ValueError:
            yield f"{due!r} is no date; write one such as 2026-08-20"
    if update is None:
        yield "the same note or pin stands in this proposal before, or it is too long a list"
    elif update.problem and (update.what != "add" or update.pin is None or update.pin in shown):
        yield update.problem  # that a walled project has such a pin is the user's alone to know


def _named(one: Any) -> str:
    told = one.get("text") or one.get("id", "") if isinstance(one, Mapping) else one
    return " ".join(str(told).split())[:_NAMED_LIMIT]
