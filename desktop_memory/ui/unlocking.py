"""Asks for the passphrase or the recovery key when the memory is encrypted and its key was not found."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QCheckBox

from desktop_memory.app import App
from desktop_memory.errors import KnownError
from desktop_memory.ui.parts import button, secret_field
from desktop_memory.ui.start_window import StartWindow
from desktop_memory.ui.theme import Theme
from desktop_memory.ui.words import tr
from desktop_memory.vault import system_keyring, unlocking
from desktop_memory.vault.locked import Locked


class UnlockWindow(StartWindow):
    """`opened` once what was typed opens the memory; closing it leaves the memory locked."""

    def __init__(self, locked: Locked, theme: Theme, *, keyring: bool) -> None:
        super().__init__(theme, "shield-lock", tr("The memory is encrypted"))
        self.opened = False
        self._header = locked.header
        self.add_text(locked.problem, "muted")
        self.typed = secret_field(tr("Passphrase or recovery key"))
        self.typed.returnPressed.connect(self._try)
        self.inside.addWidget(self.typed)
        self.told = self.add_text("", "danger")
        self.keep = QCheckBox(tr("Let this computer's keyring open it from now on"))
        self.keep.setChecked(keyring)
        self.keep.setVisible(keyring)
        self.inside.addWidget(self.keep)
        self.buttons.addWidget(button(theme, tr("Close"), self.close, look="quiet"))
        self.buttons.addWidget(button(theme, tr("Open"), self._try, look="primary"))
        self.typed.setFocus()

    def _try(self) -> None:
        try:
            unlocking.unlock(self._header, self.typed.text())
        except KnownError as error:
            self.told.setText(f"{error.problem} {error.advice}")
            self.told.show()
            self.fit()
            self.typed.selectAll()
            self.typed.setFocus()
            return
        self.opened = True
        self.close()


def open_app(folder: Path, theme: Theme) -> App:
    """The app of this folder, its key asked for where that is needed. Raises KnownError."""
    while True:
        try:
            return App.open(folder)
        except Locked as locked:
            window = UnlockWindow(locked, theme, keyring=system_keyring.available())
            window.stay()
            if not window.opened:
                raise KnownError(locked.problem, tr("It stays closed until its key is given.")) from locked
            if window.keep.isChecked():
                unlocking.keep_in_keyring(folder)
