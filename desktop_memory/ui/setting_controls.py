"""A control for each kind of setting; each tells its value when the person has finished with it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QWidget

from desktop_memory.ui.hotkey_recorder import HotkeyRecorder
from desktop_memory.ui.setting_fields import Declared
from desktop_memory.ui.switches import Choice, Number, Switch
from desktop_memory.ui.theme import Theme
from desktop_memory.ui.words import tr

Told = Callable[[Any], None]
MOST = 1_000_000
MOST_LINES = 8


def control(field: Declared, theme: Theme, told: Told) -> QWidget:
    """The control of this setting, showing its value; `told` hears the new one."""
    made = _MAKERS[field.kind](field, theme, told)
    made.setAccessibleName(field.help)
    return made


def _switch(field: Declared, theme: Theme, told: Told) -> QWidget:
    box = Switch(theme, on=bool(field.value))
    box.toggled.connect(told)
    return box


def _number(field: Declared, theme: Theme, told: Told) -> QWidget:
    box = Number(int(field.value), MOST)
    box.setFixedWidth(theme.px(120))
    box.told.connect(told)
    return box


def _choice(field: Declared, theme: Theme, told: Told) -> QWidget:
    box = Choice(theme)
    for choice in field.choices:
        box.addItem(tr(choice.capitalize()), choice)
    if not field.choices:
        box.addItem(str(field.value), field.value)
    box.setCurrentIndex(max(0, box.findData(field.value)))
    box.setMinimumWidth(theme.px(140))
    box.setMaximumWidth(theme.px(160 if field.choices else 240))
    box.activated.connect(lambda index: told(box.itemData(index)))
    return box


def _text(field: Declared, theme: Theme, told: Told) -> QWidget:
    line = QLineEdit(str(field.value))
    line.setMinimumWidth(theme.px(140))
    line.setMaximumWidth(theme.px(300))
    line.editingFinished.connect(lambda: told(line.text().strip()))
    return line


def _list(field: Declared, theme: Theme, told: Told) -> QWidget:
    box = Lines(theme)
    box.setPlainText("\n".join(field.value))
    box.setPlaceholderText(tr("One a line"))
    box.setMinimumWidth(theme.px(140))
    box.setMaximumWidth(theme.px(300))
    box.finished.connect(told)
    return box


def _hotkey(field: Declared, theme: Theme, told: Told) -> QWidget:
    recorder = HotkeyRecorder(str(field.value))
    recorder.setFixedWidth(theme.px(200))
    recorder.recorded.connect(told)
    return recorder


class Lines(QPlainTextEdit):
    """A list, one entry a line; `finished` carries it when the focus leaves and it is another."""

    finished = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setTabChangesFocus(True)
        self._before: tuple[str, ...] = ()
        self.textChanged.connect(self._fit)
        self._fit()

    def _fit(self) -> None:
        """As high as its lines, with room for one more while it is written in."""
        lines = max(1, self.document().blockCount() + (1 if self.hasFocus() else 0))
        around = 2 * (self._theme.px(4) + round(self.document().documentMargin()) + self.frameWidth())
        self.setFixedHeight(around + self.fontMetrics().lineSpacing() * min(lines, MOST_LINES) + 2)
        more = lines > MOST_LINES
        policy = Qt.ScrollBarPolicy
        self.setVerticalScrollBarPolicy(policy.ScrollBarAsNeeded if more else policy.ScrollBarAlwaysOff)

    def sizeHint(self) -> QSize:
        return QSize(self._theme.px(300), self.height())

    def lines(self) -> tuple[str, ...]:
        return tuple(line.strip() for line in self.toPlainText().splitlines() if line.strip())

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._before = self.lines()
        super().focusInEvent(event)
        self._fit()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._fit()
        if self.lines() != self._before:
            self._before = self.lines()
            self.finished.emit(self.lines())


_MAKERS: dict[str, Callable[[Declared, Theme, Told], QWidget]] = {
    "switch": _switch, "number": _number, "choice": _choice, "text": _text, "list": _list, "hotkey": _hotkey,
}  # fmt: skip
