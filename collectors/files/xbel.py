"""recently-used.xbel, which GTK, Qt, KDE and LibreOffice programs write.

Format: https://www.freedesktop.org/wiki/Specifications/desktop-bookmark-spec/: one bookmark a file, in it when each
program used it last. The file is written anew each time.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path

from collectors.collector import Unavailable
from collectors.files.use import Use, data_home, local_path, stamp

NAME = "recently-used.xbel"
DESKTOP = "{http://www.freedesktop.org/standards/desktop-bookmarks}"
LARGEST = 50_000_000

_BEGINS = re.compile(rb"<bookmark(?=\s)")
_CLOSED = b"</bookmark>"
_HEAD = f'<xbel xmlns:bookmark="{DESKTOP[1:-1]}" xmlns:mime="http://www.freedesktop.org/standards/shared-mime-info">'.encode()
_END = b"</xbel>"


class Xbel:
    """The list of the desktop, and those of programs that are shut in (flatpak, snap)."""

    def places(self, home: Path) -> Iterable[Path]:
        candidates = [data_home(home) / NAME]
        for pattern in (f".var/app/*/data/{NAME}", f"snap/*/current/.local/share/{NAME}"):
            candidates += sorted(home.glob(pattern))
        return [path for path in candidates if path.is_file()]

    def mark(self, place: Path) -> str:
        return stamp(place)

    def uses(self, place: Path, since: int, skipped: Counter[str]) -> Iterator[Use]:
        if place.stat().st_size > LARGEST:
            raise Unavailable(
                f"{place} is too large to be a list of documents.", "Clear the recent documents."
            )
        for bookmark in _bookmarks(place.read_bytes(), skipped):
            path = local_path(bookmark.get("href", ""))
            if path is None:
                continue
            private = bookmark.find(f".//{DESKTOP}private") is not None
            for application in bookmark.iter(f"{DESKTOP}application"):
                used = _time(application.get("modified") or bookmark.get("visited") or "")
                if used is None:
                    skipped["document without a usable date"] += 1
                    continue
                yield Use(path=path, at=used, app=application.get("name", "").strip(), private=private)


def _bookmarks(content: bytes, skipped: Counter[str]) -> Iterator[ET.Element]:
    """All bookmarks; a list with entities of its own is not one that programs write."""
    if b"<!ENTITY" in content:
        skipped["list with a strange beginning"] += 1
        return
    whole = _parsed(content)
    if whole is not None:
        yield from whole.iter("bookmark")
    elif content.strip():
        yield from _each_alone(content, skipped)


def _each_alone(content: bytes, skipped: Counter[str]) -> Iterator[ET.Element]:
    """The bookmarks of a damaged list that are whole themselves."""
    head, *entries = _BEGINS.split(content)
    if _parsed(head + _END) is None:
        head = _HEAD
    if not entries:
        skipped["damaged list"] += 1
    for entry in entries:
        root = _parsed(head + b"<bookmark" + entry.partition(_CLOSED)[0] + _CLOSED + _END)
        if root is None:
            skipped["damaged document in the list"] += 1
        else:
            yield from root


def _parsed(content: bytes) -> ET.Element | None:
    try:
        return ET.fromstring(content)
    except (ET.ParseError, ValueError, LookupError):  # the last of an encoding that there is not
        return None


def _time(written: str) -> datetime | None:
    try:
        used = datetime.fromisoformat(written)
        used = (used if used.tzinfo else used.replace(tzinfo=UTC)).astimezone(UTC)
        return used if used.year > 1970 else None
    except (ValueError, OverflowError):
        return None
