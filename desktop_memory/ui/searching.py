"""Asks as the person types: words at once, meaning when the fingers rest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import count

from PySide6.QtCore import QObject, QTimer, Signal

from desktop_memory.errors import Superseded
from desktop_memory.model import Query, SearchResult, Session
from desktop_memory.ui.desk import Desk

REST_MS = 140


@dataclass(frozen=True, kw_only=True, slots=True)
class Found:
    """An answer with the sessions its hits belong to; `settled` when meaning took part or cannot."""

    query: Query
    result: SearchResult
    sessions: Mapping[int, Session] = field(default_factory=dict)
    settled: bool = False

    def same_question(self, other: Found) -> bool:
        """Whether the other answers the same, with or without meaning."""
        return replace(self.query, typing=False) == replace(other.query, typing=False)


class Searching(QObject):
    """`found` follows once for the words, and again when the typing rests. Older answers never come late."""

    found = Signal(object)
    failed = Signal(object)

    def __init__(self, desk: Desk, name: str) -> None:
        super().__init__()
        self._desk = desk
        self._lane = f"search {name} {id(self)}"
        self._query = Query()
        self._turns = count(1)
        self._rest = QTimer(self, singleShot=True, interval=REST_MS)
        self._rest.timeout.connect(lambda: self._ask(self._query, settled=True))

    def ask(self, query: Query, *, at_rest: bool = False) -> None:
        """Search for this; `at_rest` skips the lane for typing."""
        self._query = query
        if at_rest:
            self._rest.stop()
            self._ask(query, settled=True)
        else:
            self._ask(replace(query, typing=True), settled=False)
            self._rest.start()

    def more(self, found: Found) -> None:
        """Ask for the page after this one."""
        if found.result.next is not None:
            self._ask(replace(found.query, offset=found.result.next, typing=False), settled=True)

    def warm(self) -> None:
        """A question is coming: let meaning get ready meanwhile."""
        self._desk.background.run(
            self._desk.memory.warm, failed=lambda _error: None, lane=f"{self._lane} warm"
        )

    def stop(self) -> None:
        """Forget what was asked."""
        self._rest.stop()
        self._desk.background.drop(self._lane)

    def _ask(self, query: Query, *, settled: bool) -> None:
        memory = self._desk.memory

        asked = replace(query, with_sessions=True, lane=self._lane, turn=next(self._turns))

        def ask() -> Found:
            result = memory.search(asked)
            sessions = {session.id: session for session in result.sessions}
            return Found(query=query, result=result, sessions=sessions, settled=settled)

        self._desk.background.run(ask, self.found.emit, self._not_found, owner=self, lane=self._lane)

    def _not_found(self, error: Exception) -> None:
        if not isinstance(error, Superseded):
            self.failed.emit(error)
