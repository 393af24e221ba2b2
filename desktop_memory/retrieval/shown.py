"""Of a page and the browser's window that showed it, only the page is a hit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from desktop_memory.model import Hit
from desktop_memory.pipeline.tabs import Pages, is_browser


def pages_for_windows(hits: Sequence[Hit]) -> list[Hit]:
    """The hits, best first; a page that was found stands where its best window stood, with that score."""
    pages = Pages(hit.event for hit in hits if hit.event.kind == "browser")
    found = {hit.event.id: hit for hit in hits}
    kept: dict[int, Hit] = {}
    for hit in hits:
        event = hit.event
        page = pages.shown_by(event) if event.kind == "window" and is_browser(event.app) else None
        told = hit if page is None else replace(found[page.id], score=max(hit.score, found[page.id].score))
        kept.setdefault(told.event.id, told)
    return list(kept.values())
