"""Plain callbacks from other threads, turned into Qt signals on the window's thread."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot

SETTLE_MS = 250


class Bridge(QObject):
    """`changed` follows `notify` within a quarter of a second, once for a burst of them.

    `search_wanted`, `window_wanted`, `copy_wanted` and `quit_wanted` follow their methods at once.
    The plain methods may be called from any thread; the signals come on Qt's.
    """

    changed = Signal()
    search_wanted = Signal()
    window_wanted = Signal()
    copy_wanted = Signal()
    quit_wanted = Signal()
    _noticed = Signal()
    _asked = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._timer = QTimer(self, singleShot=True, interval=SETTLE_MS)
        self._timer.timeout.connect(self.changed)
        self._noticed.connect(self._settle, Qt.ConnectionType.QueuedConnection)
        self._asked.connect(self._pass_on, Qt.ConnectionType.QueuedConnection)

    def notify(self) -> None:
        """Something in the memory is new or gone."""
        self._noticed.emit()

    def search(self) -> None:
        """The hotkey, `popup` or a second start asked for the search."""
        self._asked.emit("search")

    def window(self) -> None:
        """A second start asked for the window."""
        self._asked.emit("window")

    def copy(self) -> None:
        """Copy the last 15 minutes without opening anything."""
        self._asked.emit("copy")

    def quit(self) -> None:
        """The app is asked to end."""
        self._asked.emit("quit")

    @Slot(str)
    def _pass_on(self, what: str) -> None:
        wanted = {
            "search": self.search_wanted,
            "window": self.window_wanted,
            "copy": self.copy_wanted,
            "quit": self.quit_wanted,
        }
        wanted[what].emit()

    @Slot()
    def _settle(self) -> None:
        if not self._timer.isActive():
            self._timer.start()
