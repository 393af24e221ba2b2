"""One use of a document by a program, as an event, and what a kind of list must offer."""

from __future__ import annotations

import ntpath
import os
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Protocol
from urllib.parse import unquote_to_bytes, urlsplit

from collectors.event import Event, identity, microseconds
from collectors.readable import check_readable
from collectors.repository import enclosing

_ABOUT_US = 20_000_000


@dataclass(frozen=True, kw_only=True, slots=True)
class Use:
    """This document was opened then; `app` is empty where the list does not name the program."""

    path: str
    at: datetime
    app: str = ""
    private: bool = False
    approx: bool = False


class Lists(Protocol):
    """One kind of list of recent documents."""

    def places(self, home: Path) -> Iterable[Path]:
        """The lists of this kind that are there now."""
        ...

    def mark(self, place: Path) -> str:
        """Differs once something was written to the list. Raises OSError or Unavailable."""
        ...

    def uses(self, place: Path, since: int, skipped: Counter[str]) -> Iterator[Use]:
        """What stands in the list; what is older than `since` (µs) may be left out. Raises as `mark`."""
        ...


def event(use: Use) -> Event:
    """The event of this use. Several lists tell of one opening, some seconds apart: two of its names say about when."""
    repository = enclosing(use.path)
    offset = use.at.astimezone().utcoffset()
    at = microseconds(use.at)
    return Event(
        identity=identity("document", use.path, use.app, at),
        kind="file",
        start=use.at,
        approx=use.approx,
        title=ntpath.basename(use.path.rstrip("/\\")) if "\\" in use.path else _name(use.path),
        files=(use.path,),
        app=use.app,
        project="" if repository is None else repository.name,
        source="files",
        utc_offset=None if offset is None else round(offset.total_seconds() / 60),
        private=use.private,
        aliases=about_then(use.path, at),
    )


def about_then(path: str, at: int) -> tuple[str, str]:
    """Names that whatever tells of this document about then has in common, in microseconds."""
    return (
        identity("document about", path, at // _ABOUT_US),
        identity("document about then", path, (at + _ABOUT_US // 2) // _ABOUT_US),
    )


def local_path(href: str) -> str | None:
    """The path of a file: address on this machine; None for anything else."""
    try:
        address = urlsplit(href)
    except ValueError:
        return None
    if address.scheme.lower() != "file" or address.netloc not in ("", "localhost") or not address.path:
        return None
    return unquote_to_bytes(address.path).decode("utf-8", "replace")


def stamp(path: Path) -> str:
    """Differs once this file was written. Raises OSError where it may not be read, which its times do not tell."""
    check_readable(path)
    seen = path.stat()
    return f"{seen.st_ino}:{seen.st_size}:{seen.st_mtime_ns}"


def data_home(home: Path) -> Path:
    """Where programs keep their data; the variable counts only for the home folder that it was made for."""
    given = os.environ.get("XDG_DATA_HOME", "")
    return Path(given) if os.path.isabs(given) and home == Path.home() else home / ".local" / "share"


def _name(path: str) -> str:
    return os.path.basename(path.rstrip("/")) or path
