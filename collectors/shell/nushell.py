"""nushell history: the SQLite database of reedline, and the text file without times."""

from __future__ import annotations

import sqlite3
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from collectors.collector import Batch, Cursor, Place
from collectors.event import Event, identity
from collectors.shell.hidden import hooked
from collectors.shell.history import History
from collectors.shell.numbering import known_as
from collectors.shell.paths import history_files
from collectors.shell.record import Record, readable
from collectors.shell.rows import (
    Columns,
    Row,
    RowHistory,
    column,
    dated_name,
    event_of,
    is_spaced,
    microseconds_of,
    text_of,
)
from collectors.shell.tail import Line

_CONFIG = {"darwin": "~/Library/Application Support/nushell", "win32": "$APPDATA/nushell"}
_COLUMNS = Columns(command="command_line", time="start_timestamp", unit=1_000)
_LONGEST_MS = 366 * 86_400 * 1_000


@dataclass(kw_only=True)
class Nushell:
    """Reads this user's nushell histories; `copies` is a private folder of this object's own."""

    copies: Path
    spool: Path | None = None
    source: str = field(default="nushell", init=False)

    def __post_init__(self) -> None:
        self._lines = History(self.source, records, process="nu", spool=self.spool)
        self._rows = RowHistory(copies=self.copies, read=_event, spool=self.spool)

    def places(self) -> Iterable[Place]:
        config = _CONFIG.get(sys.platform, "$XDG_CONFIG_HOME/nushell")
        for path in history_files("nushell", (f"{config}/history.sqlite3", f"{config}/history.txt"), ()):
            yield Place(source=self.source, name=str(path), advice=self._advice(path))

    def collect(self, place: Place, cursor: Cursor | None) -> Batch:
        path = Path(place.name)
        if path.suffix == ".sqlite3":
            return self._rows.collect(path, cursor)
        return self._lines.collect(path, cursor)

    def _advice(self, path: Path) -> str:
        if path.suffix == ".sqlite3" or hooked(self.spool, self.source):
            return ""
        if path.with_suffix(".sqlite3").exists():
            return ""  # the text is what was written before
        return (
            'This nushell history has no times. `$env.config.history.file_format = "sqlite"` keeps times, folders '
            "and results; or: desktop-memory hook nushell install"
        )


def records(lines: Iterable[Line], skipped: Counter[str], half: bool) -> Iterator[Record]:
    """The commands of the text form: one a line, a newline inside written as `<\\n>`."""
    for end, line in lines:
        text = readable(line.replace(b"<\\n>", b"\n"))
        if text:
            yield Record(end, None, 0, text, spaced=line.startswith(b" "))
        elif line:
            skipped["no command"] += 1


def _event(
    history: sqlite3.Connection, found: sqlite3.Row, written: int, skipped: Counter[str]
) -> Event | None:
    text = text_of(found["command_line"])
    if not text:
        skipped["no command"] += 1
        return None
    start = microseconds_of(found["start_timestamp"], _COLUMNS.unit)
    duration, code = column(found, "duration_ms"), column(found, "exit_status")
    row = Row(
        text=text,
        start=_before(history, found["row_id"], written) if start is None else start,
        approx=start is None,
        duration=duration * 1_000 if isinstance(duration, int) and 0 <= duration < _LONGEST_MS else None,
        code=code if isinstance(code, int) else None,
        folder=text_of(column(found, "cwd")),
        spaced=is_spaced(found["command_line"]),
    )
    if start is None:
        name = identity("command", None, known_as(text), "nushell", found["row_id"])
    else:
        name = dated_name(history, _COLUMNS, found, start // 1_000_000)
    return event_of(row, source="nushell", identity=name)


def _before(history: sqlite3.Connection, id: int, written: int) -> int:
    """For a row without a time: just before the next row that has one, else before the file was written."""
    found = history.execute(
        """SELECT rowid AS row_id, start_timestamp FROM history
        WHERE rowid > ? AND start_timestamp > 0 ORDER BY rowid LIMIT 1""",
        (id,),
    ).fetchone()
    start = microseconds_of(found["start_timestamp"], _COLUMNS.unit) if found else None
    if start is not None:
        return start - int(found["row_id"] - id)
    last: int = history.execute("SELECT max(rowid) FROM history").fetchone()[0]
    return written - (last - id)
