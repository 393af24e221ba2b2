"""From a plain store to an encrypted one and back: the files' names, and what a killed switch leaves to be finished.

The new file lies beside the old one until it is complete and compared. Then one rename decides: before it the old
store counts and the new file goes, after it the new one counts and the old one is overwritten. What the store's
first bytes say is what happened, so that no marker can be wrong.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from desktop_memory.errors import BusyError
from desktop_memory.owner import OwnerLock
from desktop_memory.vault import header as headers

STORE_FILE = "memory.sqlite"
NEW_FILE = "memory.sqlite.switching-new"
OLD_FILE = "memory.sqlite.switching-old"

PLAIN = b"SQLite format 3\0"
_PIECE = 1 << 20


def settle(folder: Path, *, held: bool = False) -> None:
    """Finish or undo a switch that was killed. `held`: this process has the owner's lock. Raises BusyError."""
    if not _unsettled(folder):
        return
    if held:
        _settle(folder)
        return
    lock = OwnerLock(folder)
    try:
        lock.acquire()
    except BusyError as error:
        raise BusyError(
            "The memory is being encrypted or decrypted.", "Try again when that is done."
        ) from error
    try:
        _settle(folder)
    finally:
        lock.release()


def swap(folder: Path) -> None:
    """Put the new file in the store's place. The old one stays under another name, to be overwritten."""
    store, old = folder / STORE_FILE, folder / OLD_FILE
    old.unlink(missing_ok=True)
    with suppress(OSError):  # a disk without hard links: the old file goes without being overwritten
        os.link(store, old)
    os.replace(folder / NEW_FILE, store)
    headers.sync(folder)


def is_plain(path: Path) -> bool:
    """Whether this is a store that anybody could read; one that is missing or empty holds nothing to hide."""
    try:
        with path.open("rb") as file:
            start = file.read(len(PLAIN))
    except FileNotFoundError:
        return True
    return start in (PLAIN, b"")


def wipe(path: Path) -> None:
    """Overwrite a file, then remove it."""
    try:
        with path.open("r+b") as file:
            left = path.stat().st_size
            while left > 0:
                left -= file.write(bytes(min(left, _PIECE)))
            file.flush()
            os.fsync(file.fileno())
    except FileNotFoundError:
        return
    path.unlink()


def _unsettled(folder: Path) -> bool:
    header = headers.load(folder)
    if header is not None and header.state != "on":
        return True
    return any((folder / name).exists() for name in (NEW_FILE, OLD_FILE))


def _settle(folder: Path) -> None:
    header = headers.load(folder)
    plain = is_plain(folder / STORE_FILE)
    _clear(folder)
    if header is None or header.state == "on":
        return
    if plain:
        headers.remove(folder)
    else:
        headers.save(header.turning("on"), folder)


def _clear(folder: Path) -> None:
    old = folder / OLD_FILE
    if old.exists() and old.samefile(folder / STORE_FILE):
        old.unlink()  # another name of the store that counts
    for path in (*folder.glob(f"{NEW_FILE}*"), old):
        wipe(path)
