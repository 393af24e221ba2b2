"""Open again: a session's pages and files as a list to tick."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from desktop_memory.errors import KnownError
from desktop_memory.model import Remembered
from desktop_memory.ui.desk import Desk
from desktop_memory.ui.opening import open_target
from desktop_memory.ui.parts import Elided, button, label
from desktop_memory.ui.reopening import TICKED, Thing, things, ticked_first
from desktop_memory.ui.rows import Row, clean, event_row
from desktop_memory.ui.tick_list import TickList, tick
from desktop_memory.ui.words import counted, number, stretch, tr


class OpenAgain(QWidget):
    """`done` follows when everything was opened, or nothing shall be."""

    done = Signal()

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self._things: list[Thing] = []
        self._ticked: set[str] = set()
        self._sure = False
        theme, px = desk.theme, desk.theme.px
        self._title = Elided(theme, 12, 600, "muted")
        self.rows = TickList(theme, tr("Pages and files of this session"))
        self.rows.ticked.connect(self._tick)
        self._told = label(theme, "", 13, token="muted")
        self._told.setWordWrap(True)
        self.open = button(theme, "", self._open, name="external-link")
        self.all = button(theme, tr("All"), lambda: self._tick_all(True), look="quiet")
        self.none = button(theme, tr("None"), lambda: self._tick_all(False), look="quiet")
        self.cancel = button(theme, tr("Not now"), self._back, look="quiet")
        head = QHBoxLayout()
        head.setContentsMargins(px(16), px(6), px(8), px(2))
        head.addWidget(self._title, 1)
        head.addWidget(self.all)
        head.addWidget(self.none)
        foot = QHBoxLayout()
        foot.setContentsMargins(px(16), px(8), px(16), px(10))
        foot.setSpacing(px(8))
        foot.addWidget(self._told, 1)
        foot.addWidget(self.cancel)
        foot.addWidget(self.open)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self.rows, 1)
        column.addLayout(foot)
        theme.follow(self, self.update)

    def show_events(self, title: str, events: Sequence[Remembered]) -> None:
        """List what these records opened."""
        self._title.setText(f"{tr('Open again')} · {title}")
        self._things, self._ticked = [], set()
        self.rows.show_rows([])
        self.open.setEnabled(False)
        self._told.setText("")
        self._desk.background.run(
            lambda: things(events), self._show, self._desk.notices.failed, owner=self, lane="open again"
        )

    def _show(self, found: list[Thing]) -> None:
        self._things, self._ticked = found, ticked_first(found)
        self._refresh()
        self.rows.setFocus()

    def _refresh(self) -> None:
        self._sure = False
        self.rows.show_rows([self._row(thing) for thing in self._things])
        count = len(self._ticked)
        self.open.setText(tr("Open {count}").format(count=number(count)))
        self.open.setEnabled(count > 0)
        self.cancel.setText(tr("Not now"))
        self._told.setText(self._says())

    def _says(self) -> str:
        if not self._things:
            return tr("No page or file of this session is in the log.")
        gone = sum(thing.gone for thing in self._things)
        if gone:
            return tr("{what} no longer there.").format(what=counted(gone, tr("file is"), tr("files are")))
        return ""

    def _row(self, thing: Thing) -> Row:
        row = event_row(thing.event)
        lasted = stretch(thing.seconds) if thing.seconds >= 1 else ""
        row = replace(
            row, key=("thing", thing.target), title=clean(thing.title), marks=(), tail=(), time="", chip=lasted,
            path=not thing.page, tooltip=clean(thing.target), event=None, does=thing,
        )  # fmt: skip
        if thing.gone:
            return replace(row, style="quiet", icon="x", tint="muted", chip=tr("no longer there"))
        return tick(row, on=thing.target in self._ticked)

    def _tick(self, rows: Sequence[Row]) -> None:
        """Turn these ticks, all of them the way of the first."""
        targets = [row.does.target for row in rows if row.does is not None and not row.does.gone]
        if not targets:
            return
        on = targets[0] not in self._ticked
        self._ticked = self._ticked | set(targets) if on else self._ticked - set(targets)
        self._refresh()

    def _tick_all(self, on: bool) -> None:
        self._ticked = {thing.target for thing in self._things if not thing.gone} if on else set()
        self._refresh()

    def _open(self) -> None:
        """Open what is ticked; more than ten only when the button is pressed a second time."""
        chosen = [thing for thing in self._things if thing.target in self._ticked]
        if len(chosen) > TICKED and not self._sure:
            self._sure = True
            self._told.setText(
                tr("That opens {count} windows or tabs at once.").format(count=number(len(chosen)))
            )
            self.open.setText(tr("Open all {count}").format(count=number(len(chosen))))
            self.cancel.setText(tr("Go back"))
            return
        failed: list[str] = []
        for thing in chosen:
            try:
                open_target(thing.target)
            except KnownError as error:
                failed.append(error.problem)
        opened = len(chosen) - len(failed)
        text = tr("Opened {count}.").format(count=number(opened))
        self._desk.notices.say(text, " ".join(failed[:3]), tone="warn" if failed else "ok")
        self.done.emit()

    def _back(self) -> None:
        """From the question to the list, from the list to where one was."""
        if self._sure:
            self._refresh()
        else:
            self.done.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self._back()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), self._desk.theme["surface"])
