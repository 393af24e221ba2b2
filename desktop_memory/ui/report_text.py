"""The report on its page: what is chosen of it is copied line by line, behind walls and redaction."""

from __future__ import annotations

from PySide6.QtCore import QMimeData, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QMenu, QPlainTextEdit

from desktop_memory.ui.words import tr


class ReportText(QPlainTextEdit):
    """Text to read. `copy_wanted` carries the chosen part of each line with the line's number."""

    copy_wanted = Signal(list)

    def __init__(self) -> None:
        super().__init__()
        self.setReadOnly(True)
        self.setAccessibleName(tr("The report"))
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setTabChangesFocus(True)

    def chosen(self) -> list[tuple[int, str]]:
        """The number of each line of the selection, and the part of it that is chosen."""
        cursor = self.textCursor()
        if not cursor.hasSelection():
            return []
        start, end = cursor.selectionStart(), cursor.selectionEnd()
        block, parts = self.document().findBlock(start), []
        while block.isValid() and block.position() <= end:
            part = block.text()[max(0, start - block.position()) : end - block.position()]
            parts.append((block.blockNumber(), part))
            block = block.next()
        return parts

    def createMimeDataFromSelection(self) -> QMimeData:
        """Nothing: what Qt hands over by itself, to a drag or the middle button, has passed no wall."""
        return QMimeData()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self._copy()
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = QMenu(self)
        copy = menu.addAction(tr("Copy"), self._copy)
        copy.setEnabled(self.textCursor().hasSelection())
        menu.addAction(tr("Select all"), self.selectAll)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(event.globalPos())

    def _copy(self) -> None:
        if parts := self.chosen():
            self.copy_wanted.emit(parts)
