"""The copy pane: where things stand, the exact text, what it weighs, one button. The same on every page."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QTextOption
from PySide6.QtWidgets import QGridLayout, QLabel, QPlainTextEdit, QSizePolicy, QWidget

from desktop_memory.model import ContextRequest, CopiedContext, Standing
from desktop_memory.ui.as_written import as_written
from desktop_memory.ui.beside import Beside
from desktop_memory.ui.copying import Copier
from desktop_memory.ui.desk import Desk
from desktop_memory.ui.facts import FactLines, facts
from desktop_memory.ui.notices import notice_of
from desktop_memory.ui.parts import PushButton, breakable, dress, icon_button
from desktop_memory.ui.theme import Theme
from desktop_memory.ui.words import counted, number, records, tr

COPIED_MS = 2000
SETTLE_MS = 80
LONGEST_TITLE = 120


@dataclass(frozen=True, kw_only=True, slots=True)
class Subject:
    """What the pane offers to copy; with a `project`, where that stands heads it."""

    title: str
    request: ContextRequest
    project: str | None = None


class CopyPane(QWidget):
    """Shows a preview of its subject as it would be copied now; `shown` carries it. A `composer` is not led to."""

    shown = Signal(object)

    def __init__(self, desk: Desk, copier: Copier, *, composer: bool = False) -> None:
        super().__init__()
        self._composer = composer
        self._desk = desk
        self._copier = copier
        self._subject: Subject | None = None
        self._lane = f"pane {id(self)}"
        self._settle = QTimer(self, singleShot=True, interval=SETTLE_MS)
        self._settle.timeout.connect(self._ask)
        self._back = QTimer(self, singleShot=True, interval=COPIED_MS)
        self._back.timeout.connect(self._dress_button)
        self._build()
        desk.theme.follow(self, self._restyle)
        self.show_subject(None)

    def _build(self) -> None:
        self._title = QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self._facts = FactLines(self._desk.theme)
        self._preview = _Preview(readOnly=True)
        self._preview.setProperty("look", "preview")
        self._preview.setAccessibleName(tr("Preview of the text that will be copied"))
        self._preview.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self._preview.setTabChangesFocus(True)
        self._preview.setMinimumHeight(self._desk.theme.px(88))
        self._weight = QLabel(wordWrap=True)
        self._masked = QLabel(alignment=Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._button = PushButton()
        self._button.setProperty("look", "primary")
        self._button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._button.clicked.connect(self.copy)
        says = tr("Change what is copied")
        self._adjust = icon_button(self._desk.theme, "adjustments", says, self._compose, look="quiet")
        self._grid = QGridLayout(self)
        self.fold(False)

    def fold(self, folded: bool) -> None:
        """Stand at the side, or lie under what it belongs to: lower, with the button beside the title."""
        px, grid = self._desk.theme.px, self._grid
        parts = (
            self._title, self._adjust, self._facts, self._preview, self._weight, self._masked, self._button,
        )  # fmt: skip
        for part in parts:
            grid.removeWidget(part)
        grid.setContentsMargins(px(16), px(10 if folded else 16), px(16), px(12 if folded else 16))
        grid.setVerticalSpacing(px(6 if folded else 12))
        grid.setHorizontalSpacing(px(8 if folded else 16))
        for row in range(6):
            grid.setRowStretch(row, 0)
        if folded:
            grid.addWidget(self._title, 0, 0, 1, 3)
            grid.addWidget(self._adjust, 0, 3, 2, 1)
            grid.addWidget(self._button, 0, 4, 2, 1)
            grid.addWidget(self._weight, 1, 0)
            grid.addWidget(self._masked, 1, 1)
            grid.addWidget(self._preview, 2, 0, 1, 5)
            grid.setRowStretch(2, 1)
        else:
            grid.addWidget(self._title, 0, 0)
            grid.addWidget(self._adjust, 0, 1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)
            grid.addWidget(self._facts, 1, 0, 1, 2)
            grid.addWidget(self._preview, 2, 0, 1, 2)
            grid.addWidget(self._weight, 3, 0)
            grid.addWidget(self._masked, 3, 1)
            grid.addWidget(self._button, 4, 0, 1, 2)
            grid.setRowStretch(2, 1)
        grid.setColumnStretch(0, 1)
        self._facts.fold(folded)
        way = QSizePolicy.Policy.Minimum if folded else QSizePolicy.Policy.Expanding
        self._button.setSizePolicy(way, QSizePolicy.Policy.Fixed)

    def show_subject(self, subject: Subject | None) -> None:
        """Offer this; None offers nothing."""
        if subject is not None and subject == self._subject:
            self.refresh()
            return
        kept = subject is not None and self._subject is not None and subject.title == self._subject.title
        self._subject = subject
        self._adjust.setVisible(subject is not None and not self._composer)
        title = subject.title if subject else tr("Copy context")
        self._title.setText(breakable(title if len(title) <= LONGEST_TITLE else title[:LONGEST_TITLE] + "…"))
        self._title.setToolTip(as_written(title if len(title) > LONGEST_TITLE else ""))
        if kept:
            self._settle.start()  # the same with other knobs: its text stands until the new one is there
            return
        self._facts.show_facts([])
        self._desk.background.drop(self._lane)  # what was asked before must not come up under this title
        if subject is None:
            self._settle.stop()
            self._say(tr("Choose a session, a stretch of time or a record, and its context stands here."))
        else:
            self._say("")
            self._settle.start()

    def refresh(self) -> None:
        """Ask again: there may be more to copy now."""
        if self._subject is not None:
            self._settle.start()

    def copy(self) -> None:
        """Copy it; the button says so for two seconds."""
        if self._subject is not None:
            self._copier.copy(self._subject.request, self._copied)

    def _compose(self) -> None:
        if self._subject is not None:
            self._copier.compose_wanted.emit(self._subject)

    def _ask(self) -> None:
        subject, memory = self._subject, self._desk.memory
        if subject is None:
            return

        def ask() -> tuple[CopiedContext, Standing | None]:
            standing = None if subject.project is None else memory.standing(subject.project)
            return memory.context(subject.request, save=False), standing

        self._desk.background.run(
            ask, self._show, lambda error: self._failed(error), owner=self, lane=self._lane
        )

    def _show(self, answer: tuple[CopiedContext, Standing | None]) -> None:
        context, standing = answer
        self.shown.emit(context)
        self._facts.show_facts(facts(standing))
        if not context.sources:
            self._say(tr("Nothing was recorded here, so there is nothing to copy yet."))
            return
        self._put(context.text)
        tokens = tr("~{count} tokens").format(count=number(context.tokens))
        self._weight.setText(f"{records(len(context.sources))} · {tokens}")
        hidden = sum(context.masked.values())
        self._masked.setText(tr("{count} masked").format(count=number(hidden)) if hidden else "")
        kinds = (f"{kind}: {number(count)}" for kind, count in context.masked.items())
        self._masked.setToolTip("\n".join(kinds))
        self._button.setEnabled(True)

    def _say(self, text: str) -> None:
        self._put(text)
        self._weight.clear()
        self._masked.clear()
        self._button.setEnabled(False)

    def _put(self, text: str) -> None:
        if text != self._preview.toPlainText():
            at = self._preview.verticalScrollBar().value()
            self._preview.setPlainText(text)
            self._preview.verticalScrollBar().setValue(at)

    def _failed(self, error: Exception) -> None:
        notice = notice_of(error)
        self._say(f"{notice.text}\n{notice.advice}".strip())

    def _copied(self, context: CopiedContext) -> None:
        self._button.setText(tr("Copied"))
        dress(self._button, self._desk.theme, "check", "on_accent")
        self._button.setAccessibleDescription(counted(len(context.sources), tr("record"), tr("records")))
        self._back.start()

    def _dress_button(self) -> None:
        self._button.setText(tr("Copy context"))
        dress(self._button, self._desk.theme, "copy", "on_accent")

    def _restyle(self) -> None:
        theme = self._desk.theme
        self._title.setFont(theme.font(14, 600))
        self._preview.setFont(theme.font(11.5, mono=True))
        for label in (self._weight, self._masked):
            label.setFont(theme.font(12))
            label.setStyleSheet(f"color: {theme['muted'].name()}")
        self._dress_button()

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), self._desk.theme["surface"])


class _Preview(QPlainTextEdit):
    """Asks for no more than the least: what room is left it gets anyway."""

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self.minimumHeight())


def with_pane(theme: Theme, main: QWidget, pane: CopyPane) -> Beside:
    """The pane beside a page's main part, or under it where the window is narrow."""
    beside = Beside(theme, main, pane)
    beside.folds.connect(pane.fold)
    return beside
