"""What a key copied without a window, to be read."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from desktop_memory.model import CopiedContext
from desktop_memory.ui.copying import summary
from desktop_memory.ui.parts import button, label
from desktop_memory.ui.theme import Theme
from desktop_memory.ui.words import tr


class Preview(QWidget):
    """The exact text; Esc closes it."""

    def __init__(self, theme: Theme, put_back: Callable[[], None]) -> None:
        super().__init__()
        self._theme = theme
        px = theme.px
        self.setWindowTitle(tr("Copied context"))
        self._about = label(theme, px=13, token="muted")
        self.text = QPlainTextEdit(readOnly=True)
        self.text.setAccessibleName(tr("The text on the clipboard"))
        self.text.setTabChangesFocus(True)
        theme.follow(self.text, lambda: self.text.setFont(theme.font(12.5, mono=True)))
        self.back = button(theme, tr("Put my clipboard back"), put_back)
        self.back.clicked.connect(self.close)
        row = QHBoxLayout()
        row.addWidget(self._about, 1)
        row.addWidget(self.back)
        row.addWidget(button(theme, tr("Close"), self.close, look="primary"))
        column = QVBoxLayout(self)
        column.setContentsMargins(px(20), px(20), px(20), px(16))
        column.setSpacing(px(12))
        column.addWidget(self.text, 1)
        column.addLayout(row)
        theme.follow(self, self.update)
        self.resize(px(640), px(460))

    def show_context(self, context: CopiedContext, *, lent: bool) -> None:
        """Come up with this copy; `lent` when the former clipboard can be put back."""
        self.text.setPlainText(context.text)
        self._about.setText(summary(context))
        self.back.setVisible(lent)
        self.show()
        self.raise_()
        self.activateWindow()
        self.text.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), self._theme["bg"])
