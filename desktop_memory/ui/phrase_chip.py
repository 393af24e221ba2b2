"""The chip of a time phrase that was understood: it says so, and a click takes the phrase as plain words."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QWidget

from desktop_memory.ui.as_written import as_written
from desktop_memory.ui.searching import Found
from desktop_memory.ui.words import tr


class PhraseChip(QPushButton):
    """Hidden until a question holds a phrase; `removed` follows the click."""

    removed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("look", "filter")
        self.phrase = ""
        self.on = True
        self.clicked.connect(self._remove)
        self.hide()

    def show_found(self, found: Found | None) -> None:
        """Show the phrase of this answer."""
        self.phrase = str(found.result.filters.get("phrase", "")) if found else ""
        self.setText(f"{self.phrase}  ✕")
        self.setAccessibleName(tr("Only {phrase}; press to search everywhere").format(phrase=self.phrase))
        self.setToolTip(as_written(self.accessibleName()))
        self.setVisible(bool(self.phrase))

    def typed(self, text: str) -> None:
        """An emptied field understands phrases again."""
        if not text.strip():
            self.on = True
            self.show_found(None)

    def without_phrase(self, text: str) -> str:
        """The words of the question that are to be marked."""
        return text.replace(self.phrase, " ") if self.phrase else text

    def _remove(self) -> None:
        self.on = False
        self.removed.emit()
