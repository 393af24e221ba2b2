"""A private folder inside the data folder for what is only half done, and one for what is replaced."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from desktop_memory.errors import KnownError
from desktop_memory.store.connection import known_errors
from desktop_memory.vault.header import sync

FOLDER = "moving"
_ABANDONED_SECONDS = 24 * 3_600


@contextmanager
def workshop(folder: Path) -> Iterator[Path]:
    """An empty folder for its owner alone, on the disk of the memory. Raises StoreError where it cannot be made."""
    room = folder / FOLDER
    with known_errors(room):
        room.mkdir(mode=0o700, parents=True, exist_ok=True)
        sweep(folder)
        desk = Path(tempfile.mkdtemp(dir=room))
    try:
        yield desk
    finally:
        shutil.rmtree(desk, ignore_errors=True)


def keep_aside(folder: Path, names: Iterable[str], why: str, now: datetime) -> Path:
    """A folder, called by why and when, that keeps these files; they stay where they are until they are replaced.

    Raises KnownError where one of that name was made within the same second.
    """
    aside = folder / f"{why}-{now:%Y-%m-%d-%H%M%S}"
    try:
        aside.mkdir(mode=0o700)
    except FileExistsError as error:
        raise KnownError(f"{aside.name} is there already.", "Try again in a second.") from error
    for name in names:
        try:
            os.link(folder / name, aside / name)
        except OSError:  # a file system without links
            shutil.copy2(folder / name, aside / name)
    for changed in (aside, folder):
        sync(changed)
    return aside


def sweep(folder: Path) -> None:
    """Remove what a process that was killed left behind a day ago or longer."""
    for left in abandoned(folder):
        shutil.rmtree(left, ignore_errors=True)


def abandoned(folder: Path) -> Iterator[Path]:
    """What a process that was killed left behind: nobody works on anything for a day."""
    long_ago = time.time() - _ABANDONED_SECONDS
    for left in (folder / FOLDER).glob("*"):
        if left.stat().st_mtime < long_ago:
            yield left
