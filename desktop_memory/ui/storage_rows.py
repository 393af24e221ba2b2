"""Rows of Settings about the memory as a whole: a backup, going back to one, taking in another, sharing."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog

from desktop_memory.receipts import Merged
from desktop_memory.transfer import backup
from desktop_memory.transfer.backup import Manifest
from desktop_memory.ui.chosen_memory import ChosenMemory, ChosenWords, a_backup, a_folder
from desktop_memory.ui.desk import Desk
from desktop_memory.ui.house_rows import amount
from desktop_memory.ui.long_work import Told
from desktop_memory.ui.parts import button
from desktop_memory.ui.setting_form import SettingForm
from desktop_memory.ui.sharing import Sharing
from desktop_memory.ui.words import counted, number, records, tr


class StorageRows(QObject):
    """`refresh` asks anew how sharing stands."""

    def __init__(self, desk: Desk, form: SettingForm) -> None:
        super().__init__(form)
        self._desk, self._form = desk, form
        self.backup = button(desk.theme, tr("Back up now…"), self._ask_where)
        self.restore = ChosenMemory(
            desk,
            ChosenWords(
                question=tr(
                    "{name} holds {what}. The memory goes back to it; what is here now is kept beside it."
                ),
                sure=tr("Go back to it"),
            ),
            ((tr("Go back to a backup…"), a_backup),),
            self._go_back,
        )
        self.merge = ChosenMemory(
            desk,
            ChosenWords(
                question=tr(
                    "{name} holds {what}. What both remember stays one record. It cannot be taken apart again: "
                    "back up first if you are not sure."
                ),
                sure=tr("Take it in"),
            ),
            ((tr("A backup…"), a_backup), (tr("A data folder…"), a_folder)),
            self.take_in,
        )
        self.sharing = Sharing(desk)
        for told, part, also in (
            (tr("The memory and its settings in one file; recording goes on"), self.backup, "backup"),
            (
                tr("A backup in its place; what is here now is kept beside it"),
                self.restore,
                "restore backup",
            ),
            (tr("Take in the memory of another computer"), self.merge, "merge import backup"),
            (tr("Remember together with my other machines"), self.sharing, "share sync"),
        ):
            form.add_row("storage", told, part, also)
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

    def take_in(self, other: Path) -> None:
        """Merge this memory into ours, in the status strip."""
        app = self._desk.app

        def say(merged: Merged) -> None:
            self._desk.notices.say(*told_of(merged))

        self._desk.work.run(
            tr("Taking in {name}").format(name=other.name), lambda told: app.merge(str(other), told), say,
            cancelled=tr("Cancelled. What came so far stays; taking it in again goes on from there."),
        )  # fmt: skip

    def _go_back(self, file: Path) -> None:
        if self._desk.go_back_to is not None:
            self._desk.go_back_to(file)


def told_of(merged: Merged) -> tuple[str, str]:
    """What came of taking in another memory, and the rest of its receipt."""
    receipt = merged.receipt
    said = tr("Taken in: {new} new, {known} known already.").format(
        new=number(receipt.new), known=number(receipt.known)
    )
    more: list[str] = []
    if merged.pins:
        pins = counted(merged.pins, tr("goal or note"), tr("goals and notes"))
        more.append(tr("{what} came along.").format(what=pins))
    if merged.projects:
        decided = counted(merged.projects, tr("decision about projects"), tr("decisions about projects"))
        more.append(tr("{what} came along.").format(what=decided))
    if receipt.dropped:
        more.append(tr("Left out by a rule: {count}.").format(count=number(receipt.dropped)))
    if merged.forgotten:
        told = tr("{count} forgotten here, as the other memory had been told.")
        more.append(told.format(count=records(merged.forgotten)))
    return said, " ".join(more)
