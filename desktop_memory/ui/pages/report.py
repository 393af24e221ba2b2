"""Report: what a week or a month went to, as text to copy."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta
from functools import partial
from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import (
    QButtonGroup,
    QFileDialog,
    QHBoxLayout,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from desktop_memory.errors import KnownError
from desktop_memory.model import Spoken
from desktop_memory.ui.actions import Actions
from desktop_memory.ui.copying import Copier
from desktop_memory.ui.desk import Desk
from desktop_memory.ui.flow import flowing
from desktop_memory.ui.pages.page import Page
from desktop_memory.ui.parts import Elided, Rule, button, chip_button, icon_button, piled
from desktop_memory.ui.report_text import ReportText
from desktop_memory.ui.report_wording import report_wording
from desktop_memory.ui.words import first_day_of_week, local, short_day, tr

WEEK, MONTH = 0, 1


class ReportPage(Page):
    """Hours by project and day, calls, commits, documents, decisions: from the records alone, no score."""

    icon = "report"

    def __init__(self, desk: Desk, copier: Copier, actions: Actions) -> None:
        super().__init__(desk, copier, actions)
        theme, px = desk.theme, desk.theme.px
        self.day = local(desk.clock()).date()
        self._lines: Sequence[Spoken] = ()
        self.text = ReportText()
        self.text.copy_wanted.connect(self._copy_chosen)
        theme.follow(self.text, lambda: self.text.setFont(theme.font(12.5, mono=True)))
        framed = QVBoxLayout(below := QWidget())
        framed.setContentsMargins(px(16), px(16), px(16), px(16))
        framed.addWidget(self.text)
        piled(self, self._head(), Rule(theme), below)

    @classmethod
    def title(cls) -> str:
        return tr("Report")

    def _head(self) -> QWidget:
        theme, px = self.desk.theme, self.desk.theme.px
        self._span = Elided(theme, 20, 600)
        self._next = icon_button(theme, "chevron-right", tr("Next"), lambda: self._turn(1))
        self._length = QButtonGroup(self)
        self.project = QLineEdit(placeholderText=tr("every project"))
        self.project.setAccessibleName(tr("Only this project"))
        self.project.setFixedWidth(px(170))
        self.project.editingFinished.connect(self.refresh)
        head = QWidget()
        column = QVBoxLayout(head)
        column.setContentsMargins(px(16), px(12), px(16), px(12))
        column.setSpacing(px(8))
        first = QHBoxLayout()
        first.setSpacing(px(8))
        column.addLayout(first)
        holder, second = flowing(px(8))
        column.addWidget(holder)
        first.addWidget(self._span, 1)
        first.addWidget(icon_button(theme, "chevron-left", tr("Before"), lambda: self._turn(-1)))
        first.addWidget(self._next)
        first.addWidget(button(theme, tr("Copy"), lambda: self.copy("markdown"), look="primary", name="copy"))
        for number, text in ((WEEK, tr("Week")), (MONTH, tr("Month"))):
            chip = chip_button(text)
            chip.setChecked(number == WEEK)
            self._length.addButton(chip, number)
            second.addWidget(chip)
        self._length.idClicked.connect(lambda _number: self.refresh())
        second.addWidget(self.project)
        second.addWidget(button(theme, tr("Copy as CSV"), lambda: self.copy("csv"), look="quiet"))
        second.addWidget(button(theme, tr("Save as CSV …"), self.save, look="quiet"))
        return head

    def span(self) -> tuple[date, date]:
        """The first and the last day of the report."""
        if self._length.checkedId() == MONTH:
            first = self.day.replace(day=1)
            return first, (first + timedelta(days=32)).replace(day=1) - timedelta(days=1)
        first = self.day - timedelta(days=(self.day.isoweekday() - first_day_of_week()) % 7)
        return first, first + timedelta(days=6)

    def _turn(self, by: int) -> None:
        first, last = self.span()
        today = local(self.desk.clock()).date()
        self.day = min(last + timedelta(days=1), today) if by > 0 else first - timedelta(days=1)
        self.refresh()

    def take_focus(self) -> None:
        self.text.setFocus()

    def refresh(self) -> None:
        memory, project = self.desk.memory, self.project.text().strip()
        first, last = self.span()
        wording = report_wording()
        self._span.setText(f"{short_day(first)} – {short_day(last)}")
        self._next.setEnabled(last < local(self.desk.clock()).date())
        self.desk.background.run(
            lambda: memory.report_lines(first, last, project, wording), self._show, self.desk.notices.failed,
            owner=self, lane="report",
        )  # fmt: skip

    def _show(self, lines: Sequence[Spoken]) -> None:
        self._lines = lines
        text = aligned("\n".join(line.text for line in lines))
        if text != self.text.toPlainText():
            at = self.text.verticalScrollBar().value()
            self.text.setPlainText(text)
            self.text.verticalScrollBar().setValue(at)

    def copy(self, form: str) -> None:
        """Copy the report in this form, as others may see it."""
        memory, project = self.desk.memory, self.project.text().strip()
        first, last = self.span()
        wording = report_wording()
        self.copier.copy_told(
            lambda: memory.tell_report(first, last, project, form, wording),
            lambda: self.desk.notices.say(tr("Copied the report")),
        )

    def _copy_chosen(self, parts: Sequence[tuple[int, str]]) -> None:
        chosen = [replace(self._lines[at], text=text) for at, text in parts]
        self.copier.copy_lines(chosen, project=self.project.text().strip())

    def save(self) -> None:
        """Ask where, and write the table there."""
        first, last = self.span()
        name = f"desktop-memory {first.isoformat()} {last.isoformat()}.csv"
        chosen, _ = QFileDialog.getSaveFileName(
            self, tr("Save the report"), str(Path.home() / name), "CSV (*.csv)"
        )
        if chosen:
            self.write(Path(chosen))

    def write(self, path: Path) -> None:
        """Write the report as a table into this file."""
        memory, project = self.desk.memory, self.project.text().strip()
        first, last = self.span()

        def work() -> None:
            text = memory.report(first, last, project, "csv")
            try:
                path.write_text(text, encoding="utf-8", newline="")
            except OSError as why:
                raise KnownError(
                    tr("{path} cannot be written: {why}.").format(path=path, why=why.strerror or why),
                    tr("Choose another folder."),
                ) from why

        def say(_nothing: None) -> None:
            folder = QUrl.fromLocalFile(str(path.parent))
            self.desk.notices.say(
                tr("Saved {name}").format(name=path.name),
                button=tr("Open its folder"), act=partial(_open, folder),
            )  # fmt: skip

        self.desk.background.run(work, say, self.desk.notices.failed, owner=self)


def _open(folder: QUrl) -> None:
    QDesktopServices.openUrl(folder)


def aligned(text: str) -> str:
    """The report with the columns of its table under one another; copies keep the plain form."""
    lines = text.split("\n")
    table = [line for line in lines if line.startswith("|")]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in table]
    if len(table) < 3 or len({len(row) for row in cells}) != 1:
        return text
    widths = [max(_width(row[n]) for row in (cells[0], *cells[2:])) for n in range(len(cells[0]))]
    at = lines.index(table[0])
    laid = [_laid(row, widths) for row in (cells[0], *cells[2:])]
    laid.insert(1, "─" * (sum(widths) + 2 * (len(widths) - 1)))
    return "\n".join([*lines[:at], *laid, *lines[at + len(table) :]])


def _laid(row: Sequence[str], widths: Sequence[int]) -> str:
    first, *rest = (" " * (width - _width(cell)) for cell, width in zip(row, widths, strict=True))
    return "  ".join(
        [row[0] + first, *(gap + cell for gap, cell in zip(rest, row[1:], strict=True))]
    ).rstrip()


def _width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else not unicodedata.combining(c) for c in text)
