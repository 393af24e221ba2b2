"""The timeline: one painted area that zooms, pans, and selects a session, an event or a stretch."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import numpy as np
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QNativeGestureEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QFrame,
    QGestureEvent,
    QPinchGesture,
    QSizePolicy,
    QToolTip,
    QWidget,
)

from desktop_memory.model import Remembered, Session
from desktop_memory.ui.ringed import Ringed
from desktop_memory.ui.theme import Theme
from desktop_memory.ui.timeline_card import card, gap_told, told_of
from desktop_memory.ui.timeline_data import Marks, lane_of
from desktop_memory.ui.timeline_paint import (
    LANE_LEAST,
    Frame,
    lane_names_width,
    paint_gaps,
    paint_lane_names,
    paint_lanes,
    paint_scale,
    paint_sessions,
)
from desktop_memory.ui.words import tr

SHORTEST = 60.0
LONGEST = 2 * 366 * 86_400.0


class TimelineView(Ringed, QAbstractScrollArea):
    """`session_picked`, `event_picked`, `stretch_picked` follow a click or drag, `moved` a change of view."""

    session_picked = Signal(object)
    event_picked = Signal(int)
    stretch_picked = Signal(object, object)
    moved = Signal()
    whole_wanted = Signal()
    """The whole day again, after zooming."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._marks = Marks()
        self._lanes = 5
        """As many as there ever were: what lies below does not move when one of them empties."""
        self.since, self.until = 0.0, 86_400.0
        self.now = 0.0
        self.chosen: int | None = None
        self.describe: Callable[[int], str] = lambda _event: ""
        """What is told of an event; its owner knows."""
        self._stretch: tuple[float, float] | None = None
        self._pressed: QPointF | None = None
        self._marked: Remembered | None = None
        self._card = ""
        self.viewport().setMouseTracking(True)
        self.viewport().grabGesture(Qt.GestureType.PinchGesture)
        self.setAccessibleName(tr("Timeline"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        off = Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        self.setHorizontalScrollBarPolicy(off)
        self.setVerticalScrollBarPolicy(off)
        theme.follow(self, self.viewport().update)

    @property
    def marks(self) -> Marks:
        return self._marks

    def show_marks(self, marks: Marks) -> None:
        self._marks = marks
        self._lanes = max(self._lanes, len(marks.lanes))
        self.updateGeometry()
        self.viewport().update()

    def look_at(self, since: float, until: float) -> None:
        """Show this stretch, in seconds since 1970; kept between a minute and two years."""
        length = min(max(until - since, SHORTEST), LONGEST)
        middle = (since + until) / 2
        since, until = middle - length / 2, middle + length / 2
        if (since, until) != (self.since, self.until):
            self.since, self.until = since, until
            self.viewport().update()
            self.moved.emit()

    def choose(self, session: int | None) -> None:
        """Mark the session with this id."""
        self.chosen, self._stretch, self._marked = session, None, None
        self.viewport().update()

    def zoom(self, factor: float, at: float | None = None) -> None:
        """Show `factor` times as long a stretch; the time `at` stays where it is."""
        pivot = (self.since + self.until) / 2 if at is None else at
        length = min(max((self.until - self.since) * factor, SHORTEST), LONGEST)
        share = (pivot - self.since) / (self.until - self.since)
        since = pivot - share * length
        self.look_at(since, since + length)

    def pan(self, share: float) -> None:
        """Move by this share of the stretch in view."""
        by = share * (self.until - self.since)
        self.look_at(self.since + by, self.until + by)

    def frame_now(self) -> Frame:
        """The measures of the next painting."""
        unit = self._theme.px(100) / 100
        left = lane_names_width(self._theme) + 21 * unit
        width = max(self.viewport().width() - left - 14 * unit, 40)
        return Frame(left, width, self.viewport().height(), self.since, self.until, unit, self._lanes)

    def sizeHint(self) -> QSize:
        return QSize(600, self._theme.px(60 + 34 * self._lanes + 16))

    def minimumSizeHint(self) -> QSize:
        return QSize(280, self._theme.px(60 + LANE_LEAST * self._lanes))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.fillRect(self.viewport().rect(), self._theme["bg"])
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        frame = self.frame_now()
        paint_lane_names(painter, self._theme, frame, self._marks, self._theme.px(16))
        painter.setClipRect(QRectF(frame.left - 1, 0, frame.width + 15, frame.height))
        paint_scale(painter, self._theme, frame, len(self._marks.lanes))
        paint_gaps(painter, self._theme, frame, self._marks, self.now)
        paint_sessions(painter, self._theme, frame, self._marks, self.chosen)
        paint_lanes(painter, self._theme, frame, self._marks)
        self._paint_now(painter, frame)
        self._paint_marked(painter, frame)
        self._paint_stretch(painter, frame)
        self.paint_ring(
            painter, self._theme["accent"], QRectF(self.viewport().rect()).adjusted(2, 0, -2, -2), 6
        )

    def _paint_marked(self, painter: QPainter, frame: Frame) -> None:
        event = self._marked
        lanes = list(self._marks.lanes)
        if event is None or (name := lane_of(event.kind)) not in lanes:
            return
        start, end = event.start.timestamp(), (event.end or event.start).timestamp()
        if end >= frame.since and start <= frame.until:
            box = frame.lane(lanes.index(name))
            left, right = max(frame.x(start), frame.left), min(frame.x(end), frame.left + frame.width)
            painter.setPen(QPen(self._theme["text"], 1.6))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            box = QRectF(left, box.top(), max(right - left, 3 * frame.unit), box.height())
            painter.drawRoundedRect(box.adjusted(-2.5, -2.5, 2.5, 2.5), 3, 3)

    def _paint_now(self, painter: QPainter, frame: Frame) -> None:
        if frame.since < self.now < frame.until:
            x = round(frame.x(self.now)) + 0.5
            painter.setPen(self._theme["accent"])
            painter.drawLine(QPointF(x, frame.sessions_top - 4), QPointF(x, frame.height))

    def _paint_stretch(self, painter: QPainter, frame: Frame) -> None:
        if self._stretch is None:
            return
        since, until = sorted(self._stretch)
        wash = QColor(self._theme["accent"])
        wash.setAlphaF(0.16)
        painter.fillRect(
            QRectF(frame.x(since), frame.sessions_top, frame.x(until) - frame.x(since), frame.height), wash
        )

    def session_at(self, at: float) -> Session | None:
        """The session at this time."""
        low, high = self._marks.blocks.between(at, at + 0.001)
        for place in self._marks.blocks.ids[low:high].tolist():
            session: Session = self._marks.sessions[place]
            if session.start.timestamp() <= at <= session.end.timestamp():
                return session
        return None

    def event_at(self, place: QPointF) -> int | None:
        """The event painted here, within three pixels."""
        frame = self.frame_now()
        for number, lane in enumerate(self._marks.lanes.values()):
            box = frame.lane(number)
            if box.top() <= place.y() <= box.bottom():
                near = 3 * (frame.until - frame.since) / frame.width
                at = frame.at(place.x())
                low, high = lane.between(at - near, at + near)
                hit = np.flatnonzero(lane.end[low:high] >= at - near)
                return int(lane.ids[low + hit[-1]]) if len(hit) else None
        return None

    def told_at(self, place: QPointF) -> str:
        """What the card at the pointer says: the record under it, else its session, else why there is none."""
        if (found := self.event_at(place)) is not None and (told := self.describe(found)):
            return told
        frame = self.frame_now()
        if not frame.left <= place.x() <= frame.left + frame.width:
            return ""
        at = frame.at(place.x())
        session = self.session_at(at)
        return told_of(session) if session is not None else gap_told(self._marks.gaps, at, self.now)

    def mark(self, event: Remembered | None) -> None:
        """Ring the mark of this record."""
        self._marked = event
        self.viewport().update()

    def leaveEvent(self, event: QEvent) -> None:
        self._card = ""
        super().leaveEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._pressed = event.position()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._pressed is None:
            self._show_card(event.position(), event.globalPosition().toPoint())
            return
        if abs(event.position().x() - self._pressed.x()) < 6:
            return
        frame = self.frame_now()
        self._stretch = (frame.at(self._pressed.x()), frame.at(event.position().x()))
        self.viewport().update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._pressed is None:
            return
        self._pressed = None
        if self._stretch is not None and abs(self._stretch[1] - self._stretch[0]) > 1:
            since, until = sorted(self._stretch)
            self.chosen = self._marked = None
            self.stretch_picked.emit(datetime.fromtimestamp(since, UTC), datetime.fromtimestamp(until, UTC))
        else:
            self._click(event.position())
        self.viewport().update()

    def _show_card(self, place: QPointF, there: QPoint) -> None:
        """The card follows the pointer from thing to thing without a wait, as long as it is over one."""
        told = self.told_at(place)
        if told != self._card:
            self._card = told
            QToolTip.showText(there, card(told), self)

    def _click(self, place: QPointF) -> None:
        self._stretch = None
        at = self.frame_now().at(place.x())
        event = self.event_at(place)
        session = self.session_at(at)
        if session is not None:
            self.chosen = session.id
            self.session_picked.emit(session)
        if event is not None:
            self.event_picked.emit(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        session = self.session_at(self.frame_now().at(event.position().x()))
        if session is not None:
            start, end = session.start.timestamp(), session.end.timestamp()
            room = max((end - start) * 0.08, 60)
            self.look_at(start - room, end + room)

    def wheelEvent(self, event: QWheelEvent) -> None:
        delta = event.angleDelta()
        sideways = delta.x() or (delta.y() if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 0)
        if sideways:
            self.pan(-sideways / 1200)
        elif delta.y():
            self.zoom(0.85 ** (delta.y() / 120), self.frame_now().at(event.position().x()))
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        acts: dict[Qt.Key, Callable[[], object]] = {
            Qt.Key.Key_Left: lambda: self.pan(-0.2),
            Qt.Key.Key_Right: lambda: self.pan(0.2),
            Qt.Key.Key_Plus: lambda: self.zoom(0.7),
            Qt.Key.Key_Equal: lambda: self.zoom(0.7),
            Qt.Key.Key_Minus: lambda: self.zoom(1 / 0.7),
            Qt.Key.Key_Up: lambda: self.step(-1),
            Qt.Key.Key_Down: lambda: self.step(1),
            Qt.Key.Key_0: lambda: self.whole_wanted.emit(),
            Qt.Key.Key_Home: lambda: self.whole_wanted.emit(),
        }
        act = acts.get(Qt.Key(event.key()))
        if act is None:
            super().keyPressEvent(event)
        else:
            act()

    def step(self, by: int) -> bool:
        """Choose the next or the previous session; whether there is one."""
        sessions = self._marks.sessions
        here = next((i for i, s in enumerate(sessions) if s.id == self.chosen), None)
        there = (len(sessions) - 1 if by < 0 else 0) if here is None else here + by
        if 0 <= there < len(sessions):
            self.choose(sessions[there].id)
            self.session_picked.emit(sessions[there])
            return True
        return False

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), card(self.told_at(QPointF(event.pos()))), self)
            return True
        if isinstance(event, QNativeGestureEvent):
            return self._touchpad(event)
        if event.type() == QEvent.Type.Gesture and isinstance(event, QGestureEvent):
            return self._touch(event)
        return super().viewportEvent(event)

    def _touchpad(self, event: QNativeGestureEvent) -> bool:
        """Two fingers on a touchpad: each step says by which share to grow."""
        if event.gestureType() == Qt.NativeGestureType.ZoomNativeGesture:
            grown = max(1 + event.value(), 0.1)
            self.zoom(1 / grown, self.frame_now().at(event.position().x()))
            return True
        return False

    def _touch(self, event: QGestureEvent) -> bool:
        """Two fingers on a touch screen."""
        pinch = event.gesture(Qt.GestureType.PinchGesture)
        if not isinstance(pinch, QPinchGesture) or pinch.scaleFactor() <= 0:
            return False
        centre = self.viewport().mapFromGlobal(pinch.centerPoint().toPoint())
        self.zoom(1 / pinch.scaleFactor(), self.frame_now().at(centre.x()))
        return True
