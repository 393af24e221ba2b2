"""Taking things out of the memory from any list: forget these, never record this app or site again."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QObject

from desktop_memory.context.apps import label
from desktop_memory.model import Forgotten, Query
from desktop_memory.ui.desk import Desk
from desktop_memory.ui.rows import Row, clean
from desktop_memory.ui.saving import save_setting
from desktop_memory.ui.words import number, records, tr


class LeavingOut(QObject):
    """What was forgotten comes back by Undo for ten minutes."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk

    def forget_rows(self, rows: Sequence[Row]) -> None:
        """Forget all events that these rows stand for."""
        ids = [id_ for row in rows for id_ in (row.members or ((row.event.id,) if row.event else ()))]
        if ids:
            self.forget(Query(), ids)

    def forget(self, query: Query, events: Sequence[int] = ()) -> None:
        """Forget what this matches, and say how much it was."""
        memory = self._desk.memory
        self._desk.background.run(
            lambda: memory.forget(query, events, now=False),
            self._forgot,
            self._desk.notices.failed,
            owner=self,
        )

    def never_app(self, app: str) -> None:
        """Record nothing of this app from now on."""
        self._never("exclude_apps", app, label(app), Query(app=app))

    def never_site(self, domain: str) -> None:
        """Record nothing of this site from now on."""
        self._never("exclude_domains", domain, domain, Query(domain=domain))

    def _never(self, rule: str, name: str, shown: str, query: Query) -> None:
        rules: tuple[str, ...] = getattr(self._desk.settings.privacy, rule)
        memory, said = self._desk.memory, clean(shown)

        def offer(stored: Forgotten) -> None:
            text = tr("{name} is not recorded from now on.").format(name=said)
            if not stored.events:
                self._desk.notices.say(text)
                return
            self._desk.notices.say(
                text,
                tr("{what} of it are still there.").format(what=records(stored.events)),
                button=tr("Forget {count}").format(count=number(stored.events)),
                act=partial(self.forget, query),
            )

        def kept() -> None:
            self._desk.background.run(
                lambda: memory.preview_forget(query), offer, self._desk.notices.failed, owner=self
            )

        if name in rules:
            kept()
        else:
            save_setting(self._desk, "privacy", rule, (*rules, name), kept)

    def _forgot(self, gone: Forgotten) -> None:
        if not gone.events:
            self._desk.notices.say(tr("There was nothing of that."))
            return
        self._desk.notices.say(
            tr("Forgot {what}, with their texts and in every copy.").format(what=records(gone.events)),
            tr("For ten minutes this can be undone. Reading their sources again does not bring them back."),
            button=tr("Undo"),
            act=partial(self._undo, gone.batch),
        )

    def _undo(self, batch: int | None) -> None:
        memory = self._desk.memory
        self._desk.background.run(
            lambda: memory.undo_forget(batch), self._back, self._desk.notices.failed, owner=self
        )

    def _back(self, count: int) -> None:
        self._desk.notices.say(tr("Brought back {what}.").format(what=records(count)))
