"""Forgetting: what the user, the rules or the time to keep it for take away again, everywhere and for good."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta
from operator import itemgetter
from pathlib import Path

from collectors.event import moment
from desktop_memory.errors import KnownError, UsageError
from desktop_memory.excluding import Excluding
from desktop_memory.model import Query
from desktop_memory.pipeline import keeping
from desktop_memory.pipeline.keeping import Limit
from desktop_memory.receipts import Forgotten, Retiring
from desktop_memory.retrieval.search import filters_of
from desktop_memory.retrieval.terms import match_all, terms
from desktop_memory.store import notes, proposals
from desktop_memory.store.forget import Found, Removed

UNDO_TIME = timedelta(minutes=10)

_RETIRE_STEP = 1_000
_SHOWN = 8


class Forgetting(Excluding):
    """Reading a source again does not bring back what was forgotten of it."""

    def preview_forget(self, query: Query, events: Sequence[int] = ()) -> Forgotten:
        """What `forget` would remove, without removing it."""
        found = self._store.forgettable(query, events, _words(query))
        newest = sorted(found, key=itemgetter(1), reverse=True)[:_SHOWN]
        shown = self._store.events(id_ for id_, _, _ in newest)
        return replace(_receipt(found, None, 0), newest=tuple(shown))

    def forget(self, query: Query, events: Sequence[int] = (), *, now: bool = True) -> Forgotten:
        """Remove events everywhere: reading their source again does not bring them back.

        Words must all stand in an event: in its title, its text or its names. For good, or with `now=False` set
        aside for ten minutes, in which `undo_forget` brings them back.
        """
        words = _words(query)
        if not (words or events or filters_of(query)):
            raise UsageError(
                "Say what to forget.", "Words, a time, an app, a domain, a project, a kind, or single events."
            )
        found, removed = self._store.forget(query, events, words=words, undoable=not now)
        nodes = self._parts.graph.forget([row[0] for row in found]) if self._parts.graph else 0
        self._tell()
        return replace(_receipt(found, removed, nodes), backups=self._backups_with(found))

    def forget_excluded(self, *, now: bool = True) -> Forgotten:
        """Forget what is stored that the rules of now would not let in."""
        ids = self._excluded_ids()
        return self.forget(Query(), ids, now=now) if ids else Forgotten(batch=None, events=0)

    def undo_forget(self, batch: int | None = None) -> int:
        """Bring back what a forget set aside, the last one when none is named; how many events.

        Raises KnownError when the ten minutes are over.
        """
        back = self._store.take_back(batch)
        if back is None:
            raise KnownError("It cannot be undone any more.", "What was forgotten is gone for good.")
        self._tell()
        return back

    def note_backup(self, path: str, last: int) -> None:
        """Remember where a backup or an export was written that holds all events up to this id."""
        with self._store.transaction() as connection:
            notes.add_backup(connection, path, last, self._clock())

    def _backups_with(self, found: Sequence[Found]) -> tuple[str, ...]:
        """Backups and exports that are still there, and memories kept aside, that may hold one of these."""
        if not found:
            return ()
        written = notes.backups_with(self._store.read(), min(id_ for id_, _, _ in found))
        there = [path for path in dict.fromkeys(written) if Path(path).exists()]
        aside = sorted(self._store.path.parent.glob(f"*/**/{self._store.path.name}"))
        return (*there, *map(str, aside))

    def purge_forgotten(self) -> None:
        """End for good what was forgotten, or unpinned for a chat, more than ten minutes ago."""
        self._store.purge(self._clock() - UNDO_TIME)
        with self._store.transaction() as connection:
            proposals.purge(connection, self._clock() - UNDO_TIME)

    @property
    def limits(self) -> tuple[Limit, ...]:
        """How long the settings keep what."""
        return self._parts.gate.limits

    def preview_retire(self, keep: Sequence[str] | None = None) -> list[Retiring]:
        """What is older, or more, than these lines of the settings keep; than those in force when none are given.

        Raises KnownError for a line that cannot be read.
        """
        found: list[Retiring] = []
        for limit in self._parts.gate.limits if keep is None else keeping.limits(keep):
            horizon = self._store.horizon(limit)
            if horizon is not None and horizon[1]:
                found.append(Retiring(kind=limit.kind, before=horizon[0], events=horizon[1]))
        return found

    def retire(self, stopped: Callable[[], bool] = lambda: False) -> int:
        """Forget for good what is older, or more, than the settings keep; how many events.

        In steps, between which others write; the next call goes on where one was stopped. Raises LogHeld.
        """
        gone: Counter[tuple[str, str]] = Counter()
        try:
            for limit in self._parts.gate.limits:
                horizon = self._store.horizon(limit)
                while horizon is not None and not stopped():
                    self._store.expect_short_log()
                    count = self._store.let_go(limit, horizon[0], _RETIRE_STEP)
                    gone["retired", limit.kind] += count
                    if count < _RETIRE_STEP:
                        break
        finally:
            if gone.total():
                self._store.scrub()
                self._tally(gone)
                self._tell()
        return gone.total()


def _words(query: Query) -> str:
    """What every event must hold, as the index of words takes it. Raises UsageError for a text without words."""
    wanted = match_all(terms(query.text))
    if query.text.strip() and not wanted:
        raise UsageError(
            f"{query.text.strip()[:40]!r} holds no word.", "Write a word that stands in the record."
        )
    return wanted


def _receipt(found: Sequence[Found], removed: Removed | None, nodes: int) -> Forgotten:
    return Forgotten(
        batch=None if removed is None else removed.batch,
        events=len(found),
        texts=0 if removed is None else removed.texts,
        vectors=0 if removed is None else removed.vectors,
        nodes=nodes,
        first=moment(min(row[1] for row in found)) if found else None,
        last=moment(max(row[2] for row in found)) if found else None,
    )
