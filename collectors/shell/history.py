"""One turn at a history file: what was appended first, then the years before it, newest first.

The first look walks the whole file once, keeping no more than where each batch begins (`Mark`), and gives the
newest batch; the following turns give the batches before it, read again from their marks. Nothing depends on
where a batch ends: commands get the same identities as if the file were read in one go.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from collectors.collector import Batch, Cursor
from collectors.event import Event
from collectors.plain import DAMAGED, maybe_number, number
from collectors.shell.dating import Dating
from collectors.shell.hidden import Hidden
from collectors.shell.numbering import Numbered, Numbering, Overlap
from collectors.shell.record import Record
from collectors.shell.running import running_since
from collectors.shell.spool import hook_waits
from collectors.shell.tail import Line, Tail, opened

Parse = Callable[[Iterable[Line], Counter[str], bool], Iterator[Record]]
"""Lines, a counter of what is skipped, and whether a half-written line follows them."""

_BATCH_CHARACTERS = 4_000_000


class Mark(NamedTuple):
    """Where a batch begins, and the numbering up to there."""

    offset: int
    state: dict[str, Any]


@dataclass
class _Stretch:
    """Some commands in file order; `end` is the offset after the last."""

    end: int
    commands: list[Numbered] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)
    characters: int = 0

    def add(self, command: Numbered) -> None:
        self.commands.append(command)
        self.characters += len(command.record.text)
        self.end = command.record.end


@dataclass
class History:
    """Reads the history files of one shell. Marks of a first look live here; without them it looks again."""

    source: str
    parse: Parse
    process: str = ""
    """What the shell's processes are called, where that is not the name of the source."""
    spool: Path | None = None
    """Where the shell hooks write."""
    batch_commands: int = 8_000
    told_seconds: int | None = None
    """Of a rewritten file, what is this much older than the newest command read then is not told again."""
    _marks: dict[Path, list[Mark]] = field(default_factory=dict, repr=False)

    def collect(self, path: Path, cursor: Cursor | None) -> Batch:
        """The next batch of this file. Raises Unavailable when it cannot be read.

        While a hook has notes that were not read yet, an old file waits for them.
        """
        if cursor and hook_waits(self.spool, self.source):
            return Batch(events=(), cursor=cursor)
        with opened(path) as tail:
            if cursor and tail.unchanged(cursor) and cursor.get("todo", 0) is None:
                return Batch(events=(), cursor=cursor)
            if not cursor or not self._is_understood(cursor):
                return self._first(path, tail, {})
            if not tail.unchanged(cursor):
                if tail.continues(cursor):
                    return self._appended(tail, cursor)
                # An emptied file is about to be written anew; where reading stopped is still needed then.
                return self._first(path, tail, cursor) if tail.size else Batch(events=(), cursor=cursor)
            return self._earlier(path, tail, cursor)

    def _is_understood(self, cursor: Cursor) -> bool:
        """All that reading on needs is in it; a damaged one counts as none."""
        try:
            numbering = Numbering.from_plain(cursor["numbering"])
            maybe_number(cursor.get("alive"))
            end = number(cursor["end"])
            list(map(number, cursor.get("prints", ())))
            if (todo := cursor["todo"]) is None:
                return numbering.fits(end)
            dating = Dating.from_plain(self.source, todo["dating"])
            return (
                numbering.fits(end) and dating.fits(end, numbering.newest) and 0 < number(todo["end"]) <= end
            )
        except DAMAGED:
            return False

    def _first(self, path: Path, tail: Tail, old: Cursor) -> Batch:
        """Walk the whole file; give its end. `old` tells how far an earlier version of it was read."""
        if old.get("todo"):
            old = {}  # of what was read not even all was told
        overlap = Overlap(Numbering.from_plain(old["numbering"]).recent if old else ())
        numbering = Numbering()
        marks = [Mark(0, numbering.plain())]
        batch = _Stretch(0)
        for command in self._commands(tail, 0, numbering, batch.skipped):
            overlap.look(command)
            batch.add(command)
            if self._full(batch):
                marks.append(Mark(batch.end, numbering.plain()))
                batch.commands, batch.characters = [], 0
                batch.skipped.clear()
        dating = Dating(
            source=self.source,
            written=tail.written,
            known_until=overlap.known_until,
            known_all=bool(old) and self._is_known(tail, old, overlap.known_until),
            known_before=self._told_before(old, numbering.newest),
            earliest=old.get("alive"),
        )
        events = self._events(dating, batch)
        todo = {"end": marks[-1].offset, "dating": dating.plain()} if len(marks) > 1 else None
        self._marks[path] = marks if todo else []
        return Batch(
            events=events,
            cursor=self._cursor(tail, batch.end, numbering, todo),
            skipped=dict(batch.skipped),
            more=todo is not None,
            share=_share(todo, tail),
        )

    def _appended(self, tail: Tail, cursor: Cursor) -> Batch:
        """What came after the place where reading stopped, oldest first."""
        numbering = Numbering.from_plain(cursor["numbering"])
        batch = _Stretch(cursor["end"])
        for command in self._commands(tail, cursor["end"], numbering, batch.skipped):
            batch.add(command)
            if self._full(batch):
                break
        dating = Dating(source=self.source, written=tail.written, earliest=cursor.get("alive"))
        fresh = self._cursor(tail, batch.end, numbering, cursor.get("todo"))
        full = self._full(batch)
        return Batch(
            events=self._events(dating, batch),
            cursor={**fresh, "size": -1, "alive": cursor.get("alive")} if full else fresh,
            skipped=dict(batch.skipped),
            more=full or fresh["todo"] is not None,
            share=batch.end / max(1, tail.size) if full else _share(fresh["todo"], tail),
        )

    def _earlier(self, path: Path, tail: Tail, cursor: Cursor) -> Batch:
        """The batch before those that were given."""
        stop = cursor["todo"]["end"]
        mark = max(m for m in self._marks_until(path, tail, stop) if m.offset < stop)
        batch = _Stretch(mark.offset)
        for command in self._commands(tail, mark.offset, Numbering.from_plain(mark.state), batch.skipped):
            batch.add(command)
            if batch.end >= stop:
                break
        dating = Dating.from_plain(self.source, cursor["todo"]["dating"])
        events = self._events(dating, batch)
        todo = {"end": mark.offset, "dating": dating.plain()} if mark.offset else None
        if todo is None:
            self._marks[path] = []
        return Batch(
            events=events,
            cursor={**cursor, "todo": todo},
            skipped=dict(batch.skipped),
            more=todo is not None,
            share=_share(todo, tail),
        )

    def _events(self, dating: Dating, batch: _Stretch) -> list[Event]:
        hidden = Hidden.of(self.spool, self.source)
        dating.hide_spaced = hidden.spaced
        return hidden.mark(dating.events(batch.commands))

    def _is_known(self, tail: Tail, old: Cursor, until: int) -> bool:
        """All up to this offset was told: the file was only trimmed, or times were given to what had none."""
        return tail.was_trimmed(old, until) or bool(old["numbering"]["undated"])

    def _told_before(self, old: Cursor, newest: int) -> int:
        """The second before which all was told; 0 where the old cursor knew of more than the file has."""
        if self.told_seconds is None or not old:
            return 0
        before = Numbering.from_plain(old["numbering"]).newest - self.told_seconds
        return before if before <= newest else 0

    def _marks_until(self, path: Path, tail: Tail, stop: int) -> list[Mark]:
        """The marks of the first look; found again when it was made by a process that has ended."""
        if not self._marks.get(path):
            numbering = Numbering()
            marks = [Mark(0, numbering.plain())]
            batch = _Stretch(0)
            for command in self._commands(tail, 0, numbering, Counter()):
                batch.add(command)
                if batch.end >= stop:
                    break
                if self._full(batch):
                    marks.append(Mark(batch.end, numbering.plain()))
                    batch = _Stretch(batch.end)
            self._marks[path] = marks
        return self._marks[path]

    def _commands(
        self, tail: Tail, start: int, numbering: Numbering, skipped: Counter[str]
    ) -> Iterator[Numbered]:
        return numbering.number(self.parse(tail.lines(start), skipped, tail.half_written))

    def _full(self, batch: _Stretch) -> bool:
        return len(batch.commands) >= self.batch_commands or batch.characters >= _BATCH_CHARACTERS

    def _cursor(self, tail: Tail, end: int, numbering: Numbering, todo: Cursor | None) -> dict[str, Any]:
        return {
            **tail.mark(end),
            "numbering": numbering.plain(),
            "alive": running_since(self.process or self.source),
            "todo": todo,
        }


def _share(todo: Cursor | None, tail: Tail) -> float:
    """How much of the file was told, from its end."""
    return 1.0 if todo is None else 1 - min(1.0, todo["end"] / max(1, tail.size))
