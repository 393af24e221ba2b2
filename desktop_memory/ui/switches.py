"""A switch and a choice, painted like the rest: Fusion's own are hard to see in the dark."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QIntValidator, QKeyEvent, QPainter, QPaintEvent, QPen, QWheelEvent
from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit

from desktop_memory.ui.icons import pixmap
from desktop_memory.ui.theme import Theme


class Switch(QCheckBox):
    """On or off; Space and a click turn it."""

    def __init__(self, theme: Theme, *, on: bool = False) -> None:
        super().__init__()
        self._theme = theme
        self.setChecked(on)
        theme.follow(self, self.update)

    def sizeHint(self) -> QSize:
        return QSize(self._theme.px(40), self._theme.px(24))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def hitButton(self, place: QPoint) -> bool:
        return self.rect().contains(place)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, px = self._theme, self._theme.px
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        groove = QRectF(2, (self.height() - px(20)) / 2, px(36), px(20)).adjusted(0.5, 0.5, -0.5, -0.5)
        on = self.isChecked()
        painter.setBrush(theme["accent" if on else "raised"])
        edge = "text" if self.hasFocus() else "accent" if on else "muted"
        painter.setPen(QPen(theme[edge], 1.6 if self.hasFocus() else 1))
        painter.setOpacity(1.0 if self.isEnabled() else 0.5)
        painter.drawRoundedRect(groove, groove.height() / 2, groove.height() / 2)
        size = groove.height() - px(6)
        left = groove.right() - size - px(3) if on else groove.left() + px(3)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme["on_accent" if on else "muted"])
        painter.drawEllipse(QRectF(left, groove.center().y() - size / 2, size, size))


class Choice(QComboBox):
    """One of a few; the wheel turns it only while one is in it."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        theme.follow(self, self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        size = self._theme.px(16)
        drawn = pixmap("chevron-down", self._theme["muted"], size, self.devicePixelRatioF())
        painter.drawPixmap(self.width() - size - self._theme.px(8), (self.height() - size) // 2, drawn)

    def wheelEvent(self, event: QWheelEvent) -> None:
        super().wheelEvent(event) if self.hasFocus() else event.ignore()


class Number(QLineEdit):
    """A whole number to type; up and down change it. `told` carries one that is finished and within bounds."""

    told = Signal(int)

    def __init__(self, value: int, most: int) -> None:
        super().__init__(str(value))
        self._value = value
        self.setValidator(QIntValidator(0, most, self))
        self.editingFinished.connect(self._finish)

    @property
    def number(self) -> int:
        """What stands there, or the last number that did."""
        return int(self.text()) if self.hasAcceptableInput() else self._value

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Up: 1, Qt.Key.Key_Down: -1}.get(Qt.Key(event.key()))
        if step is None:
            super().keyPressEvent(event)
        else:
            self.setText(str(max(0, int(self.text() or 0) + step)))

    def focusOutEvent(self, event: QFocusEvent) -> None:
        if not self.hasAcceptableInput():
            self.setText(str(self._value))
        super().focusOutEvent(event)

    def _finish(self) -> None:
        value = int(self.text())
        if value != self._value:
            self._value = value
            self.told.emit(value)
