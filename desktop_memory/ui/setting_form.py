"""A form made from the settings' own declarations. A value is saved when the person has finished with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop_memory.ui.desk import Desk
from desktop_memory.ui.hotkey_recorder import HotkeyRecorder
from desktop_memory.ui.parts import Rule, label
from desktop_memory.ui.saving import save_setting
from desktop_memory.ui.setting_controls import control
from desktop_memory.ui.setting_fields import Declared, declared, section_word
from desktop_memory.ui.side_by_side import SideBySide

LEAST = 180
"""With less room its name stands above a control."""
Guard = Callable[[Any, Callable[[], None]], None]
"""Is handed a new value, and what keeps it."""


class SettingForm(QWidget):
    """The settings of some sections. `saved` follows each change that is written and acts.

    Each of the `headings` stands before the setting of its name. With a `guard` nothing is kept before it says so.
    """

    saved = Signal()

    def __init__(
        self,
        desk: Desk,
        sections: Sequence[str],
        *,
        titles: bool = True,
        only: Sequence[str] = (),
        without: Sequence[str] = (),
        headings: Mapping[str, str] = MappingProxyType({}),
        guard: Guard | None = None,
    ) -> None:
        super().__init__()
        self._desk = desk
        self._guard = guard
        self.controls: dict[tuple[str, str], QWidget] = {}
        self._rows: list[tuple[QWidget, str, str]] = []
        self._titles: dict[str, QWidget] = {}
        self._last: dict[str, QWidget] = {}
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        for section in sections:
            if titles:
                self._titles[section] = self._head(section, section_word(section))
            for field in declared(desk.settings):
                wanted = field.name in only if only else field.name not in without
                if field.section == section and wanted:
                    if field.name in headings:
                        self._head(section, headings[field.name])
                    self._add(field)

    def _head(self, section: str, text: str) -> QWidget:
        px = self._desk.theme.px
        made = label(self._desk.theme, text, 14, 600)
        made.setContentsMargins(0, px(20), 0, px(4))
        self._put_last(section, made)
        return made

    def _add(self, field: Declared) -> None:
        made = control(field, self._desk.theme, partial(self._change, field))
        self.controls[field.section, field.name] = made
        self.add_row(field.section, field.help, made, field.name.replace("_", " "))

    def add_row(self, section: str, told: str, made: QWidget, also: str = "") -> None:
        """A row of its own in this section, found by these words too."""
        px = self._desk.theme.px
        row = QWidget()
        line = SideBySide(px(24), px(LEAST), row)
        line.setContentsMargins(0, px(8), 0, px(8))
        says = label(self._desk.theme, told, 14)
        says.setWordWrap(True)
        says.setBuddy(made)
        line.addWidget(says)
        line.addWidget(made)
        holder = QWidget()
        column = QVBoxLayout(holder)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(row)
        column.addWidget(Rule(self._desk.theme))
        self._put_last(section, holder)
        self._rows.append((holder, section, f"{told} {also}".casefold()))

    def _put_last(self, section: str, part: QWidget) -> None:
        """Behind what this section has already."""
        before = self._last.get(section)
        place = self._column.count() if before is None else self._column.indexOf(before) + 1
        self._column.insertWidget(place, part)
        self._last[section] = part

    def show_matching(self, words: str) -> int:
        """Show only what holds all these words; how many rows that are."""
        wanted = words.casefold().split()
        shown: dict[str, int] = {}
        for holder, section, text in self._rows:
            fits = all(word in text or word in section_word(section).casefold() for word in wanted)
            holder.setVisible(fits)
            shown[section] = shown.get(section, 0) + fits
        for section, title in self._titles.items():
            title.setVisible(bool(shown.get(section)))
        return sum(shown.values())

    def _change(self, field: Declared, value: Any) -> None:
        if getattr(getattr(self._desk.settings, field.section), field.name) == value:
            return
        if field.kind == "hotkey" and self._desk.rebind is not None:
            self._desk.rebind(
                field.name, value, partial(self._bound, field, value), partial(self._not_bound, field)
            )
            return
        if (field.section, field.name) == ("desktop", "theme"):
            self._desk.theme.choose(value)
        if self._guard is not None:
            self._guard(value, partial(self._save, field, value))
            return
        self._save(field, value)

    def _save(self, field: Declared, value: Any) -> None:
        save_setting(self._desk, field.section, field.name, value, self.saved.emit)

    def _bound(self, field: Declared, keys: str) -> None:
        made = self.controls[field.section, field.name]
        if isinstance(made, HotkeyRecorder):
            made.show_keys(keys)
        save_setting(self._desk, field.section, field.name, keys, self.saved.emit)

    def _not_bound(self, field: Declared, error: Exception) -> None:
        made = self.controls[field.section, field.name]
        if isinstance(made, HotkeyRecorder):
            made.show_keys(made.keys)
        self._desk.notices.failed(error)
