"""Choosing another memory's file or folder, seeing what is in it, and only then doing something with it."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from desktop_memory.errors import KnownError
from desktop_memory.store.store import FILE_NAME as STORE_FILE
from desktop_memory.transfer import backup
from desktop_memory.ui.desk import Desk
from desktop_memory.ui.house_rows import amount
from desktop_memory.ui.parts import button, label
from desktop_memory.ui.words import local, records, short_day, tr

Choose = Callable[[QWidget, str], str]
"""Asks for a path in a dialog with this title; empty when nothing was chosen."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ChosenWords:
    """`question` names the `{name}` of what was chosen and `{what}` is in it; `sure` is the button that does it."""

    question: str
    sure: str


class ChosenMemory(QWidget):
    """A button for each way to choose; then what is in it, and yes or no."""

    def __init__(
        self,
        desk: Desk,
        words: ChosenWords,
        ways: Sequence[tuple[str, Choose]],
        act: Callable[[Path], object],
    ) -> None:
        super().__init__()
        self._desk, self._words, self._act = desk, words, act
        self.path: Path | None = None
        px = desk.theme.px
        self.told = label(desk.theme, "", 13, token="muted")
        self.told.setWordWrap(True)
        self.told.setMinimumWidth(px(330))
        self.told.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.ways: list[QPushButton] = [
            button(desk.theme, text, partial(self._choose, text, choose)) for text, choose in ways
        ]
        self.cancel = button(desk.theme, tr("Cancel"), self._begin_anew, look="quiet")
        self.sure = button(desk.theme, words.sure, self._do, look="primary")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(px(8))
        column.addWidget(self.told)
        row = QHBoxLayout()
        row.setSpacing(px(8))
        row.addStretch()
        for made in (*self.ways, self.cancel, self.sure):
            row.addWidget(made)
        column.addLayout(row)
        self._begin_anew()

    def look_at(self, path: Path) -> None:
        """Say what is in there, and ask."""
        own = self._desk.folder
        self._desk.background.run(
            lambda: what_is_in(path, own),
            partial(self._ask, path),
            self._desk.notices.failed,
            owner=self,
            lane="chosen memory",
        )

    def _choose(self, title: str, choose: Choose) -> None:
        if chosen := choose(self.window(), title):
            self.look_at(Path(chosen))

    def _ask(self, path: Path, what: str) -> None:
        self.path = path
        self.told.setText(self._words.question.format(name=path.name, what=what))
        self._show(asking=True)
        self.cancel.setFocus()

    def _do(self) -> None:
        path = self.path
        self._begin_anew()
        if path is not None:
            self._act(path)

    def _begin_anew(self) -> None:
        self.path = None
        self._show(asking=False)

    def _show(self, *, asking: bool) -> None:
        for part in (self.told, self.cancel, self.sure):
            part.setVisible(asking)
        for way in self.ways:
            way.setVisible(not asking)


def what_is_in(path: Path, own: Path | None) -> str:
    """How much this backup, or this data folder, holds, and of when. Raises KnownError when it is neither."""
    if path.is_dir():
        store = path / STORE_FILE
        if own is not None and path.resolve() == own.resolve():
            raise KnownError("This is the memory itself.", "Name another one's folder, or a backup.")
        try:
            status = store.stat()
        except OSError as error:
            raise KnownError(f"There is no memory in {path}.", "Name a data folder, or a backup.") from error
        return _of(amount(status.st_size), datetime.fromtimestamp(status.st_mtime).astimezone())
    try:
        with zipfile.ZipFile(path) as file:
            manifest = backup.manifest_of(file)
    except (OSError, zipfile.BadZipFile) as error:
        raise backup.not_ours(path) from error
    return _of(records(manifest.events), datetime.fromisoformat(manifest.made))


def _of(what: str, moment: datetime) -> str:
    day = local(moment).date()
    return tr("{what} of {day}").format(what=what, day=f"{short_day(day)} {day.year}")


def a_backup(parent: QWidget, title: str) -> str:
    """Ask for a backup's file."""
    chosen, _ = QFileDialog.getOpenFileName(parent, title, str(Path.home()), "*.zip")
    return chosen


def a_folder(parent: QWidget, title: str) -> str:
    """Ask for a folder."""
    return QFileDialog.getExistingDirectory(parent, title, str(Path.home()))
