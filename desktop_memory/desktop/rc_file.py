"""Puts a marked block into a shell's rc file and takes it out again, leaving every other byte as it was."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import stat
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from desktop_memory.errors import KnownError

BEGIN = "# >>> desktop-memory >>>"
END = "# <<< desktop-memory <<<"
_BLOCK = re.compile(
    rb"\n?"
    + re.escape(BEGIN.encode())
    + rb"[ \t]*\r?\n(.*?)"
    + re.escape(END.encode())
    + rb"[ \t]*(?:\r?\n|\Z)",
    re.DOTALL,
)
_BACKUP = ".before-desktop-memory"


@dataclass(frozen=True, kw_only=True, slots=True)
class RcFile:
    """An rc file that may be missing or a symbolic link. `checks` are commands that parse a file without running
    it; one of them must find it sound."""

    path: Path
    checks: Sequence[Sequence[str]] = ()

    @property
    def block(self) -> str | None:
        """What stands between the marks; None where there are none. Raises KnownError when a mark is alone."""
        found = _BLOCK.search(self._whole_marks(self._read() or b""))
        return None if found is None else found[1].decode("utf-8", "replace")

    def text(self) -> str:
        """All of it, for a look at what the user set."""
        return (self._read() or b"").decode("utf-8", "replace")

    def put(self, lines: str) -> bool:
        """Put these lines between the marks, at the end or where they stood; False when they were there already.

        Raises KnownError, leaving the file alone, when it cannot be parsed or written.
        """
        new = self.planned(lines)
        if new is None:
            return False
        old = self._read()
        if old is not None and (_BLOCK.sub(b"", old) or not _BLOCK.search(old)):
            self._back_up()
        self._write(new)
        return True

    def planned(self, lines: str) -> bytes | None:
        """The whole file with these lines; None when they are there. Raises KnownError as `put` does."""
        old = self._read()
        before = self._whole_marks(old or b"")
        block = f"{BEGIN}\n{lines.rstrip()}\n{END}\n".encode()
        if found := _BLOCK.search(before):
            begin = found.start() + found[0].startswith(b"\n")
            new = before[:begin] + block + _BLOCK.sub(b"", before[found.end() :])
        else:
            # A lone newline before it: taking the block out restores a missing last newline as well.
            new = before + (b"\n\n" if before.endswith(b"\\") else b"\n") + block
        if new == old:
            return None
        by_hand = f"add these lines yourself:\n{lines.rstrip()}"
        self._sound(before, f"It is left as it is. Mend it, or {by_hand}")
        self._sound(new, f"It is left as it is; {by_hand}")
        return new

    def take_out(self) -> bool:
        """Remove the block and, where nothing else was changed since, the backup; False when there was none."""
        before = self._whole_marks(self._read() or b"")
        new = _BLOCK.sub(b"", before)
        if new == before:
            return False
        backup = self._backup()
        if not new and not backup.exists():
            self._target().unlink()
            return True
        self._write(new)
        with contextlib.suppress(OSError):
            if backup.read_bytes() == new:
                backup.unlink()
        return True

    def _read(self) -> bytes | None:
        try:
            if self.path.exists() and not self.path.is_file():
                raise KnownError(f"{self.path} is not a file.", "Nothing was changed.")
            return self.path.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise KnownError(
                f"{self.path} cannot be read: {error.strerror}.", "Check its permissions."
            ) from error

    def _whole_marks(self, data: bytes) -> bytes:
        rest = _BLOCK.sub(b"", data)
        if BEGIN.encode() in rest or END.encode() in rest:
            raise KnownError(
                f"{self.path} holds one of the two marks of desktop-memory without the other.",
                f'Remove the line "{BEGIN}" or "{END}" and what belongs to it, then try again.',
            )
        return data

    def _sound(self, data: bytes, advice: str) -> None:
        """Raises KnownError when no check finds these bytes sound; a shell that is not installed finds nothing."""
        told = ""
        for check in self.checks:
            if shutil.which(check[0]) is None:
                continue
            with tempfile.TemporaryDirectory() as folder:
                copy = Path(folder) / "rc"
                copy.write_bytes(data)
                told = _parsed([*check, str(copy)]).replace(str(copy), self.path.name)
            if not told:
                return
        if told:
            raise KnownError(f"{self.path} cannot be parsed: {told}", advice)

    def _target(self) -> Path:
        """The file itself: a dotfile is often a link into a repository."""
        return Path(os.path.realpath(self.path))

    def _backup(self) -> Path:
        return self.path.with_name(self.path.name + _BACKUP)

    def _back_up(self) -> None:
        backup = self._backup()
        if backup.exists():
            return
        try:
            shutil.copy2(self._target(), backup)
        except OSError as error:
            raise KnownError(
                f"{backup} cannot be written: {error.strerror}.", "Nothing was changed."
            ) from error

    def _write(self, data: bytes) -> None:
        try:
            _replace(self._target(), data)
        except OSError as error:
            raise KnownError(
                f"{self.path} cannot be written: {error.strerror}.",
                "If another tool makes this file, let that tool add the lines; `hook … show` prints them.",
            ) from error


def _parsed(command: Sequence[str]) -> str:
    """What a shell says is wrong with a file; empty when it is sound."""
    environment = {name: value for name, value in os.environ.items() if name not in ("BASH_ENV", "ENV")}
    try:
        done = subprocess.run(
            command, capture_output=True, stdin=subprocess.DEVNULL, timeout=10, env=environment, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    told = done.stderr.decode("utf-8", "replace").strip()
    # An open heredoc, which would swallow the block, is only a warning.
    return (told.splitlines() or ["it is not sound"])[0] if done.returncode or "here-document" in told else ""


def _replace(target: Path, data: bytes) -> None:
    """Write a file whole or not at all, with the mode and owner it had; one with several names in place."""
    target.parent.mkdir(parents=True, exist_ok=True)
    facts = target.stat() if target.exists() else None
    if facts is not None and facts.st_nlink > 1:
        target.write_bytes(data)
        return
    descriptor, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    fresh = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        fresh.chmod(stat.S_IMODE(facts.st_mode) if facts else 0o644)
        owner = facts or target.parent.stat()
        if hasattr(os, "chown") and owner.st_uid != os.geteuid():
            os.chown(fresh, owner.st_uid, owner.st_gid)
        fresh.replace(target)
    except BaseException:
        fresh.unlink(missing_ok=True)
        raise
