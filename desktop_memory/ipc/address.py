"""Where the running app of a data folder listens, and the key that opens it. Standard library only."""

from __future__ import annotations

import hashlib
import os
import secrets
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

_LONGEST_SOCKET_PATH = 107
KEY_FILE = "ipc.key"
_SHARED = Path("/tmp")


def address(folder: Path) -> str:
    """A socket path (a named pipe on Windows) that is this data folder's own."""
    name = "desktop-memory-" + hashlib.sha256(str(folder).encode("utf-8", "surrogateescape")).hexdigest()[:16]
    if sys.platform == "win32":
        return rf"\\.\pipe\{name}"
    path = str((_runtime_folder() or folder) / f"{name}.sock")
    if len(os.fsencode(path)) > _LONGEST_SOCKET_PATH:
        raise OSError(f"the socket's path is too long: {path}")
    return path


def _runtime_folder() -> Path | None:
    """The user's own runtime directory; else a short private folder of ours, unless somebody else took its name."""
    given = os.environ.get("XDG_RUNTIME_DIR", "")
    if given and len(given) < 60 and _is_private(Path(given)):
        return Path(given)
    uid = os.getuid() if hasattr(os, "getuid") else 0
    root = _SHARED if _SHARED.is_dir() else Path(tempfile.gettempdir())
    folder = root / f"desktop-memory-{uid}"
    with suppress(OSError):  # it is there, or nothing can be made there
        folder.mkdir(mode=0o700)
    return folder if _is_private(folder) else None


def _is_private(folder: Path) -> bool:
    try:
        status = folder.lstat()
    except OSError:
        return False
    return (
        status.st_uid == os.getuid()
        and status.st_mode & 0o077 == 0
        and folder.is_dir()
        and not folder.is_symlink()
    )


def read_key(folder: Path) -> bytes | None:
    """The key of a data folder, or None where no app ever ran."""
    try:
        return (folder / KEY_FILE).read_bytes() or None
    except OSError:
        return None


def make_key(folder: Path) -> bytes:
    """The key of a data folder, made when it is missing, for its owner's eyes only."""
    if known := read_key(folder):
        return known
    key = secrets.token_hex(32).encode()
    private_file(folder / KEY_FILE, key)
    return key


def private_file(path: Path, data: bytes) -> None:
    """Write a file that only its owner may read."""
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(data)
