"""The model behind every list of rows. It changes as little as possible, so that a list keeps its place."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from desktop_memory.ui.rows import Row

ROW_ROLE = Qt.ItemDataRole.UserRole + 1
_NOWHERE = QModelIndex()
AnyIndex = QModelIndex | QPersistentModelIndex


class RowModel(QAbstractListModel):
    """Rows by position. `more_wanted` asks the owner for the next page when `more` is set."""

    more_wanted = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: list[Row] = []
        self.more = False

    @property
    def rows(self) -> Sequence[Row]:
        return self._rows

    def show(self, rows: Sequence[Row]) -> None:
        """Become these rows by inserting, removing and changing only what differs."""
        fresh = list(rows)
        if not self._rows or not fresh or len(fresh) + len(self._rows) > 4000:
            self.beginResetModel()
            self._rows = fresh
            self.endResetModel()
            return
        matcher = SequenceMatcher(None, [r.key for r in self._rows], [r.key for r in fresh], autojunk=False)
        for what, a, b, c, d in reversed(matcher.get_opcodes()):
            if what in ("delete", "replace"):
                self.beginRemoveRows(_NOWHERE, a, b - 1)
                del self._rows[a:b]
                self.endRemoveRows()
            if what in ("insert", "replace"):
                self.beginInsertRows(_NOWHERE, a, a + d - c - 1)
                self._rows[a:a] = fresh[c:d]
                self.endInsertRows()
        for place, row in enumerate(fresh):
            if self._rows[place] != row:
                self._rows[place] = row
                self.dataChanged.emit(self.index(place), self.index(place))

    def append(self, rows: Sequence[Row]) -> None:
        """Add the next page."""
        if rows:
            self.beginInsertRows(_NOWHERE, len(self._rows), len(self._rows) + len(rows) - 1)
            self._rows.extend(rows)
            self.endInsertRows()

    def row(self, index: AnyIndex) -> Row | None:
        """The row there; None past the end."""
        return self._rows[index.row()] if index.isValid() and index.row() < len(self._rows) else None

    def place_of(self, key: tuple[str, Any]) -> int | None:
        """Where the row with this key stands."""
        return next((i for i, row in enumerate(self._rows) if row.key == key), None)

    def place_of_event(self, id_: int) -> int | None:
        """Where the row stands that tells of this event, alone or among others."""
        return next(
            (i for i, row in enumerate(self._rows) if row.key == ("event", id_) or id_ in row.members), None
        )

    def rowCount(self, parent: AnyIndex = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = self.row(index)
        if row is None:
            return None
        if role == ROW_ROLE:
            return row
        if role == Qt.ItemDataRole.DisplayRole:
            return row.title
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return row.spoken
        return None

    def flags(self, index: AnyIndex) -> Qt.ItemFlag:
        row = self.row(index)
        if row is None or not row.selectable:
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren

    def canFetchMore(self, parent: AnyIndex) -> bool:
        return self.more and not parent.isValid()

    def fetchMore(self, parent: AnyIndex) -> None:
        self.more = False
        self.more_wanted.emit()
