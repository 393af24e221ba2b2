"""Says what would be forgotten, and waits for yes or no."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QHBoxLayout, QWidget

from desktop_memory.ui.parts import button, label
from desktop_memory.ui.theme import Theme
from desktop_memory.ui.words import tr


class AskBar(QWidget):
    """Hidden until there is something to ask."""

    def __init__(self, theme: Theme, forget: Callable[[], object], keep: Callable[[], object]) -> None:
        super().__init__()
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(theme.px(8))
        self.told = label(theme, "", 13)
        self.told.setWordWrap(True)
        line.addWidget(self.told, 1)
        self.yes = button(theme, tr("Forget"), forget, look="danger", name="trash")
        self.no = button(theme, tr("Keep"), keep, look="quiet")
        line.addWidget(self.yes)
        line.addWidget(self.no)
        self.hide()
