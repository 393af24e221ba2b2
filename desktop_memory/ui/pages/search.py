"""Search: the popup's big sister, with filters and a copy pane."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from desktop_memory.model import ContextRequest, Hit, Query, SearchResult
from desktop_memory.ui.actions import Actions
from desktop_memory.ui.arrange import day_of, grouped, merged
from desktop_memory.ui.copy_pane import CopyPane, Subject, with_pane
from desktop_memory.ui.copying import Copier
from desktop_memory.ui.desk import Desk
from desktop_memory.ui.empty import Empty
from desktop_memory.ui.facet_bar import FacetBar
from desktop_memory.ui.facets import COUNTED, facets
from desktop_memory.ui.notices import notice_of
from desktop_memory.ui.pages.page import Page
from desktop_memory.ui.parts import Rule, chip_button, piled
from desktop_memory.ui.phrase_chip import PhraseChip
from desktop_memory.ui.row_list import RowList
from desktop_memory.ui.rows import Row, query_words
from desktop_memory.ui.search_field import SearchField
from desktop_memory.ui.searching import Found, Searching
from desktop_memory.ui.side_by_side import SideBySide
from desktop_memory.ui.why import reasons
from desktop_memory.ui.why_drawer import WhyDrawer
from desktop_memory.ui.words import tr

PAGE = 50
COUNTED_BACK = timedelta(days=30)
"""Before anything is typed, the newest records of so long are counted."""


class SearchPage(Page):
    """Results as you type, grouped by session; the pane copies context of the question or of one result."""

    icon = "search"

    def __init__(self, desk: Desk, copier: Copier, actions: Actions) -> None:
        super().__init__(desk, copier, actions)
        theme = desk.theme
        self._found: Found | None = None
        self._counted: tuple[Hit, ...] = ()
        self._searching = Searching(desk, "page")
        self._searching.found.connect(self._show)
        self._searching.failed.connect(self._failed)
        self.rows = RowList(theme, "search", tr("Results"))
        self.rows.rows.more_wanted.connect(self._more)
        self.rows.picked.connect(lambda _rows: self._offer())
        actions.serve(self.rows)
        self._empty = Empty(theme, "search", "", "")
        self._hits: dict[int, tuple[int, Hit]] = {}
        self._stack = QStackedWidget()
        self._stack.addWidget(self._empty)
        self._stack.addWidget(self.rows)
        self.pane = CopyPane(desk, copier)
        piled(self, self._head(), Rule(theme), with_pane(theme, self._results(), self.pane))
        QShortcut(QKeySequence("Ctrl+I"), self).activated.connect(self.why.click)
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
        self.facets = FacetBar(theme)
        self.facets.changed.connect(self._ask)
        self.why = chip_button(tr("Why this?"))
        self.why.setToolTip("Ctrl+I")
        self.why.toggled.connect(self._show_why)
        row = SideBySide(px(12), px(420))
        row.addWidget(self.facets)
        row.addWidget(self.why)
        column.addLayout(row)
        return head

    def _results(self) -> QWidget:
        """The list, and below it why a hit was found, when that is asked for."""
        self.drawer = WhyDrawer(self.desk.theme)
        self.drawer.hide()
        self.drawer.pin_wanted.connect(self._pin)
        self.drawer.closed.connect(lambda: self.why.setChecked(False))
        return piled(QWidget(), self._stack, self.drawer, tall=self._stack)

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
        return self.facets.chosen.narrowed(self._question())

    def _question(self) -> Query:
        return Query(text=self.field.text().strip(), limit=PAGE, phrases=self.chip.on)

    def refresh(self) -> None:
        """Count what there is to narrow to, before anything is typed."""
        if self._found is None:
            self._count(Query(since=self.desk.clock() - COUNTED_BACK))

    def _count(self, query: Query) -> None:
        """Count the hits of the question alone: each choice then says how many it would leave."""
        memory, today = self.desk.memory, day_of(self.desk.clock())

        def show(found: SearchResult) -> None:
            self._counted = found.hits
            self.facets.show_facets(facets(found.hits, self.facets.chosen), today)

        self.desk.background.run(
            lambda: memory.search(replace(query, limit=COUNTED)),
            show,
            self._failed,
            owner=self,
            lane="facets",
        )

    def _ask(self) -> None:
        self.chip.typed(self.field.text())
        query = self.query()
        today = day_of(self.desk.clock())
        self.facets.show_facets(facets(self._counted, self.facets.chosen), today)
        if query.text or self.facets.chosen:
            self._searching.ask(query)
        else:
            self._searching.stop()
            self._found = None
            self._invite()
            self.refresh()

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
        self._learn(found)
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
            if found.query.text:
                self._count(self._question())

    def _learn(self, found: Found) -> None:
        """Remember why each hit is there."""
        if not found.query.offset:
            self._hits = {}
        for place, hit in enumerate(found.result.hits, found.query.offset + 1):
            self._hits[hit.event.id] = (place, hit)

    def _show_why(self, on: bool) -> None:
        self.drawer.setVisible(on)
        chosen = self.rows.selected()
        known = self._hits.get(chosen[0].event.id) if len(chosen) == 1 and chosen[0].event else None
        if known is None or self._found is None:
            self.drawer.show_reasons("", [])
            return
        words = query_words(self.chip.without_phrase(self._found.query.text))
        place, hit = known
        found = reasons(hit, words, place, len(self._hits), self.desk.clock())
        self.drawer.show_reasons(chosen[0].title, found)

    def _pin(self) -> None:
        if chosen := self.rows.selected():
            self.acts.pin(chosen[0])

    def _offer(self) -> None:
        """The pane copies the chosen result's surroundings, else the whole question."""
        self._show_why(self.why.isChecked())
        chosen = self.rows.selected()
        if len(chosen) == 1 and chosen[0].event is not None:
            request = ContextRequest(event_id=chosen[0].event.id)
            self.pane.show_subject(
                Subject(title=tr("Around {what}").format(what=chosen[0].title), request=request)
            )
        elif self._found is not None and self._found.query.text and self._found.result.hits:
            query = self._found.query
            request = ContextRequest(
                query=query.text,
                kinds=query.kinds,
                since=query.since,
                until=query.until,
                project=query.project,
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
            tr("Type what you remember: a ticket, a page, a command, an idea. Chips narrow it down."),
        )
        self._stack.setCurrentWidget(self._empty)
        self.rows.show_rows([])
        self.pane.show_subject(None)

    def _nothing(self, found: Found) -> None:
        narrowed = bool(self.facets.chosen)
        asked = tr("Nothing recorded for “{query}”").format(query=found.query.text[:80])
        self._empty.say(
            asked if found.query.text else tr("Nothing recorded passes these filters"),
            tr("Take a filter away, or use fewer words.") if narrowed else tr("Use fewer or other words."),
        )
        self._stack.setCurrentWidget(self._empty)


def _without(rows: list[Row], shown: object) -> list[Row]:
    have = {row.key for row in shown}  # type: ignore[attr-defined]
    return [row for row in rows if row.key not in have]
