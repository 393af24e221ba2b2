"""The last weeks at a glance: one dot a day, the fuller the more was done. A click goes to the day."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date, timedelta

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QToolTip, QWidget

from desktop_memory.model import Session
from desktop_memory.ui.theme import Theme
from desktop_memory.ui.words import first_day_of_week, local, short_day, stretch, tr

WEEKS = 9


def active_days(sessions: Iterable[Session]) -> dict[date, float]:
    """Active seconds of each local day; a session over midnight is shared by its length."""
    found: dict[date, float] = {}
    for session in sessions:
        first, last = local(session.start).date(), local(session.end).date()
        days = (last - first).days + 1
        for n in range(days):
            day = first + timedelta(days=n)
            found[day] = found.get(day, 0.0) + max(session.active_seconds, 1.0) / days
    return found


class HeatStrip(QWidget):
    """Columns are weeks, the newest at the right; rows are the days of the locale's week."""

    day_picked = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._active: Mapping[date, float] = {}
        self._today = date(2000, 1, 1)
        self.day = self._today
        self.setFixedSize(self.sizeHint())
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(tr("The last nine weeks; arrows choose a day"))
        theme.follow(self, self.update)

    def show_days(self, active: Mapping[date, float], today: date) -> None:
        self._active, self._today = active, today
        self.update()

    def choose(self, day: date) -> None:
        self.day = day
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(self._theme.px(6 * WEEKS + 2), self._theme.px(44))

    def _first(self) -> date:
        start = self._today - timedelta(days=(self._today.isoweekday() - first_day_of_week()) % 7)
        return start - timedelta(weeks=WEEKS - 1)

    def day_at(self, x: float, y: float) -> date | None:
        week, row = int(x / (self.width() / WEEKS)), int(y / (self.height() / 7))
        day = self._first() + timedelta(days=week * 7 + row)
        return day if 0 <= week < WEEKS and 0 <= row < 7 and day <= self._today else None

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        most = max(self._active.values(), default=1.0)
        step_x, step_y = self.width() / WEEKS, self.height() / 7
        size = min(step_x, step_y) - 1
        for n in range(WEEKS * 7):
            day = self._first() + timedelta(days=n)
            if day > self._today:
                break
            box = QRectF((n // 7) * step_x, (n % 7) * step_y, size, size)
            amount = self._active.get(day, 0.0)
            colour = QColor(self._theme["accent" if amount else "line"])
            colour.setAlphaF(0.3 + 0.7 * min(1.0, amount / most) if amount else 0.55)
            painter.setPen(self._theme["text"] if day == self.day else Qt.PenStyle.NoPen)
            painter.setBrush(colour)
            painter.drawRoundedRect(box, 1.5, 1.5)
        if self.hasFocus():
            painter.setPen(self._theme["accent"])
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if day := self.day_at(event.position().x(), event.position().y()):
            self.day_picked.emit(day)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        by = {Qt.Key.Key_Left: -7, Qt.Key.Key_Right: 7, Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
        step = by.get(Qt.Key(event.key()))
        if step is None:
            super().keyPressEvent(event)
        elif (day := self.day + timedelta(days=step)) <= self._today:
            self.day_picked.emit(day)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            day = self.day_at(event.pos().x(), event.pos().y())
            told = ""
            if day:
                amount = self._active.get(day, 0.0)
                told = f"{short_day(day)} · {stretch(amount) if amount else tr('nothing recorded')}"
            QToolTip.showText(event.globalPos(), told, self)
            return True
        return super().event(event)
