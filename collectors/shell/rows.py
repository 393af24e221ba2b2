"""Command histories kept in SQLite: the newest rows first, then the years before, then what is added or completed."""

from __future__ import annotations

import os
import sqlite3
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import Any, Protocol

from collectors.browser.copy import Snapshot, mark, remove_leftovers, take, trouble_of
from collectors.collector import Batch, Cursor, Unavailable
from collectors.event import Event, moment
from collectors.plain import DAMAGED, maybe_number, number
from collectors.repository import enclosing
from collectors.shell.dating import local_offset
from collectors.shell.hidden import Hidden
from collectors.shell.numbering import dated_identity
from collectors.shell.record import plausible, readable

_SECOND = 1_000_000
_LARGEST = (1 << 63) - 1
"""That SQLite holds: a damaged row may have it as its id or time."""
# A row is written when its command begins and completed when it ends.
_LOOKED_AT_AGAIN = 200


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """A command of a history: times in microseconds, None where they are not known."""

    text: str
    start: int
    approx: bool = False
    duration: int | None = None
    code: int | None = None
    folder: str = ""
    spaced: bool = False
    details: tuple[tuple[str, Any], ...] = ()


class Read(Protocol):
    def __call__(
        self, history: sqlite3.Connection, found: sqlite3.Row, written: int, skipped: Counter[str]
    ) -> Event | None:
        """The event of a row; `written` is when the file was last written, in microseconds."""
        ...


@dataclass(kw_only=True)
class RowHistory:
    """Follows the table `history` by rowid; `read` makes an event of a row. Copies are made below `copies`."""

    copies: Path
    read: Read
    spool: Path | None = None
    """Where the shell hooks write."""
    batch: int = 8_000
    _snapshots: dict[Path, Snapshot] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        remove_leftovers(self.copies)

    def collect(self, path: Path, cursor: Cursor | None) -> Batch:
        """The next batch. One copy serves until all that stood in it was told."""
        told = _understood(cursor)
        if told.get("done") is True and told.get("mark") == mark(path) and path not in self._snapshots:
            return Batch(events=(), cursor=told)
        try:
            snapshot = self._snapshots.get(path) or take(path, self.copies)
            self._snapshots[path] = snapshot
            with trouble_of(path):
                batch = self._batch(snapshot, told)
        except Unavailable as error:
            self._close(path)
            of_browsers = "the browser" in error.advice
            advice = "It is tried again later; look at it if this stays." if of_browsers else error.advice
            raise Unavailable(error.problem, advice) from error
        if not batch.more:
            self._close(path)
        return batch

    def _close(self, path: Path) -> None:
        snapshot = self._snapshots.pop(path, None)
        if snapshot is not None:
            snapshot.close()

    def _batch(self, snapshot: Snapshot, told: dict[str, Any]) -> Batch:
        history = snapshot.connection
        newest = _number(history, "SELECT max(rowid) FROM history")
        high, low = told.get("high"), told.get("low", 0)
        if high is None or newest < high:  # never read, or cleared since
            high, low = newest, min(newest + 1, _LARGEST)
            fresh: list[sqlite3.Row] = []
        else:
            again = max(high - _LOOKED_AT_AGAIN, -_LARGEST) if told.get("mark") != snapshot.mark else high
            fresh = _rows(history, "rowid > ? ORDER BY rowid", again, self.batch + _LOOKED_AT_AGAIN)
            high = max((row["row_id"] for row in fresh), default=high)
        earlier = _rows(history, "rowid < ? ORDER BY rowid DESC", low, self.batch) if high >= newest else []
        if high >= newest:
            low = earlier[-1]["row_id"] if len(earlier) == self.batch else 0
        skipped: Counter[str] = Counter()
        written = max(int(part.rpartition(":")[2]) for part in snapshot.mark.split() if ":" in part) // 1_000
        told_of = (self.read(history, row, written, skipped) for row in (*fresh, *earlier))
        events = self._marked([event for event in told_of if event is not None])
        more = bool(low) or high < newest
        return Batch(
            events=sorted(events, key=lambda event: event.start),
            cursor={"mark": snapshot.mark, "high": high, "low": low, "done": not more},
            skipped=dict(skipped),
            more=more,
            share=1 - min(1.0, low / max(1, high)),
        )

    def _marked(self, events: list[Event]) -> list[Event]:
        """The events, those that were hidden from a hook marked as private."""
        marked: list[Event] = []
        shells: dict[str, Hidden] = {}
        for event in events:
            hidden = shells.setdefault(event.source, Hidden.of(self.spool, event.source))
            marked.extend(hidden.mark([event if hidden.spaced else replace(event, private=False)]))
        return marked


def _understood(cursor: Cursor | None) -> dict[str, Any]:
    """What this cursor holds; nothing where it is damaged."""
    try:
        told = dict(cursor or {})
        maybe_number(told.get("high"))
        number(told.get("low", 0))
        return told
    except DAMAGED:
        return {}


def event_of(row: Row, *, source: str, identity: str, aliases: Iterable[str] = ()) -> Event:
    """The event of a row; its folder gives the project."""
    repository = enclosing(row.folder) if row.folder else None
    details: dict[str, Any] = dict(row.details)
    if row.folder:
        details["cwd"] = row.folder
    if row.code is not None:
        details["exit"] = row.code
    start = moment(row.start)
    return Event(
        identity=identity,
        aliases=tuple(aliases),
        kind="terminal",
        start=start,
        end=None if row.duration is None else start + timedelta(microseconds=row.duration),
        approx=row.approx,
        text=row.text,
        app="" if source == "atuin" else source,
        private=row.spaced,
        project=os.fsencode(repository.name).decode("utf-8", "replace") if repository else "",
        source=source,
        utc_offset=local_offset(row.start),
        details=details,
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class Columns:
    """What a program calls the command and its time, and how many units of that time make a second."""

    command: str
    time: str
    unit: int


def dated_name(
    history: sqlite3.Connection, columns: Columns, found: sqlite3.Row, second: int, slack: float = 0
) -> str:
    """The identity under which a history file has this command at that second: how many equals come before.

    `slack` is a part of the next second: equals that began there may claim this second as well.
    """
    equals = _number(
        history,
        f"SELECT count(*) FROM history WHERE {columns.time} >= ? AND {columns.time} < ?"
        f" AND {columns.command} = ? AND rowid < ?",
        (
            second * columns.unit,
            min(int((second + 1 + slack) * columns.unit), _LARGEST),
            found[columns.command],
            found["row_id"],
        ),
    )
    return dated_identity(second, text_of(found[columns.command]), equals)


def column(found: sqlite3.Row, name: str) -> Any:
    """The value of a column that not every version of the program has."""
    return found[name] if name in found.keys() else None  # noqa: SIM118 (a row is no mapping)


def is_spaced(value: Any) -> bool:
    """The command began with a space, by which people hide it from a history."""
    return isinstance(value, str | bytes) and value[:1] in (" ", b" ")


def text_of(value: Any) -> str:
    """A text column, which a program may have filled with bytes."""
    if isinstance(value, bytes):
        return readable(value)
    return readable(str(value).encode("utf-8", "replace")) if value is not None else ""


def microseconds_of(value: Any, unit: int) -> int | None:
    """A time column that counts `unit` to the second; None when no clock has shown it."""
    if not isinstance(value, int) or not plausible(value // unit):
        return None
    return value * _SECOND // unit


def _rows(history: sqlite3.Connection, where: str, at: int, limit: int) -> list[sqlite3.Row]:
    return history.execute(
        f"SELECT rowid AS row_id, * FROM history WHERE {where} LIMIT ?", (at, limit)
    ).fetchall()


def _number(history: sqlite3.Connection, sql: str, values: tuple[Any, ...] = ()) -> int:
    found = history.execute(sql, values).fetchone()[0]
    return found if isinstance(found, int) else 0
