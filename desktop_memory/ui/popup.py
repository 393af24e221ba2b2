"""The popup: one field over everything, results as one types, gone on Esc."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QContextMenuEvent, QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHBoxLayout, QLineEdit, QVBoxLayout

from desktop_memory.model import ContextRequest, CopiedContext, Query, Remembered, Standing
from desktop_memory.ui import popup_rows
from desktop_memory.ui.actions import Actions
from desktop_memory.ui.arrange import day_of, grouped, merged
from desktop_memory.ui.copying import Copier, summary
from desktop_memory.ui.desk import Desk
from desktop_memory.ui.filter_choice import FilterChoice
from desktop_memory.ui.filters import Filter, FilterChips, narrowed
from desktop_memory.ui.key_hints import Foot
from desktop_memory.ui.notices import Notice, notice_of
from desktop_memory.ui.parts import Rule
from desktop_memory.ui.phrase_chip import PhraseChip
from desktop_memory.ui.popup_frame import PopupFrame
from desktop_memory.ui.popup_hints import hints
from desktop_memory.ui.popup_rows import Start, WriteNote
from desktop_memory.ui.row_list import RowList
from desktop_memory.ui.rows import Row, query_words, quiet
from desktop_memory.ui.searching import Found, Searching
from desktop_memory.ui.state import State
from desktop_memory.ui.words import number, tr

RESULTS = 30
GOES_MS = 900
ESTIMATE_MS = 220


class Popup(PopupFrame):
    """Built once and hidden; `open` shows what was last known at once and asks for what is newer."""

    window_wanted = Signal(str)

    def __init__(self, desk: Desk, copier: Copier, actions: Actions, *, composited: bool = True) -> None:
        super().__init__(desk.theme, tr("Search Desktop Memory"), composited=composited)
        self._desk, self._copier, self._actions = desk, copier, actions
        self._start: Start | None = None
        self._found: Found | None = None
        self._hovered = -1
        self._searching = Searching(desk, "popup")
        self._searching.found.connect(self._show_found)
        self._searching.failed.connect(lambda error: self.foot.show_notice(notice_of(error)))
        self._going = QTimer(self, singleShot=True, interval=GOES_MS)
        self._going.timeout.connect(self.hide)
        self._estimating = QTimer(self, singleShot=True, interval=ESTIMATE_MS)
        self._estimating.timeout.connect(self._estimate)
        self._tokens = ""
        self._build()
        actions.done.connect(self.hide)
        actions.timeline_wanted.connect(self.hide)
        desk.notices.said.connect(self._say)
        desk.theme.follow(self, self._restyle)
        self._show_start(None)

    def _build(self) -> None:
        theme, px = self._desk.theme, self._desk.theme.px
        self.field = QLineEdit(placeholderText=tr("What were you doing?"))
        self.field.setProperty("look", "bare")
        self.field.setAccessibleName(tr("Search everything that was recorded"))
        self.field.textChanged.connect(self._typed)
        self.field.installEventFilter(self)
        self._choice = FilterChoice(self.field)
        self.rows = RowList(theme, "search", tr("Results"))
        self.rows.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.rows.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.rows.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.rows.clicked.connect(lambda index: self._enter(self.rows.rows.row(index)))
        self.rows.picked.connect(lambda _rows: self._hint())
        self.rows.entered.connect(lambda index: setattr(self, "_hovered", index.row()))
        self.rows.menu_wanted.connect(lambda rows, place: self._actions.menu(rows, place, self))
        self.foot = Foot(theme)
        self.foot.remedy_wanted.connect(lambda: self._leave_to("SourcesPage"))
        head = QFrame()
        row = QHBoxLayout(head)
        row.setContentsMargins(px(47), 0, px(17), 0)
        row.addWidget(self.field)
        self.chip = PhraseChip()
        self.chip.removed.connect(self._phrase_removed)
        self.filters = FilterChips(theme)
        self.filters.changed.connect(self._filtered)
        row.addWidget(self.filters)
        row.addWidget(self.chip)
        head.setFixedHeight(px(56))
        column = QVBoxLayout(self)
        edge = self._margin + 1
        column.setContentsMargins(edge, edge, edge, edge)
        column.setSpacing(0)
        for part in (head, Rule(theme), self.rows, Rule(theme), self.foot):
            column.addWidget(part)

    # showing and hiding

    def open(self) -> None:
        """Show it where the pointer is, empty, with its first row chosen."""
        self._going.stop()
        self.foot.show_notice(None)
        self._searching.stop()
        self._searching.warm()
        self._choice.end()
        self.filters.clear()
        self.field.clear()
        self.rows.choose(None)
        self._show_start(self._start)
        self.come_up()
        self.field.setFocus()
        self._refresh_start()

    def toggle(self) -> None:
        """The hotkey: show it, or hide it when it is in front."""
        if self.isVisible() and self.isActiveWindow():
            self.hide()
        else:
            self.open()

    def show_state(self, state: State) -> None:
        self.foot.show_state(state)

    def forget_what_was_shown(self) -> None:
        """Something was forgotten: what is known of the memory is asked anew before it is shown again."""
        self._start = None
        if self.isVisible() and not self.field.text():
            self._show_start(None)
            self._refresh_start()

    def _fit(self) -> None:
        """As high as its rows."""
        px = self._desk.theme.px
        frame = px(56) + self.foot.sizeHint().height() + 4
        least = px(44) if self.rows.rows.rows else 0
        self.rows.setFixedHeight(max(self.rows.height_within(self.room() - frame), least))
        self.become(frame + self.rows.height())

    # what is shown

    def _refresh_start(self) -> None:
        memory = self._desk.memory
        self._desk.background.run(
            lambda: popup_rows.ask(memory),
            self._started,
            self._desk.notices.failed,
            owner=self,
            lane="popup start",
        )

    def _started(self, start: Start) -> None:
        self._start = start
        if not self.field.text():
            self._show_start(start)

    def _show_start(self, start: Start | None) -> None:
        self._found = None
        self.foot.put_problem_first(True)
        self.chip.show_found(None)
        quiet_ = self._desk.settings.desktop.popup_waits
        self._show_rows([] if quiet_ else popup_rows.rows(start, self._desk.clock()), keep=True)

    def _typed(self, text: str) -> None:
        self.foot.show_notice(None)
        self.foot.put_problem_first(False)
        self.chip.typed(text)
        if self._choice.going_on:
            self._show_rows(self._choice.rows(self.filters.filters))
        elif text.startswith("+"):
            self._found = None
            self._searching.stop()
            self._show_rows(popup_rows.note_rows(text[1:]))
        elif text.strip() or self.filters.filters:
            asked = Query(text=text.strip(), limit=RESULTS, phrases=self.chip.on)
            self._searching.ask(narrowed(asked, self.filters.filters))
        else:
            self._searching.stop()
            self._show_start(self._start)

    def _offer_filters(self) -> None:
        """Tab: choose a filter from what is shown."""
        row = self.rows.current()
        self._choice.begin(self._shown_events(), row.event if row is not None else None)
        self._found = None
        self._searching.stop()
        self._show_rows(self._choice.rows(self.filters.filters))

    def _shown_events(self) -> list[Remembered]:
        if self._found is not None:
            return [hit.event for hit in self._found.result.hits]
        return [line.event for line in reversed(self._start.lines)] if self._start is not None else []

    def _leave_filters(self, chosen: Filter | None) -> None:
        self._choice.end()
        self.filters.add(chosen) if chosen is not None else self._typed(self.field.text())

    def _filtered(self) -> None:
        self.field.setFocus()
        self._typed(self.field.text())

    def _phrase_removed(self) -> None:
        self.field.setFocus()
        self._typed(self.field.text())

    def _show_found(self, found: Found) -> None:
        self.chip.show_found(found)
        words = query_words(self.chip.without_phrase(found.query.text))
        rows = grouped(found.result.hits, found.sessions, words, day_of(self._desk.clock()))
        same = self._found is not None and self._found.same_question(found)
        self._found = found
        rows = rows or (self._nothing(found.query.text) if found.settled else [])
        if same and found.result.hits and self.rows.selected():
            keep = max(self.rows.currentIndex().row(), self._hovered) + 1
            self._show_rows(merged(self.rows.rows.rows, rows, keep), keep=True)
        elif rows:
            self._show_rows(rows)

    def _nothing(self, words: str) -> list[Row]:
        filters = self.filters.filters
        shown = " · ".join(filter(None, (words, *(each.shown for each in filters))))
        less = tr("Take a filter away, or use fewer words.")
        return [
            quiet(tr("Nothing recorded for “{query}”").format(query=shown), "search"),
            quiet(less if filters else tr("Use fewer or other words."), ""),
        ]

    def _show_rows(self, rows: list[Row], *, keep: bool = False) -> None:
        chosen = self.rows.current() if keep else None
        self.rows.rows.show(rows)
        place = self.rows.rows.place_of(chosen.key) if chosen else None
        if place is None:
            self._hovered = -1
            self.rows.choose(popup_rows.first_selectable(rows))
            self.rows.scrollToTop()
        elif self.rows.currentIndex().row() != place or not self.rows.selected():
            self.rows.choose(place)
        self._fit()
        self._hint()

    # keys

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.field and event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            return self._key(event)
        if watched is self.field and isinstance(event, QContextMenuEvent):
            return event.reason() == QContextMenuEvent.Reason.Keyboard and self._menu()
        return super().eventFilter(watched, event)

    def _key(self, event: QKeyEvent) -> bool:
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        key = Qt.Key(event.key())
        steps = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: 6, Qt.Key.Key_PageUp: -6}
        row = self.rows.current()
        if key == Qt.Key.Key_Escape and self._choice.going_on:
            self._leave_filters(None)
        elif key == Qt.Key.Key_Escape:
            self.hide()
        elif key in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab):
            self._tab(back=key == Qt.Key.Key_Backtab)
        elif key == Qt.Key.Key_Backspace and not self.field.text() and not self._choice.going_on:
            return self.filters.remove_last()
        elif event.modifiers() & Qt.KeyboardModifier.AltModifier and self.foot.do(key - Qt.Key.Key_1):
            pass
        elif key in steps:
            self.rows.step(steps[key])
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and control:
            self._to_timeline(row)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._enter(row)
        elif key == Qt.Key.Key_C and control and shift:
            self._copy_around(row)
        elif key == Qt.Key.Key_C and control and not self.field.hasSelectedText():
            self._copy_line(row)
        else:
            return False
        return True

    def _menu(self) -> bool:
        """The menu key, which would open the field's own menu: what can be done with the chosen row."""
        row = self.rows.current()
        if row is not None:
            place = self.rows.viewport().mapToGlobal(self.rows.visualRect(self.rows.currentIndex()).center())
            self._actions.menu([row], QPoint(place), self)
        return True

    def _tab(self, *, back: bool) -> None:
        """Choose a filter; within the choice, go on to the next one or back."""
        if self._choice.going_on:
            self.rows.step(-1 if back else 1)
        elif not back and not self.field.text().startswith("+"):
            self._offer_filters()

    def _enter(self, row: Row | None) -> None:
        if row is None or not row.selectable:
            return
        if isinstance(row.does, Filter):
            self._leave_filters(row.does)
            return
        if isinstance(row.does, ContextRequest):
            self._copier.copy(row.does, self._copied)
        elif isinstance(row.does, WriteNote):
            self._write_note(row.does.text)
        elif isinstance(row.does, Standing):
            self._to_timeline(row)
        else:
            self._actions.open(row)

    def _to_timeline(self, row: Row | None) -> None:
        if row is not None and row.event is not None:
            self._actions.timeline_wanted.emit(row.event)

    def _copy_around(self, row: Row | None) -> None:
        if row is None:
            return
        if row.event is not None and not isinstance(row.does, Standing):
            self._copier.copy(ContextRequest(event_id=row.event.id), self._copied)
        elif isinstance(row.does, Standing):
            self._copier.copy(ContextRequest(project=row.does.project), self._copied)
        elif isinstance(row.does, ContextRequest):
            self._copier.copy(row.does, self._copied)

    def _copy_line(self, row: Row | None) -> None:
        if row is not None:
            self._actions.copy_lines([row], lambda: self.foot.show_notice(Notice(tr("Copied the line"))))

    def _write_note(self, text: str) -> None:
        if text:
            memory = self._desk.memory
            self._desk.background.run(
                lambda: memory.note(text), self._noted, self._desk.notices.failed, owner=self
            )

    def _noted(self, _event: Remembered) -> None:
        self.foot.show_notice(Notice(tr("Noted")))
        self._going.start()

    def _copied(self, context: CopiedContext) -> None:
        self.foot.show_notice(Notice(tr("Copied {what}").format(what=summary(context))))
        self._going.start()

    # the foot

    def _say(self, notice: Notice) -> None:
        if self.isVisible():
            self.foot.show_notice(notice)

    def _hint(self) -> None:
        self._tokens = ""
        self._show_hints()
        row = self.rows.current()
        if row is not None and row.event is not None and self.isVisible():
            self._estimating.start()

    def _show_hints(self) -> None:
        choosing = self._choice.going_on
        self.foot.show_hints(hints(self.rows.current(), choosing=choosing, tokens=self._tokens))

    def _estimate(self) -> None:
        row = self.rows.current()
        if row is None or row.event is None or not self.isVisible():
            return
        request = ContextRequest(event_id=row.event.id)
        memory = self._desk.memory

        def show(context: CopiedContext) -> None:
            self._tokens = tr(" · ~{count} tokens").format(count=number(context.tokens))
            self._show_hints()

        self._desk.background.run(
            lambda: memory.context(request, save=False),
            show,
            lambda error: None,
            owner=self,
            lane="popup estimate",
        )

    def _leave_to(self, page: str) -> None:
        self.hide()
        self.window_wanted.emit(page)

    def _restyle(self) -> None:
        self.field.setFont(self._desk.theme.font(18))
