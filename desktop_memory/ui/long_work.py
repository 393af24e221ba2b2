"""Work that takes long and can be cancelled, one at a time, and the strip that tells how far it is."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QWidget

from desktop_memory.store.whole import Cancelled
from desktop_memory.ui.background import Background
from desktop_memory.ui.notices import Notices
from desktop_memory.ui.parts import Elided, button
from desktop_memory.ui.theme import Theme
from desktop_memory.ui.words import tr

T = TypeVar("T")
Told = Callable[[str, float], bool]
"""Is told what is being done and the share of it, 0 to 1; True cancels."""


class LongWork(QObject):
    """`moved` carries the share done, `ended` follows whatever became of it."""

    began = Signal(str)
    moved = Signal(float)
    ended = Signal()

    def __init__(self, background: Background, notices: Notices) -> None:
        super().__init__()
        self._background, self._notices = background, notices
        self._enough = threading.Event()
        self.doing = ""
        self._cancelled = ""

    def run(
        self, doing: str, task: Callable[[Told], T], then: Callable[[T], object], *, cancelled: str = ""
    ) -> None:
        """Do `task` elsewhere, under this name. While other work goes on it is not begun, and that is said.

        `cancelled` says what became of it then, where that is not nothing.
        """
        if self.doing:
            self._notices.say(tr("Something else is still going on: {doing}").format(doing=self.doing))
            return
        self.doing = doing
        self._cancelled = cancelled or tr("Cancelled. Nothing was changed.")
        self._enough.clear()
        self.began.emit(doing)

        def done(result: T) -> None:
            self._end()
            then(result)

        self._background.run(lambda: task(self._tell), done, self._failed, owner=self)

    def cancel(self) -> None:
        self._enough.set()

    def _tell(self, _what: str, share: float) -> bool:
        self.moved.emit(share)
        return self._enough.is_set()

    def _failed(self, error: Exception) -> None:
        self._end()
        if isinstance(error, Cancelled):
            self._notices.say(self._cancelled)
        else:
            self._notices.failed(error)

    def _end(self) -> None:
        self.doing = ""
        self.ended.emit()


class WorkStrip(QWidget):
    """Flat while nothing goes on."""

    def __init__(self, theme: Theme, work: LongWork) -> None:
        super().__init__()
        px = theme.px
        self.told = Elided(theme, 13)
        self.bar = QProgressBar(maximum=100, textVisible=False)
        self.bar.setFixedWidth(px(140))
        self.stop = button(theme, tr("Cancel"), work.cancel, look="quiet")
        row = QHBoxLayout(self)
        row.setContentsMargins(px(16), px(6), px(12), px(6))
        row.setSpacing(px(8))
        row.addWidget(self.told, 1)
        row.addWidget(self.bar)
        row.addWidget(self.stop)
        work.began.connect(self._begin)
        work.moved.connect(self._move, Qt.ConnectionType.QueuedConnection)
        work.ended.connect(self.hide)
        self.hide()

    def _begin(self, doing: str) -> None:
        self.told.setText(doing)
        self.bar.setAccessibleName(doing)
        self.bar.setValue(0)
        self.show()

    def _move(self, share: float) -> None:
        self.bar.setValue(round(100 * share))
