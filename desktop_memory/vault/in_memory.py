"""What must be written in plain for a moment, kept in memory while the store is encrypted.

Shell hooks note commands with nothing but the shell's own means, and histories of browsers are read from copies. Where
the system has a folder in memory, an encrypted memory uses that one for both; elsewhere they stay in the data folder,
the notes until they are taken in, the copies while they are read. What a disk swaps out is the system's to encrypt.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from desktop_memory.vault import header as headers
from desktop_memory.vault.settling import wipe

SPOOL_FOLDER = "spool"
COPIES_FOLDER = "copies"
_IN_MEMORY = ("tmpfs", "ramfs")


def copies(folder: Path) -> Path:
    """Where to copy what another program holds open."""
    return (_place(folder) or folder) / COPIES_FOLDER


def settle_spool(folder: Path, shells: Iterable[str] = ()) -> None:
    """Let the shells' notes lie where they should: in memory while encrypted, else in a folder. None are lost.

    What lay in memory is gone after the computer was off: `shells` are those whose hooks find a place for notes again.
    A spool that the user has deleted stays deleted.
    """
    spool = folder / SPOOL_FOLDER
    if not (spool.is_symlink() or spool.exists()):
        return
    if (place := _place(folder)) is not None:
        _link(spool, place / SPOOL_FOLDER, shells)
    elif spool.is_symlink():
        held = spool.resolve()
        spool.unlink()
        spool.mkdir(mode=0o700)
        _move_notes(held, spool)


def remove(folder: Path) -> None:
    """Remove all that this folder has in memory."""
    for place in _places(folder):
        if place.is_dir() and not place.is_symlink() and place.stat().st_uid == os.getuid():
            shutil.rmtree(place, ignore_errors=True)


def _link(spool: Path, wanted: Path, shells: Iterable[str]) -> None:
    if not wanted.exists():
        wanted.mkdir(mode=0o700)
        for shell in shells:
            (wanted / shell).mkdir(mode=0o700)
    if spool.is_symlink() and spool.readlink() == wanted:
        return
    held = spool.resolve() if spool.is_symlink() else spool.rename(spool.with_name("spool.moving"))
    spool.unlink(missing_ok=True)
    spool.symlink_to(wanted)
    _move_notes(held, wanted)


def _move_notes(source: Path, target: Path) -> None:
    for file in source.rglob("*") if source.exists() else ():
        place = target / file.relative_to(source)
        if file.is_dir():
            place.mkdir(mode=0o700, parents=True, exist_ok=True)
            continue
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        shutil.copy2(file, place)
        with suppress(OSError):
            wipe(file)
    shutil.rmtree(source, ignore_errors=True)


def _place(folder: Path) -> Path | None:
    """A private folder in memory that is this data folder's own; None where it is not encrypted or there is none."""
    if headers.load(folder) is None:
        return None
    for place in _places(folder):
        if _kind(place.parent) not in _IN_MEMORY:
            continue
        with suppress(OSError):
            place.mkdir(mode=0o700, exist_ok=True)
            status = place.lstat()
            if status.st_uid == os.getuid() and status.st_mode & 0o777 == 0o700 and not place.is_symlink():
                return place
    return None


def _places(folder: Path) -> list[Path]:
    name = "desktop-memory-" + hashlib.sha256(os.fsencode(folder.resolve())).hexdigest()[:16]
    return [Path("/dev/shm") / name, Path(os.environ.get("XDG_RUNTIME_DIR") or "/nowhere") / name]


def _kind(root: Path) -> str:
    """The file system that holds a folder, as Linux calls it; empty elsewhere."""
    try:
        mounts = Path("/proc/self/mounts").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    found = {fields[1]: fields[2] for line in mounts.splitlines() if len(fields := line.split()) > 2}
    return next((found[str(path)] for path in (root, *root.parents) if str(path) in found), "")
