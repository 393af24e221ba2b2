"""Context: compose what is copied and see it live; look through what was copied, and check a chat's answer."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtWidgets import QButtonGroup, QStackedWidget, QVBoxLayout, QWidget

from desktop_memory.model import ContextRequest, CopiedContext
from desktop_memory.ui.actions import Actions
from desktop_memory.ui.composed_lines import ComposedLines
from desktop_memory.ui.copy_list import CopyList
from desktop_memory.ui.copy_pane import CopyPane, Subject, with_pane
from desktop_memory.ui.copying import Copier
from desktop_memory.ui.desk import Desk
from desktop_memory.ui.flow import flowing
from desktop_memory.ui.page_head import page_head
from desktop_memory.ui.pages.page import Page
from desktop_memory.ui.parts import Rule, chip_button, label, piled, scrolled
from desktop_memory.ui.request_form import RequestForm
from desktop_memory.ui.words import tr

COMPOSE, COPIES = 0, 1
SESSIONS = 30
"""So many of the latest sessions are offered."""


class ContextPage(Page):
    """Composing: the form and the lines at the left, the exact text at the right. Copies: all that were made."""

    icon = "clipboard-text"

    def __init__(self, desk: Desk, copier: Copier, actions: Actions) -> None:
        super().__init__(desk, copier, actions)
        theme, px = desk.theme, desk.theme.px
        self.form = RequestForm(desk)
        self.lines = ComposedLines(theme)
        self.pane = CopyPane(desk, copier, composer=True)
        self._base: ContextRequest | None = None
        self.form.changed.connect(self._offer)
        self.lines.changed.connect(lambda: self._offer(self.form.subject()))
        self.pane.shown.connect(self._composed)
        self.copies = CopyList(desk)
        self.copies.event_wanted.connect(actions.timeline_wanted)
        self.check = self.copies.detail.check
        copier.copied.connect(lambda _context: self.copies.refresh() if self.isVisible() else None)
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(px(16), px(16), px(16), px(16))
        column.setSpacing(px(8))
        column.addWidget(label(theme, tr("What to copy"), 14, 600))
        column.addWidget(self.form)
        column.addSpacing(px(12))
        column.addWidget(self.lines, 1)
        column.addStretch()
        self._stack = QStackedWidget()
        self._stack.addWidget(with_pane(theme, scrolled(inside, tr("What to copy")), self.pane))
        self._stack.addWidget(self.copies)
        piled(self, self._head(), Rule(theme), self._stack)

    @classmethod
    def title(cls) -> str:
        return tr("Context")

    def _head(self) -> QWidget:
        theme, px = self.desk.theme, self.desk.theme.px
        about = label(
            theme,
            tr("Made from your records; secrets are masked. It leaves this computer only when you paste it."),
            13,
            token="muted",
        )
        about.setWordWrap(True)
        holder, row = flowing(px(8))
        self.views = QButtonGroup(self)
        for number, text in ((COMPOSE, tr("Compose")), (COPIES, tr("Recent copies"))):
            chip = chip_button(text)
            self.views.addButton(chip, number)
            row.addWidget(chip)
        self.views.button(COMPOSE).setChecked(True)
        self.views.idClicked.connect(self.show_view)
        return page_head(theme, self.title(), about, holder)

    def show_view(self, number: int) -> None:
        """Compose, or look through the copies."""
        self.views.button(number).setChecked(True)
        self._stack.setCurrentIndex(number)
        self.refresh()

    def compose(self, subject: Subject) -> None:
        """Begin with what was chosen elsewhere."""
        self.form.take(subject)
        self.lines.begin()
        self.lines.struck = set(subject.request.without)
        self._base = None
        self.show_view(COMPOSE)

    def refresh(self) -> None:
        if self._stack.currentIndex() == COPIES:
            self.copies.refresh()
            return
        memory = self.desk.memory
        self.desk.background.run(
            lambda: memory.sessions(None, None, SESSIONS), self.form.show_sessions,
            self.desk.notices.failed, owner=self, lane="composer sessions",
        )  # fmt: skip
        self._offer(self.form.subject())

    def take_focus(self) -> None:
        if self._stack.currentIndex() == COPIES:
            self.copies.take_focus()
        elif (button := self.form.what.checkedButton()) is not None:
            button.setFocus()

    def _offer(self, subject: Subject | None) -> None:
        """The form's request without what was struck out; another subject begins with all its lines."""
        if subject is None:
            self.lines.show_context(None)
            self.pane.show_subject(None)
            return
        base = what_of(subject.request)
        if self._base is not None and base != self._base:
            self.lines.begin()
        self._base = base
        request = replace(
            subject.request, without=tuple(sorted(self.lines.struck)), let_in=tuple(sorted(self.lines.let_in))
        )
        self.pane.show_subject(replace(subject, request=request))

    def _composed(self, context: CopiedContext) -> None:
        self.lines.show_context(context)


def what_of(request: ContextRequest) -> ContextRequest:
    """What is asked for, however it is written: for another one, other lines stand there."""
    return ContextRequest(
        query=request.query, event_id=request.event_id, session_id=request.session_id,
        this_session=request.this_session, minutes=request.minutes, since=request.since, until=request.until,
        kinds=request.kinds, project=request.project, since_last_copy=request.since_last_copy,
    )  # fmt: skip
