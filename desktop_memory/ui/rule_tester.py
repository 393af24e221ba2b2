"""Would it be recorded, and why: a made-up record against the rules as they are now."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLineEdit, QWidget

from desktop_memory.errors import KnownError
from desktop_memory.model import Event, Kind
from desktop_memory.pipeline.privacy import Rules
from desktop_memory.ui.desk import Desk
from desktop_memory.ui.parts import label
from desktop_memory.ui.translated import translated
from desktop_memory.ui.words import tr


class RuleTester(QWidget):
    """Four fields and an answer that follows the typing."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        px = desk.theme.px
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(px(12))
        grid.setVerticalSpacing(px(8))
        self.app = self._field(grid, 0, tr("App"), "KeePassXC")
        self.title = self._field(grid, 1, tr("Title"), "Inbox – Private Browsing")
        self.site = self._field(grid, 2, tr("Site"), "https://bank.example/account")
        self.command = self._field(grid, 3, tr("Command"), "export API_KEY=…")
        self.answer = label(desk.theme, "", 13, 500)
        self.answer.setWordWrap(True)
        self.answer.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        grid.addWidget(self.answer, 2, 0, 1, 4)
        grid.setColumnStretch(1, 1)
        grid.setColumnStretch(3, 1)
        desk.theme.follow(self, self.judge)

    def _field(self, grid: QGridLayout, number: int, name: str, example: str) -> QLineEdit:
        line = QLineEdit(placeholderText=example)
        line.setAccessibleName(name)
        line.textChanged.connect(lambda _text: self.judge())
        says = label(self._desk.theme, name, 13, token="muted")
        says.setBuddy(line)
        row, column = divmod(number, 2)
        grid.addWidget(says, row, column * 2)
        grid.addWidget(line, row, column * 2 + 1)
        return line

    def take_focus(self) -> None:
        self.app.setFocus()

    def judge(self) -> None:
        """Say what the rules make of it."""
        event = self._event()
        if event is None:
            self.answer.say(tr("Fill in one of them, and the answer stands here."), "muted")
            return
        try:
            verdict = Rules.of(self._desk.settings.privacy).judge(event)
        except KnownError as error:
            self.answer.say(translated(f"{error.problem} {error.advice}"), "danger")
            return
        if verdict.keep:
            self.answer.say(tr("It would be recorded: {why}.").format(why=translated(verdict.why)), "text")
        else:
            self.answer.say(tr("It would not be recorded: {why}.").format(why=translated(verdict.why)), "ok")

    def _event(self) -> Event | None:
        app, title = self.app.text().strip(), self.title.text().strip()
        site, command = self.site.text().strip(), self.command.text().strip()
        if not (app or title or site or command):
            return None
        kind: Kind = "terminal" if command else "browser" if site else "window"
        url = site if "://" in site or not site else f"https://{site}"
        domain = url.split("://", 1)[-1].split("/", 1)[0].split(":", 1)[0]
        return Event(
            identity="test", kind=kind, start=self._desk.clock(), title=title, text=command, app=app, url=url,
            domain=domain,
        )  # fmt: skip
