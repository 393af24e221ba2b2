"""Python's garbage is collected on Qt's thread alone: a widget that goes on another thread ends the process."""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer

_LOOK_MS = 5_000
_ENOUGH = 2_000
_DEEP_AFTER = 24


class Garbage(QObject):
    """Switches the automatic collection off, and collects here now and then, when there is something."""

    def __init__(self) -> None:
        super().__init__()
        gc.disable()
        gc.freeze()  # what is loaded by now stays; looking at it again and again would cost a frame
        self._collected = 0
        self._timer = QTimer(self)
        self._timer.setInterval(_LOOK_MS)
        self._timer.timeout.connect(self._look)
        self._timer.start()

    def close(self) -> None:
        """Let Python collect by itself again."""
        self._timer.stop()
        gc.enable()

    def _look(self) -> None:
        if gc.get_count()[0] < _ENOUGH:
            return
        self._collected += 1
        gc.collect(2 if self._collected % _DEEP_AFTER == 0 else 1)
