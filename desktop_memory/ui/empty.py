"""An empty place says what will appear there, and how to get there."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop_memory.ui.icons import pixmap
from desktop_memory.ui.parts import label
from desktop_memory.ui.theme import Theme


class Empty(QWidget):
    """An empty place: what will appear here, and how to get there."""

    def __init__(self, theme: Theme, name: str, title: str, advice: str) -> None:
        super().__init__()
        self._theme, self._name = theme, name
        self._title, self._advice = label(theme, title, 14, 600), label(theme, advice, 13, token="muted")
        for part in (self._title, self._advice):
            part.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            part.setWordWrap(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.px(32), theme.px(56), theme.px(32), theme.px(16))
        column.setSpacing(theme.px(8))
        column.addStretch(2)
        column.addWidget(self._title)
        column.addWidget(self._advice)
        column.addStretch(5)
        theme.follow(self, self.update)

    def say(self, title: str, advice: str) -> None:
        self._title.setText(title)
        self._advice.setText(advice)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme["surface"])
        size = self._theme.px(28)
        drawn = pixmap(self._name, self._theme["muted"], size, self.devicePixelRatioF())
        painter.drawPixmap((self.width() - size) // 2, self._title.y() - size - self._theme.px(14), drawn)
