"""The window's left column: its pages, and what the app is doing."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QBoxLayout, QButtonGroup, QSizePolicy, QVBoxLayout, QWidget

from desktop_memory.ui.icons import pixmap
from desktop_memory.ui.parts import Rule, enter_presses, icon_button
from desktop_memory.ui.ringed import Ringed
from desktop_memory.ui.state_line import StateLine
from desktop_memory.ui.theme import Theme
from desktop_memory.ui.words import tr


class NavigationItem(Ringed, QAbstractButton):
    """A page's name and icon."""

    def __init__(self, theme: Theme, name: str, text: str) -> None:
        super().__init__()
        self._theme, self._name = theme, name
        self.narrow = False
        self.setText(text)
        self.setAccessibleName(text)
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        theme.follow(self, self.update)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not enter_presses(self, event):
            super().keyPressEvent(event)

    def sizeHint(self) -> QSize:
        return QSize(self._theme.px(40 if self.narrow else 168), self._theme.px(36))

    def minimumSizeHint(self) -> QSize:
        """Lower on a low screen with large text, where all pages would not fit otherwise."""
        return QSize(self._theme.px(40 if self.narrow else 168), self._theme.px(24))

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, px = self._theme, self._theme.px
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.isChecked() or self.underMouse():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme["selection" if self.isChecked() else "raised"])
            painter.drawRoundedRect(QRectF(self.rect()), 6, 6)
        self.paint_ring(painter, theme["accent"], QRectF(self.rect()), 6)
        size = px(18)
        colour = theme["accent" if self.isChecked() else "muted"]
        drawn = pixmap(self._name, colour, size, self.devicePixelRatioF())
        left = (self.width() - size) // 2 if self.narrow else px(12)
        painter.drawPixmap(left, (self.height() - size) // 2, drawn)
        if self.narrow:
            return
        painter.setFont(theme.font(14, 600 if self.isChecked() else 400))
        painter.setPen(theme["accent" if self.isChecked() else "text"])
        box = self.rect().adjusted(px(40), 0, -px(8), 0)
        text = painter.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, box.width())
        painter.drawText(box, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), text)


def key_of(number: int) -> str:
    """The key that turns to this page."""
    return f"Ctrl+{(number + 1) % 10}" if number < 10 else "Ctrl+,"


class Navigation(QWidget):
    """From page `house` on stands, a little apart, what is set up rather than looked at.

    `chosen` carries the number of the page; `sources_wanted` follows a click on the state line.
    """

    chosen = Signal(int)
    sources_wanted = Signal()
    menu_wanted = Signal(QPoint)

    def __init__(self, theme: Theme, pages: Sequence[tuple[str, str]], house: int = 0) -> None:
        super().__init__()
        self._theme = theme
        self.setFixedWidth(theme.px(184))
        self.setAccessibleName(tr("Pages"))
        self.state = StateLine(theme)
        self.state.clicked.connect(self.sources_wanted)
        self.folded = False
        self._group = QButtonGroup(self, exclusive=True)
        self.items: list[NavigationItem] = []
        px = theme.px
        column = QVBoxLayout(self)
        column.setContentsMargins(0, px(14), 0, 0)
        column.setSpacing(0)
        inner = QVBoxLayout()
        inner.setContentsMargins(px(8), 0, px(8), 0)
        inner.setSpacing(px(4))
        for number, (name, text) in enumerate(pages):
            item = NavigationItem(theme, name, text)
            item.setToolTip(key_of(number))
            if number == house:
                inner.addSpacing(px(12))
            self._group.addButton(item, number)
            self.items.append(item)
            inner.addWidget(item)
        column.addLayout(inner)
        column.addStretch()
        column.addWidget(Rule(theme))
        self._foot = foot = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        foot.setContentsMargins(0, 0, px(8), 0)
        foot.setSpacing(0)
        foot.addWidget(self.state, 1)
        self._menu = icon_button(theme, "dots", tr("Pause, copy and quit"), self._open_menu, look="quiet")
        foot.addWidget(self._menu)
        column.addLayout(foot)
        self._group.idClicked.connect(self.chosen)
        theme.follow(self, self.update)

    def fold(self, narrow: bool) -> None:
        """Only icons, where the window is narrow for its text."""
        if narrow == self.folded:
            return
        self.folded, px = narrow, self._theme.px
        self.setFixedWidth(px(56 if narrow else 184))
        for number, item in enumerate(self.items):
            item.narrow = narrow
            item.setToolTip(f"{item.text()}  {key_of(number)}" if narrow else key_of(number))
            item.updateGeometry()
        way = QBoxLayout.Direction
        self._foot.setDirection(way.TopToBottom if narrow else way.LeftToRight)
        self._foot.setContentsMargins(px(8) if narrow else 0, 0, px(8), px(6) if narrow else 0)
        self._foot.setAlignment(self._menu, Qt.AlignmentFlag.AlignCenter)
        self.state.fold(narrow)

    def _open_menu(self) -> None:
        self.menu_wanted.emit(self._menu.mapToGlobal(self._menu.rect().topLeft()))

    def choose(self, number: int) -> None:
        self.items[number].setChecked(True)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}.get(Qt.Key(event.key()))
        here = next((i for i, item in enumerate(self.items) if item.hasFocus()), None)
        if step is None or here is None:
            super().keyPressEvent(event)
            return
        there = self.items[(here + step) % len(self.items)]
        there.setFocus(Qt.FocusReason.TabFocusReason)
        there.click()

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), self._theme["bg"])
