"""A page's main part with a pane beside it, or under it where the window is narrow."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QWidget

from desktop_memory.ui.theme import Theme

MAIN, UNDER = 3, 2
"""The shares of the height where the pane lies under the main part."""


class Beside(QWidget):
    """A main part with a pane at its right, which folds under it when the window is narrow; or before it."""

    FOLD = 815
    """The page's width below which it folds: a window of 1,000 without its navigation."""

    def __init__(self, theme: Theme, main: QWidget, pane: QWidget, *, before: bool = False) -> None:
        super().__init__()
        self._theme, self._main, self._pane = theme, main, pane
        self._rule = QFrame()
        self._box = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.setSpacing(0)
        parts = (pane, self._rule, main) if before else (main, self._rule, pane)
        for part in parts:
            self._box.addWidget(part)
        self._folded: bool | None = None
        theme.follow(self, self._dress)

    @property
    def folded(self) -> bool:
        return bool(self._folded)

    folds = Signal(bool)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fold(self.width() < self._theme.px(self.FOLD))
        if not self._folded:
            self._pane.setFixedWidth(
                max(self._theme.px(300), min(self._theme.px(420), self.width() * 3 // 10))
            )

    def _fold(self, fold: bool) -> None:
        if fold == self._folded:
            return
        self._folded = fold
        self.folds.emit(fold)
        way = QBoxLayout.Direction
        self._box.setDirection(way.TopToBottom if fold else way.LeftToRight)
        for part, share in ((self._main, MAIN), (self._pane, UNDER if fold else 0)):
            self._box.setStretchFactor(part, share)
        free = 16_777_215
        if fold:
            self._pane.setMinimumWidth(0)
            self._pane.setMaximumWidth(free)
            self._rule.setFixedSize(free, 1)
            self._rule.setMinimumWidth(0)
        else:
            self._rule.setFixedSize(1, free)
            self._rule.setMinimumHeight(0)

    def _dress(self) -> None:
        self._rule.setStyleSheet(f"background: {self._theme['line'].name()}")
