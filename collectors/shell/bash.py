"""bash history: dated (`#<epoch>` before each entry), undated, and both in one file.

The grammar is that of `history_do_write` in bash's lib/readline/histfile.c. Without times nothing separates
two entries, so the lines of one command are told by its syntax (see syntax.py).
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from collectors.shell.paths import last_bytes
from collectors.shell.record import Record, plausible, readable
from collectors.shell.syntax import Statement
from collectors.shell.tail import Line
from collectors.shell.text_history import TextHistory

# The character is `histchars[2]`, "#" unless the user changed it.
STAMP = re.compile(rb"[^\w\s](\d{9,11})\s*\Z")
# An undated `echo don't` must not swallow what follows; a heredoc has an end that is seen for sure.
_MOST_LINES = 50
_MOST_HEREDOC_LINES = 1_000
_MOST_DATED_LINES = 5_000
_STAMP_IN_HEREDOC_LINES = 200


class Bash(TextHistory):
    """Reads this user's bash history files; `spool` is where the shell hooks write."""

    source = "bash"
    names = ("~/.bash_history", "$XDG_STATE_HOME/bash/history", "$XDG_CACHE_HOME/bash/history")
    rc_files = ("~/.bashrc", "~/.bash_profile", "~/.profile", "~/.bash_login")

    def __init__(self, *, spool: Path | None = None) -> None:
        super().__init__(records, spool)

    def advice(self, path: Path) -> str:
        times = "" if re.search(rb"^#\d{9,11}$", last_bytes(path), re.MULTILINE) else ", and without times"
        return (
            f"bash writes this history when the shell closes{times}. "
            "To record commands as they run: desktop-memory hook bash install"
        )


def records(lines: Iterable[Line], skipped: Counter[str], half: bool) -> Iterator[Record]:
    """The commands on these lines. `half`: a half-written line follows, and the command it ends must wait."""
    ahead = _Ahead(lines)
    second: int | None = None
    while (line := ahead.next()) is not None:
        if stamp := STAMP.match(line.data):
            if second is not None:
                skipped["no command"] += 1
            second = int(stamp[1])
            continue
        if not line.data.strip():
            continue  # a heredoc leaves an empty line
        taken = _command(line, ahead, dated=second is not None)
        if half and ahead.ended:
            return
        text = readable(b"\n".join(part.data for part in taken))
        if second is not None and not plausible(second):
            second = None
        if text:
            yield Record(taken[-1].end, second, 0, text, spaced=line.data.startswith(b" "))
        else:
            skipped["no command"] += 1
        second = None


class _Ahead:
    """Lines with a look at those to come."""

    def __init__(self, lines: Iterable[Line]) -> None:
        self._lines = iter(lines)
        self._ready: deque[Line] = deque()
        self.ended = False

    def next(self) -> Line | None:
        """The next line; None, and `ended`, where a command asked for more than there is."""
        line = self._ready.popleft() if self._ready else next(self._lines, None)
        self.ended = line is None
        return line

    def give_back(self, lines: list[Line]) -> None:
        self._ready.extendleft(reversed(lines))

    def peek(self, count: int) -> Iterator[Line]:
        """The next lines, without taking them."""
        while len(self._ready) < count and (line := next(self._lines, None)) is not None:
            self._ready.append(line)
        return islice(self._ready, count)


def _command(first: Line, ahead: _Ahead, *, dated: bool) -> list[Line]:
    """The lines of the command that begins here."""
    taken = [first]
    statement = Statement()
    whole = statement.add(_ascii(first.data))
    while not whole:
        line = ahead.next()
        heredoc = statement.in_heredoc
        if line is None:
            return taken if dated else _first_alone(taken, ahead)
        if STAMP.match(line.data) and not (heredoc and _is_body(heredoc, ahead)):
            ahead.give_back([line])
            return taken if dated else _first_alone(taken, ahead)
        taken.append(line)
        if len(taken) > _most(dated, heredoc):
            return _first_alone(taken, ahead)
        whole = statement.add(_ascii(line.data))
    return taken


def _most(dated: bool, heredoc: str) -> int:
    if dated:
        return _MOST_DATED_LINES
    return _MOST_HEREDOC_LINES if heredoc else _MOST_LINES


def _is_body(ending: str, ahead: _Ahead) -> bool:
    """A line that looks like a time stands in a heredoc: its end comes soon, and no other of that end begins before."""
    another = re.compile(rf"<<-?[ \t]*['\"\\]?{re.escape(ending)}")
    for line in ahead.peek(_STAMP_IN_HEREDOC_LINES):
        text = _ascii(line.data)
        if text.strip("\t") == ending:
            return True
        if another.search(text):
            return False
    return False


def _first_alone(taken: list[Line], ahead: _Ahead) -> list[Line]:
    ahead.give_back(taken[1:])
    return taken[:1]


def _ascii(data: bytes) -> str:
    """Each byte as a character: bash's syntax is ASCII."""
    return data.decode("latin-1")
