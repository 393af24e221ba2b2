"""The records that shell hooks write, one a command.

A record is RS "1" NUL, then seven fields that each end in NUL (shell, process, start, end, exit code, folder,
command), then a newline. bash tells the command as its `history` prints it: number, second, command.
"""

from __future__ import annotations

import os
import re
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from collectors.shell.record import LONGEST_COMMAND, plausible

SETTLED_SECONDS = 2.0
_BEGINS = b"\x1e1\0"
_FIELDS = 7
_LONGEST_RECORD = 600_000
_SECOND = 1_000_000
_ENTRY = re.compile(r"^ *(\d{1,9})[ *] +(\d{9,11}) ", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Note:
    """One record of a hook. Times are microseconds; `end` is None when the clock was set back meanwhile.

    `entries` are the commands, oldest first, with the second that the shell's history has, where it was told.
    There are none in private mode: something ran then, no more.
    """

    shell: str
    process: str
    start: int
    end: int | None
    code: int | None
    folder: bytes
    entries: tuple[tuple[int | None, str], ...]

    @property
    def private_span(self) -> tuple[str, int, int] | None:
        """Of a private note: the shell, and the first and last second in which its history may have the command."""
        if self.entries:
            return None
        last = self.start if self.end is None else self.end
        return self.shell, self.start // _SECOND - 1, last // _SECOND + 1


def read_notes(path: Path, start: int, room: int, skipped: Counter[str]) -> tuple[list[Note], int, bool]:
    """The notes in a file from this offset on, the offset after the last whole one, and whether more follow."""
    with path.open("rb") as file:
        settled = time.time() - os.fstat(file.fileno()).st_mtime > SETTLED_SECONDS
        file.seek(start)
        data = file.read(max(room, _LONGEST_RECORD))
        more = bool(file.read(1))
    notes: list[Note] = []
    at = 0
    while (begin := data.find(_BEGINS, at)) >= 0:
        if begin > at:
            skipped["damaged note"] += 1
        end = _record_end(data, begin)
        following = data.find(_BEGINS, begin + 1, end if end > 0 else len(data))
        if end < 0 and following < 0:
            at = begin
            break
        if following >= 0:
            skipped["damaged note"] += 1
            at = following
            continue
        whole = data[end : end + 1] == b"\n"
        if not whole or (note := _note(data[begin + len(_BEGINS) : end].split(b"\0"))) is None:
            skipped["damaged note"] += 1
        else:
            notes.append(note)
        at = end + whole
    if settled and not more and at < len(data):
        skipped["damaged note"] += 1
        at = len(data)
    return notes, start + at, more


def _record_end(data: bytes, begin: int) -> int:
    """The offset of the byte after a record, a newline; -1 when it is not all there."""
    at = begin + len(_BEGINS) - 1
    for _ in range(_FIELDS):
        at = data.find(b"\0", at + 1)
        if at < 0:
            return -1
    return at + 1 if at + 1 < len(data) else -1


def _note(fields: list[bytes]) -> Note | None:
    shell, process, start, end, code = (value.decode("ascii", "replace") for value in fields[:5])
    started, ended = _microseconds(start), _microseconds(end)
    told = fields[6][: 8 * LONGEST_COMMAND].decode("utf-8", "replace")
    entries = _history_entries(told) if shell == "bash" else ((None, told),) if told else ()
    if started is None or not shell.isalnum() or not process.isdigit() or bool(told) != bool(entries):
        return None
    return Note(
        shell=shell,
        process=process,
        start=started,
        end=ended if ended is not None and ended >= started else None,
        code=int(code) if re.fullmatch(r"-?\d{1,10}", code, re.ASCII) else None,
        folder=fields[5],
        entries=entries,
    )


def _microseconds(told: str) -> int | None:
    """`1700000000.25` (or with a comma) and `1700000000250000` are the same time."""
    match = re.fullmatch(r"(\d{9,11})(?:[.,](\d+)|(\d{6}))", told, re.ASCII)
    if match is None or not plausible(int(match[1])):
        return None
    return int(match[1]) * _SECOND + int((match[2] or match[3])[:6].ljust(6, "0"))


def _history_entries(told: str) -> tuple[tuple[int, str], ...]:
    """The entries that bash's `history` printed: number, second and command, numbered one by one."""
    begins: list[re.Match[str]] = []
    for match in _ENTRY.finditer(told):
        if (begins and int(match[1]) == int(begins[-1][1]) + 1) or (not begins and match.start() == 0):
            begins.append(match)
    ends = [match.start() for match in begins[1:]] + [len(told)]
    return tuple((int(match[2]), told[match.end() : end]) for match, end in zip(begins, ends, strict=False))
