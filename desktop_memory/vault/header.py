"""encryption.json: that a folder is encrypted, and its key, locked in each way it can be opened. Holds no user text.

Without it the memory cannot be opened, so there are two copies of it, each written whole or not at all.
"""

from __future__ import annotations

import base64
import dataclasses
import errno
import json
import os
import secrets
import unicodedata
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from desktop_memory.errors import KnownError, StoreError
from desktop_memory.vault import recovery
from desktop_memory.vault.wrapping import Wrapped, WrongSecret, unwrap, wrap

FILE_NAME = "encryption.json"
COPY_NAME = "encryption.copy.json"
CIPHER = "aegis"
"""AEGIS-256: twice as fast as AES-CBC or ChaCha20 here, and a changed byte is noticed."""
_VERSION = 1
_ABOUT = (
    "Desktop Memory: what is encrypted beside or below this can be opened with it and a key, never without."
)

State = Literal["on", "turning on", "turning off"]
Way = Literal["keyring", "passphrase", "recovery"]


@dataclass(frozen=True, slots=True)
class Key:
    """What opens the store."""

    secret: bytes
    cipher: str = CIPHER

    def __repr__(self) -> str:
        return f"Key({self.cipher})"


@dataclass(frozen=True, kw_only=True, slots=True)
class Header:
    """The id names the key in the system's keyring. `ways` lock one and the same key."""

    id: str
    state: State
    cipher: str
    ways: dict[Way, Wrapped]

    @classmethod
    def new(cls, state: State) -> Header:
        return cls(id=secrets.token_hex(8), state=state, cipher=CIPHER, ways={})

    def turning(self, state: State) -> Header:
        return dataclasses.replace(self, state=state)

    def with_way(self, way: Way, key: Key, secret: bytes) -> Header:
        """Also to be opened by this secret, in place of the one that was before."""
        wrapped = wrap(key.secret, secret, self._about(way), guessable=way == "passphrase")
        return dataclasses.replace(self, ways={**self.ways, way: wrapped})

    def open(self, way: Way, secret: bytes) -> Key:
        """The key. Raises WrongSecret, also when there is no such way."""
        if way not in self.ways:
            raise WrongSecret
        return Key(unwrap(self.ways[way], secret, self._about(way)), self.cipher)

    def open_by_text(self, text: str) -> Key:
        """The key, by a passphrase or the recovery key. Raises WrongSecret, KnownError for a slip of the pen."""
        if "passphrase" in self.ways:
            with suppress(WrongSecret):
                return self.open("passphrase", spelled(text))
        if not recovery.looks_like(text):
            raise WrongSecret
        return self.open("recovery", recovery.secret_of(text))

    def _about(self, way: Way) -> str:
        return f"{self.id} {way} {self.cipher}"


def spelled(passphrase: str) -> bytes:
    """A passphrase as bytes, the same from every keyboard and system."""
    return unicodedata.normalize("NFKC", passphrase.strip()).encode("utf-8", "surrogateescape")


def load(folder: Path) -> Header | None:
    """The folder's header; None where nothing is encrypted. Raises StoreError when it cannot be read."""
    problem: Exception | None = None
    for name in (FILE_NAME, COPY_NAME):
        try:
            return from_json(json.loads((folder / name).read_text(encoding="utf-8")))
        except (FileNotFoundError, NotADirectoryError):
            continue
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            problem = error
    if problem is None:
        return None
    raise StoreError(
        f"{FILE_NAME} cannot be read ({type(problem).__name__}).",
        "It holds the keys of the encrypted memory: restore it from a backup of the folder.",
    ) from problem


def save(header: Header, folder: Path) -> None:
    """Write both copies, each in place only once it is complete and on the disk."""
    text = as_json(header)
    try:
        for name in (FILE_NAME, COPY_NAME):
            fresh = folder / f"{name}.new"
            with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            fresh.replace(folder / name)
        sync(folder)
    except OSError as error:
        raise StoreError(
            f"{FILE_NAME} cannot be written: {error.strerror or error}.",
            "Check the disk and its permissions.",
        ) from error


def remove(folder: Path) -> None:
    for name in (COPY_NAME, FILE_NAME):
        (folder / name).unlink(missing_ok=True)
    sync(folder)


def carry(source: Path, target: Path) -> None:
    """Give a copy of the store in another folder what opens it; nothing where the store is not encrypted."""
    if (header := load(source)) is not None and source.resolve() != target.resolve():
        save(header.turning("on"), target)


def sync(folder: Path) -> None:
    """Bring new names onto the disk; nothing where a file system knows no such thing."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):
            raise
    finally:
        os.close(handle)


def as_json(header: Header) -> bytes:
    """On one line."""
    plain = {
        "about": _ABOUT,
        "version": _VERSION,
        "id": header.id,
        "state": header.state,
        "cipher": header.cipher,
        "ways": {way: _encoded(wrapped) for way, wrapped in header.ways.items()},
    }
    return json.dumps(plain).encode()


def from_json(plain: dict[str, Any]) -> Header:
    """Raises ValueError, KeyError or TypeError for something else, KnownError for a newer version's."""
    if plain["version"] > _VERSION:
        raise KnownError(
            "This memory was encrypted by a newer version.", "Update Desktop Memory. Nothing was changed."
        )
    if plain["cipher"] != CIPHER or plain["state"] not in ("on", "turning on", "turning off"):
        raise ValueError("unknown cipher or state")
    return Header(
        id=str(plain["id"]),
        state=plain["state"],
        cipher=str(plain["cipher"]),
        ways={way: _decoded(wrapped) for way, wrapped in plain["ways"].items()},
    )


def _encoded(wrapped: Wrapped) -> dict[str, Any]:
    parts = {name: getattr(wrapped, name) for name in ("salt", "nonce", "sealed")}
    encoded = {name: base64.b64encode(value).decode() for name, value in parts.items()}
    return {**encoded, "cost": wrapped.cost}


def _decoded(plain: dict[str, Any]) -> Wrapped:
    parts = {name: base64.b64decode(plain[name]) for name in ("salt", "nonce", "sealed")}
    return Wrapped(**parts, cost=int(plain["cost"]))
