"""Narrowing a search: a chip a kind, and a chip that opens a list for app, project, site and day."""

from __future__ import annotations

from datetime import date
from functools import partial

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QMenu, QPushButton, QVBoxLayout, QWidget

from desktop_memory.context.apps import label
from desktop_memory.ui.facets import Chosen, Dimension, Facets
from desktop_memory.ui.filters import KINDS, kind_word
from desktop_memory.ui.flow import flowing
from desktop_memory.ui.parts import chip_button, dress
from desktop_memory.ui.rows import clean
from desktop_memory.ui.theme import Theme
from desktop_memory.ui.words import day_name, number, tr

LISTED: tuple[Dimension, ...] = ("app", "project", "site", "day")
MOST = 15
"""Values a list offers."""
LONGEST = 28


class FacetBar(QWidget):
    """`changed` follows each choice."""

    changed = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.chosen = Chosen()
        self._facets = Facets()
        self._today = date(2000, 1, 1)
        holder, row = flowing(theme.px(6))
        self.kinds = {name: self._chip("kind", name) for name, _ in KINDS}
        self.failed = self._chip("failed", True)
        self.lists = {dimension: self._list(dimension) for dimension in LISTED}
        for chip in (*self.kinds.values(), self.failed, *self.lists.values()):
            row.addWidget(chip)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(holder)
        self._dress()

    def show_facets(self, facets: Facets, today: date) -> None:
        """Tell how many hits each choice would leave."""
        self._facets, self._today = facets, today
        self._dress()

    def choose(self, chosen: Chosen) -> None:
        self.chosen = chosen
        self._dress()
        self.changed.emit()

    def _chip(self, dimension: Dimension, value: object) -> QPushButton:
        made = chip_button("")
        made.clicked.connect(
            lambda on: self.choose(self.chosen.take(dimension, value if dimension == "kind" else on))
        )
        return made

    def _list(self, dimension: Dimension) -> QPushButton:
        made = chip_button("")
        made.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        self._theme.follow(made, lambda: dress(made, self._theme, "chevron-down", "muted"))
        made.clicked.connect(partial(self.open_list, dimension))
        return made

    def open_list(self, dimension: Dimension) -> None:
        """Offer the values of this dimension."""
        self._dress()
        menu, chip = self.menu_of(dimension), self.lists[dimension]
        menu.popup(chip.mapToGlobal(QPoint(0, chip.height() + self._theme.px(4))))

    def menu_of(self, dimension: Dimension) -> QMenu:
        """The values of this dimension, most hits first."""
        menu = QMenu(self)
        now = self._value(dimension)
        if now:
            menu.addAction(all_word(dimension)).triggered.connect(lambda: self._take(dimension, None))
            menu.addSeparator()
        for value, count in self._facets.counts.get(dimension, ())[:MOST]:
            entry = menu.addAction(f"{self._shown(dimension, value)}\t{number(count)}".replace("&", "&&"))
            entry.setCheckable(True)
            entry.setChecked(value == now)
            entry.triggered.connect(lambda _on=False, value=value: self._take(dimension, value))
        if menu.isEmpty():
            menu.addAction(tr("Nothing to choose from yet")).setEnabled(False)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        return menu

    def _take(self, dimension: Dimension, value: object) -> None:
        self.choose(self.chosen.take(dimension, value))
        self.lists[dimension].setFocus()

    def _value(self, dimension: Dimension) -> object:
        chosen = self.chosen
        return {"app": chosen.app, "project": chosen.project, "site": chosen.site, "day": chosen.day}[
            dimension
        ]

    def _dress(self) -> None:
        """Names, counts and marks as they are now."""
        for name, chip in self.kinds.items():
            _say(chip, kind_word(name), self._facets.of("kind", name), on=name in self.chosen.kinds)
        _say(self.failed, tr("Failed"), self._facets.of("failed", True), on=self.chosen.failed)
        for dimension, chip in self.lists.items():
            value = self._value(dimension)
            shown = self._shown(dimension, value) if value else ""
            text = f"{name_word(dimension)}: {shown}" if shown else name_word(dimension)
            chip.setText(text.replace("&", "&&"))
            chip.setChecked(bool(value))
            chip.setAccessibleName(tr("{name}; opens a list").format(name=text))

    def _shown(self, dimension: Dimension, value: object) -> str:
        if isinstance(value, date):
            return day_name(value, self._today)
        name = clean(label(str(value)) if dimension == "app" else str(value))
        return name if len(name) <= LONGEST else name[: LONGEST - 1] + "…"


def _say(chip: QPushButton, text: str, count: int, *, on: bool) -> None:
    chip.setText(f"{text} {number(count)}" if count else text)
    chip.setChecked(on)


def name_word(dimension: Dimension) -> str:
    return {"app": tr("App"), "project": tr("Project"), "site": tr("Site"), "day": tr("Day")}[dimension]


def all_word(dimension: Dimension) -> str:
    return {
        "app": tr("All apps"),
        "project": tr("All projects"),
        "site": tr("All sites"),
        "day": tr("All days"),
    }[dimension]
