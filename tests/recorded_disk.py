"""A disk that notes each write and sync, to make from it any state that a power cut could have left."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import apsw

SECTOR = 512


@dataclass(frozen=True, slots=True)
class Step:
    """A write, truncation, sync or removal of one file; "done" stands where a transaction had returned."""

    what: str
    file: str
    offset: int = 0
    data: bytes = b""


@dataclass(slots=True)
class RecordedDisk:
    """The steps in the order in which they were asked for."""

    steps: list[Step] = field(default_factory=list)

    def done(self, name: object) -> None:
        self.steps.append(Step("done", str(name)))

    def after_a_cut(self, at: int, chance: random.Random) -> dict[str, bytes]:
        """Files by name, had the power gone behind this step: of what was not synced any part may be there."""
        files: dict[str, bytearray] = {}
        waiting: dict[str, list[Step]] = {}
        for step in self.steps[:at]:
            if step.what == "done":
                continue
            if step.what == "remove":
                files.pop(step.file, None)
                waiting.pop(step.file, None)
                continue
            held = waiting.setdefault(step.file, [])
            if step.what == "sync":
                for one in held:
                    _apply(files.setdefault(step.file, bytearray()), one)
                held.clear()
            else:
                held.append(step)
        for name, held in waiting.items():
            for one in _survivors(held, chance):
                _apply(files.setdefault(name, bytearray()), one)
        return {name: bytes(data) for name, data in files.items()}

    @contextmanager
    def named(self, name: str) -> Iterator[None]:
        """As a VFS of this name."""
        vfs = _Recorder(name, self)
        try:
            yield
        finally:
            vfs.unregister()


def _survivors(held: list[Step], chance: random.Random) -> list[Step]:
    """None, all, the first few, or any of them, the last one perhaps torn."""
    way = chance.choice(("none", "all", "first", "any", "torn"))
    if way == "none" or not held:
        return []
    if way == "first":
        return held[: chance.randrange(len(held)) + 1]
    if way == "any":
        return [step for step in held if chance.random() < 0.5]
    if way == "torn":
        cut = held[: chance.randrange(len(held)) + 1]
        last = cut[-1]
        sectors = len(last.data) // SECTOR
        kept = last.data[: chance.randrange(sectors + 1) * SECTOR]
        return [*cut[:-1], Step(last.what, last.file, last.offset, kept)] if last.what == "write" else cut
    return held


def _apply(data: bytearray, step: Step) -> None:
    if step.what == "truncate":
        del data[step.offset :]
        data.extend(bytes(step.offset - len(data)))
        return
    data.extend(bytes(max(0, step.offset - len(data))))
    data[step.offset : step.offset + len(step.data)] = step.data


class _Recorder(apsw.VFS):
    def __init__(self, name: str, disk: RecordedDisk) -> None:
        self._disk = disk
        super().__init__(name, "unix")

    def xOpen(self, name: Any, flags: list[int]) -> apsw.VFSFile:
        return _File(name, flags, self._disk)

    def xDelete(self, name: str, syncdir: bool) -> None:
        super().xDelete(name, syncdir)
        self._disk.steps.append(Step("remove", Path(name).name))


class _File(apsw.VFSFile):
    def __init__(self, name: Any, flags: list[int], disk: RecordedDisk) -> None:
        spelled = name.filename() if isinstance(name, apsw.URIFilename) else name
        self._name = Path(spelled or "").name
        self._steps = disk.steps
        super().__init__("unix", name, flags)

    def xWrite(self, data: bytes, offset: int) -> None:
        super().xWrite(data, offset)
        self._steps.append(Step("write", self._name, offset, bytes(data)))

    def xTruncate(self, newsize: int) -> None:
        super().xTruncate(newsize)
        self._steps.append(Step("truncate", self._name, newsize))

    def xSync(self, flags: int) -> None:
        super().xSync(flags)
        self._steps.append(Step("sync", self._name))
