"""The popup's foot: which keys do what, and how recording fares."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetricsF, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from desktop_memory.ui.icons import pixmap
from desktop_memory.ui.notices import Deed, Notice
from desktop_memory.ui.state import State
from desktop_memory.ui.state_mark import dot
from desktop_memory.ui.theme import Theme

Hint = tuple[str, str, bool]
"""Key, what it does, and whether that is the one to see."""


class Foot(QWidget):
    """One line: a notice or a problem with its remedy if there is one, else the keys; the state at the right.

    `remedy_wanted` follows a click on the remedy.
    """

    remedy_wanted = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._hints: Sequence[Hint] = ()
        self._state: State | None = None
        self._notice: Notice | None = None
        self._problem = False
        self._links: list[tuple[QRectF, Callable[[], None]]] = []
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMouseTracking(True)
        theme.follow(self, self.update)

    def show_hints(self, hints: Sequence[Hint]) -> None:
        self._hints = hints
        self.update()

    def show_state(self, state: State) -> None:
        self._state = state
        self.update()

    def show_notice(self, notice: Notice | None) -> None:
        """Say this in place of the keys; None goes back to them."""
        self._notice = notice
        self.update()

    def put_problem_first(self, first: bool) -> None:
        """With an empty field a problem stands in place of the keys."""
        self._problem = first
        self.update()

    @property
    def said(self) -> str:
        """What stands there when it is not the keys."""
        if self._notice is not None:
            return " ".join(part for part in (self._notice.text, self._notice.advice) if part)
        if self._problem and self._state is not None and self._state.problem:
            return self._state.problem
        return ""

    def sizeHint(self) -> QSize:
        return QSize(300, self._theme.px(40))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._links = []
        left = float(self._theme.px(17))
        said = self.said
        self.setAccessibleName(said or "; ".join(f"{key}: {what}" for key, what, _ in self._hints))
        if said:
            tone = self._notice.tone if self._notice else "warn"
            self._say(painter, said, tone, left)
            return
        right = self._paint_state(painter)
        for key, what, strong in self._hints:
            left = self._hint(painter, key, what, strong, left, right)

    @property
    def deeds(self) -> Sequence[Deed]:
        """What can be done about what is said: by a click, or by Alt with the number."""
        if self._notice is not None:
            return self._notice.deeds
        advice = self._state.advice if self._problem and self._state is not None else ""
        return ((advice, self.remedy_wanted.emit),) if advice else ()

    def do(self, number: int) -> bool:
        """Do the deed with this number, from 0; whether there is one."""
        if not 0 <= number < len(self.deeds):
            return False
        self.deeds[number][1]()
        return True

    def _say(self, painter: QPainter, said: str, tone: str, left: float) -> None:
        px, middle = self._theme.px, self.height() / 2
        size = px(14)
        name = "check" if tone == "ok" else "alert-triangle"
        drawn = pixmap(name, self._theme[tone], size, self.devicePixelRatioF())
        painter.drawPixmap(round(left), round(middle - size / 2), drawn)
        left += size + px(8)
        font = self._theme.font(12)
        metrics = QFontMetricsF(font)
        gap = px(12)
        needed = sum(metrics.horizontalAdvance(text) + gap for text, _ in self.deeds)
        room = self.width() - left - px(17) - needed
        text = metrics.elidedText(said, Qt.TextElideMode.ElideRight, room)
        self.setToolTip(said if text != said else "")
        left = self._write(painter, text, font, tone, left)
        font.setUnderline(True)
        for text, act in self.deeds:
            start = left + gap
            left = self._write(painter, text, font, tone, start)
            self._links.append((QRectF(start - 4, 0, left - start + 8, self.height()), act))

    def _paint_state(self, painter: QPainter) -> float:
        if self._state is None:
            return float(self.width())
        px = self._theme.px
        font = self._theme.font(12)
        width = QFontMetricsF(font).horizontalAdvance(self._state.short)
        left = self.width() - px(17) - width
        self._write(painter, self._state.short, font, "muted", left)
        spot = (left - px(9), self.height() / 2)
        if self._state.kind == "recording":
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(self._theme["ok"], 1.4))
            half = px(7) / 2
            painter.drawEllipse(QRectF(spot[0] - half, spot[1] - half, 2 * half, 2 * half))
        else:
            dot(painter, self._theme, self._state.kind, spot, px(7))
        return left - px(24)

    def _hint(self, painter: QPainter, key: str, what: str, strong: bool, left: float, right: float) -> float:
        px, middle = self._theme.px, self.height() / 2
        font = self._theme.font(11)
        words = self._theme.font(12)
        width = QFontMetricsF(font).horizontalAdvance(key) + 2 * px(5)
        if left + width + px(4) + QFontMetricsF(words).horizontalAdvance(what) > right:
            return left
        box = QRectF(left, middle - px(8), width, px(16)).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(self._theme["line"], 1))
        painter.drawRoundedRect(box, 4, 4)
        painter.setFont(font)
        painter.setPen(self._theme["muted"])
        painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), key)
        end = self._write(painter, what, words, "text" if strong else "muted", left + width + px(4))
        return end + px(16)

    def _write(self, painter: QPainter, text: str, font: QFont, token: str, left: float) -> float:
        painter.setFont(font)
        painter.setPen(self._theme[token])
        width = painter.fontMetrics().horizontalAdvance(text)
        box = QRectF(left, 0, width + 2, self.height())
        side = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        painter.drawText(box, int(side | Qt.TextFlag.TextSingleLine), text)
        return left + width

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        over = any(link.contains(event.position()) for link, _ in self._links)
        self.setCursor(Qt.CursorShape.PointingHandCursor if over else Qt.CursorShape.ArrowCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        act = next((act for link, act in self._links if link.contains(event.position())), None)
        if act is not None:
            act()
