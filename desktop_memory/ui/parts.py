"""Small parts that several screens are put together from."""

from __future__ import annotations

import re
from collections.abc import Callable

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QFrame,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from desktop_memory.ui.as_written import as_written
from desktop_memory.ui.icons import icon
from desktop_memory.ui.theme import Theme


class PushButton(QPushButton):
    """Enter presses it, not the space bar alone: outside of dialogs Qt leaves that out."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not enter_presses(self, event):
            super().keyPressEvent(event)


class ToolButton(QToolButton):
    """The same for a button that is only an icon."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not enter_presses(self, event):
            super().keyPressEvent(event)


def enter_presses(button: QAbstractButton, event: QKeyEvent) -> bool:
    """Click the button if this key is Enter; whether it is."""
    if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
        return False
    if not event.isAutoRepeat():
        button.click()
    return True


def button(
    theme: Theme, text: str, act: Callable[[], object], *, look: str = "", name: str = ""
) -> QPushButton:
    """A push button with an optional icon in the palette's text colour."""
    made = PushButton(text)
    made.setProperty("look", look)
    made.clicked.connect(lambda: act())
    if name:
        token = "on_accent" if look == "primary" else "text"
        theme.follow(made, lambda: dress(made, theme, name, token))
    return made


def chip_button(text: str) -> QPushButton:
    """A filter that is on or off."""
    made = PushButton(text)
    made.setCheckable(True)
    made.setProperty("look", "chip")
    return made


def dress(made: QPushButton, theme: Theme, name: str, token: str) -> None:
    """Put an icon before a button's text, a little off it."""
    size, room = theme.px(18), theme.px(6)
    made.setIcon(icon(name, theme[token], size, room, off=theme["muted"]))
    made.setIconSize(QSize(size + room, size))


def icon_button(
    theme: Theme, name: str, says: str, act: Callable[[], object], *, look: str = ""
) -> QToolButton:
    """A square button that is only an icon; `says` is its tooltip and accessible name."""
    made = ToolButton()
    made.setProperty("look", look)
    made.setToolTip(says)
    made.setAccessibleName(says)
    made.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    made.clicked.connect(lambda: act())
    size = theme.px(16)
    made.setIconSize(QSize(size, size))
    theme.follow(made, lambda: made.setIcon(icon(name, theme["text"], size, off=theme["line"])))
    return made


class Label(QLabel):
    """Plain text in a size, weight and colour of the palette."""

    def __init__(self, theme: Theme, text: str, px: float, weight: int, token: str) -> None:
        super().__init__(text)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self._theme, self._px, self._weight, self._token = theme, px, weight, token
        theme.follow(self, self._dress)

    def say(self, text: str, token: str = "muted") -> None:
        """Say this in another colour."""
        self._token = token
        self.setText(text)
        self._dress()

    def _dress(self) -> None:
        self.setFont(self._theme.font(self._px, self._weight))
        self.setStyleSheet(f"color: {self._theme[self._token].name()}")


def label(theme: Theme, text: str = "", px: float = 14, weight: int = 400, token: str = "text") -> Label:
    return Label(theme, text, px, weight, token)


def breakable(text: str) -> str:
    """The same with places where a word that is wider than any column may go on in the next line."""
    return re.sub(r"(\S{20})(?=\S)", "\\1\u200b", text)


def secret_field(says: str) -> QLineEdit:
    """A field that hides what is typed."""
    made = QLineEdit(placeholderText=says)
    made.setAccessibleName(says)
    made.setEchoMode(QLineEdit.EchoMode.Password)
    return made


class Rule(QFrame):
    """A separator, one pixel thick."""

    def __init__(self, theme: Theme, *, upright: bool = False) -> None:
        super().__init__()
        self._theme = theme
        self.setFixedWidth(1) if upright else self.setFixedHeight(1)
        theme.follow(self, self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), self._theme["line"])


def piled(holder: QWidget, *parts: QWidget, tall: QWidget | None = None) -> QWidget:
    """The holder with these parts one under the other, without gaps; the last, or `tall`, takes what room is left."""
    column = QVBoxLayout(holder)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    for part in parts:
        column.addWidget(part, 1 if part is (tall or parts[-1]) else 0)
    return holder


def scrolled(inside: QWidget, name: str) -> QScrollArea:
    """What scrolls up and down where it is higher than its place."""
    area = _Area()
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setWidgetResizable(True)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setWidget(inside)
    area.setAccessibleName(name)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    return area


class _Area(QScrollArea):
    """Asks for no more than the least: it scrolls, and what room is left it gets anyway."""

    def sizeHint(self) -> QSize:
        return self.minimumSizeHint()


class Elided(QWidget):
    """One line of text, cut at its end when the room is short; the whole is in the tooltip."""

    def __init__(self, theme: Theme, px: float = 14, weight: int = 400, token: str = "text") -> None:
        super().__init__()
        self._theme, self._px, self._weight, self._token = theme, px, weight, token
        self._text = ""
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.follow(self, self.update)

    def setText(self, text: str) -> None:
        self._text = text
        self.setAccessibleName(text)
        self.updateGeometry()
        self.update()

    def text(self) -> str:
        return self._text

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(self._theme.font(self._px, self._weight))
        return QSize(metrics.horizontalAdvance(self._text) + 2, metrics.height() + 2)

    def minimumSizeHint(self) -> QSize:
        return QSize(24, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setFont(self._theme.font(self._px, self._weight))
        painter.setPen(self._theme[self._token])
        shown = painter.fontMetrics().elidedText(self._text, Qt.TextElideMode.ElideRight, self.width())
        self.setToolTip(as_written(self._text) if shown != self._text else "")
        side = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        painter.drawText(self.rect(), int(side | Qt.TextFlag.TextSingleLine), shown)
