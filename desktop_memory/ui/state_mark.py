"""The mark of a state, told apart by shape, and its word."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF

from desktop_memory.ui.theme import Theme
from desktop_memory.ui.words import tr


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
