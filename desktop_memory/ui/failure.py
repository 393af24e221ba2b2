"""The window that stands in for all others when the memory cannot be opened: what happened, what to do."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

from desktop_memory.errors import KnownError
from desktop_memory.ui.parts import button
from desktop_memory.ui.start_window import StartWindow
from desktop_memory.ui.theme import Theme
from desktop_memory.ui.translated import translated
from desktop_memory.ui.words import tr


class FailureWindow(StartWindow):
    """Says a KnownError as written, in text that can be selected and copied."""

    def __init__(self, error: KnownError, theme: Theme) -> None:
        super().__init__(theme, "alert-triangle", tr("Desktop Memory could not start"), token="danger")
        self.setAccessibleDescription(f"{translated(error.problem)} {translated(error.advice)}")
        self.add_text(translated(error.problem))
        self.add_text(translated(error.advice), "muted")
        self.buttons.addWidget(button(theme, tr("Close"), self.close, look="primary"))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.close()
        else:
            super().keyPressEvent(event)


def show_failure(error: KnownError, theme: Theme) -> None:
    """Show it and wait until the person has read it."""
    FailureWindow(error, theme).stay()
