"""Atuin's history: commands of every shell with folder, result and exact times, also of other machines.

What Atuin imported from a shell's own file carries the folder "unknown". Where that file had no times, Atuin made
some up, a millisecond apart: those rows are taken as of unknown time, and not at all while the file has them.
Of a dated command of bash that has several lines it makes a command each line; those are left out likewise.
"""

from __future__ import annotations

import os
import platform
import sqlite3
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from collectors.collector import Batch, Cursor, Place, Unavailable
from collectors.event import Event, identity
from collectors.shell.bash import STAMP, Bash
from collectors.shell.paths import expanded, history_files
from collectors.shell.record import Record
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
from collectors.shell.tail import opened
from collectors.shell.zsh import Zsh

_COLUMNS = Columns(command="command", time="timestamp", unit=1_000_000_000)
_SECOND = 1_000_000
_SLOW_START = 0.25
_LONGEST_NS = 366 * 86_400 * 1_000_000_000
# New installations keep everything in one folder.
_NAMES = ("~/.atuin/data/history.db", "$XDG_DATA_HOME/atuin/history.db", "~/.local/share/atuin/history.db")
_SETTINGS = ("~/.atuin/config.toml", "$XDG_CONFIG_HOME/atuin/config.toml")
_SHELLS = ("zsh", "bash", "fish", "nu", "xonsh", "pwsh", "powershell")
_AGENTS = ("claude-code", "codex", "copilot", "opencode", "pi")
_SOURCES = {"nu": "nushell", "pwsh": "powershell"}


InFiles = frozenset[tuple[int | None, str]]
"""Commands without a time, with None, and the lines of commands that have several, with their second."""


def told_in_files() -> InFiles:
    """What this user's zsh and bash histories tell in other words than what Atuin imports from them."""
    found: set[tuple[int | None, str]] = set()
    for collector in (Zsh(), Bash()):
        for place in collector.places():
            with suppress(Unavailable), opened(Path(place.name)) as tail:
                for record in collector.parse(tail.lines(0), Counter(), False):
                    if record.second is None or "\n" in record.text:
                        found.update(_lines(record))
    return frozenset(found)


def _lines(record: Record) -> Iterator[tuple[int | None, str]]:
    """What Atuin makes of a command: one of each line, and of what looks like a time that of those after it."""
    second = record.second
    yield second, record.text
    for line in record.text.split("\n"):
        if stamp := STAMP.match(line.encode()):
            second = int(stamp[1])
        else:
            yield second, line.strip()
            yield None if record.second is None else second, line.strip()


@dataclass(kw_only=True)
class Atuin:
    """Reads this user's Atuin database. `copies` is a private folder of this object's own; `in_files` tells what
    the shells' own histories hold of what was imported."""

    copies: Path
    spool: Path | None = None
    in_files: Callable[[], InFiles] = told_in_files
    source: str = field(default="atuin", init=False)

    def __post_init__(self) -> None:
        self._rows = RowHistory(copies=self.copies, read=self._event, spool=self.spool)
        self._known: InFiles | None = None

    def places(self) -> Iterable[Place]:
        for path in history_files("atuin", (*_configured(), *_NAMES), ()):
            yield Place(source=self.source, name=str(path))

    def collect(self, place: Place, cursor: Cursor | None) -> Batch:
        batch = self._rows.collect(Path(place.name), cursor)
        if not batch.more:
            self._known = None
        return batch

    def _event(
        self, history: sqlite3.Connection, found: sqlite3.Row, written: int, skipped: Counter[str]
    ) -> Event | None:
        text, start = text_of(found["command"]), microseconds_of(found["timestamp"], _COLUMNS.unit)
        if column(found, "deleted_at") is not None:
            return None
        if not text or start is None:
            skipped["no time" if text else "no command"] += 1
            return None
        folder = text_of(column(found, "cwd"))
        imported = folder == "unknown"
        made_up = imported and found["timestamp"] % _COLUMNS.unit != 0
        may_be_part = made_up or _shell(found) != "zsh"  # of which it imports a command as one
        if imported and may_be_part and self._is_in_file(found["timestamp"] // _COLUMNS.unit, text, made_up):
            skipped["imported, and still in the shell's own history"] += 1
            return None
        duration, code = column(found, "duration"), column(found, "exit")
        known = isinstance(duration, int) and 0 <= duration < _LONGEST_NS
        here, host = _is_here(text_of(column(found, "hostname")))
        row = Row(
            text=text,
            start=start,
            approx=made_up,
            duration=duration // 1_000 if known and not imported else None,
            code=code if isinstance(code, int) and (known or code >= 0) and not imported else None,
            folder=folder if here and not imported else "",
            spaced=is_spaced(found["command"]),
            details=_details(found, "" if here else host, "" if here or imported else folder),
        )
        names = () if made_up else _names_in_files(history, found, start)
        return event_of(
            row, source=_shell(found), identity=identity("atuin", text_of(found["id"])), aliases=names
        )

    def _is_in_file(self, second: int, text: str, made_up: bool) -> bool:
        if self._known is None:
            self._known = self.in_files()
        return (made_up and (None, text) in self._known) or (second, text) in self._known


def _names_in_files(history: sqlite3.Connection, found: sqlite3.Row, start: int) -> tuple[str, ...]:
    """Under which the shell's own history has it: a shell takes the line just before Atuin is told of it."""
    second = start // _SECOND
    sure = dated_name(history, _COLUMNS, found, second)
    if not 0 < start % _SECOND < _SLOW_START * _SECOND:
        return (sure,)
    return sure, dated_name(history, _COLUMNS, found, second - 1, _SLOW_START)


def _details(found: sqlite3.Row, host: str, folder: str) -> tuple[tuple[str, str | bool], ...]:
    """Whose command it was, where not this person's at this machine. People never state who they are; agents do."""
    details: list[tuple[str, str | bool]] = []
    user = text_of(column(found, "hostname")).partition(":")[2]
    author = text_of(column(found, "author"))
    if author and author != user and (author in _AGENTS or column(found, "author_kind") is not None):
        details += [("agent", True), ("author", author)]
    if host:
        details.append(("host", host))
    if folder:
        details.append(("cwd", folder))
    return tuple(details)


def _is_here(hostname: str) -> tuple[bool, str]:
    """Whether the row is of this machine, and the machine's name: Atuin writes `host:user`."""
    host = hostname.partition(":")[0]
    return not host or host.casefold() == platform.node().casefold(), host


def _shell(found: sqlite3.Row) -> str:
    name = text_of(column(found, "shell")).casefold() or os.path.basename(os.environ.get("SHELL", ""))
    return _SOURCES.get(name, name) if name in _SHELLS else "atuin"


def _configured() -> list[str]:
    """The databases that Atuin's own settings name."""
    folder = os.environ.get("ATUIN_CONFIG_DIR")
    files = [os.path.join(folder, "config.toml")] if folder else [expanded(name, {}) for name in _SETTINGS]
    return [name for file in files if file for name in _named(Path(file))]


def _named(settings_file: Path) -> list[str]:
    try:
        settings = tomllib.loads(settings_file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError):
        return []
    database, folder = settings.get("db_path"), settings.get("data_dir")
    named = [database, f"{folder}/history.db" if isinstance(folder, str) else None]
    return [name for name in named if isinstance(name, str)]
