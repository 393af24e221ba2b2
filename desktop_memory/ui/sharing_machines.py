"""The other machines of a shared folder, and the way to take out one that is no more."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from functools import partial
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from desktop_memory.ui.desk import Desk
from desktop_memory.ui.parts import button, label
from desktop_memory.ui.words import ago, tr

SHOWN = 8
"""So many letters of a machine's number tell it from the others."""


class Machines(QWidget):
    """A line for each; a machine has no name in the folder, only a number and when it was last heard of."""

    def __init__(self, desk: Desk, changed: Callable[[], object]) -> None:
        super().__init__()
        self._desk, self._changed = desk, changed
        self.lines: dict[str, MachineLine] = {}
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(desk.theme.px(4))

    def show_state(self, state: Mapping[str, Any]) -> None:
        """Show who shares this folder, without this computer."""
        for old in self.lines.values():
            self._column.removeWidget(old)
            old.hide()
            old.deleteLater()
        self.lines = {}
        for device in state["devices"]:
            if device != state["device"]:
                heard = state.get("heard", {}).get(device, "")
                line = MachineLine(self._desk, device, heard, partial(self._take_out, device))
                self._column.addWidget(line)
                self.lines[device] = line

    def _take_out(self, device: str) -> None:
        app = self._desk.app
        self._desk.background.run(
            lambda: app.share_remove(device), self._taken_out, self._desk.notices.failed, owner=self
        )

    def _taken_out(self, _nothing: object) -> None:
        self._desk.notices.say(tr("Its part is out of the folder. What came from it stays here."))
        self._changed()


class MachineLine(QWidget):
    """One machine; taking it out is asked first."""

    def __init__(self, desk: Desk, device: str, heard: str, take_out: Callable[[], object]) -> None:
        super().__init__()
        self._desk = desk
        theme, px = desk.theme, desk.theme.px
        name = tr("Machine {number}").format(number=device[:SHOWN])
        when = ago(datetime.fromisoformat(heard), desk.clock()) if heard else tr("nothing written yet")
        self._usual = f"{name} · {when}"
        self._question = tr(
            "Take out {name}? Its part leaves the folder; what came from it stays here. Only for a machine that is "
            "no more."
        ).format(name=name)
        self.told = label(theme, "", 13)
        self.told.setWordWrap(True)
        self.told.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.ask = button(theme, tr("Take out…"), lambda: self._show(asking=True), look="quiet")
        self.ask.setAccessibleName(tr("Take out {name}").format(name=name))
        self.keep = button(theme, tr("Keep"), lambda: self._show(asking=False), look="quiet")
        self.sure = button(theme, tr("Take out"), take_out, look="danger")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(px(4))
        row = QHBoxLayout()
        row.setSpacing(px(8))
        row.addWidget(self.told, 1)
        row.addWidget(self.ask)
        column.addLayout(row)
        answers = QHBoxLayout()
        answers.setSpacing(px(8))
        answers.addStretch()
        answers.addWidget(self.keep)
        answers.addWidget(self.sure)
        column.addLayout(answers)
        self._show(asking=False)

    def _show(self, *, asking: bool) -> None:
        self.told.setText(self._question if asking else self._usual)
        self.ask.setVisible(not asking)
        for answer in (self.keep, self.sure):
            answer.setVisible(asking)
        if asking:
            self.keep.setFocus()
