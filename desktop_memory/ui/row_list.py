"""The list that all screens share: rows, keys, tooltips, a pill for what arrived above."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QItemSelectionModel, QModelIndex, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QFocusEvent, QHelpEvent, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QPushButton,
    QStyleOptionViewItem,
    QToolTip,
    QWidget,
)

from desktop_memory.ui.as_written import as_written
from desktop_memory.ui.models import RowModel
from desktop_memory.ui.row_delegate import Form, RowDelegate
from desktop_memory.ui.rows import Row
from desktop_memory.ui.theme import Theme
from desktop_memory.ui.words import tr

LEAST = 96
"""Of the drawings' pixels: lower, nothing can be read in it."""


class RowList(QListView):
    """`opened` follows Enter or a double click, `picked` each change of the selection.

    When rows arrive above and the list is scrolled away from its top, what is visible stays where it is
    and a pill tells how many are new.
    """

    opened = Signal(object)
    picked = Signal(object)
    copy_wanted = Signal(object)
    context_wanted = Signal(object)
    timeline_wanted = Signal(object)
    connections_wanted = Signal(object)
    forget_wanted = Signal(object)
    menu_wanted = Signal(object, QPoint)

    def __init__(self, theme: Theme, form: Form, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.rows = RowModel(self)
        self.setModel(self.rows)
        self.setItemDelegate(RowDelegate(theme, form, self))
        self.setAccessibleName(name)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setMouseTracking(True)
        self.setUniformItemSizes(False)
        self.verticalScrollBar().setSingleStep(theme.px(36))
        self.doubleClicked.connect(self._open)
        self._pill = QPushButton(self.viewport())
        self._pill.setProperty("look", "primary")
        self._pill.hide()
        self._pill.clicked.connect(self._to_top)
        self.verticalScrollBar().valueChanged.connect(self._scrolled)
        self._fresh = 0
        if form == "log":
            self.setViewportMargins(0, theme.px(6), 0, theme.px(6))
        theme.follow(self, self.scheduleDelayedItemsLayout)

    def show_rows(self, rows: Sequence[Row]) -> None:
        """Become these rows, keeping selection and what is in view."""
        anchor = self._first_in_view()
        before = {row.key for row in self.rows.rows}
        scrolled = self.verticalScrollBar().value() > 0
        self.rows.show(rows)
        if anchor is None or not scrolled:
            return
        key, offset = anchor
        place = self.rows.place_of(key)
        if place is None:
            return
        self.executeDelayedItemsLayout()
        bar = self.verticalScrollBar()
        bar.setValue(bar.value() + self.visualRect(self.rows.index(place)).top() - offset)
        self._announce(sum(1 for row in rows[:place] if row.selectable and row.key not in before))

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self._theme.px(LEAST))

    def minimumSizeHint(self) -> QSize:
        return QSize(super().minimumSizeHint().width(), self._theme.px(LEAST))

    def selected(self) -> list[Row]:
        """The selected rows, from top to bottom."""
        places = sorted(index.row() for index in self.selectedIndexes())
        return [self.rows.rows[p] for p in places if p < len(self.rows.rows) and self.rows.rows[p].selectable]

    def current(self) -> Row | None:
        return self.rows.row(self.currentIndex())

    def height_within(self, most: int) -> int:
        """The height of as many whole rows as fit, without a header as the last of them."""
        height = kept = 0
        for place, row in enumerate(self.rows.rows):
            height += self.itemDelegate().sizeHint(QStyleOptionViewItem(), self.rows.index(place)).height()
            if height > most:
                return kept
            if row.style != "header":
                kept = height
        return kept

    def choose(self, place: int | None) -> None:
        """Select the row at this place alone; None selects nothing."""
        flags = QItemSelectionModel.SelectionFlag.ClearAndSelect
        if place is None:
            self.clearSelection()
            self.setCurrentIndex(QModelIndex())
        else:
            self.selectionModel().setCurrentIndex(self.rows.index(place), flags)

    def step(self, by: int) -> None:
        """Move the selection over that many rows that can be selected; stops at the ends."""
        places = [i for i, row in enumerate(self.rows.rows) if row.selectable]
        if not places:
            return
        here = self.currentIndex().row()
        at = places.index(here) if here in places else (-1 if by > 0 else len(places))
        self.choose(places[min(max(at + by, 0), len(places) - 1)])
        self.scrollTo(self.currentIndex())
        if self.currentIndex().row() == places[0]:
            self.scrollToTop()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if not self.currentIndex().isValid():
            self.step(1)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        plain = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier == Qt.KeyboardModifier.NoModifier
        steps = {
            Qt.Key.Key_Down: 1,
            Qt.Key.Key_Up: -1,
            Qt.Key.Key_PageDown: self._page(),
            Qt.Key.Key_PageUp: -self._page(),
            Qt.Key.Key_Home: -len(self.rows.rows),
            Qt.Key.Key_End: len(self.rows.rows),
        }
        key = Qt.Key(event.key())
        if plain and key in steps:
            self.step(steps[key])
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and plain:
            self._open(self.currentIndex())
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_L) and _control(event):
            if row := self.current():
                (self.connections_wanted if key == Qt.Key.Key_L else self.timeline_wanted).emit(row)
        elif key == Qt.Key.Key_C and event.modifiers() == (
            Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
        ):
            if row := self.current():
                self.context_wanted.emit(row)
        elif key == Qt.Key.Key_Delete and plain and self.selected():
            self.forget_wanted.emit(self.selected())
        elif event.matches(QKeySequence.StandardKey.Copy):
            self.copy_wanted.emit(self.selected())
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if not (rows := self.selected()):
            return
        place = event.globalPos()
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            place = self.viewport().mapToGlobal(self.visualRect(self.currentIndex()).center())
        self.menu_wanted.emit(rows, place)

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip:
            assert isinstance(event, QHelpEvent)
            row = self.rows.row(self.indexAt(event.pos()))
            QToolTip.showText(event.globalPos(), as_written(row.tooltip) if row else "", self)
            return True
        return super().viewportEvent(event)

    def selectionChanged(self, selected: object, deselected: object) -> None:
        super().selectionChanged(selected, deselected)  # type: ignore[arg-type]
        self.picked.emit(self.selected())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_pill()

    def _open(self, index: QModelIndex) -> None:
        row = self.rows.row(index)
        if row is not None and row.selectable:
            self.opened.emit(row)

    def _page(self) -> int:
        return max(1, self.viewport().height() // self._theme.px(40) - 1)

    def _first_in_view(self) -> tuple[tuple[str, object], int] | None:
        for place in range(self.indexAt(QPoint(4, 4)).row(), len(self.rows.rows)):
            if place >= 0 and self.rows.rows[place].selectable:
                return self.rows.rows[place].key, self.visualRect(self.rows.index(place)).top()
        return None

    def _announce(self, fresh: int) -> None:
        self._fresh += fresh
        if self._fresh:
            self._pill.setText(tr("{count} new").format(count=self._fresh))
            self._pill.adjustSize()
            self._place_pill()
            self._pill.show()

    def _place_pill(self) -> None:
        size = self._pill.sizeHint()
        left = (self.viewport().width() - size.width()) // 2
        self._pill.setGeometry(QRect(QPoint(left, 8), size))

    def _scrolled(self, value: int) -> None:
        if value == 0:
            self._fresh = 0
            self._pill.hide()

    def _to_top(self) -> None:
        self.scrollToTop()


def _control(event: QKeyEvent) -> bool:
    return event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier == Qt.KeyboardModifier.ControlModifier
