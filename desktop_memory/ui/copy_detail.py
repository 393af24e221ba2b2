"""A copy that was made: what it held, record by record, and what a chat made of it."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop_memory.model import Source
from desktop_memory.store.copies import SavedCopy
from desktop_memory.ui.answer_check import AnswerCheck
from desktop_memory.ui.desk import Desk
from desktop_memory.ui.parts import Elided, label
from desktop_memory.ui.row_list import RowList
from desktop_memory.ui.rows import Row, clean, quiet
from desktop_memory.ui.words import clock_time, day_name, local, number, records, tr


class CopyDetail(QWidget):
    """`record_wanted` carries the id of the event behind a number that was pressed."""

    record_wanted = Signal(int)

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self.copy: SavedCopy | None = None
        theme, px = desk.theme, desk.theme.px
        self.title = Elided(theme, 14, 600)
        self._about = Elided(theme, 12, token="muted")
        self.check = AnswerCheck(desk)
        self.check.number_wanted.connect(self._jump)
        self.sources = RowList(theme, "search", tr("Records of this copy"))
        self.sources.opened.connect(lambda row: self._jump(row.does.n))
        column = QVBoxLayout(self)
        column.setContentsMargins(px(16), px(16), px(16), px(16))
        column.setSpacing(px(6))
        column.addWidget(self.title)
        column.addWidget(self._about)
        column.addSpacing(px(10))
        column.addWidget(label(theme, tr("Check an answer"), 14, 600))
        column.addWidget(self.check)
        column.addSpacing(px(10))
        column.addWidget(label(theme, tr("What was copied"), 14, 600))
        column.addWidget(self.sources, 1)
        theme.follow(self, self.update)

    def show_copy(self, copy: SavedCopy) -> None:
        """Show this one, which holds its sources."""
        if self.copy is not None and self.copy.tag != copy.tag:
            self.check.begin(copy.tag)
        self.copy = copy
        self.check.tag = copy.tag
        self.title.setText(title_of(copy))
        day = day_name(local(copy.at).date(), local(self._desk.clock()).date())
        self._about.setText(f"{day} {clock_time(copy.at)} · {facts_of(copy)} · {copy.tag}")
        self.sources.show_rows([_source_row(source) for source in copy.sources])

    def _jump(self, n: int) -> None:
        """To the record with this number."""
        found = next((s for s in self.copy.sources if s.n == n), None) if self.copy else None
        if found is not None:
            self.record_wanted.emit(found.event)

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), self._desk.theme["bg"])


def title_of(copy: SavedCopy) -> str:
    """What it was about; where that was forgotten, its tag. When it was asked stands in the line below."""
    about, _, _ = clean(copy.title).rpartition(" · asked ")
    return about or clean(copy.title) or tr("Copy {tag}").format(tag=copy.tag)


def facts_of(copy: SavedCopy) -> str:
    """10 records · ~390 tokens · Markdown · to Claude Desktop."""
    form = {"markdown": "Markdown", "text": tr("Plain text")}.get(copy.format, copy.format.upper())
    parts = [records(copy.records), tr("~{count} tokens").format(count=number(copy.tokens)), form]
    if copy.client:
        parts.append(tr("to {client}").format(client=clean(copy.client)))
    return " · ".join(parts)


def _source_row(source: Source) -> Row:
    if not source.text:
        row = quiet(f"[{source.n}] " + tr("forgotten since"), "circle")
        return replace(row, key=("source", source.n), does=source)
    text = clean(source.text)
    title = text if text.startswith("[") else f"[{source.n}] {text}"
    return Row(
        key=("source", source.n), title=title, icon="timeline", tooltip=source.text[:1500], does=source
    )
