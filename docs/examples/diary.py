"""A source of another package: lines of ~/diary.txt that begin with a time, as `2026-08-13T14:30+02:00 Called Ada`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from collectors.collector import Batch, Cursor, Place, Unavailable
from collectors.event import Event, identity, microseconds
from collectors.plain import DAMAGED, number


@dataclass(kw_only=True)
class Diary:
    """Its fields are its settings; an entry point calls it without arguments."""

    file: Path = field(default_factory=lambda: Path.home() / "diary.txt")
    batch: int = 500
    """So many lines in one turn."""
    source: str = field(default="diary", init=False)

    def places(self) -> Iterable[Place]:
        if not self.file.exists():
            raise Unavailable(f"There is no {self.file}.", "It is read once it exists.")
        return [Place(source=self.source, name=str(self.file))]

    def collect(self, place: Place, cursor: Cursor | None) -> Batch:
        """From the byte where the last turn stopped; a line without its end is waited for."""
        try:
            with open(place.name, "rb") as file:
                start = _reached(cursor)
                # A file that became shorter was written anew: told again, everything keeps its identity.
                file.seek(start if start <= file.seek(0, 2) else 0)
                events: list[Event] = []
                skipped, byte = 0, file.tell()
                for line in file:
                    if not line.endswith(b"\n") or len(events) + skipped == self.batch:
                        break
                    byte += len(line)
                    entry = _entry(line.decode("utf-8", "replace"))
                    if entry:
                        events.append(entry)
                    elif line.strip():
                        skipped += 1
        except OSError as why:
            raise Unavailable(f"{place.name} cannot be read.", "Its owner must be able to read it.") from why
        return Batch(
            events=sorted(events, key=lambda event: event.start),
            cursor={"byte": byte},
            skipped={"line without a time": skipped} if skipped else {},
            more=len(events) + skipped == self.batch,
        )


def _reached(cursor: Cursor | None) -> int:
    """The byte to go on from: the first one where the cursor is damaged."""
    try:
        return number(cursor["byte"]) if cursor else 0
    except DAMAGED:
        return 0


def _entry(line: str) -> Event | None:
    stamp, _, text = line.strip().partition(" ")
    try:
        told = datetime.fromisoformat(stamp)
        offset = told.utcoffset()
        start = told.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    if offset is None or not text.strip():
        return None
    return Event(
        identity=identity("diary", microseconds(start), text),
        kind="note",
        start=start,
        title=text,
        utc_offset=int(offset.total_seconds()) // 60,
        source="diary",
    )
