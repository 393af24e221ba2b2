"""The lines of a composed context, each of which can be struck out; what was held back, masked and left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from desktop_memory.model import CopiedContext, HeldBack
from desktop_memory.ui.parts import button, label
from desktop_memory.ui.rows import Row, clean, header, quiet
from desktop_memory.ui.theme import Theme
from desktop_memory.ui.tick_list import TickList, tick
from desktop_memory.ui.words import number, records, tr


class ComposedLines(QWidget):
    """`changed` follows each tick: `struck` holds the keys of lines taken out, `let_in` walled projects."""

    changed = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.struck: set[str] = set()
        self.let_in: set[str] = set()
        self._known: dict[str, str] = {}
        self._held: dict[str, int] = {}
        self.rows = TickList(theme, tr("Lines that go along"))
        self.rows.setMinimumHeight(theme.px(220))
        self.rows.ticked.connect(self._tick)
        self._back = button(theme, tr("Take all back"), self.take_all_back, look="link")
        self._back.hide()
        head = QHBoxLayout()
        head.addWidget(label(theme, tr("Lines"), 14, 600))
        head.addWidget(label(theme, tr("Untick what should not go along."), 13, token="muted"), 1)
        head.addWidget(self._back)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.px(8))
        column.addLayout(head)
        column.addWidget(self.rows, 1)

    def begin(self) -> None:
        """Something else is composed: nothing of it is struck out yet."""
        self.struck, self.let_in = set(), set()
        self._known, self._held = {}, {}

    def take_all_back(self) -> None:
        self.struck = set()
        self.changed.emit()

    def show_context(self, context: CopiedContext | None) -> None:
        """Its lines, with those struck out where they stood."""
        rows: list[Row] = []
        if context is not None:
            self._learn(context)
            rows = [self._line(key, text) for key, text in self._known.items()]
            rows += self._others(context)
        self.rows.show_rows(rows)
        self.setVisible(bool(rows))
        self._back.setVisible(bool(self.struck))

    def _learn(self, context: CopiedContext) -> None:
        """Lines of now in their order; those struck out keep their place after the line they followed."""
        texts = {line.key: clean(line.text) for line in context.lines if line.key}
        order = list(texts)
        before = ""
        for key in self._known:
            if key in self.struck and key not in texts:
                order.insert(order.index(before) + 1 if before in order else 0, key)
            before = key
        self._known = {key: texts.get(key) or self._known[key] for key in order}
        for held in context.held_back:
            self._held[held.project] = held.events

    def _line(self, key: str, text: str) -> Row:
        row = Row(key=("line", key), title=text, tooltip=text, does=key)
        return tick(row, on=key not in self.struck)

    def _others(self, context: CopiedContext) -> list[Row]:
        rows: list[Row] = []
        if self._held:
            rows.append(header(tr("Held back: walled projects"), "held"))
            rows += [self._wall(HeldBack(project=name, events=n)) for name, n in self._held.items()]
        if context.masked:
            told = ", ".join(f"{kind} {number(n)}" for kind, n in context.masked.items())
            rows.append(header(tr("Masked"), "masked"))
            rows.append(replace(quiet(told, "shield-lock"), key=("quiet", "masked"), tooltip=told))
        if context.left_out:
            told = tr("{what} did not fit; more tokens take them in.").format(what=records(context.left_out))
            rows.append(replace(quiet(told), key=("quiet", "left out")))
        return rows

    def _wall(self, held: HeldBack) -> Row:
        name = clean(held.project)
        row = Row(
            key=("wall", held.project), title=f"{name}: {records(held.events)}", chip=tr("walled"),
            tooltip=tr("{name} enters a copy only when you ask for it.").format(name=name), does=held,
        )  # fmt: skip
        return tick(row, on=held.project in self.let_in)

    def _tick(self, rows: Sequence[Row]) -> None:
        """Turn these ticks, all of them the way of the first."""
        on = bool(rows) and self._is_off(rows[0])
        for row in rows:
            if isinstance(row.does, HeldBack):
                self.let_in = _turned(self.let_in, row.does.project, on)
            elif isinstance(row.does, str):
                self.struck = _turned(self.struck, row.does, not on)
        if rows:
            self.changed.emit()

    def _is_off(self, row: Row) -> bool:
        if isinstance(row.does, HeldBack):
            return row.does.project not in self.let_in
        return row.does in self.struck


def _turned(among: set[str], key: str, into: bool) -> set[str]:
    return among | {key} if into else among - {key}
