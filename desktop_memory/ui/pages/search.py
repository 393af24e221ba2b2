"""Search: the popup's big sister, with filters and a copy pane."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QButtonGroup, QPushButton, QStackedWidget, QVBoxLayout, QWidget

from desktop_memory.model import ContextRequest, Kind, Query
from desktop_memory.ui.actions import Actions
from desktop_memory.ui.arrange import day_of, grouped, merged
from desktop_memory.ui.copy_pane import CopyPane, Subject, with_pane
from desktop_memory.ui.copying import Copier
from desktop_memory.ui.desk import Desk
from desktop_memory.ui.empty import Empty
from desktop_memory.ui.flow import flowing
from desktop_memory.ui.notices import notice_of
from desktop_memory.ui.pages.page import Page
from desktop_memory.ui.parts import Rule, chip_button
from desktop_memory.ui.phrase_chip import PhraseChip
from desktop_memory.ui.row_list import RowList
from desktop_memory.ui.rows import Row, query_words
from desktop_memory.ui.search_field import SearchField
from desktop_memory.ui.searching import Found, Searching
from desktop_memory.ui.words import tr

PAGE = 50
FACETS: tuple[tuple[str, tuple[Kind, ...]], ...] = (
    ("Windows", ("window",)),
    ("Pages", ("browser",)),
    ("Commands", ("terminal",)),
    ("Commits", ("git_commit", "git_stash", "git_staged", "git_checkout")),
    ("Files", ("file",)),
    ("Notes", ("note",)),
)


class SearchPage(Page):
    """Results as you type, grouped by session; the pane copies context of the question or of one result."""

    icon = "search"

    def __init__(self, desk: Desk, copier: Copier, actions: Actions) -> None:
        super().__init__(desk, copier, actions)
        theme = desk.theme
        self._found: Found | None = None
        self._searching = Searching(desk, "page")
        self._searching.found.connect(self._show)
        self._searching.failed.connect(self._failed)
        self.rows = RowList(theme, "search", tr("Results"))
        self.rows.rows.more_wanted.connect(self._more)
        self.rows.picked.connect(lambda _rows: self._offer())
        actions.serve(self.rows)
        self._empty = Empty(theme, "search", "", "")
        self._stack = QStackedWidget()
        self._stack.addWidget(self._empty)
        self._stack.addWidget(self.rows)
        self.pane = CopyPane(desk, copier)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._head())
        column.addWidget(Rule(theme))
        column.addWidget(with_pane(theme, self._stack, self.pane), 1)
        self._invite()

    @classmethod
    def title(cls) -> str:
        return tr("Search")

    def _head(self) -> QWidget:
        theme, px = self.desk.theme, self.desk.theme.px
        box = SearchField(theme, tr("What were you doing?"))
        self.field = box.line
        self.chip = PhraseChip()
        self.chip.removed.connect(self._ask)
        box.add(self.chip)
        self.field.setAccessibleName(tr("Search everything that was recorded"))
        self.field.textChanged.connect(lambda _text: self._ask())
        head = QWidget()
        column = QVBoxLayout(head)
        column.setContentsMargins(px(16), px(12), px(16), px(12))
        column.setSpacing(px(10))
        column.addWidget(box)
        holder, chips = flowing(px(6))
        self._facets = QButtonGroup(self, exclusive=False)
        for number, (text, _) in enumerate(FACETS):
            chips.addWidget(self._chip(tr(text), number))
        self._failed_only = self._chip(tr("Failed"), len(FACETS))
        chips.addWidget(self._failed_only)
        column.addWidget(holder)
        self._facets.idToggled.connect(lambda _number, _on: self._ask())
        return head

    def _chip(self, text: str, number: int) -> QPushButton:
        chip = chip_button(text)
        self._facets.addButton(chip, number)
        return chip

    def search_for(self, text: str) -> None:
        """Put this into the field and search."""
        self.field.setText(text)

    def take_focus(self) -> None:
        self.field.setFocus()
        self.field.selectAll()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Down and self.field.hasFocus():
            self.rows.setFocus()
        else:
            super().keyPressEvent(event)

    def query(self) -> Query:
        """What the field and the chips ask for."""
        kinds = tuple(
            kind
            for n, (_, group) in enumerate(FACETS)
            if self._facets.button(n).isChecked()
            for kind in group
        )
        return Query(
            text=self.field.text().strip(),
            kinds=kinds,
            failed=self._failed_only.isChecked(),
            limit=PAGE,
            phrases=self.chip.on,
        )

    def _ask(self) -> None:
        self.chip.typed(self.field.text())
        query = self.query()
        if query.text or query.kinds or query.failed:
            self._searching.ask(query)
        else:
            self._searching.stop()
            self._found = None
            self._invite()

    def _show(self, found: Found) -> None:
        self.chip.show_found(found)
        words = query_words(self.chip.without_phrase(found.query.text))
        rows = grouped(found.result.hits, found.sessions, words, day_of(self.desk.clock()))
        if found.query.offset:
            self.rows.rows.append(_without(rows, self.rows.rows.rows))
        else:
            same = self._found is not None and self._found.same_question(found)
            keep = self.rows.currentIndex().row() + 1 if same and self.rows.selected() else 0
            self.rows.show_rows(merged(self.rows.rows.rows, rows, keep))
        self._found = found
        self.rows.rows.more = found.result.next is not None
        if self.rows.rows.rows:
            self._stack.setCurrentWidget(self.rows)
            if not found.query.offset and not self.rows.selected():
                self.rows.scrollToTop()
        elif found.settled:
            self._nothing(found)
        if found.settled and not found.query.offset:
            self._offer()

    def _offer(self) -> None:
        """The pane copies the chosen result's surroundings, else the whole question."""
        chosen = self.rows.selected()
        if len(chosen) == 1 and chosen[0].event is not None:
            request = ContextRequest(event_id=chosen[0].event.id)
            self.pane.show_subject(
                Subject(title=tr("Around {what}").format(what=chosen[0].title), request=request)
            )
        elif self._found is not None and self._found.query.text and self._found.result.hits:
            query = self._found.query
            request = ContextRequest(
                query=query.text, kinds=query.kinds, since=query.since, until=query.until
            )
            self.pane.show_subject(
                Subject(title=tr("Context for “{query}”").format(query=query.text), request=request)
            )
        else:
            self.pane.show_subject(None)

    def _more(self) -> None:
        if self._found is not None:
            self._searching.more(self._found)

    def _failed(self, error: Exception) -> None:
        notice = notice_of(error)
        self._empty.say(notice.text, notice.advice)
        self._stack.setCurrentWidget(self._empty)

    def _invite(self) -> None:
        self._empty.say(
            tr("Find it by its words or by what it was about"),
            tr("Type what you remember: a ticket, a page, a command, an idea. Chips narrow it to one kind."),
        )
        self._stack.setCurrentWidget(self._empty)
        self.rows.show_rows([])
        self.pane.show_subject(None)

    def _nothing(self, found: Found) -> None:
        narrowed = bool(found.query.kinds or found.query.failed)
        self._empty.say(
            tr("Nothing recorded for “{query}”").format(query=found.query.text[:80]),
            tr("Take a filter away, or use fewer words.") if narrowed else tr("Use fewer or other words."),
        )
        self._stack.setCurrentWidget(self._empty)


def _without(rows: list[Row], shown: object) -> list[Row]:
    have = {row.key for row in shown}  # type: ignore[attr-defined]
    return [row for row in rows if row.key not in have]
