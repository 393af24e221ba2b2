"""Context: compose what is copied, see it live, and check what a chat made of it."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop_memory.ui.actions import Actions
from desktop_memory.ui.answer_check import AnswerCheck
from desktop_memory.ui.copy_pane import CopyPane, with_pane
from desktop_memory.ui.copying import Copier
from desktop_memory.ui.desk import Desk
from desktop_memory.ui.pages.page import Page
from desktop_memory.ui.pages.settings import scrolled
from desktop_memory.ui.parts import Elided, Rule, label
from desktop_memory.ui.request_form import RequestForm
from desktop_memory.ui.words import tr


class ContextPage(Page):
    """The form at the left, the exact text at the right."""

    icon = "clipboard-text"

    def __init__(self, desk: Desk, copier: Copier, actions: Actions) -> None:
        super().__init__(desk, copier, actions)
        theme, px = desk.theme, desk.theme.px
        self.form = RequestForm(desk)
        self.pane = CopyPane(desk, copier)
        self.form.changed.connect(self.pane.show_subject)
        self.check = AnswerCheck(desk)
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(px(20), px(16), px(20), px(20))
        column.setSpacing(px(8))
        column.addWidget(label(theme, tr("What to copy"), 14, 600))
        column.addWidget(self.form)
        column.addSpacing(px(16))
        column.addWidget(label(theme, tr("Check an answer"), 14, 600))
        column.addWidget(self.check)
        column.addStretch()
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(self._head())
        whole.addWidget(Rule(theme))
        whole.addWidget(with_pane(theme, scrolled(inside), self.pane), 1)

    @classmethod
    def title(cls) -> str:
        return tr("Context")

    def _head(self) -> QWidget:
        theme, px = self.desk.theme, self.desk.theme.px
        head = QWidget()
        column = QVBoxLayout(head)
        column.setContentsMargins(px(20), px(12), px(16), px(12))
        column.setSpacing(px(2))
        about = Elided(theme, 13, token="muted")
        about.setText(
            tr("Made from your records; secrets are masked. It leaves this computer only when you paste it.")
        )
        column.addWidget(label(theme, self.title(), 20, 600))
        column.addWidget(about)
        return head

    def refresh(self) -> None:
        self.pane.show_subject(self.form.subject())

    def take_focus(self) -> None:
        button = self.form.what.checkedButton()
        if button is not None:
            button.setFocus()
