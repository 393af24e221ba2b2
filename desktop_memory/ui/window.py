"""The window: pages at the right of their names, what the app is doing at the foot."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import (
    QCloseEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QShortcut,
    QShowEvent,
)
from PySide6.QtWidgets import QHBoxLayout, QScrollArea, QStackedLayout, QStackedWidget, QVBoxLayout, QWidget

from desktop_memory.model import Remembered
from desktop_memory.ui import geometry
from desktop_memory.ui.about import About
from desktop_memory.ui.actions import Actions
from desktop_memory.ui.copy_pane import Subject
from desktop_memory.ui.copying import Copier
from desktop_memory.ui.desk import Desk
from desktop_memory.ui.long_work import WorkStrip
from desktop_memory.ui.navigation import Navigation
from desktop_memory.ui.notice_strip import NoticeStrip
from desktop_memory.ui.pages.all import HOUSE, PAGES
from desktop_memory.ui.pages.connections import ConnectionsPage
from desktop_memory.ui.pages.context import ContextPage
from desktop_memory.ui.pages.page import Page
from desktop_memory.ui.pages.search import SearchPage
from desktop_memory.ui.pages.timeline import TimelinePage
from desktop_memory.ui.parts import Rule, scrolled
from desktop_memory.ui.state import State
from desktop_memory.ui.welcome import Welcome

NARROW = 740
"""Below it the pages need the room that their names would take."""


class Window(QWidget):
    """Hides when it is closed, as long as a tray can bring it back; `closed` tells run when there is none."""

    closed = Signal()

    def __init__(self, desk: Desk, copier: Copier, actions: Actions, kept: Path | None = None) -> None:
        super().__init__()
        self._desk, self._kept = desk, kept
        self.trayless = False
        self.welcoming: Welcome | None = None
        self._known = geometry.load(kept).welcomed
        self.setWindowTitle("Desktop Memory")
        self.setMinimumSize(640, 420)
        self._copier, self._actions = copier, actions
        self._number = 0
        self._made: dict[int, Page] = {}
        self._held: dict[int, QScrollArea] = {}
        self.navigation = Navigation(desk.theme, [(page.icon, page.title()) for page in PAGES], HOUSE)
        self.navigation.chosen.connect(self.go)
        self.navigation.sources_wanted.connect(lambda: self.go_to("SourcesPage"))
        self._stack = QStackedWidget()
        self.strip = NoticeStrip(desk.theme)
        desk.notices.said.connect(self.strip.show_notice)
        desk.notices.answered.connect(self.strip.take_away)
        self.strip.let_go.connect(lambda: self.page.take_focus())
        actions.timeline_wanted.connect(self.show_in_timeline)
        actions.connections_wanted.connect(self.show_connections)
        copier.compose_wanted.connect(self.compose)
        actions.reopen_wanted.connect(lambda event: self.show_in_timeline(event, reopen=True))
        self._lay_out()
        self._shortcuts()
        desk.theme.follow(self, self.update)
        self._restore()

    def _lay_out(self) -> None:
        right = QVBoxLayout()
        right.setSpacing(0)
        right.addWidget(self._stack, 1)
        right.addWidget(WorkStrip(self._desk.theme, self._desk.work))
        right.addWidget(self.strip)
        self._usual = QWidget()
        row = QHBoxLayout(self._usual)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.navigation)
        row.addWidget(Rule(self._desk.theme, upright=True))
        row.addLayout(right, 1)
        self._whole = QStackedLayout(self)
        self._whole.addWidget(self._usual)

    def _shortcuts(self) -> None:
        at = self._usual  # so that they rest during the first run
        for number in range(min(10, len(PAGES))):
            shortcut = QShortcut(QKeySequence(f"Ctrl+{(number + 1) % 10}"), at)
            shortcut.activated.connect(lambda n=number: self.go(n))
        QShortcut(QKeySequence("Ctrl+,"), at).activated.connect(lambda: self.go_to("SettingsPage"))
        QShortcut(QKeySequence.StandardKey.Find, at).activated.connect(lambda: self.go_to("SearchPage"))
        QShortcut(QKeySequence.StandardKey.Close, self).activated.connect(self.close)

    @property
    def page(self) -> Page:
        """The page in view. Each is built when it is first looked at."""
        page = self._made.get(self._number)
        if page is None:
            page = self._made[self._number] = PAGES[self._number](self._desk, self._copier, self._actions)
            page.page_wanted.connect(self.go_to)
            self._held[self._number] = scrolled(page, page.title())
            self._stack.addWidget(self._held[self._number])
        return page

    def go(self, number: int) -> None:
        """Turn to this page and put the keyboard there."""
        self.navigation.choose(number)
        self._number = number
        if self.isVisible() and self.welcoming is None:
            self._begin_page()

    def _begin_page(self) -> None:
        page = self.page
        self._stack.setCurrentWidget(self._held[self._number])
        page.refresh()
        page.take_focus()

    def go_to(self, name: str) -> None:
        """Turn to the page of this class."""
        for number, page in enumerate(PAGES):
            if page.__name__ == name:
                self.go(number)

    def bring_up(self, page: str = "") -> None:
        """Show the window over the others, on this page where one is named."""
        if page:
            self.go_to(page)
        self.setWindowState(self.windowState() & ~Qt.WindowState.WindowMinimized)
        self.show()
        self.raise_()
        self.activateWindow()

    def search_for(self, text: str) -> None:
        """Bring up Search with this question."""
        self.bring_up("SearchPage")
        if isinstance(self.page, SearchPage):
            self.page.search_for(text)

    def show_in_timeline(self, event: Remembered, *, reopen: bool = False) -> None:
        """Bring up the timeline at this event, or at what its session can open again."""
        self.bring_up("TimelinePage")
        if isinstance(self.page, TimelinePage):
            self.page.show_event(event, reopen=reopen)

    def compose(self, subject: Subject) -> None:
        """Bring up the composer with this."""
        self.bring_up("ContextPage")
        if isinstance(self.page, ContextPage):
            self.page.compose(subject)

    def show_connections(self, about: About) -> None:
        """Bring up the connections of this."""
        self.bring_up("ConnectionsPage")
        if isinstance(self.page, ConnectionsPage):
            self.page.show_about(about)

    def welcome(self) -> None:
        """At the first start, four steps before everything else."""
        if self._kept is None or self._desk.demo or geometry.load(self._kept).welcomed:
            return
        self.welcoming = Welcome(self._desk)
        self.welcoming.done.connect(self._welcomed)
        self._whole.addWidget(self.welcoming)
        self._whole.setCurrentWidget(self.welcoming)

    def _welcomed(self) -> None:
        if self.welcoming is not None:
            self._whole.removeWidget(self.welcoming)
            self.welcoming.deleteLater()
            self.welcoming = None
            self._known = True
            self.keep_place()
            self._whole.setCurrentWidget(self._usual)
            self._begin_page()

    def show_state(self, state: State) -> None:
        self.navigation.state.show_state(state)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self.welcoming is not None:
            self.welcoming.take_focus()
        else:
            self._begin_page()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.navigation.fold(self.width() < self._desk.theme.px(NARROW))

    def closeEvent(self, event: QCloseEvent) -> None:
        self.keep_place()
        super().closeEvent(event)
        self.closed.emit()

    def keep_place(self) -> None:
        """Remember size, place, screen and page."""
        at = self.normalGeometry() if self.isMaximized() else self.geometry()
        geometry.save(
            geometry.Remembered(
                x=at.x(), y=at.y(), width=at.width(), height=at.height(), maximized=self.isMaximized(),
                screen=self.screen().name(), page=PAGES[self._number].__name__,
                told_no_tray=self.trayless or self.told_no_tray,
                welcomed=self._known,
            ),
            self._kept,
        )  # fmt: skip

    @property
    def told_no_tray(self) -> bool:
        """Whether it was said before that this desktop has no tray."""
        return geometry.load(self._kept).told_no_tray

    def _restore(self) -> None:
        kept = geometry.load(self._kept)
        self.setGeometry(geometry.place(kept))
        if kept.maximized:
            self.setWindowState(Qt.WindowState.WindowMaximized)
        self.go(0)
        self.go_to(kept.page)

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), self._desk.theme["bg"])
