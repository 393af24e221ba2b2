"""The last weeks as a small calendar: one square a day, the fuller the more was done. A click goes to the day."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date, timedelta

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFontMetricsF,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from desktop_memory.model import Session
from desktop_memory.ui.parts import by_keyboard
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


class HeatStrip(QWidget):
    """Columns are weeks, the newest at the right; rows are the days of the locale's week."""

    day_picked = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._active: Mapping[date, float] = {}
        self._most = 1.0
        self._today = date(2000, 1, 1)
        self._over: date | None = None
        self._ringed = False
        self.day = self._today
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setAccessibleName(tr("Calendar of the last weeks; arrows choose a day"))
        theme.follow(self, self.update)

    def show_days(self, active: Mapping[date, float], today: date) -> None:
        self._active, self._today = active, today
        self._most = max(active.values(), default=1.0)
        self.update()

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

    @property
    def weeks(self) -> int:
        """As many as the width has room for."""
        return max(FEWEST, min(WEEKS, (self.width() - self._left() - EDGE) // self._step()))

    def sizeHint(self) -> QSize:
        return QSize(self._left() + WEEKS * self._step() + EDGE, self._top() + 7 * self._step() + EDGE)

    def minimumSizeHint(self) -> QSize:
        return QSize(self._left() + FEWEST * self._step() + EDGE, self.sizeHint().height())

    def _start(self) -> int:
        """Where the oldest week begins."""
        return self.width() - self.weeks * self._step() - EDGE

    def _step(self) -> int:
        return self._theme.px(STEP)

    def _left(self) -> int:
        metrics = QFontMetricsF(self._theme.font(10))
        days = (self._first_of(self._today) + timedelta(days=row) for row in LABELLED)
        return round(max(metrics.horizontalAdvance(short_weekday(day)) for day in days)) + self._theme.px(8)

    def _top(self) -> int:
        return self._theme.px(16)

    def _first_of(self, day: date) -> date:
        return day - timedelta(days=(day.isoweekday() - first_day_of_week()) % 7)

    def _first(self) -> date:
        return self._first_of(self._today) - timedelta(weeks=self.weeks - 1)

    def box_of(self, day: date) -> QRectF:
        """The square of this day; the newest week ends at the right edge."""
        week, row = divmod((day - self._first()).days, 7)
        step = self._step()
        left = self._start() + week * step
        size = self._theme.px(SQUARE)
        return QRectF(left + step - size, self._top() + row * step, size, size)

    def day_at(self, place: QPointF) -> date | None:
        step = self._step()
        week = int((place.x() - self._start()) // step)
        row = int((place.y() - self._top() + 1) // step)
        day = self._first() + timedelta(days=week * 7 + row)
        return day if 0 <= week < self.weeks and 0 <= row < 7 and day <= self._today else None

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_names(painter)
        first, radius = self._first(), self._theme.px(2)
        for n in range((self._today - first).days + 1):
            day = first + timedelta(days=n)
            painter.setPen(self._edge(day))
            painter.setBrush(self._colour(self._active.get(day, 0.0)))
            inside = 0.5 if painter.pen().style() != Qt.PenStyle.NoPen else 0.0
            painter.drawRoundedRect(
                self.box_of(day).adjusted(-inside, -inside, inside, inside), radius, radius
            )
        if self._ringed:
            painter.setPen(self._theme["accent"])
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)

    def _edge(self, day: date) -> QPen:
        """The day in view and the one under the pointer stand out."""
        if day == self.day:
            return QPen(self._theme["text"], 1.6)
        if day == self._over:
            return QPen(self._theme["muted"], 1)
        return QPen(Qt.PenStyle.NoPen)

    def _colour(self, amount: float) -> QColor:
        """One of five shades, so that little and much can be told apart."""
        colour = QColor(self._theme["accent" if amount else "line"])
        level = min(len(SHADES) - 1, int((amount / self._most) ** 0.7 * len(SHADES)))
        colour.setAlphaF(SHADES[level] if amount else 0.5)
        return colour

    def _paint_names(self, painter: QPainter) -> None:
        """Months above the week that holds their first day, three days of the week at the left."""
        painter.setFont(self._theme.font(10))
        painter.setPen(self._theme["muted"])
        metrics, first, step = painter.fontMetrics(), self._first(), self._step()
        start = self._start()
        for row in LABELLED:
            name = short_weekday(first + timedelta(days=row))
            box = QRectF(
                0, self._top() + row * step - 2, start - self._theme.px(3), self._theme.px(SQUARE) + 4
            )
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

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._ringed = by_keyboard(event)
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._ringed = False
        super().focusOutEvent(event)

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
