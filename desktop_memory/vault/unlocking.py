"""Finding the key of a data folder: once a process, from what the environment names or from the system's keyring.

Nothing here asks a person: who can (a terminal, a window) catches Locked, asks, and calls `unlock`.
"""

from __future__ import annotations

import os
import secrets
import threading
from pathlib import Path

from desktop_memory.errors import KnownError, StoreError
from desktop_memory.vault import FILE_VARIABLE, PASSPHRASE_VARIABLE, system_keyring
from desktop_memory.vault import header as headers
from desktop_memory.vault.header import Header, Key
from desktop_memory.vault.locked import Locked
from desktop_memory.vault.settling import STORE_FILE, is_plain, settle
from desktop_memory.vault.wrapping import KEY_BYTES, WrongSecret

_LONGEST = 4_096

_found: dict[str, Key] = {}
_lock = threading.Lock()


def key_of(folder: Path) -> Key | None:
    """The folder's key; None where nothing is encrypted. Raises Locked, and BusyError during a switch."""
    settle(folder)
    header = headers.load(folder)
    if header is None:
        return None
    store = folder / STORE_FILE
    if is_plain(store) and store.exists() and store.stat().st_size:
        raise StoreError(
            f"{STORE_FILE} is not encrypted, although {headers.FILE_NAME} says so.",
            f"Put the memory back that belongs to it, or move {headers.FILE_NAME} and its copy away.",
        )
    return key_for(header)


def key_for(header: Header) -> Key:
    """The key that this header locks. Raises Locked."""
    with _lock:
        if header.id not in _found:
            _found[header.id] = _by_environment(header) or _by_keyring(header)
        return _found[header.id]


def unlock(header: Header, text: str) -> None:
    """Open it with a passphrase or the recovery key, for as long as this process lives. Raises Locked."""
    hold(header, _by_text(header, text, "This is neither the passphrase nor the recovery key."))


def keep_in_keyring(folder: Path) -> bool:
    """Let this computer's keyring open the folder from now on; False where there is none. Raises Locked."""
    header, key = headers.load(folder), key_of(folder)
    if header is None or key is None:
        return False
    secret = secrets.token_bytes(KEY_BYTES)
    try:
        system_keyring.keep(header.id, secret)
    except system_keyring.NoKeyring:
        return False
    headers.save(header.with_way("keyring", key, secret), folder)
    return True


def hold(header: Header, key: Key) -> None:
    """Know the key of this memory from now on."""
    with _lock:
        _found[header.id] = key


def forget(header: Header) -> None:
    """Know its key no more."""
    with _lock:
        _found.pop(header.id, None)


def _by_environment(header: Header) -> Key | None:
    if text := os.environ.get(PASSPHRASE_VARIABLE, ""):
        return _by_text(header, text, f"{PASSPHRASE_VARIABLE} does not open this memory.")
    if name := os.environ.get(FILE_VARIABLE, ""):
        return _by_text(header, read_secret(Path(name)), f"What {name} holds does not open this memory.")
    return None


def read_secret(path: Path) -> str:
    """The passphrase in a file's first line; /dev/fd/3 is a file too. Raises KnownError."""
    try:
        with path.open("rb") as file:
            return file.readline(_LONGEST).decode("utf-8", "replace").strip()
    except OSError as error:
        raise KnownError(
            f"{path} cannot be read: {error.strerror}.", "It should hold the passphrase."
        ) from error


def _by_text(header: Header, text: str, problem: str) -> Key:
    try:
        return header.open_by_text(text)
    except WrongSecret as error:
        raise Locked(problem, "Try again: it tells large from small letters.", header) from error


def _by_keyring(header: Header) -> Key:
    if "keyring" not in header.ways:
        raise Locked("It is encrypted with a passphrase.", _ASK, header)
    try:
        secret = system_keyring.read(header.id)
    except system_keyring.NoKeyring as error:
        raise Locked(f"The memory is encrypted. {error.problem}", _ASK, header) from error
    if secret is None:
        raise Locked(
            "The memory is encrypted, and this computer's keyring does not know its key.", _ASK, header
        )
    try:
        return header.open("keyring", secret)
    except WrongSecret as error:
        raise Locked("The key in this computer's keyring is that of another memory.", _ASK, header) from error


_ASK = f"Give its passphrase or recovery key: at a terminal, or in a file that {FILE_VARIABLE} names."
