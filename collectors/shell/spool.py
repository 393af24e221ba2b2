"""What the shell hooks noted: each command with its folder, exit code and exact times.

A hook appends to a file of its own shell, `SPOOL/<shell>/<pid>.<second>`. Reading renames that file, so that
the shell begins another, and reads the renamed one; it is deleted in a later turn, when the store has told by
the cursor that its commands are kept. Nothing is lost or told twice whenever either side is killed.
"""

from __future__ import annotations

import hashlib
import os
import re
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from collectors.collector import Batch, Cursor, Place, Unavailable
from collectors.event import Event, identity, moment
from collectors.repository import enclosing
from collectors.shell.dating import local_offset
from collectors.shell.notes import SETTLED_SECONDS, Note, read_notes
from collectors.shell.numbering import dated_identity, known_as
from collectors.shell.record import readable

_TAKEN = ".read"
_BATCH_BYTES = 2_000_000
_WAITS_SECONDS = 300.0
_STALE_SECONDS = 86_400.0
_SLOW_START_US = 250_000
_CLAIMS = 256
_SECOND = 1_000_000
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
        read: dict[str, int] = dict((cursor or {}).get("files", {}))
        claims = Claims((cursor or {}).get("claims", ()))
        skipped: Counter[str] = Counter()
        events: list[Event] = []
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
            notes, end, more = read_notes(spool / name, read.get(name, 0), room, skipped)
            room -= end - read.get(name, 0)
            read[name] = end
            for note in notes:
                events.extend(_events(note, claims))
            if more := more or (room <= 0 and name != taken[-1]):
                break
        fresh = {"files": {name: read[name] for name in taken if name in read}, "claims": claims.plain()}
        if not events and fresh["files"] == (cursor or {}).get("files", {}):
            return Batch(events=(), cursor=cursor or fresh, skipped=skipped)
        events.sort(key=lambda event: event.start)
        return Batch(events=events, cursor=fresh, skipped=skipped, more=more)


class Claims:
    """Which history entries the hooks have spoken for, so that no two notes take the same for theirs."""

    def __init__(self, plain: Iterable[Iterable[Any]] = ()) -> None:
        self._counts: dict[tuple[int, str], int] = {(second, mark): count for second, mark, count in plain}

    def claim(self, second: int, text: str) -> str:
        """The identity of the next command with this text in this second."""
        key = (second, hashlib.blake2b(known_as(text).encode(), digest_size=8).hexdigest())
        count = self._counts.pop(key, 0)
        self._counts[key] = count + 1
        if len(self._counts) > _CLAIMS:
            del self._counts[next(iter(self._counts))]
        return dated_identity(second, text, count)

    def plain(self) -> list[list[Any]]:
        """The claims as JSON values."""
        return [[second, mark, count] for (second, mark), count in self._counts.items()]


def hooked(spool: Path | None, shell: str) -> bool:
    """The hook of this shell is installed."""
    return spool is not None and (spool / shell).is_dir()


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
                if not _delete_kept(file, read.get(name, 0)):
                    names.append(name)
            elif _LIVE.match(file.name) and file.stat().st_size:
                taken = file.with_name(f"{file.name}.{time.time_ns()}{_TAKEN}")
                file.rename(taken)
                names.append(f"{folder.name}/{taken.name}")
            elif file.name.startswith("last.") and _age(file.stat().st_mtime) > _STALE_SECONDS:
                file.unlink(missing_ok=True)
        if ".removed." in folder.name and not any(folder.iterdir()):
            folder.rmdir()  # its hook was taken out
    return names


def _delete_kept(file: Path, read: int) -> bool:
    """Delete a file that was read to its end, once no shell can still be writing to it."""
    facts = file.stat()
    if facts.st_size > read or _age(facts.st_ctime) < SETTLED_SECONDS:
        return False
    file.unlink()
    return True


def _age(moment_: float) -> float:
    return time.time() - moment_


# events


def _events(note: Note, claims: Claims) -> Iterator[Event]:
    for place, (second, text) in enumerate(note.entries[:-1], start=1 - len(note.entries)):
        # Pasted together with the last, and run just before it: only bash's own second is known.
        if second is not None and (kept := _kept(text)):
            start = min(note.start, (second + 1) * _SECOND) + place
            yield _event(note, kept, claims.claim(second, kept), start=start)
    second, text = note.entries[-1]
    if not (kept := _kept(text)):
        return
    seconds = [note.start // _SECOND] if second is None else [second]
    if second is None and note.start % _SECOND < _SLOW_START_US:
        seconds.append(seconds[0] - 1)  # zsh may have taken the line just before the full second
    yield _event(
        note,
        kept,
        identity("hook", note.shell, note.process, note.start),
        start=note.start,
        end=note.end,
        code=note.code,
        aliases=tuple(claims.claim(second, kept) for second in seconds),
    )


def _kept(text: str) -> str:
    return "" if text.startswith(" ") else readable(text.encode("utf-8", "replace"))


def _event(
    note: Note,
    text: str,
    identity_: str,
    *,
    start: int,
    end: int | None = None,
    code: int | None = None,
    aliases: tuple[str, ...] = (),
) -> Event:
    repository = enclosing(os.fsdecode(note.folder))
    details: dict[str, Any] = {"cwd": note.folder.decode("utf-8", "replace")}
    if code is not None:
        details["exit"] = code
    return Event(
        identity=identity_,
        aliases=aliases,
        kind="terminal",
        start=moment(start),
        end=None if end is None else moment(end),
        text=text,
        project=repository.name.encode("utf-8", "replace").decode() if repository else "",
        source=note.shell,
        utc_offset=local_offset(start),
        details=details,
    )
