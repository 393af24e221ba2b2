"""What a person hid from the shell hooks, so that a history does not tell it after all.

In private mode a hook notes no command, only when one ran. Those seconds stand in `SPOOL/hidden`, a line each:
shell, first and last second. A history's commands of these seconds are marked as private, and so are those whose
time is not known but may lie there; with a hook, commands that begin with a space are private as well.
"""

from __future__ import annotations

import bisect
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from collectors.event import Event, microseconds

_FILE = "hidden"
_SECOND = 1_000_000


def hooked(spool: Path | None, shell: str) -> bool:
    """The hook of this shell is installed."""
    return spool is not None and (spool / shell).is_dir()


def hide(spool: Path, spans: Iterable[tuple[str, int, int]]) -> None:
    """Keep these spans: a shell, and the first and last second in which it ran private commands."""
    lines = "".join(f"{shell} {first} {last}\n" for shell, first, last in spans)
    if lines:
        descriptor = os.open(spool / _FILE, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        with open(descriptor, "w", encoding="ascii") as file:
            file.write(lines)


@dataclass(frozen=True)
class Hidden:
    """The spans of one shell, in order, and whether its hook is installed."""

    spans: Sequence[tuple[int, int]] = ()
    spaced: bool = False

    @classmethod
    def of(cls, spool: Path | None, shell: str) -> Hidden:
        """What was hidden from the hook of this shell."""
        if spool is None:
            return cls()
        try:
            lines = (spool / _FILE).read_text(encoding="ascii", errors="replace").splitlines()
        except OSError:
            lines = []
        rows = [line.split(" ") for line in lines]
        spans = {
            (int(row[1]), int(row[2]))
            for row in rows
            if len(row) == 3 and row[0] == shell and row[1].isdigit() and row[2].isdigit()
        }
        return cls(sorted(spans), hooked(spool, shell))

    def mark(self, events: Iterable[Event]) -> list[Event]:
        """The same events, those that were hidden marked as private."""
        return [replace(event, private=True) if self._hides(event) else event for event in events]

    def _hides(self, event: Event) -> bool:
        start = microseconds(event.start) // _SECOND
        if not event.approx:
            return self._meets(start, start)
        # A file read for the first time is older than the hook, as far as anyone knows.
        return event.earliest is not None and self._meets(microseconds(event.earliest) // _SECOND, start)

    def _meets(self, first: int, last: int) -> bool:
        """Whether a span meets these seconds. Spans of one shell that overlap are short, so a few are looked at."""
        at = bisect.bisect_right(self.spans, (last, last + _SECOND))
        return any(begin <= last and end >= first for begin, end in self.spans[max(0, at - 100) : at])
