"""Paints the timeline: scale, sessions, gaps with their reasons, and lanes with as much detail as fits."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFontMetrics, QImage, QPainter, QPen

from desktop_memory.model import GapReason, Session
from desktop_memory.ui.icons import pixmap
from desktop_memory.ui.rows import clean
from desktop_memory.ui.theme import Theme
from desktop_memory.ui.ticks import ticks
from desktop_memory.ui.timeline_data import Lane, Marks
from desktop_memory.ui.words import span, tr

FEW = 150
"""Up to so many events in view, each is painted by itself, with round corners."""
LANE_ICONS = {
    "window": "app-window",
    "browser": "world",
    "terminal": "terminal-2",
    "git": "git-commit",
    "file": "file",
    "note": "note",
}


LANE_LEAST = 22


@dataclass(frozen=True, slots=True)
class Frame:
    """The measures of one painting: where scale, sessions and lanes are, and the stretch in view."""

    left: float
    width: float
    height: float
    since: float
    until: float
    unit: float
    """One pixel of the drawings."""
    lanes: int = 0

    @property
    def sessions_top(self) -> float:
        return 20 * self.unit

    @property
    def lanes_top(self) -> float:
        return 60 * self.unit

    @property
    def lane_height(self) -> float:
        """Lower where all lanes would not fit."""
        room = (self.height - self.lanes_top) / (self.lanes or 1)
        return max(LANE_LEAST * self.unit, min(34 * self.unit, room))

    def x(self, at: float) -> float:
        return self.left + (at - self.since) / (self.until - self.since) * self.width

    def at(self, x: float) -> float:
        return self.since + (x - self.left) / self.width * (self.until - self.since)

    def lane(self, number: int) -> QRectF:
        return QRectF(self.left, self.lanes_top + number * self.lane_height, self.width, 20 * self.unit)

    def session(self, session: Session) -> QRectF:
        left, right = self.x(session.start.timestamp()), self.x(session.end.timestamp())
        return QRectF(left, self.sessions_top, max(right - left, 3.0), 25 * self.unit)


def lane_words() -> dict[str, str]:
    return {
        "window": tr("Windows"),
        "browser": tr("Pages"),
        "terminal": tr("Commands"),
        "git": tr("Commits"),
        "file": tr("Files"),
        "note": tr("Notes"),
    }


def reason_word(reason: GapReason) -> str:
    return {
        "idle": tr("away"),
        "locked": tr("locked"),
        "asleep": tr("asleep"),
        "paused": tr("paused"),
        "not running": tr("not running"),
        "excluded": tr("excluded"),
    }[reason]


def paint_scale(painter: QPainter, theme: Theme, frame: Frame, lanes: int) -> None:
    """Round times, each with a line down through the lanes."""
    painter.setFont(theme.font(11.5))
    bottom = frame.lanes_top + lanes * frame.lane_height + 12 * frame.unit
    for tick in ticks(frame.since, frame.until, max(2, int(frame.width / (86 * frame.unit)))):
        x = round(frame.x(tick.at)) + 0.5
        painter.setPen(QPen(theme["line"], 1))
        painter.drawLine(QPointF(x, 2), QPointF(x, bottom))
        painter.setPen(theme["muted"])
        room = painter.fontMetrics().horizontalAdvance(tick.label) + 4
        if x + 5 + room <= frame.left + frame.width + 4:
            box = QRectF(x + 4 * frame.unit, 0, room, 16 * frame.unit)
            painter.drawText(box, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), tick.label)


def lane_names_width(theme: Theme) -> int:
    """Room for an icon and the longest name of a lane."""
    metrics = QFontMetrics(theme.font(12.5))
    return max(metrics.horizontalAdvance(word) for word in lane_words().values()) + theme.px(16 + 8 + 10)


def paint_lane_names(painter: QPainter, theme: Theme, frame: Frame, marks: Marks, left: float) -> None:
    words = lane_words()
    size = round(16 * frame.unit)
    for number, name in enumerate(marks.lanes):
        middle = frame.lane(number).center().y() + 1
        drawn = pixmap(LANE_ICONS[name], theme[name], size, painter.device().devicePixelRatioF())
        painter.drawPixmap(QPointF(left, middle - size / 2), drawn)
        painter.setFont(theme.font(12.5))
        painter.setPen(theme["muted"])
        start = left + size + 8 * frame.unit
        box = QRectF(start, middle - 10 * frame.unit, frame.left - start - 4, 20 * frame.unit)
        text = painter.fontMetrics().elidedText(words[name], Qt.TextElideMode.ElideRight, int(box.width()))
        painter.drawText(box, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), text)


def paint_gaps(painter: QPainter, theme: Theme, frame: Frame, marks: Marks, now: float) -> None:
    """Hatched, with the reason where there is room for it."""
    hatch = QBrush(theme["line"], Qt.BrushStyle.BDiagPattern)
    painter.setFont(theme.font(11.5))
    for gap in marks.gaps:
        start, end = gap.start.timestamp(), gap.end.timestamp() if gap.end else now
        if end <= frame.since or start >= frame.until:
            continue
        left, right = max(frame.x(start), frame.left), min(frame.x(end), frame.left + frame.width)
        box = QRectF(left, frame.sessions_top, right - left, 25 * frame.unit)
        painter.fillRect(box, hatch)
        word = reason_word(gap.reason)
        room = painter.fontMetrics().horizontalAdvance(word)
        if box.width() > room + 12 * frame.unit:
            spot = QRectF(
                left + 5 * frame.unit, box.top() + 4 * frame.unit, room + 4, box.height() - 8 * frame.unit
            )
            painter.fillRect(spot, theme["bg"])
            painter.setPen(theme["muted"])
            painter.drawText(spot, int(Qt.AlignmentFlag.AlignCenter), word)


def paint_sessions(painter: QPainter, theme: Theme, frame: Frame, marks: Marks, chosen: int | None) -> None:
    """Blocks with their project, or their app where there is none; a strip where they are too many."""
    low, high = marks.blocks.between(frame.since, frame.until)
    if high - low > FEW:
        box = QRectF(frame.left, frame.sessions_top, frame.width, 25 * frame.unit)
        _strip(painter, frame, marks.blocks, box, theme["muted"])
        return
    painter.setFont(theme.font(12.5))
    for place in marks.blocks.ids[low:high].tolist():
        session = marks.sessions[place]
        box = frame.session(session).intersected(QRectF(frame.left - 8, 0, frame.width + 16, frame.height))
        if not box.isEmpty():
            _block(painter, theme, frame, box, session, mine=session.id == chosen)


def _block(
    painter: QPainter, theme: Theme, frame: Frame, box: QRectF, session: Session, *, mine: bool
) -> None:
    painter.setPen(QPen(theme["accent" if mine else "line"], 1.2 if mine else 1))
    painter.setBrush(theme["selection" if mine else "raised"])
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
    room = box.width() - 12 * frame.unit
    if room > 26 * frame.unit:
        painter.setPen(theme["text"])
        inner = box.adjusted(8 * frame.unit, 0, -4 * frame.unit, 0)
        name = painter.fontMetrics().elidedText(session_name(session), Qt.TextElideMode.ElideRight, int(room))
        side = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        painter.drawText(inner, int(side), name)
        lasted = span(session.start, session.end)
        start = painter.fontMetrics().horizontalAdvance(name) + 10 * frame.unit
        if start + painter.fontMetrics().horizontalAdvance(lasted) <= room:
            painter.setPen(theme["muted"])
            painter.drawText(inner.adjusted(start, 0, 0, 0), int(side), lasted)


def session_name(session: Session) -> str:
    """The project most worked on, else the app."""
    return clean(next(iter((*session.projects, *session.apps)), "")) or tr("activity")


def paint_lanes(painter: QPainter, theme: Theme, frame: Frame, marks: Marks) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    for number, (name, lane) in enumerate(marks.lanes.items()):
        colour = QColor(theme[name])
        colour.setAlphaF(0.8)
        low, high = lane.between(frame.since, frame.until)
        if high - low <= FEW:
            _each(painter, frame, lane, frame.lane(number), colour, low, high)
        else:
            _strip(painter, frame, lane, frame.lane(number), theme[name])


def _each(
    painter: QPainter, frame: Frame, lane: Lane, box: QRectF, colour: QColor, low: int, high: int
) -> None:
    painter.setBrush(colour)
    least, right_edge = 3 * frame.unit, frame.left + frame.width
    for start, end in zip(lane.start[low:high].tolist(), lane.end[low:high].tolist(), strict=True):
        if end < frame.since:
            continue
        left = max(frame.x(start), frame.left)
        right = min(max(frame.x(end) - 0.7, left + least), right_edge)
        if right > left:
            painter.drawRoundedRect(QRectF(left, box.top(), right - left, box.height()), 1.5, 1.5)


def _strip(painter: QPainter, frame: Frame, lane: Lane, box: QRectF, colour: QColor) -> None:
    """One row of pixels, as dark as there is much, drawn as high as the lane: a frame costs the same for a
    hundred events and for a million."""
    width = max(1, round(frame.width * painter.device().devicePixelRatioF()))
    full, counts = lane.columns(frame.since, frame.until, width)
    most = max(1, int(counts.max(initial=1)))
    alpha = np.where(full, 0.6 + 0.25 * np.minimum(1.0, counts / most), 0.0)
    pixels = np.empty((width, 4), dtype=np.uint8)
    for place, channel in enumerate((colour.blueF(), colour.greenF(), colour.redF(), 1.0)):
        pixels[:, place] = np.round(alpha * channel * 255)
    row = QImage(pixels.tobytes(), width, 1, width * 4, QImage.Format.Format_ARGB32_Premultiplied)
    painter.drawImage(box, row, QRectF(0, 0, width, 1))
