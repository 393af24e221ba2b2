"""The shared folder: share.json, which says how to read it, and one folder of segments for each device."""

from __future__ import annotations

import base64
import dataclasses
import json
import os
import re
import secrets
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from desktop_memory.errors import KnownError
from desktop_memory.sharing.segment import Line, Unreadable, pack, unpack
from desktop_memory.vault.wrapping import KEY_BYTES, Wrapped, WrongSecret, unwrap, wrap

NAME = "desktop-memory"
FILE_NAME = "share.json"
FORMAT = 1

_DEVICE = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_SEGMENT = re.compile(r"\d{6}\.dms")
_ABOUT = "Desktop Memory: what several machines of one person remember."


@dataclass(frozen=True, kw_only=True, slots=True)
class Terms:
    """What all devices of a folder have in common. `key` is None in a folder that is not encrypted."""

    id: str
    secret: bytes
    key: bytes | None


@dataclass(frozen=True, slots=True)
class Stamp:
    """Tells whether a file is still the one that was read."""

    size: int
    changed: int

    def __str__(self) -> str:
        return f"{self.size} {self.changed}"


class SharedFolder:
    """Reads and writes the files; knows nothing of memories. Raises KnownError where the folder cannot be used."""

    def __init__(self, folder: Path, terms: Terms) -> None:
        self.root = folder / NAME
        self.terms = terms

    def devices(self) -> list[str]:
        return sorted(name for name in _names(self.root) if _DEVICE.fullmatch(name))

    def segments(self, device: str) -> Iterator[tuple[int, Stamp]]:
        """A device's segments that are in place, with their stamps; copies a synchroniser made are none."""
        for name in sorted(_names(self.root / device)):
            if _SEGMENT.fullmatch(name):
                with suppress(FileNotFoundError):
                    status = (self.root / device / name).stat()
                    yield int(name[:6]), Stamp(status.st_size, status.st_mtime_ns)

    def heard(self, device: str) -> datetime | None:
        """When this device last wrote something."""
        newest = max((stamp.changed for _, stamp in self.segments(device)), default=None)
        return None if newest is None else datetime.fromtimestamp(newest / 1e9, UTC)

    def read(self, device: str, number: int) -> list[Line]:
        """The lines of a segment. Raises Unreadable, too when it is gone meanwhile."""
        try:
            raw = self._path(device, number).read_bytes()
        except OSError as error:
            raise Unreadable from error
        return unpack(raw, f"{device}/{number}", self.terms.key)

    def write(self, device: str, number: int, lines: list[Line]) -> Stamp:
        """Put a segment in place whole."""
        path = self._path(device, number)
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        _write(path, pack(lines, f"{device}/{number}", self.terms.key))
        status = path.stat()
        return Stamp(status.st_size, status.st_mtime_ns)

    def remove(self, device: str) -> None:
        """Take a device that is no more out of the folder."""
        for number, _ in list(self.segments(device)):
            self._path(device, number).unlink(missing_ok=True)
        with suppress(OSError):
            (self.root / device).rmdir()

    def still_ours(self) -> bool:
        """Whether the folder is the one that was joined: not set up anew by another device, not unmounted."""
        told = _told(self.root / FILE_NAME)
        return told is not None and told.get("id") == self.terms.id

    def _path(self, device: str, number: int) -> Path:
        return self.root / device / f"{number:06}.dms"


def look(folder: Path) -> bool | None:
    """Whether the folder is shared with a passphrase; None when nobody has set it up yet."""
    told = _told(folder / NAME / FILE_NAME)
    return None if told is None else told.get("key") is not None


def set_up(folder: Path, secret: bytes, passphrase: str) -> Terms:
    """Make a folder shared, encrypted unless the passphrase is empty. Raises KnownError when it cannot be written."""
    key = secrets.token_bytes(KEY_BYTES) if passphrase else None
    id_ = secrets.token_hex(8)
    if key is None:
        locked, hidden = None, secret.hex()
    else:
        locked = _plain(wrap(key, passphrase.encode(), id_, guessable=True))
        hidden = json.dumps(_plain(wrap(secret, key, id_, guessable=False)))
    told = {"about": _ABOUT, "format": FORMAT, "id": id_, "key": locked, "secret": hidden}
    try:
        (folder / NAME).mkdir(mode=0o700, exist_ok=True)
        _write(folder / NAME / FILE_NAME, json.dumps(told, indent=1).encode())
    except OSError as error:
        raise KnownError(
            f"{folder} cannot be written: {error.strerror}.", "Choose another folder."
        ) from error
    return Terms(id=id_, secret=secret, key=key)


def join(folder: Path, passphrase: str) -> Terms:
    """The terms of a folder that another device set up. Raises KnownError for a wrong passphrase."""
    told = _told(folder / NAME / FILE_NAME)
    if told is None:
        raise KnownError(f"{folder} is not shared yet.", "Wait until your synchroniser has brought it.")
    if told.get("format", 0) > FORMAT:
        raise KnownError("This folder was set up by a newer version.", "Update Desktop Memory.")
    try:
        if told["key"] is None:
            return Terms(id=told["id"], secret=bytes.fromhex(told["secret"]), key=None)
        key = unwrap(_wrapped(told["key"]), passphrase.encode(), told["id"])
        secret = unwrap(_wrapped(json.loads(told["secret"])), key, told["id"])
        return Terms(id=told["id"], secret=secret, key=key)
    except WrongSecret as error:
        raise KnownError(
            "This passphrase does not open the folder.", "Use the one it was set up with."
        ) from error
    except (KeyError, TypeError, ValueError) as error:
        raise KnownError(
            f"{FILE_NAME} in the folder is damaged.", "Set it up anew from one device."
        ) from error


def _told(path: Path) -> dict[str, Any] | None:
    try:
        found = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None


def _names(folder: Path) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []


def _write(path: Path, raw: bytes) -> None:
    """In place only once it is whole, here and after a power cut; its name while it is not is none of a segment."""
    part = path.with_name(f".{path.name}.part")
    with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(raw)
        file.flush()
        os.fsync(file.fileno())
    os.replace(part, path)


def _plain(wrapped: Wrapped) -> dict[str, Any]:
    return {
        name: base64.b64encode(value).decode() if isinstance(value, bytes) else value
        for name, value in dataclasses.asdict(wrapped).items()
    }


def _wrapped(plain: dict[str, Any]) -> Wrapped:
    return Wrapped(
        salt=base64.b64decode(plain["salt"]),
        nonce=base64.b64decode(plain["nonce"]),
        sealed=base64.b64decode(plain["sealed"]),
        cost=int(plain["cost"]),
    )
