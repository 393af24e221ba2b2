"""A row of parts that goes on in the next line where the room ends."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize
from PySide6.QtWidgets import QLayoutItem, QSizePolicy, QWidget

from desktop_memory.ui.arranged import Arranged


class Flow(Arranged):
    """After Qt's own example, https://doc.qt.io/qt-6/qtwidgets-layouts-flowlayout-example.html."""

    def __init__(self, spacing: int, parent: QWidget | None = None) -> None:
        super().__init__(spacing, parent)
        self.setContentsMargins(0, 0, 0, 0)

    def sizeHint(self) -> QSize:
        widths = [item.sizeHint().width() for item in self._items]
        height = max((item.sizeHint().height() for item in self._items), default=0)
        return QSize(sum(widths) + self.spacing() * max(0, len(widths) - 1), height)

    def minimumSize(self) -> QSize:
        size = QSize()
        for item in self._items:
            size = size.expandedTo(item.minimumSize())
        return size

    def _arrange(self, rect: QRect, *, move: bool) -> int:
        """Place the parts, each in the middle of its line, or only say how high they would be."""
        y = rect.y()
        for line in self._lines(rect.width()):
            x, high = rect.x(), max(item.sizeHint().height() for item in line)
            for item in line if move else ():
                size = item.sizeHint()
                item.setGeometry(QRect(QPoint(x, y + (high - size.height()) // 2), size))
                x += size.width() + self.spacing()
            y += high + self.spacing()
        return max(0, y - self.spacing() - rect.y())

    def _lines(self, width: int) -> list[list[QLayoutItem]]:
        lines: list[list[QLayoutItem]] = []
        room = 0
        for item in self._items:
            needed = item.sizeHint().width()
            if not lines or needed > room:
                lines.append([])
                room = width
            lines[-1].append(item)
            room -= needed + self.spacing()
        return lines


def flowing(spacing: int) -> tuple[QWidget, Flow]:
    """A part that holds a flow, for layouts that ask their parts for a height."""
    holder = QWidget()
    flow = Flow(spacing, holder)
    policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
    policy.setHeightForWidth(True)
    holder.setSizePolicy(policy)
    return holder, flow
