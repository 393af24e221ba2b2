"""The line above the timeline's list: what is chosen, and what can be done with the whole of it."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from desktop_memory.ui.parts import Elided, icon_button
from desktop_memory.ui.theme import Theme
from desktop_memory.ui.words import tr


class StretchBar(QWidget):
    """Signals carry nothing: its owner knows what is chosen."""

    before_wanted = Signal()
    after_wanted = Signal()
    connections_wanted = Signal()
    reopen_wanted = Signal()
    forget_wanted = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        px = theme.px
        self.title = Elided(theme, 12, 600, "muted")
        row = QHBoxLayout(self)
        row.setContentsMargins(px(16), px(4), px(8), px(4))
        row.setSpacing(px(2))
        row.addWidget(self.title, 1)
        self.buttons = [
            icon_button(theme, name, says, act.emit, look="quiet")
            for name, says, act in (
                ("chevron-left", tr("Session before"), self.before_wanted),
                ("chevron-right", tr("Session after"), self.after_wanted),
                ("affiliate", tr("Connections"), self.connections_wanted),
                ("list-check", tr("Open its pages and files again"), self.reopen_wanted),
                ("trash", tr("Forget all of it"), self.forget_wanted),
            )
        ]
        for button in self.buttons:
            row.addWidget(button)
        theme.follow(self, self.update)

    def show_title(self, title: str) -> None:
        self.title.setText(title)

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), self._theme["surface"])
