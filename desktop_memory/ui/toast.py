"""A message in the corner of the screen, for what happened while no window of ours was open. It takes no keyboard."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, Qt, QTimer
from PySide6.QtGui import QCursor, QEnterEvent, QGuiApplication, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from desktop_memory.ui.deeds import Deeds
from desktop_memory.ui.icons import pixmap
from desktop_memory.ui.motion import Fade
from desktop_memory.ui.notices import Notice
from desktop_memory.ui.parts import icon_button, label
from desktop_memory.ui.theme import Theme
from desktop_memory.ui.words import tr
from desktop_memory.ui.x11 import keep_out_of_taskbars

STAYS_MS = 6_000
STAYS_WITH_BUTTONS_MS = 12_000
WIDTH, MARGIN, RADIUS = 420, 24, 10


class Toast(QWidget):
    """Stays some seconds, longer where it can be answered, and as long as the pointer is on it."""

    def __init__(self, theme: Theme, *, composited: bool = True) -> None:
        super().__init__(
            None,
            Qt.WindowType.Tool | Qt.WindowType.FramelessWindowHint | Qt.WindowType.WindowStaysOnTopHint
            | Qt.WindowType.WindowDoesNotAcceptFocus | Qt.WindowType.NoDropShadowWindowHint,
        )  # fmt: skip
        self._theme = theme
        self._composited = composited
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground, composited)
        self.setWindowTitle("Desktop Memory")
        self.fade = Fade(self)
        self.notice = Notice("")
        self._text = label(theme, px=14, weight=500)
        self._advice = label(theme, px=12, token="muted")
        for part in (self._text, self._advice):
            part.setWordWrap(True)
        self.deeds = Deeds(theme)
        self.deeds.done.connect(self.hide)
        self._lay_out()
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self.hide)
        theme.follow(self, self.update)

    def _lay_out(self) -> None:
        px = self._theme.px
        texts = QHBoxLayout()
        texts.setSpacing(px(8))
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(self._text)
        words.addWidget(self._advice)
        texts.addLayout(words, 1)
        close = icon_button(self._theme, "x", tr("Close this message"), self.hide, look="quiet")
        close.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        texts.addWidget(close, 0, Qt.AlignmentFlag.AlignTop)
        buttons = QHBoxLayout()
        buttons.addWidget(self.deeds)
        buttons.addStretch()
        self._column = column = QVBoxLayout(self)
        column.setContentsMargins(px(44), px(12), px(12), px(14))
        column.setSpacing(px(10))
        column.addLayout(texts)
        column.addLayout(buttons)

    def say(self, notice: Notice) -> None:
        """Show this notice in place of the one before."""
        self.notice = notice
        self._text.setText(notice.text)
        self._advice.setText(notice.advice)
        self._advice.setVisible(bool(notice.advice))
        self.deeds.show_deeds(notice.deeds)
        self.setAccessibleName(f"{notice.text} {notice.advice}".strip())
        self._place()
        keep_out_of_taskbars(self)
        if not self.isVisible():
            self.fade.begin()
        self.show()
        self.raise_()
        self.update()
        self._timer.start(STAYS_WITH_BUTTONS_MS if notice.deeds else STAYS_MS)

    def _place(self) -> None:
        screen = QGuiApplication.screenAt(QCursor.pos()) or QGuiApplication.primaryScreen()
        room, margin = screen.availableGeometry(), self._theme.px(MARGIN)
        for part in self.deeds.buttons:
            part.ensurePolished()
        buttons = self.deeds.sizeHint().width() + self._theme.px(60) if self.deeds.buttons else 0
        width = min(max(self._theme.px(WIDTH), buttons), room.width() - 2 * margin)
        self.setFixedWidth(width)
        self._column.activate()  # a layout within it would still count the buttons of the notice before
        height = self._column.totalHeightForWidth(width)
        self.setFixedHeight(height)
        self.move(room.right() - margin - width, room.bottom() - margin - height)

    def enterEvent(self, event: QEnterEvent) -> None:
        self._timer.stop()
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self._timer.start(STAYS_MS)
        super().leaveEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, px = self._theme, self._theme.px
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme["line"], 1))
        painter.setBrush(theme["surface"])
        radius = RADIUS if self._composited else 0
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)
        tone = self.notice.tone
        size = px(18)
        drawn = pixmap(
            "check" if tone == "ok" else "alert-triangle", theme[tone], size, self.devicePixelRatioF()
        )
        painter.drawPixmap(px(14), px(17), drawn)
