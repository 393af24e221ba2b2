"""Encrypts or decrypts the memory, or puts a backup in its place, while no screen is open; tells how far it is."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QProgressBar

from desktop_memory import encryption
from desktop_memory.clock import clock
from desktop_memory.encryption import Plan
from desktop_memory.transfer.restore import restore
from desktop_memory.ui.parts import button
from desktop_memory.ui.start_window import StartWindow
from desktop_memory.ui.theme import Theme
from desktop_memory.ui.words import tr


class EncryptingWindow(StartWindow):
    """`error` is what stopped it, None when it is done. Closing the window cancels, and waits for the way back."""

    _told = Signal(float)
    _ended = Signal()

    def __init__(
        self, work: Callable[[encryption.Told], None], heading: str, theme: Theme, icon: str = "shield-lock"
    ) -> None:
        super().__init__(theme, icon, heading)
        self.error: Exception | None = None
        self._work = work
        self._enough = threading.Event()
        self._done = False
        self.add_text(
            tr("Nothing is recorded meanwhile. It is compared before anything is replaced."), "muted"
        )
        self.bar = QProgressBar()
        self.bar.setRange(0, 100)
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName(heading)
        self.inside.addWidget(self.bar)
        self.cancel = button(theme, tr("Cancel"), self.close, look="quiet")
        self.buttons.addWidget(self.cancel)
        self._told.connect(self._show, Qt.ConnectionType.QueuedConnection)
        self._ended.connect(self._finish, Qt.ConnectionType.QueuedConnection)
        self._thread = threading.Thread(target=self._run, name="encrypting", daemon=True)

    def stay(self) -> None:
        self._thread.start()
        super().stay()
        self._thread.join()

    def closeEvent(self, event: QCloseEvent) -> None:
        if self._done:
            super().closeEvent(event)
            return
        self._enough.set()
        self.cancel.setEnabled(False)
        event.ignore()

    def _run(self) -> None:
        try:
            self._work(self._tell)
        except Exception as error:  # the top of this thread: said by the screens that open next
            self.error = error
        self._ended.emit()

    def _tell(self, share: float) -> bool:
        self._told.emit(share)
        return self._enough.is_set()

    def _show(self, share: float) -> None:
        self.bar.setValue(int(share * 100))

    def _finish(self) -> None:
        self._done = True
        self.close()


def switch(folder: Path, planned: Plan | None, theme: Theme) -> tuple[str, Exception | None]:
    """Encrypt by this plan, or decrypt; what to say when it worked, and what stopped it."""
    if planned is None:
        window = EncryptingWindow(
            lambda told: encryption.turn_off(folder, told), tr("The memory is being decrypted"), theme
        )
        done = tr("The memory is no longer encrypted.")
    else:
        plan = planned
        window = EncryptingWindow(
            lambda told: encryption.turn_on(folder, plan, told), tr("The memory is being encrypted"), theme
        )
        done = tr("The memory is encrypted.")
    window.stay()
    if planned is not None and window.error is not None and not encryption.state(folder).encrypted:
        encryption.drop(planned)
    return done, window.error


def go_back(folder: Path, file: Path, theme: Theme) -> tuple[str, Exception | None]:
    """Put this backup in the memory's place; what to say when it worked, and what stopped it."""
    aside: list[Path] = []

    def work(told: encryption.Told) -> None:
        _, kept = restore(folder, file, clock().astimezone(), lambda _what, share: told(share), replace=True)
        aside.extend(filter(None, (kept,)))

    window = EncryptingWindow(work, tr("The backup is being put back"), theme, "refresh")
    window.stay()
    kept = ", ".join(str(path) for path in aside)
    return tr("The backup is in place. What was there before is in {folder}.").format(
        folder=kept
    ), window.error
