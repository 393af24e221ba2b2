"""A backup: one private zip file with the memory, the settings and a manifest that tells what must be in it."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import shutil
import zipfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import IO

from desktop_memory import __version__
from desktop_memory.assembly import SETTINGS_FILE
from desktop_memory.errors import KnownError
from desktop_memory.store import migrations, whole
from desktop_memory.store.store import FILE_NAME as STORE_FILE
from desktop_memory.store.whole import Cancelled
from desktop_memory.transfer.workshop import workshop
from desktop_memory.vault.header import COPY_NAME as HEADER_COPY
from desktop_memory.vault.header import FILE_NAME as HEADER_FILE
from desktop_memory.vault.header import sync

FORMAT = 1
MANIFEST = "manifest.json"
CARRIED = (SETTINGS_FILE, HEADER_FILE, HEADER_COPY)
"""What lies beside the store and is no use without it."""

_CHUNK = 1 << 20

Progress = Callable[[str, float], bool]
"""Is told what is being done and the share of it, 0 to 1; True cancels."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Manifest:
    """What a backup says of itself. `last` is its newest event's id, `sha256` the store's."""

    made: str
    events: int
    last: int
    bytes: int
    sha256: str
    schema: int
    version: str
    format: int = FORMAT


def name_for(now: datetime) -> str:
    return f"desktop-memory-{now:%Y-%m-%d-%H%M%S}.zip"


def make(folder: Path, target: Path, now: datetime, progress: Progress) -> Manifest:
    """Write a backup of the memory in `folder`, while others may record; it is in place only once complete.

    Raises KnownError when the target exists or cannot be written, Cancelled when `progress` said so.
    """
    if target.exists():
        raise KnownError(f"{target} exists already.", "Name another file; no backup is ever overwritten.")
    if not (folder / STORE_FILE).exists():
        raise KnownError("Nothing was recorded yet.", "There is nothing to back up.")
    with workshop(folder) as desk:
        if (folder / SETTINGS_FILE).exists():
            shutil.copyfile(folder / SETTINGS_FILE, desk / SETTINGS_FILE)
        copied = desk / STORE_FILE
        whole.copy(folder / STORE_FILE, copied, lambda share: progress("copying", share))
        events, last = whole.check(copied)
        manifest = Manifest(
            made=now.isoformat(),
            events=events,
            last=last,
            bytes=copied.stat().st_size,
            sha256=digest(copied),
            schema=len(migrations.STEPS),
            version=__version__,
        )
        _write(desk, target, manifest, progress)
    return manifest


def manifest_of(file: zipfile.ZipFile) -> Manifest:
    """What this backup says of itself. Raises KnownError for a file that is none of ours, or from a newer version."""
    try:
        told = json.loads(file.read(MANIFEST))
        known = {field.name for field in dataclasses.fields(Manifest)}
        manifest = Manifest(**{name: value for name, value in told.items() if name in known})
        file.getinfo(STORE_FILE)
    except (KeyError, ValueError, TypeError, AttributeError, zipfile.BadZipFile) as error:
        raise not_ours(Path(file.filename or "")) from error
    if manifest.format > FORMAT or manifest.schema > len(migrations.STEPS):
        raise KnownError(
            f"This backup was made by a newer version ({manifest.version}).", "Update Desktop Memory first."
        )
    return manifest


def not_ours(path: Path) -> KnownError:
    return KnownError(f"{path} is no backup of Desktop Memory.", "Choose a file that `backup` wrote.")


def digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _write(desk: Path, target: Path, manifest: Manifest, progress: Progress) -> None:
    part = target.with_name(target.name + ".part")
    try:
        with open(os.open(part, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600), "w+b") as raw:
            with zipfile.ZipFile(raw, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as file:
                file.writestr(MANIFEST, json.dumps(dataclasses.asdict(manifest), indent=1))
                for name in CARRIED:
                    if (desk / name).exists():
                        file.write(desk / name, name)
                with (
                    (desk / STORE_FILE).open("rb") as source,
                    file.open(STORE_FILE, "w", force_zip64=True) as packed,
                ):
                    pour(source, packed, manifest.bytes, lambda share: progress("packing", share))
            raw.flush()
            os.fsync(raw.fileno())
        os.replace(part, target)
        sync(target.parent)
    except OSError as error:
        raise KnownError(
            f"{target} cannot be written: {error.strerror or error}.", "Choose another place."
        ) from error
    finally:
        with suppress(OSError):
            part.unlink()


def pour(source: IO[bytes], into: IO[bytes], size: int, told: Callable[[float], bool]) -> None:
    """Copy bytes, telling the share done; raises Cancelled when `told` said so."""
    done = 0
    while chunk := source.read(_CHUNK):
        into.write(chunk)
        done += len(chunk)
        if told(min(1.0, done / max(1, size))):
            raise Cancelled
