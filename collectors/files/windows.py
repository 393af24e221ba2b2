"""The folder "Recent" of Windows: a shortcut for each document, written anew each time it is opened."""

from __future__ import annotations

import ntpath
import os
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from collectors.event import moment
from collectors.files.shortcut import read_shortcut
from collectors.files.use import Use

LARGEST = 1_000_000


class Shortcuts:
    """The shortcut's own time of change is when its document was opened last; no program is named."""

    def places(self, home: Path) -> Iterable[Path]:
        given = os.environ.get("APPDATA", "")
        roaming = Path(given) if given and home == Path.home() else home / "AppData" / "Roaming"
        folder = roaming / "Microsoft" / "Windows" / "Recent"
        return [folder] if folder.is_dir() else []

    def mark(self, place: Path) -> str:
        found = [changed for _, changed in _shortcuts(place)]
        return f"{len(found)}:{max(found, default=0)}"

    def uses(self, place: Path, since: int, skipped: Counter[str]) -> Iterator[Use]:
        for entry, changed in _shortcuts(place):
            if changed // 1_000 <= since:
                continue
            try:
                with open(entry, "rb") as file:
                    shortcut = read_shortcut(file.read(LARGEST))
            except (ValueError, OSError):
                skipped["shortcut that cannot be read"] += 1
                continue
            path = shortcut.path
            if not path and shortcut.relative:
                path = ntpath.normpath(ntpath.join(str(place).replace("/", "\\"), shortcut.relative))
            if path and not shortcut.is_folder:
                yield Use(path=path, at=moment(changed // 1_000))


def _shortcuts(folder: Path) -> Iterator[tuple[str, int]]:
    """The shortcuts in this folder and when each was written, in nanoseconds."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.lower().endswith(".lnk") and entry.is_file(follow_symlinks=False):
                yield entry.path, entry.stat(follow_symlinks=False).st_mtime_ns
