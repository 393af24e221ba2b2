"""The copies that were made, newest first, and one of them in detail."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from desktop_memory.model import Remembered
from desktop_memory.store.copies import SavedCopy
from desktop_memory.ui.beside import Beside
from desktop_memory.ui.copy_detail import CopyDetail, facts_of, title_of
from desktop_memory.ui.desk import Desk
from desktop_memory.ui.empty import Empty
from desktop_memory.ui.row_list import RowList
from desktop_memory.ui.rows import Row
from desktop_memory.ui.words import clock_time, day_name, local, tr

PAGE = 40


class CopyList(QWidget):
    """`event_wanted` carries the record behind an [n] that was pressed."""

    event_wanted = Signal(object)

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self.rows = RowList(desk.theme, "search", tr("Copies"))
        self.rows.picked.connect(self._picked)
        self.rows.rows.more_wanted.connect(self._more)
        self.detail = CopyDetail(desk)
        self.detail.record_wanted.connect(self._find)
        self.detail.check.tag_wanted.connect(self.show_tag)
        self._empty = Empty(
            desk.theme, "copy", tr("No copy was made yet"),
            tr("What you copy, or an AI client asks for, stands here, and a chat's answer can be checked on it."),
        )  # fmt: skip
        self._stack = QStackedWidget()
        self._stack.addWidget(Beside(desk.theme, self.detail, self.rows, before=True))
        self._stack.addWidget(self._empty)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._stack)

    def refresh(self) -> None:
        """Ask anew for as many as stand here."""
        self._ask(None, max(PAGE, self.rows.rows.rowCount()))

    def take_focus(self) -> None:
        self.rows.setFocus()

    def _ask(self, before: datetime | None, count: int = PAGE) -> None:
        memory = self._desk.memory
        self._desk.background.run(
            lambda: memory.copies(count, before),
            lambda found: self._show(found, count, more=before is not None),
            self._desk.notices.failed, owner=self, lane="copies",
        )  # fmt: skip

    def _show(self, found: Sequence[SavedCopy], count: int, *, more: bool) -> None:
        rows = [self._row(copy) for copy in found]
        if more:
            self.rows.rows.append(rows)
        else:
            self.rows.show_rows(rows)
        self.rows.rows.more = len(found) == count
        self._stack.setCurrentIndex(0 if self.rows.rows.rows else 1)
        if rows and not self.rows.selected():
            self.rows.choose(0)

    def _more(self) -> None:
        if self.rows.rows.rows:
            self._ask(self.rows.rows.rows[-1].does.at)

    def _row(self, copy: SavedCopy) -> Row:
        day = day_name(local(copy.at).date(), local(self._desk.clock()).date())
        row = Row(key=("copy", copy.tag), style="entry", title=title_of(copy), icon="copy", does=copy)
        told = f"{day} {clock_time(copy.at)} · {facts_of(copy)}"
        icon = "device-desktop-analytics" if copy.client else "copy"
        return replace(row, second=told, icon=icon, tooltip=f"{title_of(copy)}\n{told}")

    def _picked(self, rows: list[Row]) -> None:
        if len(rows) == 1:
            self.show_tag(rows[0].does.tag)

    def show_tag(self, tag: str) -> None:
        """Show the copy with this tag in detail."""
        memory = self._desk.memory
        self._desk.background.run(
            lambda: memory.copied(tag), self._detail, self._desk.notices.failed, owner=self, lane="copied"
        )

    def _detail(self, copy: SavedCopy | None) -> None:
        if copy is None:
            self._desk.notices.say(tr("That copy is no longer kept."), tone="warn")
            return
        self.detail.show_copy(copy)
        place = self.rows.rows.place_of(("copy", copy.tag))
        if place is not None and self.rows.currentIndex().row() != place:
            self.rows.choose(place)

    def _find(self, id_: int) -> None:
        memory = self._desk.memory

        def show(found: list[Remembered]) -> None:
            if found:
                self.event_wanted.emit(found[0])
            else:
                self._desk.notices.say(
                    tr("That record was forgotten since."), tr("The copy keeps only its number."), tone="warn"
                )

        self._desk.background.run(
            lambda: memory.events([id_]), show, self._desk.notices.failed, owner=self, lane="find"
        )
