"""Sharing with the person's other machines: with which folder, and the ways to begin and to end it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from desktop_memory.sharing.folder import look
from desktop_memory.ui.desk import Desk
from desktop_memory.ui.parts import button, label
from desktop_memory.ui.translated import translated
from desktop_memory.ui.words import number, tr


class Sharing(QWidget):
    """Off: one button. A folder is chosen, then its passphrase typed; without one the folder stays readable."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self._folder: Path | None = None
        self._new = False
        px = desk.theme.px
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(px(8))
        self.told = label(desk.theme, "", 13, token="muted")
        self.told.setWordWrap(True)
        self.told.setMinimumWidth(px(200))
        self.told.setAlignment(Qt.AlignmentFlag.AlignRight)
        column.addWidget(self.told)
        self.passphrase, self.again = _secret(tr("Passphrase of the folder")), _secret(tr("Once more"))
        for field in (self.passphrase, self.again):
            field.returnPressed.connect(self._share)
            column.addWidget(field)
        self.on = button(desk.theme, tr("Choose a folder…"), self._choose)
        self.sure = button(desk.theme, tr("Share"), self._share, look="primary")
        self.off = button(desk.theme, tr("Stop sharing"), self._stop)
        self.cancel = button(desk.theme, tr("Cancel"), self.refresh, look="quiet")
        row = QHBoxLayout()
        row.setSpacing(px(8))
        row.addStretch()
        for made in (self.on, self.cancel, self.sure, self.off):
            row.addWidget(made)
        column.addLayout(row)
        self._say("")
        self._only(self.on)

    def refresh(self) -> None:
        app = self._desk.app
        self._desk.background.run(
            app.share_state, self._show, self._desk.notices.failed, owner=self, lane="sharing"
        )

    def share_with(self, folder: Path) -> None:
        """Ask for the passphrase of this folder; a new one is given twice."""
        self._desk.background.run(
            lambda: look(folder),
            lambda known: self._ask(folder, known),
            self._desk.notices.failed,
            owner=self,
        )

    def _ask(self, folder: Path, encrypted: bool | None) -> None:
        self._folder, self._new = folder, encrypted is None
        if encrypted is False:
            self._share()
            return
        self._say(
            tr("Give {folder} a passphrase; each machine asks for it once.").format(folder=folder.name)
            if self._new
            else tr("Another machine shares {folder} already.").format(folder=folder.name)
        )
        self._only(self.passphrase, *((self.again,) if self._new else ()), self.sure, self.cancel)
        self.passphrase.setFocus()

    def _share(self) -> None:
        folder, text = self._folder, self.passphrase.text().strip()
        if folder is None:
            return
        if self._new and (not text or text != self.again.text().strip()):
            self._say(tr("Type the same passphrase twice."), "danger")
            return
        app, plain = self._desk.app, not self.passphrase.isVisible()

        def begin() -> Mapping[str, Any]:
            app.share_on(str(folder), text, plain)
            return app.share_now()

        self.sure.setEnabled(False)
        self._desk.background.run(begin, self._began, self._failed, owner=self)

    def _began(self, done: Mapping[str, Any]) -> None:
        said = tr("{count} new from other machines.").format(count=number(done["new"]))
        self._desk.notices.say(tr("Shared."), said)
        self.refresh()

    def _failed(self, error: Exception) -> None:
        self.sure.setEnabled(True)
        self._desk.notices.failed(error)

    def _stop(self) -> None:
        self._desk.background.run(
            self._desk.app.share_off, self._stopped, self._desk.notices.failed, owner=self
        )

    def _stopped(self, _nothing: object) -> None:
        self._desk.notices.say(
            tr("Nothing is shared any more. What came stays here; what is in the folder stays there.")
        )
        self.refresh()

    def _show(self, state: Mapping[str, Any] | None) -> None:
        self._folder = None
        self.sure.setEnabled(True)
        for field in (self.passphrase, self.again):
            field.clear()
        if state is None:
            self._say("")
            self._only(self.on)
            return
        told = tr("{folder}, {count} machines").format(
            folder=state["folder"], count=number(len(state["devices"]))
        )
        problem = translated(state["problem"]) if state["problem"] else ""
        self._say(problem or told, "danger" if problem else "muted")
        self._only(self.off)

    def _choose(self) -> None:
        chosen = QFileDialog.getExistingDirectory(self.window(), tr("Choose a folder…"), str(Path.home()))
        if chosen:
            self.share_with(Path(chosen))

    def _only(self, *shown: QWidget) -> None:
        for part in (self.passphrase, self.again, self.on, self.sure, self.off, self.cancel):
            part.setVisible(part in shown)

    def _say(self, text: str, token: str = "muted") -> None:
        self.told.setText(text)
        self.told.setVisible(bool(text))
        self.told.setStyleSheet(f"color: {self._desk.theme[token].name()}")


def _secret(says: str) -> QLineEdit:
    made = QLineEdit(placeholderText=says)
    made.setAccessibleName(says)
    made.setEchoMode(QLineEdit.EchoMode.Password)
    return made
