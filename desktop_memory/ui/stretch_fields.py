"""From when to when: two fields for local times."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from PySide6.QtCore import QDateTime, Signal
from PySide6.QtWidgets import QAbstractSpinBox, QDateTimeEdit, QHBoxLayout, QWidget

from desktop_memory.ui.parts import label
from desktop_memory.ui.theme import Theme
from desktop_memory.ui.words import moment_format, tr


class StretchFields(QWidget):
    """`changed` follows each change; the last hour to begin with."""

    changed = Signal()

    def __init__(self, theme: Theme, now: datetime) -> None:
        super().__init__()
        self.since = self._field(tr("From"), now - timedelta(hours=1))
        self.until = self._field(tr("To"), now)
        self.setFocusProxy(self.since)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.px(8))
        for text, field in ((tr("From"), self.since), (tr("To"), self.until)):
            says = label(theme, text, 13, token="muted")
            says.setBuddy(field)
            row.addWidget(says)
            row.addWidget(field)
            row.addSpacing(theme.px(8))
        row.addStretch()

    def _field(self, name: str, at: datetime) -> QDateTimeEdit:
        made = QDateTimeEdit(QDateTime.fromSecsSinceEpoch(round(at.timestamp())))
        made.setButtonSymbols(QAbstractSpinBox.ButtonSymbols.NoButtons)
        made.setDisplayFormat(moment_format())
        made.setAccessibleName(name)
        made.dateTimeChanged.connect(lambda _at: self.changed.emit())
        return made

    def bounds(self) -> tuple[datetime, datetime]:
        """Both ends, the later one with its whole minute."""
        ends = (field.dateTime().toSecsSinceEpoch() for field in (self.since, self.until))
        since, until = (datetime.fromtimestamp(end - end % 60, UTC) for end in ends)
        return since, until + timedelta(minutes=1)
