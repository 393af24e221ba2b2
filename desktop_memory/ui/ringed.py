"""A ring around what we paint ourselves, while it has the focus by a key: only then is it worth one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFocusEvent, QPainter

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget as Beneath
else:
    Beneath = object

_BY_KEY = (
    Qt.FocusReason.TabFocusReason,
    Qt.FocusReason.BacktabFocusReason,
    Qt.FocusReason.ShortcutFocusReason,
)


class Ringed(Beneath):
    """Stands before a widget's own class; the widget calls `paint_ring` at the end of its painting."""

    _ringed = False

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._ringed = event.reason() in _BY_KEY
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._ringed = False
        super().focusOutEvent(event)

    def paint_ring(self, painter: QPainter, colour: QColor, box: QRectF, radius: float = 4) -> None:
        if self._ringed:
            painter.setClipping(False)
            painter.setPen(colour)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)
