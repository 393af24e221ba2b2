"""A strip that says notices where the person is looking: news that goes by itself, and what stays to be answered."""

from __future__ import annotations

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QHBoxLayout, QVBoxLayout, QWidget

from desktop_memory.ui.deeds import Deeds
from desktop_memory.ui.icons import pixmap
from desktop_memory.ui.notices import Notice
from desktop_memory.ui.parts import icon_button, label, piled
from desktop_memory.ui.theme import Theme
from desktop_memory.ui.words import number, tr

STAYS_MS = 5000
MOST_BEHIND = 4


class NoticeStrip(QWidget):
    """Two lines at most. Good news stays five seconds; a warning, an error or a question until it is closed.

    One that stays is followed by the next. The one before comes back after it if it has a button, or was not on
    the screen long enough to be read; otherwise the person went on, and it is gone for good.
    """

    let_go = Signal()
    """The part that had the keyboard is gone: it would wander on to whatever comes next."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.notice = Notice("")
        self._behind: list[Notice] = []
        self.lasting, self.news = NoticeLine(theme), NoticeLine(theme)
        self.lasting.closed.connect(self._show_next)
        self.news.closed.connect(self._fold)
        for line in (self.lasting, self.news):
            line.let_go.connect(self.let_go)
        piled(self, self.news, self.lasting)  # so that an Undo does not move as news above it goes
        self.hide()

    @property
    def deeds(self) -> Deeds:
        """The buttons that wait for an answer."""
        return self.lasting.deeds

    def show_notice(self, notice: Notice) -> None:
        self.notice = notice
        self.setAccessibleName(_said(notice))
        self._behind = [other for other in self._behind if not notice.replaces(other)]
        if notice.replaces(self.lasting.notice):
            self.lasting.leave()
        if stays(notice):
            self._put_before(notice)
        else:
            if not self.lasting.can_wait:
                self._show_next()
            self.news.show_notice(notice)
        self.show()

    def take_away(self, text: str) -> None:
        """This one was answered elsewhere."""
        self._behind = [other for other in self._behind if other.text != text]
        if self.lasting.shown and self.lasting.notice.text == text:
            self._show_next()

    def _put_before(self, notice: Notice) -> None:
        if self.lasting.can_wait:
            self._behind = [*self._behind, self.lasting.notice][-MOST_BEHIND:]
        self.lasting.show_notice(notice, len(self._behind))

    def _show_next(self) -> None:
        if self._behind:
            notice = self._behind.pop()
            self.lasting.show_notice(notice, len(self._behind))
        else:
            self.lasting.leave()
        self._fold()

    def _fold(self) -> None:
        self.news.setVisible(self.news.shown)
        self.setVisible(self.lasting.shown or self.news.shown)


class NoticeLine(QWidget):
    """One notice and its buttons. `closed` follows the cross, a button, and for news the end of its time."""

    closed = Signal()
    let_go = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.notice = Notice("")
        self.shown = False
        self.text = label(theme, px=13, weight=500)
        self.advice = label(theme, px=13, token="muted")
        for part in (self.text, self.advice):
            part.setWordWrap(True)
        self.more = label(theme, px=12, token="muted")
        self.deeds = Deeds(theme)
        self.deeds.done.connect(self._close)
        px = theme.px
        texts = QVBoxLayout()
        texts.setSpacing(2)
        texts.addWidget(self.text)
        texts.addWidget(self.advice)
        row = QHBoxLayout(self)
        row.setContentsMargins(px(48), px(8), px(12), px(8))
        row.setSpacing(px(8))
        row.addLayout(texts, 1)
        row.addWidget(self.more)
        row.addWidget(self.deeds)
        self.close_button = icon_button(theme, "x", tr("Close this message"), self._close, look="quiet")
        row.addWidget(self.close_button)
        self._time = QTimer(self, singleShot=True, interval=STAYS_MS)
        self._time.timeout.connect(self._read)
        theme.follow(self, self.update)
        self.hide()

    @property
    def can_wait(self) -> bool:
        """Whether what is shown has not been read yet, or can still be answered."""
        return self.shown and (bool(self.notice.deeds) or self._time.isActive())

    def show_notice(self, notice: Notice, behind: int = 0) -> None:
        self.notice, self.shown = notice, True
        self.text.setText(notice.text)
        self.advice.setText(notice.advice)
        self.advice.setVisible(bool(notice.advice))
        self.deeds.show_deeds(notice.deeds)
        self.more.setText(tr("{count} more").format(count=number(behind)))
        self.more.setVisible(bool(behind))
        self.setAccessibleName(_said(notice))
        self.show()
        self.update()
        self._time.start()

    def leave(self) -> None:
        self.shown = False
        self._time.stop()
        here = QApplication.focusWidget()
        held = here is not None and self.isAncestorOf(here)
        self.hide()
        if held:
            self.let_go.emit()

    def _read(self) -> None:
        if not stays(self.notice):
            self._close()

    def _close(self) -> None:
        self.leave()
        self.closed.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme["raised"])
        painter.fillRect(0, 0, self.width(), 1, self._theme["line"])
        tone = self.notice.tone
        name = "check" if tone == "ok" else "alert-triangle"
        size = self._theme.px(18)
        drawn = pixmap(name, self._theme[tone], size, self.devicePixelRatioF())
        painter.drawPixmap(self._theme.px(16), (self.height() - size) // 2, drawn)


def stays(notice: Notice) -> bool:
    """Whether it waits for the person: to be closed, or to be answered."""
    return notice.tone != "ok" or bool(notice.deeds)


def _said(notice: Notice) -> str:
    return f"{notice.text} {notice.advice}".strip()
