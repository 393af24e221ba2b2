"""Putting a backup in the place of a memory; what was there is kept beside it."""

from __future__ import annotations

import os
import shutil
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path

from desktop_memory.assembly import GRAPH_FOLDER
from desktop_memory.errors import KnownError
from desktop_memory.owner import OwnerLock
from desktop_memory.store import whole
from desktop_memory.store.store import FILE_NAME as STORE_FILE
from desktop_memory.transfer.backup import (
    CARRIED,
    Manifest,
    Progress,
    digest,
    manifest_of,
    not_ours,
    pour,
)
from desktop_memory.transfer.workshop import keep_aside, workshop
from desktop_memory.vault.header import sync

_REPLACED = (*CARRIED, STORE_FILE)
_LOG = (f"{STORE_FILE}-wal", f"{STORE_FILE}-shm")


def restore(
    folder: Path, backup: Path, now: datetime, progress: Progress, *, replace: bool = False
) -> tuple[Manifest, Path | None]:
    """Make `folder` what it was when the backup was made; the folder where the memory that was there is kept.

    The backup is unpacked and verified first; until then nothing is touched. Raises KnownError when it is no sound
    backup or a memory is there and `replace` was not said, BusyError when the app runs, Cancelled.
    """
    lock = OwnerLock(folder)
    lock.acquire()
    try:
        if not replace and (folder / STORE_FILE).exists():
            raise KnownError(f"There is a memory in {folder} already.", "Add --replace: it is kept aside.")
        with workshop(folder) as desk:
            manifest = unpack(backup, desk, progress)
            whole.become_another(desk / STORE_FILE, (backup.absolute(), manifest.last, now))
            if (folder / _LOG[0]).exists():  # of an app that was killed: what is in it must not go by itself
                with suppress(KnownError):
                    whole.take_in_log(folder / STORE_FILE)
            there = [name for name in (*_REPLACED, *_LOG) if (folder / name).exists()]
            aside = keep_aside(folder, there, "before-restore", now) if there else None
            _put_in_place(desk, folder)
        return manifest, aside
    finally:
        lock.release()


def unpack(backup: Path, desk: Path, progress: Progress) -> Manifest:
    """Unpack a backup into an empty folder and verify it. Raises KnownError when it is not what it was."""
    with _opened(backup) as file:
        manifest = manifest_of(file)
        if manifest.bytes > shutil.disk_usage(desk).free:
            raise KnownError(
                f"The backup needs {manifest.bytes / 1e6:,.0f} MB, which the disk does not have.",
                "Free some space.",
            )
        present = set(file.namelist())
        for name in _REPLACED:
            if name in present:
                _extract(file, name, desk / name, progress)
    store = desk / STORE_FILE
    if store.stat().st_size != manifest.bytes or digest(store) != manifest.sha256:
        raise KnownError(f"{backup} is damaged: the memory in it is not what was written.", "Take another.")
    if whole.check(store) != (manifest.events, manifest.last):
        raise KnownError(f"{backup} does not hold what it says.", "Take another.")
    return manifest


def _extract(file: zipfile.ZipFile, name: str, target: Path, progress: Progress) -> None:
    size = file.getinfo(name).file_size
    with (
        file.open(name) as packed,
        open(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out,
    ):
        pour(packed, out, size, lambda share: progress("unpacking", share))
        out.flush()
        os.fsync(out.fileno())


def _put_in_place(desk: Path, folder: Path) -> None:
    """The store comes last: whatever interrupts this, there is one. A log of the old one must not meet the new."""
    for name in (*_LOG, *(name for name in CARRIED if not (desk / name).exists())):
        (folder / name).unlink(missing_ok=True)
    for name in _REPLACED:
        if (desk / name).exists():
            os.replace(desk / name, folder / name)
    sync(folder)
    shutil.rmtree(folder / GRAPH_FOLDER, ignore_errors=True)


@contextmanager
def _opened(backup: Path) -> Iterator[zipfile.ZipFile]:
    try:
        with zipfile.ZipFile(backup) as file:
            yield file
    except (zipfile.BadZipFile, EOFError) as error:
        raise not_ours(backup) from error
    except OSError as error:
        raise KnownError(f"{backup} cannot be read: {error.strerror or error}.", "Check the file.") from error
