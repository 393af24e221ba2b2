"""Encryption on the Privacy page and in the first run: how the memory lies on the disk, and the way to change it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from desktop_memory import encryption
from desktop_memory.encryption import Plan, State
from desktop_memory.ui.desk import Desk
from desktop_memory.ui.parts import button, label, secret_field
from desktop_memory.ui.words import tr


class Encryption(QWidget):
    """One line and its buttons. A key is made first and shown; only then the memory is touched."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self._planned: Plan | None = None
        self._keyring = False
        self._asking = False
        px = desk.theme.px
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(px(8))
        self.told = label(desk.theme, "", 13)
        self.told.setWordWrap(True)
        column.addWidget(self.told)
        self.passphrase, self.again = secret_field(tr("New passphrase")), secret_field(tr("Once more"))
        self.key = QLineEdit(readOnly=True)
        self.key.setAccessibleName(tr("Recovery key"))
        self.key.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.last = QLineEdit(placeholderText=tr("Its last four letters"))
        self.last.setAccessibleName(tr("The last four letters of the recovery key"))
        self.last.textChanged.connect(self._compare)
        self.last.returnPressed.connect(self._encrypt)
        self.on = button(desk.theme, tr("Encrypt…"), self.plan, name="shield-lock")
        self.sure_on = button(desk.theme, tr("Encrypt"), self._encrypt, look="primary")
        self.off = button(desk.theme, tr("Decrypt…"), self._ask_off)
        self.sure_off = button(desk.theme, tr("Decrypt"), self._decrypt, look="danger")
        self.new_key = button(desk.theme, tr("New recovery key"), self._make_key)
        self.keep = button(desk.theme, tr("Cancel"), self._give_up, look="quiet")
        for fields in ((self.passphrase, self.again), (self.key,), (self.last,)):
            column.addLayout(self._row(*fields))
        buttons = self._row(self.on, self.sure_on, self.off, self.sure_off, self.new_key, self.keep)
        buttons.addStretch()
        column.addLayout(buttons)
        self._only()
        self.refresh()

    def refresh(self) -> None:
        """Look how the memory lies on the disk."""
        folder = self._desk.folder
        if folder is None or self._asking:  # a key that is shown stays until somebody has seen it
            return
        self._desk.background.run(
            lambda: encryption.state(folder), self._show, self._failed, owner=self, lane="encryption"
        )

    def plan(self) -> None:
        """Make a key and show it. Nothing is encrypted yet."""
        text, keyring = self.passphrase.text(), self._keyring
        if not keyring and text != self.again.text():
            self.told.say(tr("The two passphrases differ."), "danger")
            return
        self.on.setEnabled(False)
        self._desk.background.run(
            lambda: encryption.plan(text, keyring=keyring), self._show_plan, self._failed, owner=self
        )

    def _show(self, state: State) -> None:
        self._keyring = state.keyring
        if state.encrypted:
            names = {
                "keyring": tr("this computer's keyring"),
                "passphrase": tr("your passphrase"),
                "recovery": tr("your recovery key"),
            }
            ways = ", ".join(names[way] for way in state.ways if way in names)
            told = [tr("The memory is encrypted on this disk. It opens by {ways}.").format(ways=ways)]
            if state.plain_copies:
                copies = ", ".join(state.plain_copies)
                told.append(
                    tr("Older copies in its folder are not encrypted: {copies}.").format(copies=copies)
                )
            self.told.say(" ".join(told))
            self._only(self.off, self.new_key)
            return
        self.told.say(
            tr("Whoever reads this disk can read the memory. Encrypted, it opens by this computer's keyring.")
            if state.keyring
            else tr(
                "Whoever reads this disk can read the memory. Encrypted, it opens by a passphrase, at each start."
            )
        )
        self.on.setEnabled(True)
        self._only(self.on, *(() if state.keyring else (self.passphrase, self.again)))

    def _show_plan(self, planned: Plan) -> None:
        self._planned, self._asking = planned, True
        self.told.say(
            tr(
                "This recovery key is shown only now. Write it down and keep it away from this computer: it opens "
                "the memory when the keyring or passphrase is lost, and on another computer."
            )
        )
        self.key.setText(planned.recovery_key)
        self.last.clear()
        self.sure_on.setEnabled(False)
        self.keep.setText(tr("Cancel"))
        self._only(self.key, self.last, self.sure_on, self.keep)
        self.last.setFocus(Qt.FocusReason.OtherFocusReason)

    def _compare(self, typed: str) -> None:
        planned = self._planned
        fits = planned is not None and typed.strip().upper() == planned.recovery_key[-4:]
        self.sure_on.setEnabled(fits)

    def _encrypt(self) -> None:
        planned = self._planned
        if planned is None or not self.sure_on.isEnabled() or self._desk.switch_encryption is None:
            return
        self._planned = None
        self.key.clear()
        self._desk.switch_encryption(planned)

    def _ask_off(self) -> None:
        self._asking = True
        self.told.say(tr("Decrypted, whoever reads this disk can read the memory. Decrypt it?"))
        self.keep.setText(tr("Cancel"))
        self._only(self.sure_off, self.keep)
        self.keep.setFocus()

    def _decrypt(self) -> None:
        if self._desk.switch_encryption is not None:
            self._desk.switch_encryption(None)

    def _make_key(self) -> None:
        folder = self._desk.folder
        if folder is not None:
            self._desk.background.run(
                lambda: encryption.new_recovery_key(folder), self._show_key, self._failed, owner=self
            )

    def _show_key(self, fresh: str) -> None:
        self._asking = True
        self.told.say(
            tr(
                "Write this recovery key down; it is shown only now. The one before opens nothing any more, except "
                "in older backups."
            )
        )
        self.key.setText(fresh)
        self.keep.setText(tr("Done"))
        self._only(self.key, self.keep)

    def _give_up(self) -> None:
        planned, self._planned, self._asking = self._planned, None, False
        self.key.clear()
        if planned is not None:
            self._desk.background.run(lambda: encryption.drop(planned), None, self._failed, owner=self)
        self.refresh()

    def _failed(self, error: Exception) -> None:
        self._desk.notices.failed(error)
        self.on.setEnabled(True)

    def _only(self, *shown: QWidget) -> None:
        for part in (
            self.passphrase, self.again, self.key, self.last, self.on, self.sure_on, self.off, self.sure_off,
            self.new_key, self.keep,
        ):  # fmt: skip
            part.setVisible(part in shown)

    def _row(self, *parts: QWidget) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(self._desk.theme.px(8))
        for part in parts:
            row.addWidget(part)
        return row
