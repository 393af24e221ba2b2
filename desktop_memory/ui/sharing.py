"""Sharing with the person's other machines: with which folder and machines, and the ways to begin and to end it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from desktop_memory.sharing.folder import look
from desktop_memory.ui.chosen_memory import a_folder
from desktop_memory.ui.desk import Desk
from desktop_memory.ui.long_work import Told
from desktop_memory.ui.parts import button, label, secret_field
from desktop_memory.ui.sharing_machines import Machines
from desktop_memory.ui.translated import translated
from desktop_memory.ui.words import counted, number, tr


class Sharing(QWidget):
    """Off: one button. A folder is chosen, then its passphrase typed, or plainly done without one."""

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
        self.told.setMinimumWidth(px(280))
        self.told.setAlignment(Qt.AlignmentFlag.AlignRight)
        column.addWidget(self.told)
        self.machines = Machines(desk, self.refresh)
        column.addWidget(self.machines)
        self.passphrase, self.again = (
            secret_field(tr("Passphrase of the folder")),
            secret_field(tr("Once more")),
        )
        for field in (self.passphrase, self.again):
            field.returnPressed.connect(lambda: self._share(plain=False))
            column.addWidget(field)
        theme = desk.theme
        self.on = button(theme, tr("Choose a folder…"), self._choose)
        self.cancel = button(theme, tr("Cancel"), self.refresh, look="quiet")
        self.without = button(theme, tr("Without a passphrase…"), self._ask_plain, look="quiet")
        self.sure = button(theme, tr("Share"), lambda: self._share(plain=False), look="primary")
        self.plain = button(theme, tr("Share unencrypted"), lambda: self._share(plain=True), look="danger")
        self.now = button(theme, tr("Share now"), lambda: self._exchange(desk.app.share_now), look="quiet")
        self.off = button(theme, tr("Stop sharing"), self._stop)
        row = QHBoxLayout()
        row.setSpacing(px(8))
        row.addStretch()
        for made in (self.on, self.cancel, self.without, self.sure, self.plain, self.now, self.off):
            row.addWidget(made)
        column.addLayout(row)
        self._say("")
        self._only(self.on)
        desk.work.ended.connect(self.refresh)

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
            self._share(plain=True)
            return
        self._say(
            tr("Give {folder} a passphrase; each machine asks for it once.").format(folder=folder.name)
            if self._new
            else tr("Another machine shares {folder} already.").format(folder=folder.name)
        )
        new = (self.again, self.without) if self._new else ()
        self._only(self.passphrase, *new, self.sure, self.cancel)
        self.passphrase.setFocus()

    def _ask_plain(self) -> None:
        """Say first what that means."""
        if self._folder is not None:
            says = tr("Whoever can read {folder}, its provider too, can read all that is shared in it.")
            self._say(says.format(folder=self._folder.name), "warn")
            self._only(self.plain, self.cancel)
            self.cancel.setFocus()

    def _share(self, *, plain: bool) -> None:
        folder, text = self._folder, "" if plain else self.passphrase.text().strip()
        if folder is None:
            return
        if not plain and self._new and (not text or text != self.again.text().strip()):
            self._say(tr("Type the same passphrase twice."), "danger")
            return
        app = self._desk.app

        def begin(told: Told) -> Mapping[str, Any]:
            app.share_on(str(folder), text, plain)
            return app.share_now(told)

        self._exchange(begin)

    def _exchange(self, task: Callable[[Told], Mapping[str, Any]]) -> None:
        """In the status strip, which says how far it is and cancels; what can be pressed here comes back at its end."""
        self._only()
        self._say(tr("The folder is read and written …"))
        self._desk.work.run(
            tr("Sharing with the folder"), task, self._began,
            cancelled=tr("Stopped half way. What was done stays; the next time goes on from there."),
        )  # fmt: skip

    def _began(self, done: Mapping[str, Any]) -> None:
        said = [tr("{count} new from other machines.").format(count=number(done["new"]))]
        if done["waiting"]:
            parts = counted(done["waiting"], tr("part has"), tr("parts have"))
            said.append(tr("{parts} not arrived whole yet.").format(parts=parts))
        self._desk.notices.say(tr("Shared."), " ".join(said))

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
        for field in (self.passphrase, self.again):
            field.clear()
        if state is None:
            self._say("")
            self._only(self.on)
            return
        parts = [state["folder"], counted(len(state["devices"]), tr("machine"), tr("machines"))]
        told = ", ".join(parts if state["encrypted"] else [*parts, tr("unencrypted")])
        problem = translated(state["problem"]) if state["problem"] else ""
        self._say(problem or told, "danger" if problem else "muted")
        self.machines.show_state(state)
        self._only(self.machines, self.now, self.off)

    def _choose(self) -> None:
        if chosen := a_folder(self.window(), tr("Choose a folder…")):
            self.share_with(Path(chosen))

    def _only(self, *shown: QWidget) -> None:
        for part in (
            self.machines, self.passphrase, self.again, self.on, self.cancel, self.without, self.sure, self.plain,
            self.now, self.off,
        ):  # fmt: skip
            part.setVisible(part in shown)

    def _say(self, text: str, token: str = "muted") -> None:
        self.told.say(text, token)
        self.told.setVisible(bool(text))
