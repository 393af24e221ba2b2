"""How long what is kept: a limit counts what it would take before it is set, for that goes for good."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop_memory.receipts import Retiring
from desktop_memory.ui.ask_bar import AskBar
from desktop_memory.ui.desk import Desk
from desktop_memory.ui.setting_controls import Lines
from desktop_memory.ui.setting_form import SettingForm
from desktop_memory.ui.words import local, records, short_day, tr

FIELD = ("privacy", "keep")


class Retention(QWidget):
    """One list of limits. One that takes something away is kept only after a second button."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self._keep: Callable[[], None] | None = None
        px = desk.theme.px
        self.form = SettingForm(desk, ("privacy",), titles=False, only=("keep",), guard=self._ask)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(px(8))
        column.addWidget(self.form)
        self.bar = AskBar(desk.theme, self._take, self._leave)
        self.told, self.yes, self.no = self.bar.told, self.bar.yes, self.bar.no
        column.addWidget(self.bar)

    def _ask(self, lines: Any, keep: Callable[[], None]) -> None:
        self._keep = keep
        memory = self._desk.memory
        self._desk.background.run(
            lambda: memory.preview_retire(lines),
            self._show,
            self._desk.notices.failed,
            owner=self,
            lane="retention",
        )

    def _show(self, found: Sequence[Retiring]) -> None:
        if not found:
            self._take()
            return
        newest = max(part.before for part in found)
        self.told.setText(
            tr("That forgets {what} from before {day}, for good.").format(
                what=records(sum(part.events for part in found)), day=short_day(local(newest).date())
            )
        )
        self.bar.show()
        self.no.setFocus()

    def _take(self) -> None:
        keep, self._keep = self._keep, None
        self.bar.hide()
        if keep is not None:
            keep()

    def _leave(self) -> None:
        self._keep = None
        self.bar.hide()
        made = self.form.controls[FIELD]
        if isinstance(made, Lines):
            made.setPlainText("\n".join(self._desk.settings.privacy.keep))
