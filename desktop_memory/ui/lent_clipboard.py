"""The app's clipboard for commands: asked from another thread, set on Qt's."""

from __future__ import annotations

import logging
from concurrent.futures import Future

from PySide6.QtCore import QObject, Qt, Signal, Slot

from desktop_memory.errors import KnownError
from desktop_memory.ui import clipboard

logger = logging.getLogger(__name__)

_PATIENCE_SECONDS = 3.0


class LentClipboard(QObject):
    """What a command copies stays for as long as the app runs, also where no clipboard program is installed."""

    lent = Signal(str)
    """Follows each text that a command put there."""
    _wanted = Signal(str, object)

    def __init__(self) -> None:
        super().__init__()
        self._wanted.connect(self._put, Qt.ConnectionType.QueuedConnection)

    def put(self, text: str) -> bool:
        """Whether the clipboard holds the text now; False lets the command try by itself. From any thread."""
        done: Future[bool] = Future()
        self._wanted.emit(text, done)
        try:
            return done.result(timeout=_PATIENCE_SECONDS)
        except TimeoutError:
            logger.warning("the clipboard was not set in time")
            return False

    @Slot(str, object)
    def _put(self, text: str, done: Future[bool]) -> None:
        try:
            clipboard.put(text)
        except KnownError:
            done.set_result(False)
        else:
            done.set_result(True)
            self.lent.emit(text)
