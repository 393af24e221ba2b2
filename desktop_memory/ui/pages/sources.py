"""Sources: how each one fares, and what would help those that do not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from PySide6.QtWidgets import QStackedWidget, QWidget

from desktop_memory.model import PlaceStatus, Stats
from desktop_memory.receipts import Receipt
from desktop_memory.ui.actions import Actions
from desktop_memory.ui.copying import Copier
from desktop_memory.ui.desk import Desk
from desktop_memory.ui.empty import Empty
from desktop_memory.ui.page_head import page_head
from desktop_memory.ui.pages.page import Page
from desktop_memory.ui.parts import Rule, button, label, piled
from desktop_memory.ui.reading_strip import ReadingStrip
from desktop_memory.ui.row_list import RowList
from desktop_memory.ui.source_rows import coverage, source_rows
from desktop_memory.ui.state import state_of
from desktop_memory.ui.words import local, number, records, tr


@dataclass(frozen=True, slots=True)
class _Answer:
    status: Mapping[str, Any]
    places: list[PlaceStatus]
    stats: Stats
    line: str
    covered: str


class SourcesPage(Page):
    """A row says whether a source works, what it gave today, and its remedy when it does not."""

    icon = "device-desktop-analytics"

    def __init__(self, desk: Desk, copier: Copier, actions: Actions) -> None:
        super().__init__(desk, copier, actions)
        theme = desk.theme
        self._about = label(theme, px=13, token="muted")
        self._about.setWordWrap(True)
        self.rows = RowList(theme, "search", tr("Sources"))
        self.rows.copy_wanted.connect(actions.copy_lines)
        self._empty = Empty(
            theme,
            "device-desktop-analytics",
            tr("No source was looked at yet"),
            tr("Windows, shells, browsers and repositories of this computer appear here. Press Read now."),
        )
        self._stack = QStackedWidget()
        self._stack.addWidget(self._empty)
        self._stack.addWidget(self.rows)
        self.reading = ReadingStrip(desk)
        piled(self, self._head(), Rule(theme), self.reading, self._stack)

    @classmethod
    def title(cls) -> str:
        return tr("Sources")

    def _head(self) -> QWidget:
        theme = self.desk.theme
        self._read = button(theme, tr("Read now"), self._read_now, name="refresh")
        self._read.setEnabled(not self.desk.demo)
        return page_head(theme, self.title(), self._about, self._read)

    def take_focus(self) -> None:
        self.rows.setFocus()

    def refresh(self) -> None:
        memory, app, now = self.desk.memory, self.desk.app, self.desk.clock()

        def ask() -> _Answer:
            places, stats = memory.places(), memory.stats()
            status = app.status()
            watching = [name for name, state in status.get("live", {}).items() if state.get("watching")]
            line = state_of(stats, memory.paused(), places, now, watching, status["problems"]).text
            midnight = local(now).replace(hour=0, minute=0, second=0, microsecond=0)
            covered = coverage(memory.timeline(midnight, now), now)
            return _Answer(status, places, stats, line, covered)

        self.desk.background.run(ask, self._show, self.desk.notices.failed, owner=self, lane="sources")

    def _show(self, answer: _Answer) -> None:
        kept = tr("{records} kept").format(records=records(answer.stats.events))
        held = answer.stats.hidden
        hidden = tr("{count} of them hidden by rules").format(count=number(held)) if held else ""
        self._about.setText(" · ".join(filter(None, (answer.line, kept, hidden, answer.covered))))
        rows = source_rows(answer.status, answer.places, answer.stats, self.desk.clock(), demo=self.desk.demo)
        self.rows.show_rows(rows)
        self._stack.setCurrentWidget(self.rows if rows else self._empty)

    def _read_now(self) -> None:
        self._read.setEnabled(False)
        self._read.setText(tr("Reading …"))
        self.desk.background.run(self.desk.app.collect, self._was_read, self._could_not, owner=self)

    def _was_read(self, receipt: object) -> None:
        self._rest()
        if isinstance(receipt, Receipt):
            told = tr("Read {read} records, {new} of them new").format(
                read=number(receipt.read), new=number(receipt.new)
            )
            self.desk.notices.say(told)
        self.refresh()

    def _could_not(self, error: Exception) -> None:
        self._rest()
        self.desk.notices.failed(error)

    def _rest(self) -> None:
        self._read.setEnabled(True)
        self._read.setText(tr("Read now"))
