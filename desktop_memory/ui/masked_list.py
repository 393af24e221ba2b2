"""Where secrets were masked: on which day, what sort, in what of which source. Never the secret."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from desktop_memory.receipts import Masked
from desktop_memory.ui.desk import Desk
from desktop_memory.ui.parts import label
from desktop_memory.ui.source_rows import source_word
from desktop_memory.ui.words import number, short_day, tr

SHOWN = 40


class MaskedList(QWidget):
    """A row for each day, sort and place; the newest first."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(desk.theme.px(16))
        self._grid.setVerticalSpacing(desk.theme.px(4))
        self._grid.setColumnStretch(2, 1)
        self._shown: list[Masked] | None = None
        self.labels: list[QLabel] = []

    def refresh(self) -> None:
        memory = self._desk.memory
        self._desk.background.run(
            lambda: memory.masked(SHOWN), self._show, self._desk.notices.failed, owner=self, lane="masked"
        )

    def _show(self, found: Sequence[Masked]) -> None:
        if list(found) == self._shown:
            return
        self._shown = list(found)
        for old in self.labels:
            old.deleteLater()
        self.labels = []
        for row, one in enumerate(found):
            where = tr("{secret} in {kind}, from {source}").format(
                secret=secret_word(one.secret), kind=_kind_word(one.kind), source=source_word(one.source)
            )
            self._add(row, 0, short_day(one.day), "muted")
            self._add(row, 1, number(one.count), "text", Qt.AlignmentFlag.AlignRight)
            self._add(row, 2, where, "text")
        if not found:
            self._add(0, 2, tr("No secret was masked yet."), "muted")

    def _add(
        self, row: int, column: int, text: str, token: str, align: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft
    ) -> None:  # fmt: skip
        made = label(self._desk.theme, text, 13, token=token)
        self._grid.addWidget(made, row, column, align)
        self.labels.append(made)


def secret_word(secret: str) -> str:
    """What a sort of secret is called."""
    return {"key": tr("key"), "token": tr("token"), "password": tr("password")}.get(secret, secret)


def _kind_word(kind: str) -> str:
    return {
        "window": tr("Windows"), "browser": tr("Pages"), "terminal": tr("Commands"), "file": tr("Files"),
        "note": tr("Notes"),
    }.get(kind, tr("Commits") if kind.startswith("git") else kind)  # fmt: skip
