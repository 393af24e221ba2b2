"""Choosing a filter in a field that otherwise searches: what is typed meanwhile narrows the choice."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QLineEdit

from desktop_memory.model import Remembered
from desktop_memory.ui.filters import Filter, offered
from desktop_memory.ui.rows import Row, quiet
from desktop_memory.ui.words import tr


class FilterChoice:
    """Borrows the field, and gives it back with the words that stood there."""

    def __init__(self, field: QLineEdit) -> None:
        self._field = field
        self._says = field.placeholderText()
        self._words: str | None = None
        self._events: Sequence[Remembered] = ()
        self._chosen: Remembered | None = None

    @property
    def going_on(self) -> bool:
        return self._words is not None

    def begin(self, events: Sequence[Remembered], chosen: Remembered | None) -> None:
        """Offer what these events suggest, the chosen one's first."""
        self._words, self._events, self._chosen = self._field.text(), events, chosen
        self._put("", tr("Only …"))

    def rows(self, have: Sequence[Filter]) -> list[Row]:
        """The filters that fit what is typed, beside those that hold already."""
        found = offered(self._events, self._chosen, self._field.text(), have)
        return found or [quiet(tr("No such filter"), "search")]

    def end(self) -> None:
        """The field is for words again."""
        if self._words is not None:
            words, self._words = self._words, None
            self._put(words, self._says)

    def _put(self, text: str, says: str) -> None:
        with QSignalBlocker(self._field):
            self._field.setText(text)
        self._field.setPlaceholderText(says)
