"""fish history: almost YAML, with two escapes; the older format of fish 1 as well.

The grammar is that of fish's src/history/yaml_backend.rs. fish keeps a repeated command once: `when` moves to the
last time it ran, and since fish 4.8 `added_when` keeps the first. Both are times at which it ran.

A fish that finds no history of its own begins with the lines of bash's, all of them at that second.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from collectors.collector import Batch, Cursor, Place, Unavailable
from collectors.shell.history import History
from collectors.shell.paths import history_files
from collectors.shell.record import Record, plausible, readable
from collectors.shell.tail import Line, opened

_FIELD = re.compile(rb" +(when|added_when): *(\d{1,15})\s*\Z")
_OLD_TIME = re.compile(rb"# (\d{1,15})\s*\Z")
_ESCAPE = re.compile(rb"\\([\\n])")
_BEGINS = b"- cmd: "
_NOT_ENTRIES = (b"%", b"---", b"...")
_LONGEST = 200_000
_MOST_LINES = 5_000
_TAKING_OVER_SECONDS = 2

_NAMES = ("$XDG_DATA_HOME/fish/*_history", "$XDG_CONFIG_HOME/fish/*_history", "~/.fish_history")


@dataclass(kw_only=True)
class Fish:
    """Reads this user's fish histories, one a session name; `spool` is where the shell hooks write."""

    spool: Path | None = None
    source: str = field(default="fish", init=False)

    def __post_init__(self) -> None:
        # fish writes its whole file anew every few commands, so what is old there was told.
        self._history = History(self.source, records, told_seconds=7 * 86_400, spool=self.spool)

    def places(self) -> Iterable[Place]:
        for path in history_files("fish", _NAMES, ()):
            yield Place(source=self.source, name=str(path))

    def collect(self, place: Place, cursor: Cursor | None) -> Batch:
        path = Path(place.name)
        return _without_bash(self._history.collect(path, cursor), path)


def _without_bash(batch: Batch, path: Path) -> Batch:
    """The batch without what fish took over from bash's history when it made this file."""
    if not batch.events:
        return batch
    taken_over = _taken_over(path)
    if len(taken_over) < 2:  # one may have been run
        return batch
    events = [event for event in batch.events if (int(event.start.timestamp()), event.text) not in taken_over]
    skipped = Counter(batch.skipped)
    skipped["taken over from bash's history"] += len(batch.events) - len(events)
    return replace(batch, events=events, skipped=dict(+skipped))


def _taken_over(path: Path) -> set[tuple[int | None, str]]:
    """The second and text of each entry at the file's beginning that fish found in bash's history."""
    found: set[tuple[int | None, str]] = set()
    lines = _bash_lines()
    if lines:
        with opened(path) as tail:
            begun = 0
            for record in records(tail.lines(0), Counter(), False):
                begun = begun or record.second or 0
                late = record.second is None or record.second - begun >= _TAKING_OVER_SECONDS
                if late or record.text not in lines:
                    break
                found.add((record.second, record.text))
    return found


def _bash_lines() -> frozenset[str]:
    try:
        with opened(Path.home() / ".bash_history") as tail:
            return frozenset(readable(line.data) for line in tail.lines(0))
    except Unavailable:
        return frozenset()


def records(lines: Iterable[Line], skipped: Counter[str], half: bool) -> Iterator[Record]:
    """The commands on these lines; the last only when it has its time."""
    item: _Item | None = None
    for end, line in lines:
        line = line.lstrip(b"\0")
        if begun := _begun(line):
            if item is not None:
                yield from item.told(skipped)
            item = begun
        elif item is None or not item.add(line):
            if line.strip() and not line.startswith((*_NOT_ENTRIES, b" ")):
                skipped["not a command"] += 1
            continue
        item.end = end
    if item is not None and item.times:
        yield from item.told(skipped)


def _begun(line: bytes) -> _Item | None:
    if line.startswith(_BEGINS):
        return _Item(command=line[len(_BEGINS) :][:_LONGEST])
    if old := _OLD_TIME.match(line):
        return _Item(times={b"when": int(old[1])}, lines=[])
    return None


@dataclass
class _Item:
    """An entry while its lines are read. In the old format the command follows the time, on `lines` of its own."""

    command: bytes = b""
    times: dict[bytes, int] = field(default_factory=dict)
    lines: list[bytes] | None = None
    end: int = 0

    def add(self, line: bytes) -> bool:
        """Take one more line; False when it is none of this entry's."""
        if self.lines is not None:
            if len(self.lines) < _MOST_LINES:
                self.lines.append(line[:-1] if line.endswith(b"\\") else line)
            return True
        if told := _FIELD.match(line):
            self.times[told[1]] = int(told[2])
        return told is not None or line.startswith(b" ")

    def told(self, skipped: Counter[str]) -> Iterator[Record]:
        """The entry as a record, if it has a command."""
        data = _ESCAPE.sub(_unescaped, self.command) if self.lines is None else b"\n".join(self.lines)
        text = readable(data)
        if not text:
            skipped["no command"] += 1
            return
        when, added = self.times.get(b"when", 0), self.times.get(b"added_when", 0)
        second = when if plausible(when) else None
        yield Record(self.end, second, 0, text, added if plausible(added) and added != when else None)


def _unescaped(match: re.Match[bytes]) -> bytes:
    return b"\n" if match[1] == b"n" else b"\\"
