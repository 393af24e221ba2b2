"""A name and its control: side by side where there is room, else one under the other."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize
from PySide6.QtWidgets import QLayoutItem, QWidget

from desktop_memory.ui.arranged import Arranged


class SideBySide(Arranged):
    """Two parts. The first takes what the second leaves, at least `least`; with less it stands above it."""

    def __init__(self, spacing: int, least: int, parent: QWidget | None = None) -> None:
        super().__init__(spacing, parent)
        self._least = least

    def sizeHint(self) -> QSize:
        widths = [item.sizeHint().width() for item in self._items]
        margins = self.contentsMargins()
        width = sum(widths) + self.spacing() + margins.left() + margins.right()
        return QSize(width, self.heightForWidth(width))

    def minimumSize(self) -> QSize:
        margins = self.contentsMargins()
        width = max((item.minimumSize().width() for item in self._items), default=0)
        return QSize(width + margins.left() + margins.right(), 0)

    def _arrange(self, rect: QRect, *, move: bool) -> int:
        """Place the two, or only say how high they would be."""
        margins = self.contentsMargins()
        inner = rect.marginsRemoved(margins)
        around = margins.top() + margins.bottom()
        if len(self._items) < 2 or self._items[1].isEmpty():
            return around + self._stack(inner, move=move)
        told, made = self._items
        wide = min(made.sizeHint().width(), inner.width())
        room = inner.width() - self.spacing() - wide
        if room < self._least:
            return around + self._stack(inner, move=move)
        heights = _height(told, room), _height(made, wide)
        high = max(heights)
        if move:
            at = inner.topLeft()
            told.setGeometry(QRect(at, QSize(room, high)))
            at += QPoint(room + self.spacing(), (high - heights[1]) // 2)
            made.setGeometry(QRect(at, QSize(wide, heights[1])))
        return around + high

    def _stack(self, inner: QRect, *, move: bool) -> int:
        y = inner.y()
        for item in self._items:
            if item.isEmpty():
                continue
            width = inner.width()
            if item is not self._items[0]:
                y += self.spacing() // 3
                width = min(width, item.sizeHint().width())
            high = _height(item, width)
            if move:
                item.setGeometry(QRect(inner.x(), y, width, high))
            y += high
        return y - inner.y()


def _height(item: QLayoutItem, width: int) -> int:
    return item.heightForWidth(width) if item.hasHeightForWidth() else item.sizeHint().height()
