"""Sources that other packages add, by the entry-point group `desktop_memory.collectors`.

An entry names something callable without arguments that gives a Collector or a LiveCollector:

    [project.entry-points."desktop_memory.collectors"]
    zotero = "zotero_memory:Zotero"
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from importlib.metadata import EntryPoint, entry_points

from collectors.collector import Batch, Collector, Cursor, LiveCollector, Place, Unavailable

logger = logging.getLogger(__name__)

GROUP = "desktop_memory.collectors"


class Broken:
    """Stands for a source that could not be made, so that its state says why."""

    def __init__(self, name: str, problem: str) -> None:
        self.source = name
        self._problem = problem

    def places(self) -> Iterable[Place]:
        raise Unavailable(self._problem, "Update or remove the package it comes from; the log tells more.")

    def collect(self, place: Place, cursor: Cursor | None) -> Batch:
        raise Unavailable(self._problem)


def plugins(found: Iterable[EntryPoint] | None = None) -> tuple[Collector | LiveCollector, ...]:
    """The sources of other packages; one that cannot be made leaves the others."""
    made: list[Collector | LiveCollector] = []
    for entry in entry_points(group=GROUP) if found is None else found:
        try:
            source = entry.load()()
        except Exception as error:  # another package's code: it may fail in any way, and must not stop ours
            logger.exception("the source %s of another package cannot be made", entry.name)
            made.append(Broken(entry.name, f"This source cannot be made ({type(error).__name__})."))
            continue
        if isinstance(source, (Collector, LiveCollector)):
            made.append(source)
        else:
            logger.error("%s of another package is no source", entry.name)
            made.append(Broken(entry.name, "What its package gives is no source."))
    return tuple(made)
