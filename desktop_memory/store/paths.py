"""Paths as text: those that are no UTF-8, which SQLite does not take, are kept as a file address."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import unquote_to_bytes

_SCHEME = "file://"


def as_text(path: Path) -> str:
    """An absolute path to be stored."""
    try:
        str(path).encode()
    except UnicodeEncodeError:
        return path.as_uri()
    return str(path)


def as_path(text: str) -> Path:
    """The path that was stored."""
    if not text.startswith(_SCHEME):
        return Path(text)
    rest = unquote_to_bytes(text.removeprefix(_SCHEME))
    return Path(os.fsdecode(rest.removeprefix(b"/") if os.name == "nt" else rest))
