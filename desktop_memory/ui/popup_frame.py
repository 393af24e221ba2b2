"""The popup's frame: a card over everything, in no task bar, with the one soft shadow, gone without the focus."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, Qt, QTimer
from PySide6.QtGui import QCursor, QGuiApplication, QHideEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QApplication, QWidget

from desktop_memory.ui.icons import pixmap
from desktop_memory.ui.motion import Fade
from desktop_memory.ui.shadow import shadow
from desktop_memory.ui.theme import Theme
from desktop_memory.ui.x11 import keep_out_of_taskbars

WIDTH = 720
MARGIN = 44
RADIUS = 12
LOST_MS = 120
_UPPER_THIRD = 0.18


class PopupFrame(QWidget):
    """Comes up on the screen with the pointer, in its upper third; its top stays while its height changes."""

    def __init__(self, theme: Theme, title: str, *, composited: bool) -> None:
        super().__init__(
            None,
            Qt.WindowType.Tool | Qt.WindowType.FramelessWindowHint | Qt.WindowType.WindowStaysOnTopHint
            | Qt.WindowType.NoDropShadowWindowHint,
        )  # fmt: skip
        self._theme = theme
        self._margin = theme.px(MARGIN) if composited else 0
        self.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground, composited)
        self.setWindowTitle(title)
        self.fade = Fade(self)
        self._losing = QTimer(self, singleShot=True, interval=LOST_MS)
        self._losing.timeout.connect(self._lost)
        theme.follow(self, self.update)

    def come_up(self) -> None:
        """Show it over everything, with the keyboard."""
        screen = QGuiApplication.screenAt(QCursor.pos()) or QGuiApplication.primaryScreen()
        room = screen.availableGeometry()
        x = room.left() + (room.width() - self.width()) // 2
        self.move(x, room.top() + round(room.height() * _UPPER_THIRD) - self._margin)
        keep_out_of_taskbars(self)
        if not self.isVisible():
            self.fade.begin()
        self.show()
        self.raise_()
        self.activateWindow()

    def hideEvent(self, event: QHideEvent) -> None:
        # The focus that goes with it must not count when it is shown again at once.
        self._losing.stop()
        super().hideEvent(event)

    def room(self) -> int:
        """How high the card may be: 60 % of the screen."""
        return round((self.screen() or QGuiApplication.primaryScreen()).availableGeometry().height() * 0.6)

    def become(self, height: int) -> None:
        """Be a card of this height."""
        wide = (self.screen() or QGuiApplication.primaryScreen()).availableGeometry().width()
        width = min(max(WIDTH, self._theme.px(WIDTH)), wide - 16)
        self.setFixedSize(width + 2 * self._margin, height + 2 * self._margin)

    def event(self, event: QEvent) -> bool:
        # A keyboard that comes or goes, or an input method, takes the focus for a moment and gives it back.
        if event.type() == QEvent.Type.WindowDeactivate and self.isVisible():
            self._losing.start()
        elif event.type() == QEvent.Type.WindowActivate:
            self._losing.stop()
        return super().event(event)

    def _lost(self) -> None:
        if not self.isActiveWindow() and QApplication.activePopupWidget() is None:
            self.hide()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, margin, px = self._theme, self._margin, self._theme.px
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        card = QRectF(self.rect()).adjusted(margin, margin, -margin, -margin)
        if margin:
            dark = 0.6 if theme.palette.dark else 0.3
            soft = shadow(
                round(card.width()), round(card.height()), margin, RADIUS, dark, self.devicePixelRatioF()
            )
            painter.drawImage(QRectF(0, px(8), self.width(), self.height()), soft)
        painter.setPen(QPen(theme["line"], 1))
        painter.setBrush(theme["surface"])
        radius = RADIUS if margin else 0
        painter.drawRoundedRect(card.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)
        size = px(18)
        lens = pixmap("search", theme["muted"], size, self.devicePixelRatioF())
        painter.drawPixmap(round(card.left()) + px(17), round(card.top()) + px(28) - size // 2 + 1, lens)
