"""The last weeks as a small calendar: one square a day, the fuller the more was done. A click goes to the day."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date, timedelta

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from desktop_memory.model import Session
from desktop_memory.ui.ringed import Ringed
from desktop_memory.ui.theme import Theme
from desktop_memory.ui.words import (
    first_day_of_week,
    local,
    long_day,
    short_month,
    short_weekday,
    stretch,
    tr,
)

WEEKS = 53
"""As many as are ever shown; fewer where the room is short."""
FEWEST = 9
STEP, SQUARE = 10, 8
EDGE = 2
"""Room for the ring around a square of the last week."""
LABELLED = (0, 2, 4)
"""Rows of a week whose day is named."""
SHADES = (0.28, 0.46, 0.64, 0.82, 1.0)


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


class HeatStrip(Ringed, QWidget):
    """Columns are weeks, the newest at the right; rows are the days of the locale's week."""

    day_picked = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._active: Mapping[date, float] = {}
        self._most = 1.0
        self._today = date(2000, 1, 1)
        self._over: date | None = None
        self.day = self._today
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setAccessibleName(tr("Calendar of the last weeks; arrows choose a day"))
        theme.follow(self, self._measure)

    def show_days(self, active: Mapping[date, float], today: date) -> None:
        self._active, self._today = active, today
        self._most = max(active.values(), default=1.0)
        self._measure()

    def choose(self, day: date) -> None:
        self.day = day
        self.setAccessibleDescription(self.told(day))
        self.update()

    def told(self, day: date) -> str:
        """Thursday 13 August · 6 h 12 min active."""
        amount = self._active.get(day, 0.0)
        active = tr("{time} active").format(time=stretch(amount)) if amount else tr("nothing recorded")
        year = "" if day.year == self._today.year else f" {day.year}"
        return f"{long_day(day)}{year} · {active}"

    def _measure(self) -> None:
        """How many weeks there is room for, and from which day and pixel on; done once, not for each square."""
        theme = self._theme
        metrics = QFontMetricsF(theme.font(10))
        monday = self._today - timedelta(days=(self._today.isoweekday() - first_day_of_week()) % 7)
        self._names = {row: short_weekday(monday + timedelta(days=row)) for row in LABELLED}
        self._step, self._square, self._top = theme.px(STEP), theme.px(SQUARE), theme.px(16)
        widest = max(metrics.horizontalAdvance(name) for name in self._names.values())
        self._left = round(widest) + theme.px(8)
        self.weeks = max(FEWEST, min(WEEKS, (self.width() - self._left - EDGE) // self._step))
        self._start = self.width() - self.weeks * self._step - EDGE
        self._first = monday - timedelta(weeks=self.weeks - 1)
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._measure()

    def sizeHint(self) -> QSize:
        return QSize(self._left + WEEKS * self._step + EDGE, self._top + 7 * self._step + EDGE)

    def minimumSizeHint(self) -> QSize:
        return QSize(self._left + FEWEST * self._step + EDGE, self.sizeHint().height())

    def box_of(self, day: date) -> QRectF:
        """The square of this day; the newest week ends at the right edge."""
        week, row = divmod((day - self._first).days, 7)
        left = self._start + week * self._step + self._step - self._square
        return QRectF(left, self._top + row * self._step, self._square, self._square)

    def day_at(self, place: QPointF) -> date | None:
        week = int((place.x() - self._start) // self._step)
        row = int((place.y() - self._top + 1) // self._step)
        day = self._first + timedelta(days=week * 7 + row)
        return day if 0 <= week < self.weeks and 0 <= row < 7 and day <= self._today else None

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_names(painter)
        shades = [self._shade("accent", alpha) for alpha in SHADES]
        nothing, radius = self._shade("line", 0.5), self._theme.px(2)
        painter.setPen(Qt.PenStyle.NoPen)
        for n in range((self._today - self._first).days + 1):
            day = self._first + timedelta(days=n)
            amount = self._active.get(day, 0.0)
            painter.setBrush(shades[self._level(amount)] if amount else nothing)
            painter.drawRoundedRect(self.box_of(day), radius, radius)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for ringed, token, width in ((self._over, "muted", 1.0), (self.day, "text", 1.6)):
            if ringed is not None and self._first <= ringed <= self._today:
                painter.setPen(QPen(self._theme[token], width))
                box = self.box_of(ringed).adjusted(-0.5, -0.5, 0.5, 0.5)
                painter.drawRoundedRect(box, radius, radius)
        self.paint_ring(painter, self._theme["accent"], QRectF(self.rect()))

    def _shade(self, token: str, alpha: float) -> QColor:
        colour = QColor(self._theme[token])
        colour.setAlphaF(alpha)
        return colour

    def _level(self, amount: float) -> int:
        """One of five shades, so that little and much can be told apart."""
        return min(len(SHADES) - 1, int((amount / self._most) ** 0.7 * len(SHADES)))

    def _paint_names(self, painter: QPainter) -> None:
        """Months above the week that holds their first day, three days of the week at the left."""
        painter.setFont(self._theme.font(10))
        painter.setPen(self._theme["muted"])
        metrics, first, step, start = painter.fontMetrics(), self._first, self._step, self._start
        for row, name in self._names.items():
            box = QRectF(0, self._top + row * step - 2, start - self._theme.px(3), self._theme.px(SQUARE) + 4)
            painter.drawText(box, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight), name)
        free = start
        for week in range(self.weeks):
            last = first + timedelta(days=week * 7 + 6)
            name = short_month(last)
            x = start + week * step + step - self._theme.px(SQUARE)
            if (
                (last.day <= 7 or week == 0)
                and x >= free
                and x + metrics.horizontalAdvance(name) <= self.width()
            ):
                painter.drawText(QPoint(x, metrics.ascent()), name)
                free = x + metrics.horizontalAdvance(name) + self._theme.px(6)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if day := self.day_at(event.position()):
            self.day_picked.emit(day)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        day = self.day_at(event.position())
        if day != self._over:
            self._over = day
            self.setCursor(Qt.CursorShape.PointingHandCursor if day else Qt.CursorShape.ArrowCursor)
            QToolTip.showText(event.globalPosition().toPoint(), self.told(day) if day else "", self)
            self.update()

    def leaveEvent(self, event: QEvent) -> None:
        self._over = None
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        by = {Qt.Key.Key_Left: -7, Qt.Key.Key_Right: 7, Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
        step = by.get(Qt.Key(event.key()))
        if event.key() == Qt.Key.Key_End:
            self.day_picked.emit(self._today)
        elif step is None:
            super().keyPressEvent(event)
        elif (day := self.day + timedelta(days=step)) <= self._today:
            self.day_picked.emit(day)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            day = self.day_at(QPointF(event.pos()))
            QToolTip.showText(event.globalPos(), self.told(day) if day else "", self)
            return True
        return super().event(event)
