"""Keeping: what the user wants said in every copy - pins, what chats would pin, names of topics."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from desktop_memory.asking import Asking, Parts
from desktop_memory.context.updates import Proposal, Update, find_block
from desktop_memory.errors import KnownError, UsageError
from desktop_memory.model import Pin, PinKind, PinStatus
from desktop_memory.store import notes, proposals

LONGEST_PROPOSAL = 50_000
LONGEST_TOPIC = 80


class Keeping(Asking):
    """`changed` is called after each write."""

    def __init__(self, parts: Parts) -> None:
        super().__init__(parts)
        self.changed: list[Callable[[], None]] = []

    # pins

    def pin(self, kind: PinKind, text: str, project: str = "", due: datetime | None = None) -> Pin:
        """Keep a goal or note at the head of every copied context."""
        clean, _ = self._parts.gate.mask(text)
        with self._store.transaction() as connection:
            id_ = notes.add_pin(connection, kind, clean, self._clock(), project, due)
        self._tell()
        return next(pin for pin in self._store.pins("") if pin.id == id_)

    def set_pin_status(self, id_: int, status: PinStatus) -> None:
        with self._store.transaction() as connection:
            notes.set_pin(connection, id_, status=status)
        self._tell()

    def order_pins(self, ids: Sequence[int]) -> None:
        """Put these pins in this order, in the places that they have among all others."""
        with self._store.transaction() as connection:
            notes.order_pins(connection, ids)
        self._tell()

    def unpin(self, id_: int) -> None:
        with self._store.transaction() as connection:
            notes.remove_pin(connection, id_)
        self._tell()

    # what a chat would have pinned

    def apply_updates(self, updates: Sequence[Update], proposal: int | None = None) -> int:
        """Take these updates (of `read_updates`, or of this proposal) in one transaction; a batch to undo.

        Raises UsageError, and takes none, when there is nothing to take or a pin is gone meanwhile.
        """
        wanted = [update for update in updates if not update.problem]
        if not wanted:
            raise UsageError("There is nothing to take.", "Choose at least one update that can be taken.")
        touched = [update.pin for update in wanted if update.pin is not None]
        with self._store.transaction() as connection:
            before = proposals.pin_rows(connection, touched)
            if len(before) < len(set(touched)):
                raise UsageError("One of these pins is gone.", "Look at the updates again.")
            added = [id_ for update in wanted if (id_ := self._take(connection, update)) is not None]
            batch = proposals.keep_batch(connection, before, added, self._clock(), proposal)
            if proposal is not None:
                proposals.decide(connection, proposal, "taken")
        self._tell()
        return batch

    def _take(self, connection: Any, update: Update) -> int | None:
        """The id of a pin that is new."""
        text, _ = self._parts.gate.mask(update.text)
        if update.what == "add":
            return notes.add_pin(connection, update.kind, text, self._clock(), update.project, update.due)
        assert update.pin is not None
        if update.what == "done":
            notes.set_pin(connection, update.pin, status="done")
        elif update.what == "remove":
            notes.remove_pin(connection, update.pin)
        else:
            notes.set_pin(
                connection, update.pin, text=notes.pin_text(text), kind=update.kind, project=update.project,
                due=update.due,
            )  # fmt: skip
        return None

    def undo_updates(self, batch: int | None = None) -> int:
        """Make the pins what they were before, the last batch when none is named; how many it touched.

        Raises KnownError when the ten minutes are over.
        """
        with self._store.transaction() as connection:
            touched = proposals.undo(connection, batch)
        if touched is None:
            raise KnownError("It cannot be undone any more.", "The pins are as they were left.")
        self._tell()
        return touched

    def propose(self, client: str, body: str) -> int:
        """Queue updates that a client proposes, as JSON; nothing is taken without the user."""
        if len(body) > LONGEST_PROPOSAL:
            raise UsageError("This is too much to propose at once.", "Propose less.")
        clean = json.dumps(self._masked(find_block(body)), ensure_ascii=False)
        with self._store.transaction() as connection:
            id_ = proposals.propose(connection, client, clean, self._clock())
        self._tell()
        return id_

    def proposals(self, state: str = "waiting") -> list[Proposal]:
        """What clients proposed, oldest first, each as a diff against the pins as they are now."""
        return [
            Proposal(
                id=row.id, at=row.at, client=row.client, state=row.state, updates=self.read_updates(row.body)
            )
            for row in proposals.proposals(self._store.read(), state)
        ]  # fmt: skip

    def drop_proposal(self, id_: int) -> None:
        """The user does not want it. Raises UsageError when it does not wait."""
        with self._store.transaction() as connection:
            proposals.decide(connection, id_, "dropped")
        self._tell()

    # topics

    def rename_topic(self, id_: int, name: str) -> None:
        """Give a topic a name that sticks; an empty one takes it back. Raises UsageError for no such topic."""
        clean, _ = self._parts.gate.mask(" ".join(name.split())[:LONGEST_TOPIC])
        if self._parts.topics is None or not self._parts.topics.rename(id_, clean):
            raise UsageError(f"There is no topic {id_}.", "`desktop-memory topics` lists them.")
        self._tell()

    # inside

    def _tally(
        self, counts: Mapping[tuple[str, str], int], masked: Mapping[tuple[str, str, str], int] | None = None
    ) -> None:
        """Note what a rule dropped and what was masked: how much of what, and of secrets where."""
        if counts:
            day = self._clock().astimezone(self._parts.zone()).date().isoformat()
            with self._store.transaction() as connection:
                notes.tally(connection, day, counts)
                notes.tally_masked(connection, day, masked or {})

    def _masked(self, value: Any) -> Any:
        """Every text in it without its secrets."""
        if isinstance(value, str):
            return self._parts.gate.mask(value)[0]
        if isinstance(value, Mapping):
            return {name: self._masked(item) for name, item in value.items()}
        if isinstance(value, list):
            return [self._masked(item) for item in value]
        return value

    def _tell(self) -> None:
        for callback in list(self.changed):
            callback()
