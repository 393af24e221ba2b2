"""Filters of a search as chips: a kind, an app, a project or a site; one of each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal, cast

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from desktop_memory.context.apps import label
from desktop_memory.model import Kind, Query, Remembered
from desktop_memory.ui.as_written import as_written
from desktop_memory.ui.icons import KIND_COLOURS, KIND_ICONS
from desktop_memory.ui.parts import PushButton
from desktop_memory.ui.rows import Row, clean, marked
from desktop_memory.ui.theme import Theme
from desktop_memory.ui.words import tr

What = Literal["kind", "app", "project", "site"]
KINDS: tuple[tuple[str, tuple[Kind, ...]], ...] = (
    ("Windows", ("window",)),
    ("Pages", ("browser",)),
    ("Commands", ("terminal",)),
    ("Commits", ("git_commit", "git_stash", "git_staged", "git_checkout")),
    ("Files", ("file",)),
    ("Notes", ("note",)),
)
LONGEST = 18
"""Characters of a chip; the tooltip has the rest."""


@dataclass(frozen=True, slots=True)
class Filter:
    """`value` is what the query takes: a name, or the name of a group of KINDS."""

    what: What
    value: str

    @property
    def shown(self) -> str:
        if self.what == "kind":
            return kind_word(self.value)
        return clean(label(self.value)) if self.what == "app" else clean(self.value)


def kind_word(name: str) -> str:
    return {
        "Windows": tr("Windows"),
        "Pages": tr("Pages"),
        "Commands": tr("Commands"),
        "Commits": tr("Commits"),
        "Files": tr("Files"),
        "Notes": tr("Notes"),
    }[name]


def what_word(what: What) -> str:
    return {"kind": tr("kind"), "app": tr("app"), "project": tr("project"), "site": tr("site")}[what]


def narrowed(query: Query, filters: Iterable[Filter]) -> Query:
    """The query with these filters."""
    for each in filters:
        if each.what == "kind":
            query = replace(query, kinds=dict(KINDS)[each.value])
        else:
            name = "domain" if each.what == "site" else each.what
            query = replace(query, **{name: each.value})  # type: ignore[arg-type]
    return query


def offered(
    events: Iterable[Remembered], chosen: Remembered | None, typed: str, have: Sequence[Filter]
) -> list[Row]:
    """A row for each filter that these events suggest, those of the chosen one first, that begin like `typed`."""
    found: dict[Filter, None] = {}
    for event in ([chosen] if chosen else []) + list(events):
        for what, value in (("project", event.project), ("site", event.domain), ("app", event.app)):
            if value:
                found.setdefault(Filter(cast(What, what), value))
    for name, _ in KINDS:
        found.setdefault(Filter("kind", name))
    taken = {each.what for each in have}
    wanted = typed.strip().casefold()
    return [
        _row(each, wanted)
        for each in found
        if each.what not in taken and any(word.startswith(wanted) for word in _words(each))
    ]


def _words(each: Filter) -> list[str]:
    shown = each.shown.casefold()
    return [shown, *shown.replace(".", " ").split()]


def _row(each: Filter, typed: str) -> Row:
    icon, tint = _MARKS[each.what]
    if each.what == "kind":
        kind = dict(KINDS)[each.value][0]
        icon, tint = KIND_ICONS[kind], KIND_COLOURS[kind]
    return Row(
        key=("filter", each), title=each.shown, icon=icon, tint=tint, chip=what_word(each.what), does=each,
        marks=tuple(marked(each.shown, [typed] if typed else [])),
    )  # fmt: skip


_MARKS = {
    "project": ("folder", "muted"),
    "site": ("world", "browser"),
    "app": ("app-window", "window"),
    "kind": ("", ""),
}


class FilterChips(QWidget):
    """The filters that hold; `changed` follows each one that is added or taken away."""

    changed = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.filters: tuple[Filter, ...] = ()
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(theme.px(6))
        self.chips: list[QPushButton] = []
        self.hide()

    def add(self, new: Filter) -> None:
        """Filter by this too, in place of one of the same kind."""
        self._become((*(each for each in self.filters if each.what != new.what), new))

    def remove(self, old: Filter) -> None:
        self._become(tuple(each for each in self.filters if each != old))

    def remove_last(self) -> bool:
        """Take the newest away; whether there was one."""
        if not self.filters:
            return False
        self._become(self.filters[:-1])
        return True

    def clear(self) -> None:
        """Take all away, without a word."""
        self.filters = ()
        self._show()

    def _become(self, filters: tuple[Filter, ...]) -> None:
        self.filters = filters
        self._show()
        self.changed.emit()

    def _show(self) -> None:
        for old in self.chips:
            self._row.removeWidget(old)
            old.hide()
            old.deleteLater()
        self.chips = []
        for each in self.filters:
            shown = each.shown
            chip = PushButton(f"{shown[:LONGEST]}{'…' if len(shown) > LONGEST else ''}  ✕")
            chip.setProperty("look", "filter")
            chip.setAccessibleName(
                tr("Only {what} {name}; press to take it away").format(what=what_word(each.what), name=shown)
            )
            chip.setToolTip(as_written(chip.accessibleName()))
            chip.clicked.connect(partial(self._removed, each))
            self._row.addWidget(chip)
            self.chips.append(chip)
        self.setVisible(bool(self.filters))

    def _removed(self, each: Filter, _checked: bool = False) -> None:
        self.remove(each)
