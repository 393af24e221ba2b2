"""Small things a person or the app writes beside events: pins, pauses, reads by clients, tallies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any

import apsw

from collectors.event import microseconds, moment
from desktop_memory.errors import UsageError
from desktop_memory.receipts import Masked
from desktop_memory.store.connection import one
from desktop_memory.store.paths import as_path, as_text

PIN_LIMIT = 280


def add_pin(
    connection: apsw.Connection, kind: str, text: str, at: datetime, project: str = "", due: datetime | None = None,
    event: int | None = None,
) -> int:  # fmt: skip
    """Store a pin and give its id. Raises UsageError for an empty or too long text."""
    text = pin_text(text)
    connection.execute(
        """INSERT INTO pin (kind, text, created, project, due, event, position)
        SELECT ?, ?, ?, ?, ?, ?, coalesce(max(position), 0) + 1 FROM pin""",
        (kind, text, microseconds(at), project, None if due is None else microseconds(due), event),
    )
    return connection.last_insert_rowid()


def pin_text(text: str) -> str:
    """The text as a pin keeps it, on one line. Raises UsageError for an empty or too long one."""
    text = " ".join(text.split())
    if not text or len(text) > PIN_LIMIT:
        raise UsageError(
            f"A pin has 1 to {PIN_LIMIT} characters, this has {len(text)}.", "Shorten it, or write a note."
        )
    return text


def set_pin(connection: apsw.Connection, id_: int, **changes: Any) -> None:
    """Change a pin's text, status, due or position."""
    for name, value in changes.items():
        if name not in ("text", "status", "due", "position", "project", "kind"):
            raise ValueError(name)
        connection.execute(
            f"UPDATE pin SET {name} = ? WHERE id = ?",
            (microseconds(value) if isinstance(value, datetime) else value, id_),
        )


def order_pins(connection: apsw.Connection, ids: Sequence[int]) -> None:
    """Share out the positions that these pins have so that they stand in this order; unknown ids are left out."""
    places = {
        id_: row[0]
        for id_ in ids
        if (row := one(connection, "SELECT position FROM pin WHERE id = ?", (id_,)))
    }
    for id_, position in zip(places, sorted(places.values()), strict=True):
        set_pin(connection, id_, position=position)


def remove_pin(connection: apsw.Connection, id_: int) -> None:
    connection.execute("DELETE FROM pin WHERE id = ?", (id_,))


def start_pause(connection: apsw.Connection, at: datetime, until: datetime | None) -> None:
    """Pause from now on; a running pause gets the new end."""
    running = connection.execute(
        "SELECT id FROM pause WHERE +start <= ?1 AND (end IS NULL OR end > ?1) LIMIT 1", (microseconds(at),)
    ).fetchone()
    end = None if until is None else microseconds(until)
    if running is None:
        connection.execute("INSERT INTO pause (start, end) VALUES (?, ?)", (microseconds(at), end))
    else:
        connection.execute("UPDATE pause SET end = ? WHERE id = ?", (end, running[0]))


def add_pause(connection: apsw.Connection, start: datetime, end: datetime) -> None:
    """A pause of its own, beside any that runs."""
    connection.execute(
        "INSERT INTO pause (start, end) VALUES (?, ?)", (microseconds(start), microseconds(end))
    )


def paused_within(connection: apsw.Connection, start: datetime, end: datetime) -> bool:
    """Whether a pause began in this stretch."""
    values = microseconds(start), microseconds(end)
    return bool(
        one(connection, "SELECT EXISTS (SELECT 1 FROM pause WHERE start >= ? AND start < ?)", values)[0]
    )


def end_pause(connection: apsw.Connection, at: datetime) -> None:
    connection.execute(
        "UPDATE pause SET end = ?1 WHERE start <= ?1 AND (end IS NULL OR end > ?1)", (microseconds(at),)
    )


def running_pause(connection: apsw.Connection, at: datetime) -> tuple[datetime, datetime | None] | None:
    row = connection.execute(
        "SELECT start, end FROM pause WHERE +start <= ?1 AND (end IS NULL OR end > ?1) ORDER BY start DESC LIMIT 1",
        (microseconds(at),),
    ).fetchone()
    return None if row is None else (moment(row[0]), None if row[1] is None else moment(row[1]))


@dataclass(frozen=True, kw_only=True, slots=True)
class ClientRead:
    """An AI client was told so many events by a tool."""

    at: datetime
    client: str
    tool: str
    events: int


def client_reads(connection: apsw.Connection, count: int, client: str = "") -> list[ClientRead]:
    """The newest first."""
    found = connection.execute(
        """SELECT at, client, tool, events FROM client_read WHERE ?1 = '' OR client = ?1
        ORDER BY id DESC LIMIT ?2""",
        (client, count),
    )
    return [
        ClientRead(at=moment(at), client=whom, tool=tool, events=events) for at, whom, tool, events in found
    ]


def log_read(connection: apsw.Connection, client: str, tool: str, events: int, at: datetime) -> None:
    """Note that an AI client was told so many events."""
    connection.execute(
        "INSERT INTO client_read (at, client, tool, events) VALUES (?, ?, ?, ?)",
        (microseconds(at), client[:80], tool, events),
    )


def add_backup(connection: apsw.Connection, path: str, last: int, at: datetime) -> None:
    """Note where a backup lies that holds all events up to this id."""
    row = (microseconds(at), as_text(Path(path)), last)
    connection.execute("INSERT INTO backup (at, path, last) VALUES (?, ?, ?)", row)


def backups_with(connection: apsw.Connection, event: int) -> list[str]:
    """Where backups were written that may hold this event, newest first."""
    sql = "SELECT path FROM backup WHERE last >= ? ORDER BY at DESC"
    return [str(as_path(path)) for (path,) in connection.execute(sql, (event,))]


def tally(connection: apsw.Connection, day: str, counts: Mapping[tuple[str, str], int]) -> None:
    """Add to the day's counts of what was dropped or masked, by kind."""
    for (what, kind), count in counts.items():
        connection.execute(
            """INSERT INTO tally (day, what, kind, count) VALUES (?, ?, ?, ?)
            ON CONFLICT (day, what, kind) DO UPDATE SET count = count + excluded.count""",
            (day, what, kind, count),
        )


def tally_masked(connection: apsw.Connection, day: str, counts: Mapping[tuple[str, str, str], int]) -> None:
    """Add to the day's counts of what was masked: by source, kind of event and sort of secret."""
    connection.executemany(
        """INSERT INTO masked (day, source, kind, secret, count) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (day, source, kind, secret) DO UPDATE SET count = count + excluded.count""",
        [(day, *where, count) for where, count in counts.items()],
    )


def masked(connection: apsw.Connection, limit: int) -> list[Masked]:
    """What was masked where, the newest day first."""
    found = connection.execute(
        """SELECT day, source, kind, secret, count FROM masked
        ORDER BY day DESC, count DESC, source, kind, secret LIMIT ?""",
        (limit,),
    )
    return [
        Masked(day=date.fromisoformat(day), source=source, kind=kind, secret=secret, count=count)
        for day, source, kind, secret, count in found
    ]
