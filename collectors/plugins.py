"""Sources that other packages add, by the entry-point group `desktop_memory.collectors`.

An entry names something callable without arguments that gives a Collector or a LiveCollector:

    [project.entry-points."desktop_memory.collectors"]
    zotero = "zotero_memory:Zotero"
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable
from importlib.metadata import EntryPoint, entry_points

from collectors.collector import Collector, LiveCollector

logger = logging.getLogger(__name__)

GROUP = "desktop_memory.collectors"


def plugins(
    off: Collection[str] = (), found: Iterable[EntryPoint] | None = None
) -> tuple[Collector | LiveCollector, ...]:
    """The sources of other packages; one that cannot be made is logged and leaves the others."""
    made: list[Collector | LiveCollector] = []
    for entry in entry_points(group=GROUP) if found is None else found:
        try:
            source = entry.load()()
        except Exception:  # another package's code: it may fail in any way, and must not stop ours
            logger.exception("the source %s of another package cannot be made", entry.name)
            continue
        if not isinstance(source, (Collector, LiveCollector)):
            logger.error("%s of another package is no source", entry.name)
        elif source.source not in off:
            made.append(source)
    return tuple(made)
