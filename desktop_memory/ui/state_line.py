"""The line at the window's foot: what the app is doing; a click goes to the sources."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy

from desktop_memory.ui.as_written import as_written
from desktop_memory.ui.state import State
from desktop_memory.ui.state_mark import dot, state_word
from desktop_memory.ui.theme import Theme
from desktop_memory.ui.words import tr


class StateLine(QAbstractButton):
    """A mark and up to three lines of text."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._state: State | None = None
        self._narrow = False
        self.setAccessibleName(tr("Starting"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        theme.follow(self, self.update)

    def show_state(self, state: State) -> None:
        self._state = state
        self.setAccessibleName(f"{state_word(state.kind)}: {state.text}")
        self.setToolTip(
            as_written("\n".join(part for part in (state.text, state.problem, state.advice) if part))
        )
        self.updateGeometry()
        self.update()

    def fold(self, narrow: bool) -> None:
        """Only the mark; what it means is in the tooltip."""
        self._narrow = narrow
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        px = self._theme.px
        if self._narrow:
            return QSize(px(40), px(36))
        return QSize(px(184), px(28 + 18 * (2 if self._state is None else self._lines(self._state.text))))

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._state is None:
            return
        px = self._theme.px
        painter = QPainter(self)
        if self.hasFocus() or self.underMouse():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme["raised"])
            painter.drawRoundedRect(self.rect().adjusted(8, 6, -8, -6), 6, 6)
        middle = self.width() / 2 if self._narrow else px(20)
        dot(painter, self._theme, self._state.kind, (middle, self.height() / 2), px(8))
        if self._narrow:
            return
        painter.setFont(self._theme.font(12))
        painter.setPen(self._theme["muted"])
        box = self.rect().adjusted(px(33), 4, -px(2), -4)
        flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextWordWrap
        painter.drawText(box, int(flags), self._state.text)

    def _lines(self, text: str) -> int:
        """How many lines it takes, up to three."""
        metrics = QFontMetrics(self._theme.font(12))
        box = QRect(0, 0, self._theme.px(184 - 45 - 40), 10_000)
        high = metrics.boundingRect(box, int(Qt.TextFlag.TextWordWrap), text).height()
        return max(1, min(3, round(high / metrics.lineSpacing())))
