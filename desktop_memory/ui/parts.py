"""Small parts that several screens are put together from."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from desktop_memory.ui.icons import icon, pixmap
from desktop_memory.ui.theme import Theme
from desktop_memory.ui.words import tr


def button(
    theme: Theme, text: str, act: Callable[[], object], *, look: str = "", name: str = ""
) -> QPushButton:
    """A push button with an optional icon in the palette's text colour."""
    made = QPushButton(text)
    made.setProperty("look", look)
    made.clicked.connect(lambda: act())
    if name:
        token = "on_accent" if look == "primary" else "text"
        theme.follow(made, lambda: dress(made, theme, name, token))
    return made


def chip_button(text: str) -> QPushButton:
    """A filter that is on or off."""
    made = QPushButton(text)
    made.setCheckable(True)
    made.setProperty("look", "chip")
    return made


def dress(made: QPushButton, theme: Theme, name: str, token: str) -> None:
    """Put an icon before a button's text, a little off it."""
    size, room = theme.px(18), theme.px(6)
    made.setIcon(icon(name, theme[token], size, room))
    made.setIconSize(QSize(size + room, size))


def icon_button(
    theme: Theme, name: str, says: str, act: Callable[[], object], *, look: str = ""
) -> QToolButton:
    """A square button that is only an icon; `says` is its tooltip and accessible name."""
    made = QToolButton()
    made.setProperty("look", look)
    made.setToolTip(says)
    made.setAccessibleName(says)
    made.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    made.clicked.connect(lambda: act())
    size = theme.px(16)
    made.setIconSize(QSize(size, size))
    theme.follow(made, lambda: made.setIcon(icon(name, theme["text"], size)))
    return made


def label(theme: Theme, text: str = "", px: float = 14, weight: int = 400, token: str = "text") -> QLabel:
    """Plain text in a size, weight and colour of the palette."""
    made = QLabel(text)
    made.setTextFormat(Qt.TextFormat.PlainText)

    def dress() -> None:
        made.setFont(theme.font(px, weight))
        made.setStyleSheet(f"color: {theme[token].name()}")

    theme.follow(made, dress)
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
        from PySide6.QtGui import QFontMetrics

        metrics = QFontMetrics(self._theme.font(self._px, self._weight))
        return QSize(metrics.horizontalAdvance(self._text) + 2, metrics.height() + 2)

    def minimumSizeHint(self) -> QSize:
        return QSize(24, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setFont(self._theme.font(self._px, self._weight))
        painter.setPen(self._theme[self._token])
        shown = painter.fontMetrics().elidedText(self._text, Qt.TextElideMode.ElideRight, self.width())
        self.setToolTip(self._text if shown != self._text else "")
        side = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        painter.drawText(self.rect(), int(side | Qt.TextFlag.TextSingleLine), shown)


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
        column.setContentsMargins(theme.px(32), theme.px(80), theme.px(32), theme.px(16))
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


class Beside(QWidget):
    """A main part with a pane at its right, which folds under it when the window is narrow."""

    FOLD = 815
    """The page's width below which it folds: a window of 1,000 without its navigation."""

    def __init__(self, theme: Theme, main: QWidget, pane: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._pane = theme, pane
        self._rule = QFrame()
        self._box = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.setSpacing(0)
        self._box.addWidget(main, 1)
        self._box.addWidget(self._rule)
        self._box.addWidget(pane)
        self._folded: bool | None = None
        theme.follow(self, self._dress)

    @property
    def folded(self) -> bool:
        return bool(self._folded)

    folds = Signal(bool)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fold(self.width() < self._theme.px(self.FOLD))
        if not self._folded:
            self._pane.setFixedWidth(
                max(self._theme.px(300), min(self._theme.px(420), self.width() * 3 // 10))
            )
        else:
            self._pane.setFixedHeight(
                max(self._theme.px(190), min(self._theme.px(300), self.height() * 2 // 5))
            )

    def _fold(self, fold: bool) -> None:
        if fold == self._folded:
            return
        self._folded = fold
        self.folds.emit(fold)
        way = QBoxLayout.Direction
        self._box.setDirection(way.TopToBottom if fold else way.LeftToRight)
        free = 16_777_215
        if fold:
            self._pane.setMinimumWidth(0)
            self._pane.setMaximumWidth(free)
            self._rule.setFixedSize(free, 1)
            self._rule.setMinimumWidth(0)
        else:
            self._pane.setMinimumHeight(0)
            self._pane.setMaximumHeight(free)
            self._rule.setFixedSize(1, free)
            self._rule.setMinimumHeight(0)

    def _dress(self) -> None:
        self._rule.setStyleSheet(f"background: {self._theme['line'].name()}")


def by_keyboard(event: QFocusEvent) -> bool:
    """Whether the focus came by a key: only then is it worth a ring."""
    reason = Qt.FocusReason
    return event.reason() in (reason.TabFocusReason, reason.BacktabFocusReason, reason.ShortcutFocusReason)


def dot(painter: QPainter, theme: Theme, kind: str, middle: tuple[float, float], size: float) -> None:
    """The mark of a state, told apart by shape: a disk, two bars, a triangle, a cross."""
    x, y = middle
    half = size / 2
    token = {"recording": "ok", "paused": "muted", "degraded": "warn", "error": "danger"}[kind]
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme[token])
    if kind == "recording":
        painter.drawEllipse(QRectF(x - half, y - half, size, size))
    elif kind == "paused":
        painter.drawRoundedRect(QRectF(x - half, y - half, size * 0.36, size), 1, 1)
        painter.drawRoundedRect(QRectF(x + half - size * 0.36, y - half, size * 0.36, size), 1, 1)
    elif kind == "degraded":
        from PySide6.QtCore import QPointF
        from PySide6.QtGui import QPolygonF

        corners = [QPointF(x, y - half), QPointF(x + half * 1.1, y + half), QPointF(x - half * 1.1, y + half)]
        painter.drawPolygon(QPolygonF(corners))
    else:
        painter.setPen(QPen(theme[token], max(1.6, size / 5), c=Qt.PenCapStyle.RoundCap))
        painter.drawLine(round(x - half), round(y - half), round(x + half), round(y + half))
        painter.drawLine(round(x - half), round(y + half), round(x + half), round(y - half))


def state_word(kind: str) -> str:
    return {
        "recording": tr("recording"),
        "paused": tr("paused"),
        "degraded": tr("recording, with problems"),
        "error": tr("not recording"),
    }[kind]


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
