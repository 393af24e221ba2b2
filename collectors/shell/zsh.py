"""zsh history: metafied bytes, extended (`: start:elapsed;command`) and plain entries, even mixed.

The grammar is that of `readhistline` and `savehistfile` in zsh's Src/hist.c.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from collectors.shell.paths import last_bytes
from collectors.shell.record import LONGEST_COMMAND, Record, plausible, readable
from collectors.shell.tail import LONGEST_LINE, Line
from collectors.shell.text_history import TextHistory

_EXTENDED = re.compile(rb": *(\d{1,15}):(\d{1,15});")
_META = re.compile(rb"\x83(.)", re.DOTALL)
_ENOUGH_BYTES = 8 * LONGEST_COMMAND
_MONTH = 30 * 86_400


class Zsh(TextHistory):
    """Reads this user's zsh history files; `spool` is where the shell hooks write."""

    source = "zsh"
    names = (
        "~/.zsh_history",
        "~/.zhistory",
        "~/.histfile",
        "$ZDOTDIR/.zsh_history",
        "$ZDOTDIR/.zhistory",
        "$ZDOTDIR/.histfile",
        "$XDG_STATE_HOME/zsh/history",
        "$XDG_CACHE_HOME/zsh/history",
        "$XDG_DATA_HOME/zsh/history",
    )
    rc_files = ("~/.zshenv", "~/.zshrc", "~/.zprofile", "$ZDOTDIR/.zshrc", "$ZDOTDIR/.zprofile")

    def __init__(self, *, spool: Path | None = None) -> None:
        super().__init__(records, spool)

    def advice(self, path: Path) -> str:
        if re.search(rb"^: *\d+:\d+;", last_bytes(path), re.MULTILINE):
            return ""
        return (
            "This zsh history has no times. `desktop-memory hook zsh install` records commands as they run; "
            "`setopt EXTENDED_HISTORY INC_APPEND_HISTORY` in ~/.zshrc adds times to the history."
        )


def records(lines: Iterable[Line], skipped: Counter[str], half: bool) -> Iterator[Record]:
    """The commands on these lines; one that goes on in a line not written yet is not among them."""
    parts: list[bytes] = []
    held = 0
    for end, line in lines:
        if line.endswith(b"\\"):
            if held < LONGEST_LINE:
                parts.append(line[:-1])
                held += len(line)
            continue
        if parts:
            line = b"\n".join((*parts, line))
            parts, held = [], 0
        record = _record(end, line)
        if record is not None:
            yield record
        elif line:
            skipped["no command"] += 1


def _record(end: int, entry: bytes) -> Record | None:
    second: int | None = None
    elapsed = 0
    if extended := _EXTENDED.match(entry):
        second = int(extended[1])
        elapsed = int(extended[2])
        if elapsed >= second:
            elapsed -= second  # some versions wrote the time it finished
        if elapsed > _MONTH:
            elapsed = 0
        entry = entry[extended.end() : extended.end() + _ENOUGH_BYTES]
        if not plausible(second):
            second = None
    elif entry.startswith(b"\\:"):
        entry = entry[1:]
    text = readable(_unmetafied(entry))
    return Record(end, second, elapsed, text, spaced=entry.startswith(b" ")) if text else None


def _unmetafied(data: bytes) -> bytes:
    """zsh writes NUL and 0x83-0xA2 as 0x83 and the byte with bit 5 turned."""
    if b"\x83" not in data:
        return data
    return _META.sub(lambda pair: bytes((pair[1][0] ^ 32,)), data)
