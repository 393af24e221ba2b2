"""Forgetting: choose a stretch, an app, a site, words or what rules leave out, see how much it is, forget it."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from desktop_memory.model import Query
from desktop_memory.receipts import Excluded, Forgotten
from desktop_memory.store.whole import Cancelled
from desktop_memory.ui.ask_bar import AskBar
from desktop_memory.ui.desk import Desk
from desktop_memory.ui.flow import flowing
from desktop_memory.ui.leaving_out import LeavingOut
from desktop_memory.ui.parts import button
from desktop_memory.ui.translated import translated
from desktop_memory.ui.words import clock_time, local, number, records, short_day, tr

_LOOK_MS = 300


class Forgetting(QWidget):
    """Nothing goes before its count was shown and the second button pressed."""

    def __init__(self, desk: Desk, leaving: LeavingOut) -> None:
        super().__init__()
        self._desk, self._leaving = desk, leaving
        self._act: Callable[[], None] | None = None
        self._looking = QTimer(self, interval=_LOOK_MS)
        self._looking.timeout.connect(self._show_share)
        px = desk.theme.px
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(px(8))
        holder, row = flowing(px(8))
        for text, minutes in ((tr("Last 10 minutes"), 10), (tr("Last hour"), 60), (tr("Today"), 0)):
            row.addWidget(button(desk.theme, text, partial(self.ask_since, minutes)))
        self.name = QLineEdit(placeholderText=tr("or an app, a site, words"))
        self.name.setAccessibleName(tr("Forget an app, a site or what holds these words"))
        self.name.returnPressed.connect(self._by_name)
        self.name.setFixedWidth(px(260))
        row.addWidget(self.name)
        row.addWidget(button(desk.theme, tr("What rules leave out"), self.ask_excluded))
        column.addWidget(holder)
        self._bar = AskBar(desk.theme, self._forget, self._keep)
        self.told, self.yes, self.no = self._bar.told, self._bar.yes, self._bar.no
        column.addWidget(self._bar)

    def ask(self, query: Query, otherwise: Query | None = None) -> None:
        """Count what this would forget, or the other where it is nothing, and ask."""
        memory = self._desk.memory

        def preview() -> tuple[Query, Forgotten]:
            found = memory.preview_forget(query)
            if found.events or otherwise is None:
                return query, found
            return otherwise, memory.preview_forget(otherwise)

        self._desk.background.run(preview, self._show, self._desk.notices.failed, owner=self, lane="forget")

    def ask_excluded(self) -> None:
        """Count what is stored that the rules of now would not let in, and ask."""
        self._act = None
        self._bar.show()
        self.yes.hide()
        self.no.setText(tr("Cancel"))
        self.no.show()
        self._show_share()
        self._looking.start()
        self._desk.background.run(
            self._desk.memory.preview_excluded, self._show_excluded, self._not_looked,
            owner=self, lane="forget",
        )  # fmt: skip

    def _show_share(self) -> None:
        share = round(100 * self._desk.memory.excluded_share())
        self.told.setText(tr("Looking through all that is stored: {percent} %").format(percent=share))

    def _not_looked(self, error: Exception) -> None:
        self._looked()
        self._bar.hide()
        if not isinstance(error, Cancelled):
            self._desk.notices.failed(error)

    def _looked(self) -> None:
        self._looking.stop()
        self.no.setText(tr("Keep"))

    def ask_since(self, minutes: int) -> None:
        """The last minutes; 0 is today."""
        now = self._desk.clock()
        midnight = now.astimezone().replace(hour=0, minute=0, second=0, microsecond=0)
        self.ask(Query(since=now - timedelta(minutes=minutes) if minutes else midnight))

    def _by_name(self) -> None:
        name = self.name.text().strip()
        if name:
            site = "." in name and " " not in name
            words = Query(text=name) if re.search(r"\w", name) else None
            self.ask(Query(domain=name) if site else Query(app=name), words)

    def _show_excluded(self, found: Excluded) -> None:
        self._looked()
        if not self._offer(found.events, self._leaving.forget_excluded):
            return
        rules = ", ".join(f"{translated(rule)} {number(count)}" for rule, count in found.rules.items())
        self.told.setText(
            tr("{what} by rules of now: {rules}.").format(what=records(found.events), rules=rules)
        )
        self.yes.setFocus()

    def _offer(self, count: int, act: Callable[[], None]) -> bool:
        """Show what can be done about so many; False where there are none."""
        self._act = act
        self._bar.show()
        self.yes.setVisible(bool(count))
        self.no.setVisible(bool(count))
        if not count:
            self.told.setText(tr("There is nothing of that."))
        return bool(count)

    def _show(self, answer: tuple[Query, Forgotten]) -> None:
        self._looked()
        query, found = answer
        if not self._offer(found.events, partial(self._leaving.forget, query)):
            return
        when = ""
        if found.first is not None and found.last is not None:
            when = tr(", from {first} to {last}").format(first=_moment(found.first), last=_moment(found.last))
        self.told.setText(
            tr("{what}{when}, with their texts and in every copy.").format(
                what=records(found.events), when=when
            )
        )
        self.yes.setFocus()

    def _forget(self) -> None:
        act, self._act = self._act, None
        self._bar.hide()
        self.name.clear()
        if act is not None:
            act()

    def _keep(self) -> None:
        if self._looking.isActive():
            self._desk.memory.cancel_excluded()
            return
        self._act = None
        self._bar.hide()


def _moment(at: datetime) -> str:
    return f"{short_day(local(at).date())} {clock_time(at)}"
