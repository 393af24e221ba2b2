"""The recent documents of macOS: a list for each program, the latest first, without times.

Spotlight knows when each document was used last (kMDItemLastUsedDate). Where it does not, the first document of a
list was opened about when the list was written; nothing is known of the others.
"""

from __future__ import annotations

import subprocess
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from collectors.event import microseconds, moment
from collectors.files.archive import read_archive
from collectors.files.bookmark import read_bookmark
from collectors.files.use import Use

FOLDER = "Library/Application Support/com.apple.sharedfilelist/com.apple.LSSharedFileList.ApplicationRecentDocuments"
ENDINGS = frozenset({".sfl", ".sfl2", ".sfl3", ".sfl4"})
LARGEST = 5_000_000
LATEST = 60
MDLS = "/usr/bin/mdls"
SECONDS = 10.0

LastUsed = Callable[[Sequence[str]], Mapping[str, datetime]]


def last_used(paths: Sequence[str]) -> Mapping[str, datetime]:
    """When Spotlight says that these documents were used last; without those that it does not know."""
    there = [path for path in paths if Path(path).exists()]
    if not there:
        return {}
    command = [MDLS, "-raw", "-name", "kMDItemLastUsedDate", *there]
    try:
        output = subprocess.run(command, capture_output=True, timeout=SECONDS, check=True).stdout
    except (OSError, subprocess.SubprocessError):
        return {}
    return dates(there, output.decode("utf-8", "replace"))


def dates(paths: Sequence[str], output: str) -> Mapping[str, datetime]:
    """What `mdls -raw` wrote for these paths: dates one after the other, each followed by a NUL, "(null)" for none."""
    told = output.rstrip("\0").split("\0")
    if len(told) != len(paths):
        return {}
    found: dict[str, datetime] = {}
    for path, written in zip(paths, told, strict=True):
        try:
            found[path] = datetime.strptime(written.strip(), "%Y-%m-%d %H:%M:%S %z").astimezone(UTC)
        except ValueError:
            continue
    return found


@dataclass(kw_only=True)
class SharedLists:
    """The lists of single programs are one place; the list of all programs only repeats them."""

    last_used: LastUsed = last_used

    def places(self, home: Path) -> Iterable[Path]:
        folder = home / FOLDER
        return [folder] if folder.is_dir() else []

    def mark(self, place: Path) -> str:
        found = [path.stat().st_mtime_ns for path in _lists(place)]
        return f"{len(found)}:{max(found, default=0)}"

    def uses(self, place: Path, since: int, skipped: Counter[str]) -> Iterator[Use]:
        lists: list[tuple[str, int, list[str]]] = []
        for path in _lists(place):
            changed = path.stat().st_mtime_ns // 1_000
            if changed > since:
                lists.append((_program(path), changed, _documents(path, skipped)))
        used = self.last_used(sorted({document for _, _, found in lists for document in found}))
        for app, changed, documents in lists:
            for place_in_list, document in enumerate(documents):
                if (exact := used.get(document)) is not None:
                    if microseconds(exact) > since:
                        yield Use(path=document, at=exact, app=app)
                elif place_in_list == 0:
                    yield Use(path=document, at=moment(changed), app=app, approx=True)


def _lists(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.suffix in ENDINGS)


def _program(path: Path) -> str:
    """The last part of the bundle id that names the list."""
    return path.stem.rpartition(".")[2]


def _documents(path: Path, skipped: Counter[str]) -> list[str]:
    """The paths in this list, the latest first."""
    found: list[str] = []
    try:
        with path.open("rb") as file:
            root = read_archive(file.read(LARGEST))
    except ValueError:
        skipped["damaged list"] += 1
        return found
    items = root.get("items") if isinstance(root, dict) else None
    for item in (items if isinstance(items, list) else [])[:LATEST]:
        try:
            bookmark = item.get("Bookmark") if isinstance(item, dict) else None
            found.append(read_bookmark(bookmark if isinstance(bookmark, bytes) else b""))
        except ValueError:
            skipped["document that cannot be read"] += 1
    return found
