"""Rows of Settings about the memory as a whole: a backup, going back to one, sharing with other machines."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog

from desktop_memory.transfer import backup
from desktop_memory.transfer.backup import Manifest
from desktop_memory.ui.desk import Desk
from desktop_memory.ui.house_rows import amount
from desktop_memory.ui.long_work import Told
from desktop_memory.ui.parts import button
from desktop_memory.ui.setting_form import SettingForm
from desktop_memory.ui.sharing import Sharing
from desktop_memory.ui.words import records, tr


class StorageRows(QObject):
    """`refresh` asks anew how sharing stands."""

    def __init__(self, desk: Desk, form: SettingForm) -> None:
        super().__init__(form)
        self._desk, self._form = desk, form
        self.backup = button(desk.theme, tr("Back up now…"), self._ask_where)
        self.restore = button(desk.theme, tr("Go back to a backup…"), self._ask_which)
        self.sharing = Sharing(desk)
        form.add_row(
            "storage", tr("The memory and its settings in one file; recording goes on"), self.backup, "backup"
        )
        form.add_row(
            "storage",
            tr("A backup in its place; what is here now is kept beside it"),
            self.restore,
            "restore backup",
        )
        form.add_row("storage", tr("Remember together with my other machines"), self.sharing, "share sync")
        for part in (self.backup, self.restore, self.sharing):
            part.setEnabled(not desk.demo and desk.folder is not None)

    def refresh(self) -> None:
        if not self._desk.demo:
            self.sharing.refresh()

    def _ask_where(self) -> None:
        proposed = Path.home() / backup.name_for(self._desk.clock().astimezone())
        chosen, _ = QFileDialog.getSaveFileName(
            self._form.window(), tr("Back up now…"), str(proposed), "*.zip",
            options=QFileDialog.Option.DontConfirmOverwrite,
        )  # fmt: skip
        if chosen:
            self.back_up(Path(chosen))

    def back_up(self, target: Path) -> None:
        """Write a backup there, in the status strip."""
        folder, memory, now = self._desk.folder, self._desk.memory, self._desk.clock().astimezone()
        assert folder is not None

        def work(told: Told) -> Manifest:
            made = backup.make(folder, target, now, told)
            memory.note_backup(str(target), made.last)
            return made

        def say(made: Manifest) -> None:
            what = f"{records(made.events)}, {amount(target.stat().st_size)}"
            self._desk.notices.say(tr("Backed up: {what}.").format(what=what), str(target))

        self._desk.work.run(tr("Backing up to {file}").format(file=target.name), work, say)

    def _ask_which(self) -> None:
        go_back: Callable[[Path], None] | None = self._desk.go_back_to
        chosen, _ = QFileDialog.getOpenFileName(
            self._form.window(), tr("Go back to a backup…"), str(Path.home()), "*.zip"
        )
        if chosen and go_back is not None:
            go_back(Path(chosen))
