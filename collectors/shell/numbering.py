"""Gives each command of a history file an identity that survives appending, trimming and rewriting.

A dated command is known by its second, its text and its count among equals *in its run*, the stretch of
neighbours with the same second. Counting over the whole file would need all of it in memory; two shells that
ran the same line in the same second, and wrote it to far-away places, count as one.

An undated command is known by its text and its context: the commands before it, back until twelve different
ones are seen (at most 256). A count among equals, or a line number, would change when the shell trims the
file; a context changes only for the first few commands that are left, and those are recognised by where
reading stopped (see `Overlap`). The price: who repeats the same twelve different commands in the same order
without a time is remembered once for each of them.

Shells that read an undated history and write it with times stamp all of it with one second. A run of a
hundred or more is therefore taken as undated, at that second or before.
"""

from __future__ import annotations

import base64
import hashlib
from array import array
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple
from zlib import crc32

from collectors.event import identity
from collectors.plain import maybe_number, number
from collectors.shell.record import Record

LOADED_AT_ONCE = 100
_KNOWN_BY = 2_000
_RECENT = 256
_DIFFERENT = 12
_COUNTED = 1_000
_SURE = 8


class Numbered(NamedTuple):
    """A command with what its identity is made of: its place in the run of its second, how many equals are
    before it there, and its context, empty where the file tells the second truly. `mark` is the text's."""

    record: Record
    place: int
    equals: int
    context: str
    mark: int

    @property
    def identities(self) -> tuple[str, ...]:
        """The identity, and after it an alias where there is one."""
        second, text = self.record.second, self.record.text
        dated = () if second is None else (dated_identity(second, text, self.equals),)
        return (identity("command", None, known_as(text), self.context), *dated) if self.context else dated


def known_as(text: str) -> str:
    """What two tellings of one command share: a hook bounds it, and HIST_REDUCE_BLANKS squeezes it."""
    return " ".join(text[: 2 * _KNOWN_BY].split())[:_KNOWN_BY]


def dated_identity(second: int, text: str, count: int) -> str:
    """The identity of a command with a time: what the hook and other histories use too."""
    return identity("command", second, known_as(text), count)


class Numbering:
    """The state between two commands of a file; `plain()` and `from_plain()` carry it over in a cursor."""

    def __init__(self) -> None:
        self._second: int | None = None
        self._index = 0
        self._counts: Counter[int] = Counter()
        self._newest = 0
        self._undated = False
        self._recent: deque[int] = deque(maxlen=_RECENT)

    def number(self, records: Iterable[Record]) -> Iterator[Numbered]:
        """Number commands as they come; a run is held back until its length tells if its second is true."""
        run: list[Record] = []
        for record in records:
            if run and (record.second != run[0].second or len(run) >= LOADED_AT_ONCE):
                yield from self._numbered_run(run)
                run = []
            if record.second is None:
                yield self._numbered(record, loaded=False)
            else:
                run.append(record)
        yield from self._numbered_run(run)

    def _numbered_run(self, run: list[Record]) -> Iterator[Numbered]:
        if not run:
            return
        if run[0].second != self._second:
            self._second, self._index = run[0].second, 0
            self._counts.clear()
            self._newest = max(self._newest, run[0].second or 0)
        loaded = self._index + len(run) >= LOADED_AT_ONCE
        for record in run:
            yield self._numbered(record, loaded=loaded)

    def _numbered(self, record: Record, *, loaded: bool) -> Numbered:
        mark = crc32(record.text.encode())
        context = self._context() if loaded or record.second is None else ""
        self._recent.append(mark)
        if record.second is None:
            self._undated = True
            return Numbered(record, 0, 0, context, mark)
        index = self._index
        self._index += 1
        count = self._counts[mark] if len(self._counts) < _COUNTED else 0
        self._counts[mark] += 1
        return Numbered(record, index, count, context, mark)

    def _context(self) -> str:
        """What stands before the next command, back until twelve different ones are seen."""
        before: list[int] = []
        seen: set[int] = set()
        for mark in reversed(self._recent):
            before.append(mark)
            seen.add(mark)
            if len(seen) == _DIFFERENT:
                break
        return hashlib.blake2b(array("I", before).tobytes(), digest_size=9).hexdigest()

    @property
    def newest(self) -> int:
        """The newest second met."""
        return self._newest

    def fits(self, end: int) -> bool:
        """A file that was read up to `end` can have led to this; a damaged cursor holds any number."""
        return self._index <= end

    @property
    def recent(self) -> tuple[int, ...]:
        """What stands for the last commands, oldest first."""
        return tuple(self._recent)

    def plain(self) -> dict[str, Any]:
        """The state as JSON values."""
        return {
            "second": self._second,
            "newest": self._newest,
            "undated": self._undated,
            "index": self._index,
            "counts": {str(mark): count for mark, count in self._counts.items()},
            "recent": base64.b64encode(array("I", self._recent).tobytes()).decode(),
        }

    @classmethod
    def from_plain(cls, state: Mapping[str, Any]) -> Numbering:
        """The reverse of `plain`. Raises one of DAMAGED."""
        numbering = cls()
        numbering._second = maybe_number(state["second"])
        numbering._newest = number(state["newest"])
        numbering._undated = bool(state["undated"])
        numbering._index = number(state["index"])
        numbering._counts = Counter({int(mark): number(count) for mark, count in state["counts"].items()})
        numbering._recent.extend(array("I", base64.b64decode(state["recent"])))
        return numbering


class Overlap:
    """Finds in a rewritten file the place up to which it was read before, by the last commands read then."""

    def __init__(self, recent: Sequence[int]) -> None:
        self._recent = tuple(recent)
        self._size = min(_SURE, len(self._recent))
        self._ends = {
            self._recent[end - self._size : end]: end
            for end in range(self._size, len(self._recent) + 1)
            if end
        }
        self._window: deque[int] = deque(maxlen=_RECENT)
        self._best = 0
        self.known_until = 0

    def look(self, numbered: Numbered) -> None:
        """Take the next command of the rewritten file."""
        if not self._recent:
            return
        self._window.append(numbered.mark)
        window = tuple(self._window)
        if len(window) < self._size:
            # A file that begins with the very last commands was trimmed to them.
            if window == self._recent[-len(window) :]:
                self._best, self.known_until = len(window), numbered.record.end
            return
        end = self._ends.get(window[-self._size :]) if self._size else None
        if end is None:
            return
        length = self._size
        while length < min(end, len(window)) and window[-length - 1] == self._recent[end - length - 1]:
            length += 1
        if length >= self._best:
            self._best, self.known_until = length, numbered.record.end
