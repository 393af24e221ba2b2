"""Sharing one memory with a folder: writes what is new here, reads what is new there. Order does not matter.

A device only ever changes its own segments. What one forgets, all forget, and each empties its own lines of it.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from collectors.event import microseconds
from desktop_memory.errors import KnownError, UsageError
from desktop_memory.memory import Memory
from desktop_memory.receipts import Receipt
from desktop_memory.sharing import folder as folders
from desktop_memory.sharing.advance import Advance, Told
from desktop_memory.sharing.folder import SharedFolder, Terms
from desktop_memory.sharing.reading import Reader
from desktop_memory.sharing.writing import BYTES_AN_EVENT, Writer
from desktop_memory.store import shared
from desktop_memory.store.paths import as_path, as_text
from desktop_memory.store.store import Clock, Store

_LOOK_SECONDS = 0.3


@dataclass(frozen=True, kw_only=True, slots=True)
class Turn:
    """What one turn did: `waiting` segments have not arrived whole yet, or cannot be read."""

    written: int = 0
    read: Receipt = field(default_factory=Receipt)
    forgotten: int = 0
    waiting: int = 0
    cancelled: bool = False


class Sharing:
    """One memory's part in a shared folder. Thread-safe: one turn at a time."""

    def __init__(self, memory: Memory, store: Store, clock: Clock) -> None:
        self._memory = memory
        self._store = store
        self._clock = clock
        self._turning = threading.Lock()
        self._advance = Advance(lambda what, share: False)

    def on(self, path: Path, passphrase: str, *, plain: bool = False) -> None:
        """Share with this folder: the first device sets it up, others join and take over its secret.

        Raises UsageError without a passphrase, unless the folder is plain or `plain` was said; KnownError.
        """
        if not path.is_dir():
            raise KnownError(f"{path} is no folder.", "Make it in the folder that your synchroniser carries.")
        encrypted = folders.look(path)
        if not passphrase and (encrypted or (encrypted is None and not plain)):
            raise UsageError(
                "A shared folder needs a passphrase, the same on each device.", "Or say --plain."
            )
        with self._turning:
            if encrypted is None:
                terms = folders.set_up(path, self._store.profile.secret, passphrase)
            else:
                terms = folders.join(path, passphrase)
            self._store.take_over(terms.secret)
            with self._store.transaction() as connection:
                if shared.state(connection).get("id") != terms.id:
                    shared.reset(connection)
                shared.keep(
                    connection, id=terms.id, folder=as_text(path), secret=terms.secret, key=terms.key or b""
                )

    def off(self) -> None:
        """Share nothing any more. What is in the folder stays there, what came from it stays here."""
        with self._turning, self._store.transaction() as connection:
            shared.reset(connection)

    def state(self) -> dict[str, Any] | None:
        """The folder, whether it is encrypted, its devices and when each last wrote; None: nothing is shared."""
        told = shared.state(self._store.read())
        if not told:
            return None
        folder = _opened(told)
        devices = folder.devices()
        heard = {device: at.isoformat() for device in devices if (at := folder.heard(device)) is not None}
        return {"folder": str(folder.root), "encrypted": bool(told["key"]), "device": self._store.profile.device,
                "devices": devices, "heard": heard,
                "doing": self.progress[0], "share": self.progress[1]}  # fmt: skip

    def remove(self, device: str) -> None:
        """Take out the segments of a device that is no more; what was read of them stays here."""
        told = self._told()
        if device == self._store.profile.device:
            raise UsageError("This is the device itself.", "Stop sharing: desktop-memory share off.")
        if device not in _opened(told).devices():
            raise UsageError(
                f"There is no device {device} in the folder.", "See `desktop-memory share status`."
            )
        _opened(told).remove(device)

    def turn(self, told: Told = lambda what, share: False) -> Turn:
        """Read what is new in the folder, then write what is new here. Nothing happens when nothing is shared.

        Another turn under way is waited for. Raises KnownError when the folder is not there, was set up anew, or
        cannot be written.
        """
        while not self._turning.acquire(timeout=_LOOK_SECONDS):
            if told(*self.progress):
                self.cancel()
                return Turn(cancelled=True)
        try:
            if not shared.state(self._store.read()):
                return Turn()
            self._advance = Advance(told)
            return self._exchange(self._advance)
        finally:
            self._advance.end()
            self._turning.release()

    @property
    def progress(self) -> tuple[str, float]:
        """What the turn under way does, and the share of it that is done."""
        return self._advance.what, self._advance.share

    def cancel(self) -> None:
        """End the turn under way; what it did stays, and the next one goes on from there."""
        self._advance.cancelled = True

    def _exchange(self, advance: Advance) -> Turn:
        folder = _opened(self._told())
        if not folder.still_ours():
            raise KnownError(
                f"The shared folder {folder.root} is not there, or was set up anew by another device.",
                "Mount it; or say `desktop-memory share on` again.",
            )
        reader = Reader(self._memory, self._store, folder)
        unread = reader.unread()
        unwritten = BYTES_AN_EVENT * shared.count_new(self._store.read())
        advance.expect(sum(segment.stamp.size for segment in unread) + unwritten)
        reader.read(unread, advance)
        writer = Writer(self._memory, self._store, folder, microseconds(self._clock()))
        try:
            written = writer.write(advance)
        except OSError as error:
            raise KnownError(
                f"The shared folder cannot be written: {error.strerror}.", "Check its disk and permissions."
            ) from error
        return Turn(
            written=written,
            read=reader.receipt,
            forgotten=reader.forgotten,
            waiting=reader.waiting,
            cancelled=advance.cancelled,
        )

    def _told(self) -> dict[str, Any]:
        told = shared.state(self._store.read())
        if not told:
            raise KnownError("Nothing is shared.", "Begin with: desktop-memory share on FOLDER.")
        return told


def _opened(told: dict[str, Any]) -> SharedFolder:
    terms = Terms(id=told["id"], secret=told["secret"], key=told["key"] or None)
    return SharedFolder(as_path(told["folder"]), terms)
