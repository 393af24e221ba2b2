"""Documents that were opened, as desktop programs note them in recently-used.xbel.

Format: https://www.freedesktop.org/wiki/Specifications/desktop-bookmark-spec/. GTK, Qt, KDE and LibreOffice
programs write it: one bookmark a file, in it when each program used it last. The file is written anew each time.
"""

from __future__ import annotations

import logging
import os
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast
from urllib.parse import unquote_to_bytes, urlsplit

from collectors.collector import Batch, Cursor, Place, Unavailable
from collectors.event import Event, identity, microseconds
from collectors.repository import enclosing

logger = logging.getLogger(__name__)

NAME = "recently-used.xbel"
DESKTOP = "{http://www.freedesktop.org/standards/desktop-bookmarks}"
LARGEST = 50_000_000
# Programs note a time that may be a little older than what another one wrote before.
OVERLAP_US = 600_000_000


@dataclass(kw_only=True)
class RecentFiles:
    """Each use of a document by a program; the place is the list that it stands in."""

    home: Path = field(default_factory=Path.home)
    source: str = field(default="files", init=False)

    def places(self) -> Iterable[Place]:
        """The list of the desktop, and those of programs that are shut in (flatpak, snap)."""
        given = os.environ.get("XDG_DATA_HOME", "")
        data = (
            Path(given)
            if os.path.isabs(given) and self.home == Path.home()
            else self.home / ".local" / "share"
        )
        candidates = [data / NAME]
        for pattern in (f".var/app/*/data/{NAME}", f"snap/*/current/.local/share/{NAME}"):
            candidates += sorted(self.home.glob(pattern))
        real: dict[str, Path] = {}
        for path in candidates:
            if path.is_file():
                real.setdefault(os.path.realpath(path), path)
        return [Place(source=self.source, name=str(path)) for path in real.values()]

    def collect(self, place: Place, cursor: Cursor | None) -> Batch:
        path = Path(place.name)
        mark, content = _read(path, "" if cursor is None else str(cursor.get("mark", "")))
        if content is None and cursor is not None:
            return Batch(events=(), cursor=cursor)
        until = _number(cursor)
        skipped: Counter[str] = Counter()
        told = [
            event
            for event in _events(content or b"", skipped)
            if microseconds(event.start) > until - OVERLAP_US
        ]
        newest = max((microseconds(event.start) for event in told), default=until)
        return Batch(
            events=sorted(told, key=lambda event: event.start),
            cursor={"mark": mark, "until": max(newest, until)},
            skipped=skipped,
        )


def _read(path: Path, known: str) -> tuple[str, bytes | None]:
    """The file's mark and content; no content where the mark is known already."""
    try:
        seen = path.stat()
        mark = f"{seen.st_ino}:{seen.st_size}:{seen.st_mtime_ns}"
        if mark == known:
            return mark, None
        if seen.st_size > LARGEST:
            raise Unavailable(
                f"{path} is too large to be a list of documents.", "Clear the recent documents."
            )
        return mark, path.read_bytes()
    except OSError as error:
        raise Unavailable(f"{path} cannot be read: {error.strerror}.", "Check its permissions.") from error


def _events(content: bytes, skipped: Counter[str]) -> Iterator[Event]:
    for bookmark in _bookmarks(content, skipped):
        path = _local_path(bookmark.get("href", ""))
        if path is None:
            continue
        private = bookmark.find(f".//{DESKTOP}private") is not None
        for application in bookmark.iter(f"{DESKTOP}application"):
            used = _time(application.get("modified") or bookmark.get("visited") or "")
            if used is None:
                skipped["document without a usable date"] += 1
                continue
            yield _event(path, application.get("name", "").strip(), used, private=private)


def _bookmarks(content: bytes, skipped: Counter[str]) -> Iterator[ET.Element]:
    """The bookmarks up to where the file is damaged; a list with entities of its own is not one that programs write."""
    if b"<!ENTITY" in content:
        skipped["list with a strange beginning"] += 1
        return
    parser: ET.XMLPullParser[Any] = ET.XMLPullParser(["end"])
    damaged = False
    try:
        parser.feed(content)
        parser.close()
    except (ET.ParseError, ValueError):
        damaged = True
    try:
        for _, element in cast(Iterator[tuple[str, ET.Element]], parser.read_events()):
            if element.tag == "bookmark":
                yield element
                element.clear()
    except (ET.ParseError, ValueError):
        damaged = True
    if damaged and content.strip():
        skipped["damaged list"] += 1


def _event(path: str, app: str, used: datetime, *, private: bool) -> Event:
    repository = enclosing(path)
    offset = used.astimezone().utcoffset()
    return Event(
        identity=identity("document", path, app, microseconds(used)),
        kind="file",
        start=used,
        title=os.path.basename(path.rstrip("/")) or path,
        files=(path,),
        app=app,
        project="" if repository is None else repository.name,
        source="files",
        utc_offset=None if offset is None else round(offset.total_seconds() / 60),
        private=private,
    )


def _local_path(href: str) -> str | None:
    """The path of a file: address on this machine; None for anything else."""
    try:
        address = urlsplit(href)
    except ValueError:
        return None
    if address.scheme.lower() != "file" or address.netloc not in ("", "localhost") or not address.path:
        return None
    return unquote_to_bytes(address.path).decode("utf-8", "replace")


def _time(written: str) -> datetime | None:
    try:
        used = datetime.fromisoformat(written)
        used = (used if used.tzinfo else used.replace(tzinfo=UTC)).astimezone(UTC)
        return used if used.year > 1970 else None
    except (ValueError, OverflowError):
        return None


def _number(cursor: Cursor | None) -> int:
    until = None if cursor is None else cursor.get("until")
    return until if isinstance(until, int) else 0
