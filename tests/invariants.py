"""What must be true of a memory whatever happened to it: one file that says one thing everywhere."""

from __future__ import annotations

from pathlib import Path

import apsw

from desktop_memory.pipeline.sessions import ENDING_REASONS, Break, Span, cut
from desktop_memory.store import consistency
from desktop_memory.store.store import FILE_NAME, Store
from tests.factories import FakeClock, at

GAP_US = 600_000_000


def broken(folder: Path) -> list[str]:
    """What is not as it must be in the memory of this folder; it is opened as its next start would."""
    if not (folder / FILE_NAME).exists():
        return []
    store = Store.open(folder, clock=FakeClock(at(0)))
    try:
        connection = store.read()
        found = [] if connection.pragma("integrity_check") == "ok" else ["SQLite finds it damaged"]
        if not store.words_agree():
            found.append("words do not match the events")
        return [*found, *consistency.findings(connection), *_sessions(connection), *_forgotten(connection)]
    finally:
        store.close()


def _sessions(connection: apsw.Connection) -> list[str]:
    """Cut anew from everything there is, sessions are what they are."""
    spans = [
        Span(start, key, end, bool(approx), id_)
        for start, key, end, approx, id_ in connection.execute(
            "SELECT start, key, max(start, coalesce(end, start)), approx, id FROM event"
        )
    ]
    breaks = [
        Break(start, reason)
        for start, reason in connection.execute("SELECT start, reason FROM gap")
        if reason in ENDING_REASONS
    ]
    breaks += [Break(start, "paused") for (start,) in connection.execute("SELECT start FROM pause")]
    wanted = [
        (one.first.id, one.start, one.end, one.ended_by, sorted(span.id for span in one.members))
        for one in cut(spans, breaks, GAP_US)
    ]
    held = [
        (first, start, end, ended_by, sorted(_members(connection, id_)))
        for id_, first, start, end, ended_by in connection.execute(
            "SELECT id, first_event, start, end, ended_by FROM session ORDER BY start"
        )
    ]
    return [] if held == wanted else [f"{len(held)} sessions are not the {len(wanted)} that the events make"]


def _members(connection: apsw.Connection, session: int) -> list[int]:
    return [id_ for (id_,) in connection.execute("SELECT id FROM event WHERE session = ?", (session,))]


def _forgotten(connection: apsw.Connection) -> list[str]:
    """What is forgotten is not there; nothing that can no longer be undone is kept aside."""
    there = connection.execute("SELECT count(*) FROM event JOIN tombstone ON tombstone.key = event.key").get
    kept = connection.execute(
        "SELECT count(*) FROM set_aside WHERE batch NOT IN (SELECT id FROM forget_batch WHERE state = 'hidden')"
    ).get
    return [text for count, text in ((there, "a forgotten event"), (kept, "text of a purged one")) if count]
