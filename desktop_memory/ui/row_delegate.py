"""Paints the rows of a list: in a search (time at the right) or in a log (time first)."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any, Literal

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen, QTextLayout
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from desktop_memory.ui.icons import pixmap
from desktop_memory.ui.models import ROW_ROLE
from desktop_memory.ui.row_text import fitted, natural_width, top_left
from desktop_memory.ui.rows import Row
from desktop_memory.ui.theme import Theme
from desktop_memory.ui.words import widest_time

Form = Literal["search", "log"]
AnyIndex = QModelIndex | QPersistentModelIndex
_HEIGHTS = {
    "search": {"header": 32, "event": 44, "entry": 56, "quiet": 36},
    "log": {"header": 36, "event": 36, "entry": 56, "quiet": 36},
}
_REMEMBERED_LINES = 600


class RowDelegate(QStyledItemDelegate):
    """Knows the measures of the drawings; remembers the lines it has laid out."""

    def __init__(self, theme: Theme, form: Form, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._form = form
        self._lines: OrderedDict[Any, QTextLayout] = OrderedDict()
        theme.follow(self, self._restyle)

    def _restyle(self) -> None:
        theme = self._theme
        self._lines.clear()
        self._body = theme.font()
        self._strong = theme.font(weight=600)
        self._small = theme.font(12)
        self._small_strong = theme.font(12, 600)
        self._time_width = QFontMetricsF(self._small).horizontalAdvance(widest_time())

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        row: Row | None = index.data(ROW_ROLE)
        height = _HEIGHTS[self._form][row.style if row else "event"]
        return QSize(120, self._theme.px(height))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        row: Row | None = index.data(ROW_ROLE)
        if row is None:
            return
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rect = QRectF(option.rect)
        state = option.state
        self._background(painter, rect, row, state)
        if row.style == "header":
            self._header(painter, rect, row)
        else:
            self._line(painter, rect, row)
        painter.restore()

    def _background(self, painter: QPainter, rect: QRectF, row: Row, state: QStyle.StateFlag) -> None:
        if not row.selectable:
            return
        if state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, self._theme["selection"])
            if state & QStyle.StateFlag.State_HasFocus and self._form == "log":
                painter.fillRect(QRectF(rect.left(), rect.top(), 2, rect.height()), self._theme["accent"])
        elif state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(rect, self._theme["raised"])

    def _header(self, painter: QPainter, rect: QRectF, row: Row) -> None:
        px = self._theme.px
        middle = rect.bottom() - px(12 if self._form == "search" else 16)
        width = rect.width() - 2 * px(16)
        painter.setPen(self._theme["muted"])
        line = self._laid(row, row.title, self._small_strong, width)
        line.draw(painter, top_left(line, rect.left() + px(16), middle))

    def _line(self, painter: QPainter, rect: QRectF, row: Row) -> None:
        """Icon and texts between what stands at the left and what stands at the right."""
        px, middle = self._theme.px, rect.center().y()
        left, right = rect.left() + px(16), rect.right() - px(16)
        if self._form == "log":
            box = QRectF(left, rect.top(), self._time_width + 2, rect.height())
            self._text(painter, box, row.time, self._small, "muted")
            left += max(px(56), self._time_width + px(16))
        else:
            right = self._right_end(painter, rect, row, right)
        if row.icon:
            self._icon(painter, row, left, middle)
        left += px(33)
        if row.chip:
            most = min(px(160), (right - left) * 0.42)
            right = self._chip(painter, row.chip, right, middle, most) - px(12)
        if row.style == "entry":
            self._two_lines(painter, row, left, right, rect)
        else:
            self._title(painter, row, left, right, middle)

    def _right_end(self, painter: QPainter, rect: QRectF, row: Row, right: float) -> float:
        px = self._theme.px
        if row.key_cap:
            return self._key_cap(painter, row.key_cap, right, rect.center().y()) - px(12)
        if row.style == "event" and row.time:
            box = QRectF(right - self._time_width, rect.top(), self._time_width, rect.height())
            self._text(painter, box, row.time, self._small, "muted", right=True)
            return box.left() - px(30)
        if row.time:
            width = QFontMetricsF(self._small).horizontalAdvance(row.time)
            box = QRectF(right - width, rect.top(), width, rect.height())
            self._text(painter, box, row.time, self._small, "muted", right=True)
            return box.left() - px(16)
        return right

    def _icon(self, painter: QPainter, row: Row, left: float, middle: float) -> None:
        size = self._theme.px(18)
        ratio = painter.device().devicePixelRatioF()
        painter.drawPixmap(
            QPointF(left, middle - size / 2), pixmap(row.icon, self._theme[row.tint], size, ratio)
        )

    def _title(self, painter: QPainter, row: Row, left: float, right: float, middle: float) -> None:
        metrics = QFontMetricsF(self._small)
        tails = [(text, token, metrics.horizontalAdvance(text)) for text, token in row.tail]
        gap = self._theme.px(4)
        room = right - left - sum(width + gap for _, _, width in tails)
        if room < self._theme.px(60):
            tails, room = [], right - left
        font = self._strong if row.strong else self._body
        painter.setPen(self._theme["muted" if row.style == "quiet" else "text"])
        line = self._laid(row, row.title, font, room, spots=row.marks, middle=row.path)
        line.draw(painter, top_left(line, left, middle))
        x = left + natural_width(line) + gap
        for text, token, width in tails:
            box = QRectF(x, middle - 20, width + 1, 41)
            self._text(painter, box, text, self._small, token)
            x += width + gap

    def _two_lines(self, painter: QPainter, row: Row, left: float, right: float, rect: QRectF) -> None:
        px, middle = self._theme.px, rect.center().y()
        painter.setPen(self._theme["text"])
        font = self._strong if row.strong else self._body
        first = self._laid(row, row.title, font, right - left, spots=row.marks, middle=row.path)
        first.draw(painter, top_left(first, left, middle - px(9)))
        painter.setPen(self._theme["muted"])
        second = self._laid(row, row.second, self._small, right - left)
        second.draw(painter, top_left(second, left, middle + px(10)))

    def _chip(self, painter: QPainter, text: str, right: float, middle: float, most: float) -> float:
        px = self._theme.px
        metrics = QFontMetricsF(self._small)
        text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, most)
        width, height = metrics.horizontalAdvance(text) + 2 * px(8), px(20)
        box = QRectF(right - width, middle - height / 2, width, height)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme["raised"])
        painter.drawRoundedRect(box, height / 2, height / 2)
        self._text(painter, box, text, self._small, "muted", centred=True)
        return box.left()

    def _key_cap(self, painter: QPainter, name: str, right: float, middle: float) -> float:
        px = self._theme.px
        box = QRectF(right - px(22), middle - px(9), px(22), px(18))
        painter.setPen(QPen(self._theme["line"], 1))
        painter.setBrush(self._theme["surface"])
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        size = px(12)
        ratio = painter.device().devicePixelRatioF()
        spot = QPointF(box.center().x() - size / 2, middle - size / 2)
        painter.drawPixmap(spot, pixmap(name, self._theme["muted"], size, ratio))
        return box.left()

    def _text(
        self,
        painter: QPainter,
        box: QRectF,
        text: str,
        font: QFont,
        token: str,
        *,
        right: bool = False,
        centred: bool = False,
    ) -> None:
        side = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
        if centred:
            side = Qt.AlignmentFlag.AlignHCenter
        painter.setFont(font)
        painter.setPen(self._theme[token])
        painter.drawText(box, int(side | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine), text)

    def _laid(
        self, row: Row, text: str, font: QFont, width: float, *, spots: Any = (), middle: bool = False
    ) -> QTextLayout:
        key = (text, font.pixelSize(), font.weight(), round(width), spots, middle)
        if (known := self._lines.get(key)) is not None:
            self._lines.move_to_end(key)
            return known
        made = fitted(text, font, width, spots=spots, mark=self._accent(), middle=middle)
        self._lines[key] = made
        if len(self._lines) > _REMEMBERED_LINES:
            self._lines.popitem(last=False)
        return made

    def _accent(self) -> QColor:
        return self._theme["accent"]
