"""One side of the connections: a heading, records with the reason why they are there, and more on demand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QWidget

from desktop_memory.context.connections import Linked
from desktop_memory.ui.parts import button, label, piled
from desktop_memory.ui.row_list import RowList
from desktop_memory.ui.rows import Row, event_row
from desktop_memory.ui.theme import Theme
from desktop_memory.ui.words import clock_time, day_name, local, tr


class LinkedList(QWidget):
    """`more_wanted` follows the button below the last record."""

    more_wanted = Signal()

    def __init__(self, theme: Theme, heading: str, nothing: str) -> None:
        super().__init__()
        self._theme = theme
        px = theme.px
        self.rows = RowList(theme, "search", heading)
        self._more = button(theme, tr("Show more"), self.more_wanted.emit, look="link")
        self._more.setAccessibleName(f"{heading}: {tr('Show more')}")
        self._nothing = label(theme, nothing, 13, token="muted")
        self._nothing.setWordWrap(True)
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._nothing.setContentsMargins(px(16), px(4), px(16), 0)
        self._stack = QStackedWidget()
        self._stack.addWidget(self.rows)
        self._stack.addWidget(self._nothing)
        head = label(theme, heading, 12, 600, "muted")
        head.setContentsMargins(px(16), px(14), px(16), px(6))
        foot = QHBoxLayout(below := QWidget())
        foot.setContentsMargins(px(12), px(4), px(12), px(6))
        foot.addWidget(self._more)
        foot.addStretch()
        piled(self, head, self._stack, below, tall=self._stack)
        self._more.hide()
        theme.follow(self, self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), self._theme["surface"])

    def show_linked(self, linked: Sequence[Linked], today: date, *, more: bool) -> None:
        self.rows.show_rows([linked_row(one, today) for one in linked])
        self._more.setVisible(more)
        self._stack.setCurrentWidget(self.rows if linked else self._nothing)


def linked_row(linked: Linked, today: date) -> Row:
    """Title above; why it is there and when below."""
    event = linked.event
    row = event_row(event, count=1 if event.kind == "window" else linked.count)
    when = f"{day_name(local(event.start).date(), today)} {clock_time(event.start)}"
    told = [text for text, _ in row.tail]
    return replace(
        row, style="entry", second=" · ".join((why_word(linked.why), when, *told)), chip="", time="", tail=()
    )


def why_word(why: str) -> str:
    return {
        "same file": tr("same file"),
        "same page": tr("same page"),
        "same branch": tr("same branch"),
        "same workspace": tr("same workspace"),
        "same project": tr("same project"),
        "same site": tr("same site"),
        "same app": tr("same app"),
        "just before": tr("just before"),
        "just after": tr("just after"),
        "same session": tr("same session"),
        "of it": tr("belongs to it"),
    }.get(why, why)
