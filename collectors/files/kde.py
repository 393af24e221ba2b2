"""What KDE keeps: a desktop entry for each recent document, and the database of its activities.

Database: the table ResourceEvent of kactivitymanagerd (StatsPlugin), times in seconds since 1970.
"""

from __future__ import annotations

import re
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from collectors.browser.copy import mark, remove_leftovers, take, trouble_of
from collectors.event import moment
from collectors.files.use import Use, data_home, local_path
from collectors.readable import check_readable

LARGEST = 100_000
LATEST_SECONDS = 10**11
MOST_OPENINGS = 20_000
_ESCAPED = re.compile(r"\\(.)")
_MEANT = {"s": " ", "n": "\n", "t": "\t", "r": "\r"}


class DesktopEntries:
    """~/.local/share/RecentDocuments: the entry's own time of change is when its document was opened last."""

    def places(self, home: Path) -> Iterable[Path]:
        folder = data_home(home) / "RecentDocuments"
        return [folder] if folder.is_dir() else []

    def mark(self, place: Path) -> str:
        check_readable(place)
        found = [path.stat().st_mtime_ns for path in place.glob("*.desktop")]
        return f"{len(found)}:{max(found, default=0)}"

    def uses(self, place: Path, since: int, skipped: Counter[str]) -> Iterator[Use]:
        for path in place.glob("*.desktop"):
            try:
                changed = path.stat().st_mtime_ns // 1_000
                if changed <= since:
                    continue
                with path.open("rb") as file:
                    entry = _entry(file.read(LARGEST).decode("utf-8", "replace"))
            except OSError:
                skipped["entry that cannot be read"] += 1
                continue
            if (document := _document(entry)) is None:
                continue
            yield Use(path=document, at=moment(changed), app=entry.get("X-KDE-LastOpenedWith", ""))


@dataclass(kw_only=True)
class KActivities:
    """Every opening that KDE's programs told of, with the program."""

    copies: Path

    def __post_init__(self) -> None:
        remove_leftovers(self.copies)

    def places(self, home: Path) -> Iterable[Path]:
        database = data_home(home) / "kactivitymanagerd" / "resources" / "database"
        return [database] if database.is_file() else []

    def mark(self, place: Path) -> str:
        return mark(place)

    def uses(self, place: Path, since: int, skipped: Counter[str]) -> Iterator[Use]:
        snapshot = take(place, self.copies)
        try:
            with trouble_of(place):
                yield from _events(snapshot.connection, since // 1_000_000, skipped)
        finally:
            snapshot.close()


def _events(database: sqlite3.Connection, since: int, skipped: Counter[str]) -> Iterator[Use]:
    if database.execute("SELECT 1 FROM sqlite_master WHERE name = 'ResourceEvent'").fetchone() is None:
        return
    rows = database.execute(
        """SELECT initiatingAgent AS app, targettedResource AS document, start FROM ResourceEvent
        WHERE start > ? ORDER BY start DESC LIMIT ?""",
        (since, MOST_OPENINGS),
    )
    for row in rows:
        document, start = row["document"], row["start"]
        if not isinstance(document, str) or not isinstance(start, int) or not 0 < start < LATEST_SECONDS:
            skipped["malformed opening"] += 1
            continue
        path = document if document.startswith("/") else local_path(document)
        if path is not None:
            app = row["app"] if isinstance(row["app"], str) else ""
            yield Use(path=path, at=datetime.fromtimestamp(start, UTC), app=app)


def _entry(text: str) -> dict[str, str]:
    """The keys of the group [Desktop Entry]."""
    found: dict[str, str] = {}
    inside = False
    for line in text.splitlines():
        if line.startswith("["):
            inside = line.strip() == "[Desktop Entry]"
        elif inside and "=" in line and not line.startswith("#"):
            key, _, value = line.partition("=")
            found[key.strip()] = _ESCAPED.sub(lambda one: _MEANT.get(one[1], one[1]), value.strip())
    return found


def _document(entry: dict[str, str]) -> str | None:
    """The local file that an entry is about. KDE writes the home folder as $HOME, with and without "file:"."""
    url = entry.get("URL") or entry.get("URL[$e]", "").replace("$HOME", str(Path.home()))
    if url.startswith("/"):
        return url
    return local_path(url)
