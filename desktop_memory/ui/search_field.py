"""The field that searches: a lens before it, a cross behind it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRectF
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QWidget

from desktop_memory.ui.icons import pixmap
from desktop_memory.ui.parts import icon_button
from desktop_memory.ui.theme import Theme
from desktop_memory.ui.words import tr


class SearchField(QFrame):
    """A field with a lens before it and, once there is text, a cross behind it."""

    def __init__(self, theme: Theme, says: str) -> None:
        super().__init__()
        self._theme = theme
        self.line = QLineEdit(placeholderText=says)
        self.line.setProperty("look", "bare")
        self._clear = icon_button(theme, "x", tr("Clear"), self._emptied, look="quiet")
        self._clear.hide()
        self.line.textChanged.connect(lambda text: self._clear.setVisible(bool(text)))
        self.line.installEventFilter(self)
        self.setFocusProxy(self.line)
        px = theme.px
        row = QHBoxLayout(self)
        row.setContentsMargins(px(36), 0, px(3), 0)
        row.addWidget(self.line)
        row.addWidget(self._clear)
        self._row = row
        self.setFixedHeight(px(40))
        theme.follow(self, self._restyle)

    def add(self, chip: QWidget) -> None:
        """Put something between the text and the cross."""
        self._row.insertWidget(1, chip)

    def _restyle(self) -> None:
        self.line.setFont(self._theme.font(15))
        self.update()

    def _emptied(self) -> None:
        self.line.clear()
        self.line.setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self.update()
        return super().eventFilter(watched, event)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, px = self._theme, self._theme.px
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme["accent" if self.line.hasFocus() else "line"], 1))
        painter.setBrush(theme["surface"])
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
        size = px(18)
        lens = pixmap("search", theme["muted"], size, self.devicePixelRatioF())
        painter.drawPixmap(px(11), (self.height() - size) // 2, lens)
