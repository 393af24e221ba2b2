"""A strip that says a notice where the person is looking, and goes by itself when it needs no answer."""

from __future__ import annotations

from PySide6.QtCore import QTimer
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from desktop_memory.ui.deeds import Deeds
from desktop_memory.ui.icons import pixmap
from desktop_memory.ui.notices import Notice
from desktop_memory.ui.parts import icon_button, label
from desktop_memory.ui.theme import Theme
from desktop_memory.ui.words import tr

STAYS_MS = 5000


class NoticeStrip(QWidget):
    """Good news stays five seconds; a warning or an error stays until it is closed or followed by another."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._notice = Notice("")
        self._text = label(theme, px=13, weight=500)
        self._advice = label(theme, px=13, token="muted")
        for part in (self._text, self._advice):
            part.setWordWrap(True)
        self.deeds = Deeds(theme)
        self.deeds.done.connect(self.hide)
        px = theme.px
        texts = QVBoxLayout()
        texts.setSpacing(2)
        texts.addWidget(self._text)
        texts.addWidget(self._advice)
        row = QHBoxLayout(self)
        row.setContentsMargins(px(48), px(8), px(12), px(8))
        row.addLayout(texts, 1)
        row.addWidget(self.deeds)
        row.addWidget(icon_button(theme, "x", tr("Close this message"), self.hide, look="quiet"))
        self._timer = QTimer(self, singleShot=True, interval=STAYS_MS)
        self._timer.timeout.connect(self.hide)
        theme.follow(self, self.update)
        self.hide()

    @property
    def notice(self) -> Notice:
        return self._notice

    def show_notice(self, notice: Notice) -> None:
        self._notice = notice
        self._text.setText(notice.text)
        self._advice.setText(notice.advice)
        self._advice.setVisible(bool(notice.advice))
        self.deeds.show_deeds(notice.deeds)
        self.setAccessibleName(f"{notice.text} {notice.advice}".strip())
        self.show()
        self.update()
        self._timer.stop()
        if notice.tone == "ok" and not notice.deeds:
            self._timer.start()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme["raised"])
        painter.fillRect(0, 0, self.width(), 1, self._theme["line"])
        tone = self._notice.tone
        name = "check" if tone == "ok" else "alert-triangle"
        size = self._theme.px(18)
        drawn = pixmap(name, self._theme[tone], size, self.devicePixelRatioF())
        painter.drawPixmap(self._theme.px(16), (self.height() - size) // 2, drawn)
