"""Takes in a file that another program wrote, or another machine: a shell's history, a browser's, an export."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from collectors.collector import Collector, Cursor, Place, Unavailable
from collectors.recognise import Describe, recognise
from desktop_memory.courtesy import give_way
from desktop_memory.errors import KnownError
from desktop_memory.memory import Memory
from desktop_memory.readings import Readings
from desktop_memory.receipts import Receipt

Progress = Callable[[str, Receipt, float | None], None]
"""Told of a place what came of it so far, and how much of it that is (0 to 1, where it can be known)."""

KNOWN = (
    "Known: this app's export, exports of ActivityWatch and browserexport, browsers' databases, and histories of "
    "zsh, bash, fish, nushell, PowerShell and Atuin."
)


def take_in(
    memory: Memory,
    file: Path,
    copies: Path,
    describe: Describe,
    readings: Readings,
    progress: Progress | None = None,
) -> Receipt:
    """Read the file to its end, or until that is cancelled; reading it again adds nothing.

    `copies` is a private folder for copies of databases. Raises KnownError for a file that cannot be read or is
    not known.
    """
    try:
        found = recognise(file, copies, describe)
        if found is None:
            raise KnownError(f"{file} is no file that is known here.", KNOWN)
        return _read(memory, *found, readings, progress)
    except Unavailable as error:
        raise KnownError(error.problem, error.advice) from error


def _read(
    memory: Memory, collector: Collector, place: Place, readings: Readings, progress: Progress | None
) -> Receipt:
    total = Receipt()
    cursor: Cursor | None = None
    more = True
    readings.want()
    try:
        while more and not readings.cancelled:
            give_way()
            batch = collector.collect(place, cursor)
            if not memory.wait_for_room(partial(_told, progress, place, total, batch.share, readings)):
                break
            total += memory.remember((*batch.events, *batch.gaps), skipped=batch.skipped)
            cursor, more = batch.cursor, batch.more
            readings.note(place, total, batch.share)
            if progress is not None:
                progress(place.name, total, batch.share)
    finally:
        readings.done(place)
    return total


def _told(
    progress: Progress | None,
    place: Place,
    total: Receipt,
    share: float | None,
    readings: Readings,
    waits: bool,
) -> bool:
    """Tell what an import waits for, if it does; whether it was cancelled."""
    if waits and progress is not None:
        progress(f"{place.name} waits for a program that reads the memory", total, share)
    return readings.cancelled
