"""Switching encryption on and off, and the ways to open what is encrypted."""

from __future__ import annotations

import logging
import secrets
import shutil
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from desktop_memory import clock, settings
from desktop_memory.errors import KnownError
from desktop_memory.owner import OwnerLock
from desktop_memory.store.convert import convert
from desktop_memory.store.store import Store
from desktop_memory.vault import header as headers
from desktop_memory.vault import in_memory, recovery, settling, system_keyring, unlocking
from desktop_memory.vault.header import Header, Key
from desktop_memory.vault.wrapping import KEY_BYTES, WrongSecret

logger = logging.getLogger(__name__)

SHORTEST_PASSPHRASE = 10
_SPARE_BYTES = 20_000_000

Told = Callable[[float], bool]
"""Is told the share done, 0 to 1; True cancels."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Plan:
    """A key that nothing is encrypted with yet, with the ways to open it."""

    header: Header
    key: Key
    recovery_key: str
    passphrase: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class State:
    """How a folder is kept: `ways` are those that open it, none when it is not encrypted."""

    encrypted: bool
    ways: tuple[str, ...] = ()
    keyring: bool = False
    """Whether this session has a keyring."""
    plain_copies: tuple[str, ...] = ()
    """Older copies in the folder of an encrypted memory that anybody can still read."""


def state(folder: Path) -> State:
    header, keyring = headers.load(folder), system_keyring.available()
    if header is None or header.state == "turning on":
        return State(encrypted=False, keyring=keyring)
    return State(
        encrypted=True,
        ways=tuple(sorted(header.ways)),
        keyring=keyring,
        plain_copies=tuple(str(path.relative_to(folder)) for path in plain_copies(folder)),
    )


def plain_copies(folder: Path) -> list[Path]:
    """Memories in the folder that are not encrypted: kept aside after damage or a restore, or in a backup."""
    return [path for path in sorted(folder.rglob("*")) if path.is_file() and _holds_plain(path)]


def _holds_plain(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            start = file.read(len(settling.PLAIN))
        if start == settling.PLAIN:
            return True
        if not start.startswith(b"PK"):
            return False
        with zipfile.ZipFile(path) as packed:
            names = packed.namelist()
    except (OSError, zipfile.BadZipFile):
        return False
    return settling.STORE_FILE in names and headers.FILE_NAME not in names


def plan(passphrase: str = "", *, keyring: bool = True) -> Plan:
    """Make a key, and let the keyring hold it unless told otherwise.

    Without a keyring there must be a passphrase. Raises KnownError when it is too short, or neither is there.
    """
    key = Key(secrets.token_bytes(KEY_BYTES))
    header, recovery_key = Header.new("turning on"), recovery.new()
    header = header.with_way("recovery", key, recovery.secret_of(recovery_key))
    if passphrase:
        header = header.with_way("passphrase", key, headers.spelled(_checked(passphrase)))
    if keyring:
        secret = secrets.token_bytes(KEY_BYTES)
        system_keyring.keep(header.id, secret)
        header = header.with_way("keyring", key, secret)
    elif not passphrase:
        raise KnownError("Something must open the memory at each start.", "Give a passphrase.")
    return Plan(header=header, key=key, recovery_key=recovery_key, passphrase=passphrase)


def leave(folder: Path) -> None:
    """The folder is about to be removed: let go of what it has in the keyring and in memory."""
    header = headers.load(folder)
    if header is None:
        return
    in_memory.remove(folder)
    if "keyring" in header.ways:
        with suppress(system_keyring.NoKeyring):
            system_keyring.forget(header.id)


def drop(planned: Plan) -> None:
    """The plan is not carried out: its key leaves the keyring."""
    if "keyring" in planned.header.ways:
        with suppress(system_keyring.NoKeyring):
            system_keyring.forget(planned.header.id)


def turn_on(folder: Path, planned: Plan, told: Told) -> None:
    """Encrypt the memory in `folder`. Raises KnownError and changes nothing when that cannot be; BusyError too."""
    with _owned(folder):
        if headers.load(folder) is not None:
            raise KnownError("The memory is encrypted already.", "See `desktop-memory encrypt status`.")
        Store.open(folder, clock=clock.clock, idle_gap=timedelta(minutes=10)).close()
        try:
            headers.save(planned.header, folder)
            _prove(folder, planned)
            _switch(folder, None, planned.key, told)
        finally:
            settling.settle(folder, held=True)
            if headers.load(folder) is None:
                drop(planned)
        unlocking.hold(planned.header, planned.key)
        settings.seal(folder / settings.FILE)
        in_memory.settle_spool(folder)
    logger.info("encryption is on")


def turn_off(folder: Path, told: Told) -> None:
    """Decrypt the memory in `folder`. Raises Locked without its key, KnownError and changes nothing otherwise.

    The keyring keeps the key: backups made meanwhile still open by it.
    """
    with _owned(folder):
        header, key = headers.load(folder), unlocking.key_of(folder)
        if header is None or key is None:
            raise KnownError("The memory is not encrypted.", "See `desktop-memory encrypt status`.")
        chosen = settings.load(folder / settings.FILE)
        headers.save(header.turning("turning off"), folder)
        try:
            settings.save(chosen, folder / settings.FILE)
            _switch(folder, key, None, told)
        finally:
            settling.settle(folder, held=True)
            settings.seal(folder / settings.FILE)
        unlocking.forget(header)
        in_memory.settle_spool(folder)
        in_memory.remove(folder)
    logger.info("encryption is off")


def new_recovery_key(folder: Path) -> str:
    """Another recovery key; the one before opens nothing any more. Raises Locked."""
    header, key = _opened(folder)
    fresh = recovery.new()
    headers.save(header.with_way("recovery", key, recovery.secret_of(fresh)), folder)
    return fresh


def set_passphrase(folder: Path, passphrase: str) -> None:
    """Open the memory with this passphrase too, in place of the one before. Raises KnownError, Locked."""
    header, key = _opened(folder)
    headers.save(header.with_way("passphrase", key, headers.spelled(_checked(passphrase))), folder)


def _opened(folder: Path) -> tuple[Header, Key]:
    key, header = unlocking.key_of(folder), headers.load(folder)
    if header is None or key is None:
        raise KnownError("The memory is not encrypted.", "Encrypt it first: desktop-memory encrypt on.")
    return header, key


@contextmanager
def _owned(folder: Path) -> Iterator[None]:
    """The owner's lock, with whatever a killed switch left put in order."""
    lock = OwnerLock(folder)
    lock.acquire()
    try:
        settling.settle(folder, held=True)
        yield
    finally:
        lock.release()


def _switch(folder: Path, old: Key | None, new: Key | None, told: Told) -> None:
    size = (folder / settling.STORE_FILE).stat().st_size
    if shutil.disk_usage(folder).free < size + _SPARE_BYTES:
        raise KnownError(
            f"This needs {(size + _SPARE_BYTES) / 1e6:,.0f} MB for a while, which the disk does not have.",
            "Free some space. Nothing was changed.",
        )
    convert(folder / settling.STORE_FILE, folder / settling.NEW_FILE, old, new, told)
    settling.swap(folder)


def _prove(folder: Path, planned: Plan) -> None:
    """See that what was written opens with each of its secrets, before anything depends on them."""
    header = headers.load(folder)
    if header is None:
        raise KnownError("The keys could not be written.", "Check the disk.")
    try:
        found = [header.open_by_text(planned.recovery_key)]
        if planned.passphrase:
            found.append(header.open_by_text(planned.passphrase))
        if "keyring" in header.ways:
            found.append(header.open("keyring", system_keyring.read(header.id) or b""))
    except WrongSecret as error:
        raise KnownError("A key does not open what it should.", "Nothing was changed. Try again.") from error
    if any(key != planned.key for key in found):
        raise KnownError("A key opens something else.", "Nothing was changed. Try again.")


def _checked(passphrase: str) -> str:
    if len(passphrase.strip()) < SHORTEST_PASSPHRASE:
        raise KnownError(
            f"A passphrase needs at least {SHORTEST_PASSPHRASE} characters.",
            "Four words that nobody links to you.",
        )
    return passphrase.strip()
