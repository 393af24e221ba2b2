"""What the shell hooks noted: each command with its folder, exit code and exact times.

A hook appends to a file of its own shell, `SPOOL/<shell>/<pid>.<second>`. Reading renames that file, so that
the shell begins another, and reads the renamed one; it is deleted in a later turn, when the store has told by
the cursor that its commands are kept. Nothing is lost or told twice whenever either side is killed.
"""

from __future__ import annotations

import os
import re
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from collectors.collector import Batch, Cursor, Place, Unavailable
from collectors.plain import DAMAGED, number
from collectors.shell.hidden import hide
from collectors.shell.noted import Claims, events_of
from collectors.shell.notes import SETTLED_SECONDS, Note, read_notes

_TAKEN = ".read"
_BATCH_BYTES = 2_000_000
_WAITS_SECONDS = 300.0
_STALE_SECONDS = 86_400.0
_LIVE = re.compile(r"\d+\.\d+\Z")


@dataclass(kw_only=True)
class ShellHook:
    """Reads the spool folder, which holds one folder a shell."""

    spool: Path
    source: str = field(default="shell hook", init=False)

    def places(self) -> Iterable[Place]:
        if self.spool.is_dir():
            yield Place(source=self.source, name=str(self.spool))

    def collect(self, place: Place, cursor: Cursor | None) -> Batch:
        spool = Path(place.name)
        read, claims = _understood(cursor)
        before = dict(read)
        skipped: Counter[str] = Counter()
        notes: list[Note] = []
        try:
            taken = _take(spool, read)
        except OSError as error:
            raise Unavailable(
                f"The notes of the shell hooks cannot be read: {error.strerror}.",
                f"Make {spool} and what is in it yours: chmod -R u+rwX '{spool}'",
            ) from error
        room = _BATCH_BYTES
        more = False
        for name in taken:
            found, end, more = read_notes(spool / name, read.get(name, 0), room, skipped)
            room -= end - read.get(name, 0)
            read[name] = end
            notes.extend(found)
            if more := more or (room <= 0 and name != taken[-1]):
                break
        try:
            hide(spool, (span for note in notes if (span := note.private_span) is not None))
        except OSError as error:
            raise Unavailable(
                f"{spool} cannot be written: {error.strerror}.", "Check its permissions."
            ) from error
        events = events_of([note for note in notes if note.entries], claims)
        fresh = {"files": {name: read[name] for name in taken if name in read}, "claims": claims.plain()}
        if not events and fresh["files"] == before:
            return Batch(events=(), cursor=cursor or fresh, skipped=skipped)
        return Batch(events=events, cursor=fresh, skipped=skipped, more=more)


def _understood(cursor: Cursor | None) -> tuple[dict[str, int], Claims]:
    """How far each file was read, and what the hooks spoke for; nothing where the cursor is damaged."""
    try:
        told = cursor or {}
        files = {str(name): number(end) for name, end in told.get("files", {}).items()}
        return files, Claims(told.get("claims", ()))
    except DAMAGED:
        return {}, Claims()


def hook_waits(spool: Path | None, shell: str) -> bool:
    """The hook of this shell has noted commands that were not read yet: its history had better wait for them."""
    if spool is None:
        return False
    try:
        with os.scandir(spool / shell) as files:
            return any(
                _LIVE.match(file.name) and _age(file.stat().st_mtime) < _WAITS_SECONDS for file in files
            )
    except OSError:
        return False


# files


def _take(spool: Path, read: dict[str, int]) -> list[str]:
    """Rename what shells have written since, delete what the store keeps; the names to read, relative."""
    names: list[str] = []
    for folder in sorted(path for path in spool.iterdir() if path.is_dir() and not path.is_symlink()):
        for file in sorted(folder.iterdir()):
            if file.is_symlink() or not file.is_file():
                continue
            name = f"{folder.name}/{file.name}"
            if file.name.endswith(_TAKEN):
                if read.get(name, 0) > file.stat().st_size:
                    del read[name]  # a damaged cursor: no file is read further than it goes
                if not _delete_kept(file, read.get(name, 0)):
                    names.append(name)
            elif _LIVE.match(file.name) and file.stat().st_size:
                if (taken := _taken(file)) is not None:
                    names.append(f"{folder.name}/{taken.name}")
            elif file.name.startswith("last.") and _age(file.stat().st_mtime) > _STALE_SECONDS:
                file.unlink(missing_ok=True)
        if ".removed." in folder.name and not any(folder.iterdir()):
            folder.rmdir()  # its hook was taken out
    return names


def _taken(file: Path) -> Path | None:
    """The file under a new name, by which its shell begins another; None while a shell on Windows holds it open."""
    taken = file.with_name(f"{file.name}.{time.time_ns()}{_TAKEN}")
    try:
        return file.rename(taken)
    except PermissionError:
        if os.name == "nt":
            return None
        raise


def _delete_kept(file: Path, read: int) -> bool:
    """Delete a file that was read to its end, once no shell can still be writing to it."""
    facts = file.stat()
    if facts.st_size > read or _age(facts.st_ctime) < SETTLED_SECONDS:
        return False
    file.unlink()
    return True


def _age(moment_: float) -> float:
    return time.time() - moment_
