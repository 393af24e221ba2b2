"""Reads what is new of a file that other programs append to, trim and rewrite."""

from __future__ import annotations

import errno
import hashlib
import os
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple
from zlib import crc32

from collectors.collector import Cursor, Unavailable

BLOCK = 256 * 1024
LONGEST_LINE = 8 * 1024 * 1024
_CHECKED = 256
_PRINTS = 64
_PRINTED = 64


class Line(NamedTuple):
    """A whole line without its newline; `end` is the offset of the byte after the newline."""

    end: int
    data: bytes


class Tail:
    """One look at a file: its facts do not change while it is read, though the file may grow."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        facts = os.fstat(file.fileno())
        self.inode = facts.st_ino
        self.size = facts.st_size
        self.mtime_us = facts.st_mtime_ns // 1_000

    @property
    def written(self) -> tuple[int, int]:
        """When the file was last written, by now at the latest, and how long it was then."""
        return min(max(0, self.mtime_us), time.time_ns() // 1_000), self.size

    def unchanged(self, cursor: Cursor) -> bool:
        """Nothing was written since; told without reading a byte."""
        return (self.inode, self.size, self.mtime_us) == (
            cursor.get("inode"),
            cursor.get("size"),
            cursor.get("mtime"),
        )

    def continues(self, cursor: Cursor) -> bool:
        """What was read then still stands before the offset; False once the file was trimmed or replaced."""
        end = cursor.get("end")
        return (
            isinstance(end, int)
            and self.inode == cursor.get("inode")
            and end <= self.size
            and self.check(end) == cursor.get("check")
        )

    def beginning(self, count: int) -> bytes:
        """The first bytes, for a first impression."""
        return self._read(0, count)

    @property
    def half_written(self) -> bool:
        """The last line has no newline yet."""
        return self.size > 0 and self._read(self.size - 1, 1) != b"\n"

    def mark(self, end: int) -> dict[str, Any]:
        """The cursor for having read up to `end`."""
        return {
            "inode": self.inode,
            "size": self.size,
            "mtime": self.mtime_us,
            "end": end,
            "check": self.check(end),
            "prints": [self._print(self._spot(end, n)) for n in range(_PRINTS)],
        }

    def was_trimmed(self, cursor: Cursor, until: int) -> bool:
        """What stands before `until` is what was read then, without its beginning: so many samples are the same."""
        end, prints = cursor.get("end", 0), cursor.get("prints", ())
        cut = end - until
        kept = [n for n in range(len(prints)) if self._spot(end, n) >= cut]
        return (
            cut >= 0 and bool(kept) and all(self._print(self._spot(end, n) - cut) == prints[n] for n in kept)
        )

    @staticmethod
    def _spot(end: int, n: int) -> int:
        """Where the samples are taken of what was read up to `end`."""
        return max(0, end - _PRINTED) * n // (_PRINTS - 1)

    def _print(self, offset: int) -> int:
        return crc32(self._read(offset, _PRINTED))

    def check(self, offset: int) -> str:
        """A hash of the bytes just before this offset."""
        start = max(0, offset - _CHECKED)
        return hashlib.blake2b(self._read(start, offset - start), digest_size=12).hexdigest()

    def lines(self, start: int, end: int | None = None) -> Iterator[Line]:
        """The whole lines between two offsets. A last line without its newline is left for next time.

        A line longer than LONGEST_LINE comes as its first bytes only, so that a file of anything cannot fill
        the memory.
        """
        stop = self.size if end is None else end
        at = start
        pending: list[bytes] = []
        held = 0
        while block := self._read(at, min(BLOCK, stop - at)):
            here = at
            at += len(block)
            first, *rest = block.split(b"\n")
            if held < LONGEST_LINE:
                pending.append(first)
                held += len(first)
            if not rest:
                continue
            here += len(first) + 1
            yield Line(here, b"".join(pending))
            last = rest.pop()
            for data in rest:
                here += len(data) + 1
                yield Line(here, data)
            pending, held = [last], len(last)

    def _read(self, at: int, count: int) -> bytes:
        self._file.seek(at)
        return self._file.read(count) if count > 0 else b""


@contextmanager
def opened(path: Path) -> Iterator[Tail]:
    """The file, opened for one look. Raises Unavailable with what would help."""
    try:
        # A named pipe would wait for its writer.
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except OSError as error:
        raise Unavailable(f"{path} cannot be read: {error.strerror}.", _advice(error, path)) from error
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise Unavailable(f"{path} is not a file.", "Let HISTFILE name an ordinary file.")
    with open(descriptor, "rb", buffering=0) as file:
        try:
            yield Tail(file)
        except OSError as error:
            raise Unavailable(f"{path} cannot be read: {error.strerror}.", "It is tried again.") from error


def _advice(error: OSError, path: Path) -> str:
    if error.errno in (errno.EACCES, errno.EPERM):
        return f"Make it yours and readable: chown $USER '{path}'; chmod 600 '{path}'"
    if error.errno == errno.ENOENT:
        return "It is read again when it is back."
    if error.errno == errno.ELOOP:
        return "Its symbolic links go round in a circle: mend them."
    return "It is tried again."
