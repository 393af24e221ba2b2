"""The window that stands in for all others when the memory cannot be opened: what happened, what to do."""

from __future__ import annotations

from PySide6.QtCore import QEventLoop, Qt
from PySide6.QtGui import QCloseEvent, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from desktop_memory.errors import KnownError
from desktop_memory.ui.icons import pixmap
from desktop_memory.ui.parts import button, label
from desktop_memory.ui.theme import Theme
from desktop_memory.ui.words import tr


class FailureWindow(QWidget):
    """Says a KnownError as written, in text that can be selected and copied."""

    def __init__(self, error: KnownError, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._loop = QEventLoop()
        self.setWindowTitle("Desktop Memory")
        self.setAccessibleDescription(f"{error.problem} {error.advice}")
        px = theme.px
        column = QVBoxLayout(self)
        column.setContentsMargins(px(64), px(28), px(28), px(20))
        column.setSpacing(px(8))
        column.addWidget(label(theme, tr("Desktop Memory could not start"), 16, 600))
        for text, token in ((error.problem, "text"), (error.advice, "muted")):
            said = label(theme, text, 14, token=token)
            said.setWordWrap(True)
            said.setMinimumWidth(px(380))
            said.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            said.setVisible(bool(text))
            column.addWidget(said)
        row = QHBoxLayout()
        row.addStretch()
        row.addWidget(button(theme, tr("Close"), self.close, look="primary"))
        column.addSpacing(px(8))
        column.addLayout(row)

    def stay(self) -> None:
        """Until it is closed."""
        self.show()
        self._loop.exec()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape):
            self.close()
        else:
            super().keyPressEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        self._loop.quit()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme["bg"])
        size = self._theme.px(24)
        drawn = pixmap("alert-triangle", self._theme["danger"], size, self.devicePixelRatioF())
        painter.drawPixmap(self._theme.px(24), self._theme.px(28), drawn)


def show_failure(error: KnownError, theme: Theme) -> None:
    """Show it and wait until the person has read it."""
    FailureWindow(error, theme).stay()
