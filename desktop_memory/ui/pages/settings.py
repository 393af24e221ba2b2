"""Settings: generated from their own declarations, with a field that finds them."""

from __future__ import annotations

from functools import partial

from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop_memory.desktop import autostart
from desktop_memory.errors import KnownError
from desktop_memory.ui import desktop_keys
from desktop_memory.ui.actions import Actions
from desktop_memory.ui.as_written import as_written
from desktop_memory.ui.copying import Copier
from desktop_memory.ui.desk import Desk
from desktop_memory.ui.house_rows import HouseRows
from desktop_memory.ui.pages.page import Page
from desktop_memory.ui.parts import Rule, label, piled, scrolled
from desktop_memory.ui.search_field import SearchField
from desktop_memory.ui.setting_form import SettingForm
from desktop_memory.ui.storage_rows import StorageRows
from desktop_memory.ui.switches import Switch
from desktop_memory.ui.translated import translated
from desktop_memory.ui.words import tr

WIDTH = 900
"""Wider, what is set would stand too far from what it is called."""
SECTIONS = ("desktop", "sources", "memory", "storage")


class SettingsPage(Page):
    """A change acts at once and is kept at once; what cannot be had is said and put back."""

    icon = "settings"

    def __init__(self, desk: Desk, copier: Copier, actions: Actions) -> None:
        super().__init__(desk, copier, actions)
        px = desk.theme.px
        self.form = SettingForm(desk, SECTIONS)
        self._autostart = Switch(desk.theme)
        self._autostart.setAccessibleName(tr("Start with the desktop"))
        self._autostart.setEnabled(not desk.demo)
        self._autostart.clicked.connect(self._switch_autostart)
        self.form.add_row(
            "desktop", tr("Start with the desktop, so that no day is lost"), self._autostart, "autostart"
        )
        desktop_keys.add_rows(desk, self.form)
        self.house = HouseRows(desk, self.form)
        self.storage = StorageRows(desk, self.form)
        self._none = label(desk.theme, "", 13, token="muted")
        self._none.hide()
        inside = QWidget()
        inside.setMaximumWidth(px(WIDTH))
        column = QVBoxLayout(inside)
        column.setContentsMargins(px(16), 0, px(16), px(24))
        column.addWidget(self._none)
        column.addWidget(self.form)
        column.addStretch()
        self.area = scrolled(inside, self.title())
        piled(self, self._head(), Rule(desk.theme), self.area)

    @classmethod
    def title(cls) -> str:
        return tr("Settings")

    def _head(self) -> QWidget:
        theme, px = self.desk.theme, self.desk.theme.px
        box = SearchField(theme, tr("Find a setting"))
        box.setMaximumWidth(px(WIDTH - 2 * 16))
        self.field = box.line
        self.field.setAccessibleName(tr("Find a setting"))
        self.field.textChanged.connect(self._find)
        head = QWidget()
        column = QVBoxLayout(head)
        column.setContentsMargins(px(16), px(12), px(16), px(12))
        column.setSpacing(px(10))
        column.addWidget(label(theme, self.title(), 20, 600))
        column.addWidget(box)
        return head

    def take_focus(self) -> None:
        self.field.setFocus()

    def refresh(self) -> None:
        self.house.refresh()
        self.storage.refresh()
        self.desk.background.run(autostart.problem, self._show_autostart, owner=self, lane="autostart")

    def _show_autostart(self, problem: str) -> None:
        self._autostart.setChecked(not problem)
        self._autostart.setToolTip(as_written(translated(problem)))

    def _switch_autostart(self, on: bool) -> None:
        ours = autostart.own_command(self.desk.folder)
        act = partial(autostart.turn_on, ours) if on else autostart.turn_off
        self.desk.background.run(act, lambda _: self.refresh(), self._not_switched, owner=self)

    def _not_switched(self, error: Exception) -> None:
        if isinstance(error, OSError):
            error = KnownError(str(error), tr("Nothing was changed."))
        self.desk.notices.failed(error)
        self.refresh()

    def _find(self, words: str) -> None:
        count = self.form.show_matching(words)
        self._none.setText(tr("No setting is called “{words}”.").format(words=words))
        self._none.setVisible(not count)
