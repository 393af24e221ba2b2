"""Pins: goals and notes that head every copy."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import (
    QButtonGroup,
    QHBoxLayout,
    QLineEdit,
    QMenu,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from desktop_memory.context.updates import LONGEST_ANSWER, Proposal
from desktop_memory.model import Pin, PinStatus
from desktop_memory.ui.actions import Actions
from desktop_memory.ui.copying import Copier
from desktop_memory.ui.desk import Desk
from desktop_memory.ui.empty import Empty
from desktop_memory.ui.flow import flowing
from desktop_memory.ui.icons import icon
from desktop_memory.ui.pages.page import Page
from desktop_memory.ui.parts import Elided, Rule, button, chip_button, label, piled
from desktop_memory.ui.pin_list import PinList
from desktop_memory.ui.pin_words import KINDS, due_word, kind_word
from desktop_memory.ui.rows import Row, clean, header
from desktop_memory.ui.suggestions import Suggestions
from desktop_memory.ui.updates_panel import holds_updates
from desktop_memory.ui.words import local, tr


class PinsPage(Page):
    """Written above, listed below; Space marks as done, Delete removes with a way back."""

    icon = "pin"

    def __init__(self, desk: Desk, copier: Copier, actions: Actions) -> None:
        super().__init__(desk, copier, actions)
        theme = desk.theme
        self._about = Elided(theme, 13, token="muted")
        self._about.setText(tr("They stand at the head of everything you copy, until they are done."))
        self.rows = PinList(theme, tr("Pins"))
        self.rows.moved.connect(self._move)
        self.rows.done_wanted.connect(self._toggle_done)
        self.rows.delete_wanted.connect(self._remove)
        self.rows.opened.connect(self._toggle_done)
        self.rows.copy_wanted.connect(actions.copy_lines)
        self.rows.menu_wanted.connect(self._menu)
        self._empty = Empty(
            theme, "pin", tr("Nothing pinned yet"),
            tr("Write a goal above: what you work on and until when. It heads every copied context."),
        )  # fmt: skip
        self._stack = QStackedWidget()
        self._stack.addWidget(self._empty)
        self._stack.addWidget(self.rows)
        self.suggestions = Suggestions(desk)
        self.suggestions.changed.connect(self.refresh)
        piled(self, self._head(), Rule(theme), self.suggestions.panel, self._stack)

    @classmethod
    def title(cls) -> str:
        return tr("Pins")

    def _head(self) -> QWidget:
        theme, px = self.desk.theme, self.desk.theme.px
        head = QWidget()
        column = QVBoxLayout(head)
        column.setContentsMargins(px(16), px(12), px(16), px(12))
        column.setSpacing(px(2))
        column.addWidget(label(theme, self.title(), 20, 600))
        column.addWidget(self._about)
        column.addSpacing(px(10))
        self.field = QLineEdit(placeholderText=tr("What should every copy know?"))
        self.field.setMaxLength(LONGEST_ANSWER)
        self.field.setAccessibleName(tr("A new pin"))
        self.field.returnPressed.connect(self._write)
        self.field.textChanged.connect(self._look_for_updates)
        row = QHBoxLayout()
        row.setSpacing(px(8))
        row.addWidget(self.field, 1)
        row.addWidget(button(theme, tr("Pin"), self._write, look="primary", name="pin"))
        column.addLayout(row)
        column.addSpacing(px(6))
        holder, chips = flowing(px(6))
        self._kinds = QButtonGroup(self)
        for number, kind in enumerate(KINDS):
            chip = chip_button(kind_word(kind))
            chip.setChecked(number == 0)
            self._kinds.addButton(chip, number)
            chips.addWidget(chip)
        column.addWidget(holder)
        return head

    def take_focus(self) -> None:
        self.field.setFocus()

    def refresh(self) -> None:
        memory = self.desk.memory
        self.desk.background.run(
            lambda: (memory.pins("active"), memory.pins("done"), memory.proposals()), self._show,
            self.desk.notices.failed, owner=self, lane="pins",
        )  # fmt: skip

    def _show(self, pins: tuple[list[Pin], list[Pin], list[Proposal]]) -> None:
        active, done, proposals = pins
        self.suggestions.show_proposals(proposals)
        goals = [pin for pin in active if pin.kind == "goal"]
        others = [pin for pin in active if pin.kind != "goal"]
        rows: list[Row] = []
        for title, group in ((tr("Goals"), goals), (tr("Notes"), others), (tr("Done"), done[:20])):
            if group:
                rows += [header(title), *(self._row(pin) for pin in group)]
        self.rows.show_rows(rows)
        self._stack.setCurrentWidget(self.rows if rows else self._empty)

    def _row(self, pin: Pin) -> Row:
        finished = pin.status == "done"
        today = local(self.desk.clock()).date()
        due = due_word(pin.due, today)
        late = pin.due is not None and not finished and local(pin.due).date() < today
        tail = ((due, "danger" if late else "muted"),) if due else ()
        if pin.kind not in ("goal", "note"):
            tail = ((kind_word(pin.kind).lower(), "muted"), *tail)
        name = "check" if finished else "circle" if pin.kind == "goal" else "note"
        return Row(
            key=("pin", pin.id), title=clean(pin.text), icon=name, tint="ok" if finished else "accent",
            tail=tail, chip=clean(pin.project)[:40], tooltip=pin.text, does=pin,
        )  # fmt: skip

    def _write(self) -> None:
        text, memory = self.field.text().strip(), self.desk.memory
        if not text:
            return
        kind = KINDS[max(self._kinds.checkedId(), 0)]
        self.desk.background.run(
            lambda: memory.pin(kind, text), lambda _pin: self._written(), self.desk.notices.failed, owner=self
        )

    def _written(self) -> None:
        self.field.clear()
        self.refresh()

    def _look_for_updates(self, text: str) -> None:
        """A chat's answer that is pasted here becomes a diff to tick; the field is for notes again."""
        if not holds_updates(text):
            return
        self.field.clear()
        self.suggestions.read(text)

    def _move(self, row: Row, by: int) -> None:
        """Put a pin so many places further down among those of its group, at once and for good."""
        shown = list(self.rows.rows.rows)
        place = shown.index(row)
        group = self.rows.group(place)
        there = min(max(place + by, group.start), group.stop - 1)
        if there == place or not isinstance(row.does, Pin) or row.does.status != "active":
            return
        shown.insert(there, shown.pop(place))
        self.rows.show_rows(shown)
        self.rows.choose(there)
        ids = [pin.id for at in group if isinstance(pin := shown[at].does, Pin)]
        memory = self.desk.memory
        self.desk.background.run(
            lambda: memory.order_pins(ids), None, self.desk.notices.failed, owner=self, lane="order of pins"
        )

    def _toggle_done(self, row: Row) -> None:
        if isinstance(row.does, Pin):
            self._set(row.does, "active" if row.does.status == "done" else "done")

    def _set(self, pin: Pin, status: PinStatus) -> None:
        memory = self.desk.memory
        self.desk.background.run(
            lambda: memory.set_pin_status(pin.id, status), lambda _: self.refresh(), self.desk.notices.failed,
            owner=self,
        )  # fmt: skip

    def _remove(self, row: Row) -> None:
        """Out of sight at once; what is archived comes back with Undo."""
        if isinstance(row.does, Pin):
            pin = row.does
            self._set(pin, "archived")
            self.desk.notices.say(
                tr("Removed “{text}”").format(text=clean(pin.text)[:60]),
                button=tr("Undo"), act=partial(self._set, pin, pin.status),
            )  # fmt: skip

    def _menu(self, rows: list[Row], place: QPoint) -> None:
        menu, muted = QMenu(self), self.desk.theme["muted"]
        row = rows[0]
        finished = isinstance(row.does, Pin) and row.does.status == "done"
        done = menu.addAction(icon("check", muted), tr("Not done") if finished else tr("Done"))
        done.triggered.connect(lambda: self._toggle_done(row))
        if not finished:
            for name, text, keys, by in (
                ("arrow-up", tr("Move up"), "Alt+Up", -1),
                ("arrow-down", tr("Move down"), "Alt+Down", 1),
            ):
                step = menu.addAction(icon(name, muted), f"{text}\t{keys}")
                step.triggered.connect(partial(self._move, row, by))
        copy = menu.addAction(icon("copy", muted), tr("Copy line"))
        copy.triggered.connect(lambda: self.acts.copy_lines(rows))
        menu.addSeparator()
        gone = menu.addAction(icon("trash", muted), tr("Remove"))
        gone.triggered.connect(lambda: self._remove(row))
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(place)
