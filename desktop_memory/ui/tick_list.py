"""A list whose rows are ticked."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent

from desktop_memory.ui.row_list import RowList
from desktop_memory.ui.rows import Row
from desktop_memory.ui.theme import Theme
from desktop_memory.ui.words import tr


class TickList(RowList):
    """`ticked` carries the rows that a click, Space or Enter turns; the keys of other lists work here too."""

    ticked = Signal(object)

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__(theme, "search", name)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        row = self.rows.row(self.indexAt(event.position().toPoint()))
        if event.button() == Qt.MouseButton.LeftButton and row is not None and row.selectable:
            self.ticked.emit([row])

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.ticked.emit(self.selected())
        else:
            super().keyPressEvent(event)


def tick(row: Row, *, on: bool) -> Row:
    """The row with a tick, or with room for one."""
    return replace(
        row, icon="square-check" if on else "square", tint="accent" if on else "muted",
        state=tr("ticked") if on else tr("not ticked"),
    )  # fmt: skip
