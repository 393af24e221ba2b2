"""The list of pins: done by a key or on the circle, put in order by dragging or with Alt and the arrows."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QApplication

from desktop_memory.ui.row_list import RowList
from desktop_memory.ui.theme import Theme

ICON_ENDS = 44


class PinList(RowList):
    """`moved` carries a row and how many places down (or, below 0, up) it goes within its group."""

    done_wanted = Signal(object)
    delete_wanted = Signal(object)
    moved = Signal(object, int)

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__(theme, "search", name)
        self._pressed: QPoint | None = None
        self._dragged = -1
        self._target = -1
        """Before which place the dragged row would go; -1 while none is dragged."""

    def group(self, place: int) -> range:
        """The places of the rows between the same headers."""
        rows = self.rows.rows
        first = last = place
        while first > 0 and rows[first - 1].selectable:
            first -= 1
        while last + 1 < len(rows) and rows[last + 1].selectable:
            last += 1
        return range(first, last + 1)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        place = event.position().toPoint()
        index = self.indexAt(place)
        row = self.rows.row(index)
        if event.button() == Qt.MouseButton.LeftButton and row is not None and row.selectable:
            self._pressed, self._dragged = place, index.row()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        place = event.position().toPoint()
        if self._pressed is None or not event.buttons() & Qt.MouseButton.LeftButton:
            super().mouseMoveEvent(event)
            return
        far = (place - self._pressed).manhattanLength() >= QApplication.startDragDistance()
        if self._target >= 0 or far:
            self._target = self._gap_at(place)
            self.setCursor(Qt.CursorShape.ClosedHandCursor)
            self.viewport().update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        dragged, target = self._dragged, self._target
        self._pressed, self._dragged, self._target = None, -1, -1
        self.unsetCursor()
        self.viewport().update()
        row = self.rows.row(self.rows.index(dragged)) if dragged >= 0 else None
        if row is None:
            return
        if target >= 0:
            by = target - dragged - (1 if target > dragged else 0)
            if by:
                self.moved.emit(row, by)
        elif event.position().x() < ICON_ENDS:
            self.done_wanted.emit(row)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        row, key = self.current(), event.key()
        steps = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
        if row is not None and key == Qt.Key.Key_Escape and self._target >= 0:
            self._pressed, self._dragged, self._target = None, -1, -1
            self.viewport().update()
        elif row is not None and key in steps and event.modifiers() & Qt.KeyboardModifier.AltModifier:
            self.moved.emit(row, steps[Qt.Key(key)])
        elif row is not None and key == Qt.Key.Key_Space:
            self.done_wanted.emit(row)
        elif row is not None and key == Qt.Key.Key_Delete:
            self.delete_wanted.emit(row)
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._target < 0:
            return
        painter = QPainter(self.viewport())
        painter.setPen(QPen(self._theme["accent"], 2))
        y = self._line_of(self._target)
        painter.drawLine(self._theme.px(16), y, self.viewport().width() - self._theme.px(16), y)

    def _gap_at(self, place: QPoint) -> int:
        """The nearest gap within the dragged row's group."""
        group = self.group(self._dragged)
        gaps = range(group.start, group.stop + 1)
        return min(gaps, key=lambda gap: abs(self._line_of(gap) - place.y()))

    def _line_of(self, gap: int) -> int:
        rows = len(self.rows.rows)
        if gap < rows:
            return self.visualRect(self.rows.index(gap)).top()
        return self.visualRect(self.rows.index(rows - 1)).bottom()
