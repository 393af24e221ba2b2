"""Everything in the data folder is for its owner alone: 0700 and 0600, or an access list of the same meaning."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

_FOLDER_MODE = 0o700


def open_to_others(folder: Path) -> Iterator[Path]:
    """What others may read or write here, the folder itself first. A link is not followed."""
    if sys.platform == "win32":
        from desktop_memory import permissions_windows

        if permissions_windows.open_to_others(folder):
            yield folder
        return
    for path in _all(folder):
        with suppress(FileNotFoundError):
            status = path.lstat()
            if not stat.S_ISLNK(status.st_mode) and status.st_mode & 0o077:
                yield path


def mend(folder: Path) -> int:
    """Take everything in the folder away from others; how many files and folders were open to them.

    What belongs to somebody else, or lies on a disk without modes, stays as it is: `doctor` tells of it.
    """
    mended = 0
    for path in list(open_to_others(folder)):
        with suppress(OSError):
            _make_private(path)
            mended += 1
    return mended


def _make_private(path: Path) -> None:
    if sys.platform == "win32":
        from desktop_memory import permissions_windows

        permissions_windows.make_private(path)
    elif path.is_dir():
        path.chmod(_FOLDER_MODE)
    else:
        path.chmod(path.stat().st_mode & 0o700)


def _all(folder: Path) -> Iterator[Path]:
    if not folder.exists():
        return
    yield folder
    for parent, folders, files in os.walk(folder):
        yield from (Path(parent, name) for name in (*folders, *files))
