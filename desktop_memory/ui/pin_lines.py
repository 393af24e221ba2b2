"""The pins that head every copy, as a few lines; a press goes to Pins."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy

from desktop_memory.model import Pin
from desktop_memory.ui.as_written import as_written
from desktop_memory.ui.icons import pixmap
from desktop_memory.ui.pin_words import due_word
from desktop_memory.ui.ringed import Ringed
from desktop_memory.ui.row_text import fitted, top_left
from desktop_memory.ui.rows import clean
from desktop_memory.ui.theme import Theme
from desktop_memory.ui.words import number, tr

SHOWN = 3


class PinLines(Ringed, QAbstractButton):
    """One button for all of them."""

    pins_wanted = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._lines: list[tuple[str, str]] = []
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.clicked.connect(self.pins_wanted)
        theme.follow(self, self.update)

    def show_pins(self, pins: Sequence[Pin], today: date) -> None:
        """The first of them, with when they are due, and how many more there are."""
        self._lines = [(clean(pin.text), due_word(pin.due, today)) for pin in pins[:SHOWN]]
        if len(pins) > SHOWN:
            text, due = self._lines[-1]
            more = tr("{count} more").format(count=number(len(pins) - SHOWN))
            self._lines[-1] = (text, f"{due} · {more}" if due else more)
        told = "; ".join(f"{text} {due}".strip() for text, due in self._lines)
        self.setAccessibleName(tr("Pins: {pins}").format(pins=told))
        self.setToolTip(as_written("\n".join(clean(pin.text) for pin in pins[:10])))
        self.setVisible(bool(pins))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(200, self._theme.px(24) * len(self._lines))

    def minimumSizeHint(self) -> QSize:
        return QSize(80, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, px = self._theme, self._theme.px
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        size, height, font, small = px(16), px(24), theme.font(13), theme.font(12)
        for place, (text, due) in enumerate(self._lines):
            middle = height * (place + 0.5)
            drawn = pixmap("pin", theme["muted"], size, self.devicePixelRatioF())
            painter.drawPixmap(0, round(middle - size / 2), drawn)
            painter.setFont(small)
            room = painter.fontMetrics().horizontalAdvance(due) if due else 0
            painter.setPen(theme["text"])
            line = fitted(text, font, self.width() - size - px(8) - room - px(12), mark=theme["accent"])
            line.draw(painter, top_left(line, size + px(8), middle))
            painter.setPen(theme["muted"])
            box = QRectF(self.width() - room - 2, middle - height / 2, room + 2, height)
            painter.drawText(box, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight), due)
        self.paint_ring(painter, theme["accent"], QRectF(self.rect()))
