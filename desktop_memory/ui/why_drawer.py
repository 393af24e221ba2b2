"""The drawer below a search: why the chosen hit was found, and a button that pins it."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from desktop_memory.ui.facts import Fact, FactLines
from desktop_memory.ui.parts import Elided, Rule, button, icon_button
from desktop_memory.ui.theme import Theme
from desktop_memory.ui.words import tr


class WhyDrawer(QWidget):
    """`pin_wanted` and `closed` follow its buttons."""

    pin_wanted = Signal()
    closed = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        px = theme.px
        self.title = Elided(theme, 13, 600)
        self.facts = FactLines(theme)
        self.pin = button(theme, tr("Pin it"), self.pin_wanted.emit, name="pin")
        head = QHBoxLayout()
        head.setSpacing(px(8))
        head.addWidget(self.title, 1)
        head.addWidget(self.pin)
        head.addWidget(icon_button(theme, "x", tr("Close"), self.closed.emit, look="quiet"))
        inside = QVBoxLayout()
        inside.setContentsMargins(px(16), px(8), px(12), px(12))
        inside.setSpacing(px(4))
        inside.addLayout(head)
        inside.addWidget(self.facts)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(Rule(theme))
        column.addLayout(inside)
        theme.follow(self, self.update)

    def show_reasons(self, title: str, found: list[Fact]) -> None:
        """Say why; without a hit, how to choose one."""
        asked = tr("Why “{title}”?").format(title=title)
        self.title.setText(asked if title else tr("Choose a result to see why it was found."))
        self.facts.show_facts(found)
        self.pin.setEnabled(bool(title))

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), self._theme["bg"])
