"""The first start: four quiet steps, any of which can be skipped."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from desktop_memory.desktop import autostart
from desktop_memory.model import PlaceStatus
from desktop_memory.ui import desktop_keys
from desktop_memory.ui.desk import Desk
from desktop_memory.ui.encryption import Encryption
from desktop_memory.ui.icons import pixmap
from desktop_memory.ui.notice_strip import NoticeStrip
from desktop_memory.ui.parts import Rule, button, label, scrolled
from desktop_memory.ui.reading_strip import ReadingStrip
from desktop_memory.ui.saving import save_setting
from desktop_memory.ui.setting_form import SettingForm
from desktop_memory.ui.source_rows import source_word
from desktop_memory.ui.switches import Switch
from desktop_memory.ui.words import number, records, tr

WIDTH = 620


class Welcome(QWidget):
    """`done` follows the last step or Skip. Recording goes on meanwhile; every switch acts at once."""

    done = Signal()

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        px = desk.theme.px
        self._steps = QStackedWidget()
        for step in (self._what(), self._sources(), self._private(), self._keys()):
            self._steps.addWidget(scrolled(step, tr("First steps")))
        self._place = label(desk.theme, "", 12, token="muted")
        self._back = button(desk.theme, tr("Back"), partial(self._turn, -1), look="quiet")
        self._skip = button(desk.theme, tr("Skip"), self.done.emit, look="quiet")
        self._next = button(desk.theme, tr("Next"), partial(self._turn, 1), look="primary")
        foot = QHBoxLayout()
        foot.setContentsMargins(px(24), px(12), px(24), px(12))
        foot.setSpacing(px(8))
        foot.addWidget(self._place)
        foot.addStretch()
        for part in (self._skip, self._back, self._next):
            foot.addWidget(part)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self.strip = NoticeStrip(desk.theme)
        desk.notices.said.connect(self.strip.show_notice)
        desk.notices.answered.connect(self.strip.take_away)
        self.strip.let_go.connect(self.take_focus)
        column.addWidget(self._steps, 1)
        column.addWidget(self.strip)
        column.addWidget(Rule(desk.theme))
        column.addLayout(foot)
        desk.theme.follow(self, self.update)
        self._turn(0)

    def take_focus(self) -> None:
        self._next.setFocus()

    @property
    def step(self) -> int:
        """Which of the four is shown, from 0."""
        return self._steps.currentIndex()

    def _turn(self, by: int) -> None:
        there = self.step + by
        if there >= self._steps.count():
            self.done.emit()
            return
        self._steps.setCurrentIndex(max(there, 0))
        last = self.step == self._steps.count() - 1
        self._next.setText(tr("Done") if last else tr("Next"))
        self._skip.setVisible(not last)
        self._back.setVisible(self.step > 0)
        self._place.setText(f"{number(self.step + 1)} / {number(self._steps.count())}")
        if self.step == 1:
            self._ask()

    def _page(self, icon: str, title: str, *paragraphs: str) -> tuple[QWidget, QVBoxLayout]:
        theme, px = self._desk.theme, self._desk.theme.px
        inner = QWidget()
        inner.setMaximumWidth(px(WIDTH))
        column = QVBoxLayout(inner)
        column.setContentsMargins(px(24), px(48), px(24), px(24))
        column.setSpacing(px(12))
        mark = _Mark(self._desk, icon)
        column.addWidget(mark)
        column.addWidget(label(theme, title, 20, 600))
        for text in paragraphs:
            said = label(theme, text, 14, token="muted")
            said.setWordWrap(True)
            column.addWidget(said)
        column.addSpacing(px(8))
        outer = QWidget()
        row = QHBoxLayout(outer)
        row.addStretch()
        row.addWidget(inner, 10)
        row.addStretch()
        return outer, column

    def _what(self) -> QWidget:
        where = str(self._desk.folder or "")
        page, column = self._page(
            "clock-play",
            tr("What you did, when you need it"),
            tr("Windows, pages, commands and commits are remembered as they happen, found by words and by "
               "meaning, and copied as a context for a chat."),
            tr("Everything stays on this computer, in {folder}. Nothing is sent anywhere.").format(folder=where),
            tr("It is recording already. Pause it any time from the tray or with the three dots below the pages."),
        )  # fmt: skip
        column.addStretch()
        return page

    def _sources(self) -> QWidget:
        page, column = self._page(
            "device-desktop-analytics",
            tr("What is watched"),
            tr(
                "Found on this computer. Switch off what should not be read; it can be changed under Settings."
            ),
        )
        self._grid = QGridLayout()
        self._grid.setVerticalSpacing(self._desk.theme.px(10))
        self._grid.setColumnStretch(0, 1)
        self._switches: dict[str, Switch] = {}
        column.addLayout(self._grid)
        column.addSpacing(self._desk.theme.px(8))
        column.addWidget(ReadingStrip(self._desk))
        column.addStretch()
        return page

    def _ask(self) -> None:
        memory, app = self._desk.memory, self._desk.app

        def ask() -> tuple[list[PlaceStatus], Mapping[str, Any]]:
            return memory.places(), app.status()

        self._desk.background.run(ask, self._show, self._desk.notices.failed, owner=self, lane="welcome")

    def _show(self, answer: tuple[list[PlaceStatus], Mapping[str, Any]]) -> None:
        places, status = answer
        counts: dict[str, int] = dict.fromkeys(status.get("live", {}), 0)
        for place in places:
            if place.state != "unavailable":
                counts[place.source] = counts.get(place.source, 0) + place.today
        for source, today in counts.items():
            if source in self._switches:
                continue
            row = len(self._switches)
            told = tr("{what} today").format(what=records(today)) if today else ""
            self._grid.addWidget(label(self._desk.theme, source_word(source), 14), row, 0)
            count = label(self._desk.theme, told, 12, token="muted")
            self._grid.addWidget(count, row, 1, Qt.AlignmentFlag.AlignRight)
            switch = Switch(self._desk.theme, on=source not in self._desk.settings.sources.off)
            switch.setAccessibleName(source_word(source))
            switch.toggled.connect(partial(self._switch, source))
            self._switches[source] = switch
            self._grid.addWidget(switch, row, 2)

    def _switch(self, source: str, on: bool) -> None:
        off = [name for name in self._desk.settings.sources.off if name != source]
        save_setting(self._desk, "sources", "off", tuple(off if on else [*off, source]), _nothing)

    def _private(self) -> QWidget:
        page, column = self._page(
            "shield-lock",
            tr("What stays private"),
            tr("Password managers, lock screens and private windows are never recorded. Keys and passwords in "
               "commands and addresses are masked before anything is written."),
            tr("Name apps and sites that should never be recorded, or the only ones that should be. Forget the "
               "last ten minutes, an app or a site any time, under Privacy."),
        )  # fmt: skip
        self.form = SettingForm(
            self._desk,
            ("privacy",),
            titles=False,
            only=(
                "exclude_apps",
                "exclude_domains",
                "only_apps",
                "only_domains",
                "only_paths",
                "only_projects",
            ),
        )
        column.addWidget(self.form)
        column.addSpacing(self._desk.theme.px(8))
        self.encryption = Encryption(self._desk)
        column.addWidget(self.encryption)
        column.addStretch()
        return page

    def _keys(self) -> QWidget:
        page, column = self._page(
            "search",
            tr("One key, from anywhere"),
            tr("Press it to search. Press it and then Enter to copy the last 15 minutes."),
        )
        form = SettingForm(self._desk, ("desktop",), titles=False, only=("hotkey", "copy_hotkey"))
        self._autostart = Switch(self._desk.theme)
        self._autostart.setAccessibleName(tr("Start with the desktop"))
        self._autostart.clicked.connect(self._start_with_desktop)
        form.add_row("desktop", tr("Start with the desktop, so that no day is lost"), self._autostart)
        desktop_keys.add_rows(self._desk, form)
        self._desk.background.run(autostart.is_on, self._autostart.setChecked, owner=self)
        column.addWidget(form)
        column.addStretch()
        return page

    def _start_with_desktop(self, on: bool) -> None:
        ours = autostart.own_command(self._desk.folder)
        act: Callable[[], None] = partial(autostart.turn_on, ours) if on else autostart.turn_off
        self._desk.background.run(act, None, self._desk.notices.failed, owner=self)

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), self._desk.theme["bg"])


class _Mark(QWidget):
    """A step's icon, larger than others."""

    SIZE = 36

    def __init__(self, desk: Desk, name: str) -> None:
        super().__init__()
        self._desk, self._name = desk, name
        self.setFixedHeight(desk.theme.px(self.SIZE))

    def paintEvent(self, event: QPaintEvent) -> None:
        size = self._desk.theme.px(self.SIZE)
        drawn = pixmap(self._name, self._desk.theme["accent"], size, self.devicePixelRatioF())
        QPainter(self).drawPixmap(0, 0, drawn)


def _nothing() -> None:
    pass
