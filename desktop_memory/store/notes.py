"""Small things a person or the app writes beside events: pins, pauses, copies, tallies."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import apsw

from collectors.event import microseconds, moment
from desktop_memory.errors import UsageError
from desktop_memory.model import CopiedContext, Source
from desktop_memory.store.connection import one

PIN_LIMIT = 280


def add_pin(
    connection: apsw.Connection, kind: str, text: str, at: datetime, project: str = "", due: datetime | None = None,
    event: int | None = None,
) -> int:  # fmt: skip
    """Store a pin and give its id. Raises UsageError for an empty or too long text."""
    text = " ".join(text.split())
    if not text or len(text) > PIN_LIMIT:
        raise UsageError(
            f"A pin has 1 to {PIN_LIMIT} characters, this has {len(text)}.", "Shorten it, or write a note."
        )
    connection.execute(
        """INSERT INTO pin (kind, text, created, project, due, event, position)
        SELECT ?, ?, ?, ?, ?, ?, coalesce(max(position), 0) + 1 FROM pin""",
        (kind, text, microseconds(at), project, None if due is None else microseconds(due), event),
    )
    return connection.last_insert_rowid()


def set_pin(connection: apsw.Connection, id_: int, **changes: Any) -> None:
    """Change a pin's text, status, due or position."""
    for name, value in changes.items():
        if name not in ("text", "status", "due", "position", "project", "kind"):
            raise ValueError(name)
        connection.execute(
            f"UPDATE pin SET {name} = ? WHERE id = ?",
            (microseconds(value) if isinstance(value, datetime) else value, id_),
        )


def remove_pin(connection: apsw.Connection, id_: int) -> None:
    connection.execute("DELETE FROM pin WHERE id = ?", (id_,))


def start_pause(connection: apsw.Connection, at: datetime, until: datetime | None) -> None:
    """Pause from now on; a running pause gets the new end."""
    running = connection.execute(
        "SELECT id FROM pause WHERE start <= ?1 AND (end IS NULL OR end > ?1) LIMIT 1", (microseconds(at),)
    ).fetchone()
    end = None if until is None else microseconds(until)
    if running is None:
        connection.execute("INSERT INTO pause (start, end) VALUES (?, ?)", (microseconds(at), end))
    else:
        connection.execute("UPDATE pause SET end = ? WHERE id = ?", (end, running[0]))


def end_pause(connection: apsw.Connection, at: datetime) -> None:
    connection.execute(
        "UPDATE pause SET end = ?1 WHERE start <= ?1 AND (end IS NULL OR end > ?1)", (microseconds(at),)
    )


def running_pause(connection: apsw.Connection, at: datetime) -> tuple[datetime, datetime | None] | None:
    row = connection.execute(
        "SELECT start, end FROM pause WHERE start <= ?1 AND (end IS NULL OR end > ?1) ORDER BY start DESC LIMIT 1",
        (microseconds(at),),
    ).fetchone()
    return None if row is None else (moment(row[0]), None if row[1] is None else moment(row[1]))


def save_copy(
    connection: apsw.Connection,
    copied: CopiedContext,
    request: Mapping[str, Any],
    hashes: Sequence[str],
    at: datetime,
) -> None:
    """Keep what was copied, so that an answer can be checked against it later."""
    sources = [
        {"n": source.n, "event": source.event, "text": source.text, "hash": hash_}
        for source, hash_ in zip(copied.sources, hashes, strict=True)
    ]
    connection.execute(
        "INSERT OR REPLACE INTO copy (tag, at, request, sources) VALUES (?, ?, ?, ?)",
        (copied.tag, microseconds(at), json.dumps(dict(request), default=str), json.dumps(sources)),
    )


def log_read(connection: apsw.Connection, client: str, tool: str, events: int, at: datetime) -> None:
    """Note that an AI client was told so many events."""
    connection.execute(
        "INSERT INTO client_read (at, client, tool, events) VALUES (?, ?, ?, ?)",
        (microseconds(at), client[:80], tool, events),
    )


def propose(connection: apsw.Connection, client: str, body: str, at: datetime) -> int:
    """Queue what an AI client would note, for the user to decide."""
    connection.execute(
        "INSERT INTO proposal (at, client, body) VALUES (?, ?, ?)", (microseconds(at), client[:80], body)
    )
    return connection.last_insert_rowid()


def copied(connection: apsw.Connection, tag: str) -> tuple[str, list[Source]] | None:
    """A saved copy by its tag, the last one when no tag is given. A forgotten source has no text any more."""
    row = one(
        connection,
        "SELECT tag, sources FROM copy WHERE ?1 = '' OR tag = ?1 ORDER BY at DESC, id DESC LIMIT 1",
        (tag,),
    )
    if row is None:
        return None
    return row[0], [Source(n=s["n"], event=s["event"], text=s["text"]) for s in json.loads(row[1])]


def tag_taken(connection: apsw.Connection, tag: str) -> bool:
    return connection.execute("SELECT 1 FROM copy WHERE tag = ?", (tag,)).fetchone() is not None


def last_copy(connection: apsw.Connection) -> datetime | None:
    """Until when the last copy reached; None before the first."""
    (at,) = one(connection, "SELECT max(coalesce(until, at)) FROM copy")
    return None if at is None else moment(at)


def tally(connection: apsw.Connection, day: str, counts: Mapping[tuple[str, str], int]) -> None:
    """Add to the day's counts of what was dropped or masked, by kind."""
    for (what, kind), count in counts.items():
        connection.execute(
            """INSERT INTO tally (day, what, kind, count) VALUES (?, ?, ?, ?)
            ON CONFLICT (day, what, kind) DO UPDATE SET count = count + excluded.count""",
            (day, what, kind, count),
        )
