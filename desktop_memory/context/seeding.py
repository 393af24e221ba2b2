"""What a question brings in beside its hits: notes that say something of it, and events of the things it names."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from desktop_memory.context.sources import Neighbour, Sources
from desktop_memory.context.walls import hits_kept_from, kept_from
from desktop_memory.model import ContextRequest, Entity, Hit, Query, Remembered

NOTES = 3
_COVERED = 0.5
_NEAR = 0.35


def notes_for(
    query: Query, hits: Sequence[Hit], request: ContextRequest, sources: Sources, walls: Collection[str]
) -> list[Hit]:
    """Up to three notes beyond these hits that hold half of the question, or mean it."""
    if request.kinds and "note" not in request.kinds:
        return []
    found, _ = hits_kept_from(sources.search(replace(query, kinds=("note",), limit=2 * NOTES)).hits, walls)
    known = {hit.event.id for hit in hits}
    return [
        hit
        for hit in found
        if hit.event.kind == "note"
        and hit.event.id not in known
        and (hit.coverage >= _COVERED or (hit.relevance or 0.0) >= _NEAR)
    ][:NOTES]


def of_what_is_named(
    named: Sequence[Entity], request: ContextRequest, sources: Sources, walls: Collection[str]
) -> list[Neighbour]:
    """The newest events of what a question names, each saying of what."""
    if not request.hop_depth:
        return []
    return [
        Neighbour(event=event, why=f"about {entity.name}")
        for entity in named
        for event in kept_from(sources.touching(entity, request.fanout), walls)[0]
        if (not request.kinds or event.kind in request.kinds)
        and (not request.project or event.project.casefold() in ("", request.project.casefold()))
        and (request.since is None or event.start >= request.since)
        and (request.until is None or event.start < request.until)
    ]


def nothing_else(text: str, named: Sequence[Entity]) -> str:
    """The name that is all of the text; empty when it asks more."""
    asked = text.strip(" ?!.").casefold()
    return next((one.name for one in named if asked in (one.name.casefold(), _last_part(one.name))), "")


def _last_part(name: str) -> str:
    return name.replace("\\", "/").rpartition("/")[2].casefold()


def with_what_is_named(
    beside: Sequence[Neighbour], named: Sequence[Neighbour], seeds: Sequence[Remembered]
) -> list[Neighbour]:
    """Both, each event once and none of the seeds."""
    taken = {event.id for event in seeds} | {one.event.id for one in beside}
    found = {one.event.id: one for one in reversed(named) if one.event.id not in taken}
    return [*beside, *reversed(found.values())]
