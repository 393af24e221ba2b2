"""A small disk of its own, to be filled, emptied and made read-only; only root can have one."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest


class SmallDisk:
    """A tmpfs at `path`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._ballast = path / "ballast"

    def fill(self, leave: int = 0) -> None:
        """Leave so many bytes free."""
        free = os.statvfs(self.path)
        with (
            suppress(OSError),
            self._ballast.open("ab") as file,
        ):  # somebody else may have taken the last of it
            file.write(bytes(max(0, free.f_bavail * free.f_frsize - leave)))

    def make_room(self) -> None:
        self._ballast.unlink(missing_ok=True)

    @contextmanager
    def read_only(self) -> Iterator[None]:
        _mount("-o", "remount,ro", str(self.path))
        try:
            yield
        finally:
            _mount("-o", "remount,rw", str(self.path))


@contextmanager
def small_disk(path: Path, megabytes: int) -> Iterator[SmallDisk]:
    """Mounted as long as the block lasts; skips the test where that is not possible."""
    path.mkdir(parents=True, exist_ok=True)
    try:
        _mount("-t", "tmpfs", "-o", f"size={megabytes}m,mode=700", "none", str(path))
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("only root may mount a small disk")
    try:
        yield SmallDisk(path)
    finally:
        subprocess.run(["umount", "-l", str(path)], check=False)


def _mount(*words: str) -> None:
    subprocess.run(["mount", *words], check=True, capture_output=True)
