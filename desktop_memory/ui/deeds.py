"""The buttons of a notice, side by side."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from desktop_memory.ui.notices import Deed
from desktop_memory.ui.parts import PushButton
from desktop_memory.ui.theme import Theme


class Deeds(QWidget):
    """`done` follows a press, before what the button does."""

    done = Signal()

    def __init__(self, theme: Theme, look: str = "") -> None:
        super().__init__()
        self._look = look
        self.buttons: list[QPushButton] = []
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(theme.px(8))

    def show_deeds(self, deeds: Sequence[Deed]) -> None:
        """Become these buttons."""
        for old in self.buttons:
            self._row.removeWidget(old)
            old.hide()
            old.deleteLater()
        self.buttons = []
        for text, act in deeds:
            made = PushButton(text)
            made.setProperty("look", self._look)
            made.clicked.connect(partial(self._do, act))
            self._row.addWidget(made)
            self.buttons.append(made)
        self.setVisible(bool(deeds))

    def _do(self, act: Callable[[], None], _checked: bool = False) -> None:
        self.done.emit()
        act()
