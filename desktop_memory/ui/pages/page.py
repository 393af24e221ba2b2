"""What the window asks of a page."""

from __future__ import annotations

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from desktop_memory.ui.actions import Actions
from desktop_memory.ui.copying import Copier
from desktop_memory.ui.desk import Desk


class Page(QWidget):
    """`icon` and `title` stand in the navigation. A page asks the memory only while it is visible."""

    icon = ""
    page_wanted = Signal(str)
    """Go to the page with this class name."""

    def __init__(self, desk: Desk, copier: Copier, actions: Actions) -> None:
        super().__init__()
        self.desk, self.copier, self.acts = desk, copier, actions
        desk.bridge.changed.connect(self._changed)
        desk.theme.follow(self, self.update)

    @classmethod
    def title(cls) -> str:
        """The page's name for people."""
        raise NotImplementedError

    def minimumSizeHint(self) -> QSize:
        """No wider than the window, whatever a record's title says: it scrolls up and down alone."""
        return QSize(0, super().minimumSizeHint().height())

    def refresh(self) -> None:
        """Ask the memory for what is newer. Called when the page is shown and when something changed."""

    def take_focus(self) -> None:
        """Put the keyboard where work begins."""
        self.setFocus()

    def _changed(self) -> None:
        if self.isVisible():
            self.refresh()

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), self.desk.theme["bg"])
