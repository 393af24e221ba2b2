"""A small window of its own, for what comes before the screens: a sign, a heading, a few words, and buttons."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QEventLoop, Qt
from PySide6.QtGui import QCloseEvent, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from desktop_memory.ui.icons import pixmap
from desktop_memory.ui.parts import label
from desktop_memory.ui.theme import Theme


class StartWindow(QWidget):
    """Stays until it is closed. What is added stands between the heading and the buttons."""

    def __init__(self, theme: Theme, icon: str, heading: str, *, token: str = "accent") -> None:
        super().__init__()
        self.theme = theme
        self._icon, self._token = icon, token
        self._closed = False
        self.setWindowTitle("Desktop Memory")
        px = theme.px
        column = QVBoxLayout(self)
        column.setContentsMargins(px(64), px(28), px(28), px(20))
        column.setSpacing(px(8))
        column.addWidget(label(theme, heading, 16, 600))
        self.inside = QVBoxLayout()
        self.inside.setSpacing(px(8))
        column.addLayout(self.inside)
        column.addSpacing(px(8))
        self.buttons = QHBoxLayout()
        self.buttons.setSpacing(px(8))
        self.buttons.addStretch()
        column.addLayout(self.buttons)

    def add_text(self, text: str, token: str = "text") -> QLabel:
        """Words that can be selected and copied."""
        said = label(self.theme, text, 14, token=token)
        said.setWordWrap(True)
        said.setMinimumWidth(self.theme.px(380))
        said.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        said.setVisible(bool(text))
        self.inside.addWidget(said)
        return said

    def fit(self) -> None:
        """Be as high as the words need at this width."""
        self.resize(self.width(), self.heightForWidth(self.width()))

    def stay(self) -> None:
        """Until it is closed."""
        self.show()
        self.fit()
        while not self._closed:  # an event loop of its own would end at once where the app's was told to quit
            QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close()
        else:
            super().keyPressEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        self._closed = True

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self.theme["bg"])
        size = self.theme.px(24)
        drawn = pixmap(self._icon, self.theme[self._token], size, self.devicePixelRatioF())
        painter.drawPixmap(size, self.theme.px(28), drawn)
