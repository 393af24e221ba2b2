"""A shell whose history is text of its own grammar, in one file or several."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from collectors.collector import Batch, Cursor, Place
from collectors.shell.hidden import hooked
from collectors.shell.history import History, Parse
from collectors.shell.paths import history_files


class TextHistory:
    """Reads this user's history files of one shell; `spool` is where the shell hooks write."""

    source = ""
    names: tuple[str, ...] = ()
    rc_files: tuple[str, ...] = ()

    def __init__(self, parse: Parse, spool: Path | None) -> None:
        self.parse = parse
        self._spool = spool
        self._history = History(self.source, parse, spool=spool)

    def places(self) -> Iterable[Place]:
        for path in history_files(self.source, self.names, self.rc_files):
            advice = "" if hooked(self._spool, self.source) else self.advice(path)
            yield Place(source=self.source, name=str(path), advice=advice)

    def collect(self, place: Place, cursor: Cursor | None) -> Batch:
        return self._history.collect(Path(place.name), cursor)

    def advice(self, path: Path) -> str:
        """What this file cannot tell without the hook, and what would help."""
        raise NotImplementedError
