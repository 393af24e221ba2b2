"""Forgetting: choose a stretch, an app or a site, see how much it is, forget it, read the receipt."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import partial

from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from desktop_memory.model import Forgotten, Query
from desktop_memory.ui.desk import Desk
from desktop_memory.ui.flow import flowing
from desktop_memory.ui.leaving_out import LeavingOut
from desktop_memory.ui.parts import button, label
from desktop_memory.ui.words import clock_time, local, records, short_day, tr


class Forgetting(QWidget):
    """Nothing goes before its count was shown and the second button pressed."""

    def __init__(self, desk: Desk, leaving: LeavingOut) -> None:
        super().__init__()
        self._desk, self._leaving = desk, leaving
        self._query: Query | None = None
        px = desk.theme.px
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(px(8))
        holder, row = flowing(px(8))
        for text, minutes in ((tr("Last 10 minutes"), 10), (tr("Last hour"), 60), (tr("Today"), 0)):
            row.addWidget(button(desk.theme, text, partial(self.ask_since, minutes)))
        self.name = QLineEdit(placeholderText=tr("or an app or a site"))
        self.name.setAccessibleName(tr("Forget an app or a site"))
        self.name.returnPressed.connect(self._by_name)
        self.name.setFixedWidth(px(260))
        row.addWidget(self.name)
        column.addWidget(holder)
        self._bar = QWidget()
        line = QHBoxLayout(self._bar)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(px(8))
        self.told = label(desk.theme, "", 13)
        self.told.setWordWrap(True)
        line.addWidget(self.told, 1)
        self.yes = button(desk.theme, tr("Forget"), self._forget, look="danger", name="trash")
        self.no = button(desk.theme, tr("Keep"), self._keep, look="quiet")
        line.addWidget(self.yes)
        line.addWidget(self.no)
        column.addWidget(self._bar)
        self._bar.hide()

    def ask(self, query: Query) -> None:
        """Count what this would forget, and ask."""
        memory = self._desk.memory
        self._query = query
        self._desk.background.run(
            lambda: memory.preview_forget(query),
            self._show,
            self._desk.notices.failed,
            owner=self,
            lane="forget",
        )

    def ask_since(self, minutes: int) -> None:
        """The last minutes; 0 is today."""
        now = self._desk.clock()
        midnight = now.astimezone().replace(hour=0, minute=0, second=0, microsecond=0)
        self.ask(Query(since=now - timedelta(minutes=minutes) if minutes else midnight))

    def _by_name(self) -> None:
        name = self.name.text().strip()
        if name:
            site = "." in name and " " not in name
            self.ask(Query(domain=name) if site else Query(app=name))

    def _show(self, found: Forgotten) -> None:
        self._bar.show()
        self.yes.setVisible(bool(found.events))
        self.no.setVisible(bool(found.events))
        if not found.events:
            self.told.setText(tr("There is nothing of that."))
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
        query, self._query = self._query, None
        self._bar.hide()
        self.name.clear()
        if query is not None:
            self._leaving.forget(query)

    def _keep(self) -> None:
        self._query = None
        self._bar.hide()


def _moment(at: datetime) -> str:
    return f"{short_day(local(at).date())} {clock_time(at)}"
