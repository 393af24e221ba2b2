"""PowerShell history as PSReadLine writes it, one file a host program, without times.

An entry is a line; a newline inside is written as a backtick and a newline. A command that itself ends in a
backtick cannot be told from one that goes on.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from collectors.collector import Batch, Cursor, Place
from collectors.shell.hidden import hooked
from collectors.shell.history import History
from collectors.shell.paths import history_files
from collectors.shell.record import Record, readable
from collectors.shell.tail import Line

_FOLDER = {"win32": "$APPDATA/Microsoft/Windows/PowerShell/PSReadLine"}
_BOM = b"\xef\xbb\xbf"
_MOST_LINES = 5_000


@dataclass(kw_only=True)
class PowerShell:
    """Reads this user's PSReadLine histories; `spool` is where the shell hooks write."""

    spool: Path | None = None
    source: str = field(default="powershell", init=False)

    def __post_init__(self) -> None:
        self._history = History(self.source, records, process="pwsh", spool=self.spool)

    def places(self) -> Iterable[Place]:
        folder = _FOLDER.get(sys.platform, "$XDG_DATA_HOME/powershell/PSReadLine")
        advice = (
            ""
            if hooked(self.spool, self.source)
            else "PowerShell writes no times. To record commands as they run: desktop-memory hook powershell install"
        )
        for path in history_files(self.source, (f"{folder}/*_history.txt",), ()):
            yield Place(source=self.source, name=str(path), advice=advice)

    def collect(self, place: Place, cursor: Cursor | None) -> Batch:
        return self._history.collect(Path(place.name), cursor)


def records(lines: Iterable[Line], skipped: Counter[str], half: bool) -> Iterator[Record]:
    """The commands on these lines; one that goes on in a line not written yet is not among them."""
    parts: list[bytes] = []
    for end, line in lines:
        line = line.removesuffix(b"\r").removeprefix(_BOM)
        if line.endswith(b"`") and len(parts) < _MOST_LINES:
            parts.append(line[:-1])
            continue
        first = parts[0] if parts else line
        text = readable(b"\n".join((*parts, line)))
        parts = []
        if text:
            yield Record(end, None, 0, text, spaced=first.startswith(b" "))
        elif line:
            skipped["no command"] += 1
