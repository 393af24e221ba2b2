"""Which suggestion is shown, pasted ones first; taking and dropping them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QObject, Signal

from desktop_memory.context.updates import Proposal, Update, Updates
from desktop_memory.ui.desk import Desk
from desktop_memory.ui.updates_panel import Offer, UpdatesPanel
from desktop_memory.ui.words import number, tr


class Suggestions(QObject):
    """One panel for what the user pasted and for what AI clients propose; `changed` follows when pins changed."""

    changed = Signal()

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self.panel = UpdatesPanel(desk)
        self.panel.taken.connect(self._take)
        self.panel.dropped.connect(self._drop)
        self._pasted: Offer | None = None
        self._proposals: list[Offer] = []

    def read(self, answer: str) -> None:
        """Show what this answer of a chat suggests."""
        memory = self._desk.memory
        text = answer.replace("\u2028", "\n").replace("\u2029", "\n")
        self._desk.background.run(
            lambda: memory.read_updates(text), self._read, self._desk.notices.failed, owner=self
        )

    def show_proposals(self, proposals: Sequence[Proposal]) -> None:
        """What AI clients wait with."""
        self._proposals = [Offer(one.updates, one.client, one.id) for one in proposals]
        self._show()

    def _read(self, updates: Updates) -> None:
        self._pasted = Offer(updates)
        self._show()

    def _show(self) -> None:
        offers = [*([self._pasted] if self._pasted else []), *self._proposals]
        self.panel.show_offer(offers[0] if offers else None, max(0, len(offers) - 1))

    def _take(self, updates: Sequence[Update], offer: Offer) -> None:
        memory = self._desk.memory

        def say(batch: int) -> None:
            self._gone(offer)
            self._desk.notices.say(
                tr("Took {count} of the changes.").format(count=number(len(updates))),
                tr("They can be undone for 10 minutes."),
                button=tr("Undo"), act=partial(self._undo, batch),
            )  # fmt: skip

        self._desk.background.run(
            lambda: memory.apply_updates(updates, offer.proposal), say, self._desk.notices.failed, owner=self
        )

    def _undo(self, batch: int) -> None:
        memory = self._desk.memory
        self._desk.background.run(
            lambda: memory.undo_updates(batch), lambda _: self.changed.emit(), self._desk.notices.failed,
            owner=self,
        )  # fmt: skip

    def _drop(self, offer: Offer) -> None:
        memory, proposal = self._desk.memory, offer.proposal
        if proposal is None:
            self._gone(offer)
            return
        self._desk.background.run(
            lambda: memory.drop_proposal(proposal), lambda _: self._gone(offer), self._desk.notices.failed,
            owner=self,
        )  # fmt: skip

    def _gone(self, offer: Offer) -> None:
        if offer == self._pasted:
            self._pasted = None
        self._proposals = [one for one in self._proposals if one != offer]
        self._show()
        self.changed.emit()
