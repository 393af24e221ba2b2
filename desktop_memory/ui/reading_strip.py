"""Which history is being read, how far, and a button that stops it: the first import takes its time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import Any

from PySide6.QtCore import QTimer
from PySide6.QtGui import QHideEvent, QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QWidget

from desktop_memory.ui.desk import Desk
from desktop_memory.ui.icons import pixmap
from desktop_memory.ui.parts import Elided, button
from desktop_memory.ui.rows import clean
from desktop_memory.ui.source_rows import source_word
from desktop_memory.ui.words import number, tr

LOOK_MS = 700


class ReadingStrip(QWidget):
    """Empty and flat while nothing is read. It looks only while its page is in view."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        px = desk.theme.px
        self._line = QWidget()
        row = QHBoxLayout(self._line)
        row.setContentsMargins(px(48), px(6), px(16), px(6))
        row.setSpacing(px(8))
        self.told = Elided(desk.theme, 13)
        self.stop = button(desk.theme, tr("Stop reading"), self._stop, look="quiet")
        self.bar = QProgressBar(maximum=100, textVisible=False)
        self.bar.setFixedWidth(px(140))
        self.bar.setAccessibleName(tr("How far reading has come"))
        row.addWidget(self.told, 1)
        row.addWidget(self.bar)
        row.addWidget(self.stop)
        column = QHBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._line)
        self._line.hide()
        self._timer = QTimer(self, interval=LOOK_MS)
        self._timer.timeout.connect(self._look)
        desk.theme.follow(self, self.update)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not self._desk.demo:
            self._timer.start()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._timer.stop()

    def _look(self) -> None:
        app = self._desk.app
        self._desk.background.run(
            lambda: app.status().get("reading", ()), self._show, lambda _error: None, owner=self,
            lane=f"reading {id(self)}",
        )  # fmt: skip

    def _show(self, reading: Sequence[Mapping[str, Any]]) -> None:
        self._line.setVisible(bool(reading))
        if not reading:
            return
        first = reading[0]
        name = " · ".join(filter(None, (source_word(first["source"]), PurePath(first["place"]).name)))
        told = tr("Reading {name}: {count} so far").format(name=clean(name), count=number(first["read"]))
        if len(reading) > 1:
            told += " · " + tr("{count} more").format(count=number(len(reading) - 1))
        self.told.setText(told)
        share = first.get("share")
        self.bar.setVisible(share is not None)
        self.bar.setValue(round(100 * (share or 0)))

    def _stop(self) -> None:
        self._line.hide()
        said = tr("Reading has stopped. What was read is kept; Read now goes on.")
        self._desk.background.run(
            self._desk.app.cancel_reading, lambda _: self._desk.notices.say(said), self._desk.notices.failed,
            owner=self,
        )  # fmt: skip

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._line.isHidden():
            return
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._desk.theme["raised"])
        size = self._desk.theme.px(18)
        drawn = pixmap("refresh", self._desk.theme["accent"], size, self.devicePixelRatioF())
        painter.drawPixmap(self._desk.theme.px(18), (self.height() - size) // 2, drawn)
