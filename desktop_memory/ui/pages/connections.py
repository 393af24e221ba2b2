"""Connections: around a record, a file, a project or a site, what led there and what came of it."""

from __future__ import annotations

from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLineEdit, QStackedWidget, QVBoxLayout, QWidget

from desktop_memory.context.connections import Connections
from desktop_memory.model import ContextRequest, EntityKind
from desktop_memory.ui.about import About, Way, things_of
from desktop_memory.ui.actions import Actions
from desktop_memory.ui.arrange import day_of
from desktop_memory.ui.copy_pane import CopyPane, Subject, with_pane
from desktop_memory.ui.copying import Copier
from desktop_memory.ui.desk import Desk
from desktop_memory.ui.empty import Empty
from desktop_memory.ui.flow import flowing
from desktop_memory.ui.linked_list import LinkedList
from desktop_memory.ui.pages.page import Page
from desktop_memory.ui.parts import Elided, Rule, icon_button, piled
from desktop_memory.ui.rows import Row, clean
from desktop_memory.ui.thing_chip import ThingChip, kind_word, said
from desktop_memory.ui.words import clock_time, day_name, local, tr

PAGE = 12
SIDE_BY_SIDE = 620
"""From this width on the two lists stand beside each other."""
LOOKED_UP: tuple[EntityKind, ...] = ("project", "domain", "file", "app", "url", "branch")


class ConnectionsPage(Page):
    """Each thing that is named here can be gone to in turn; Alt and the arrows lead back and forward."""

    icon = "affiliate"

    def __init__(self, desk: Desk, copier: Copier, actions: Actions) -> None:
        super().__init__(desk, copier, actions)
        theme = desk.theme
        self.way = Way()
        self._count = PAGE
        self.led = LinkedList(
            theme, tr("What led here"), tr("Nothing before it in the log has to do with it.")
        )
        self.came = LinkedList(
            theme, tr("What came of it"), tr("Nothing after it in the log has to do with it.")
        )
        for side, other in ((self.led, self.came), (self.came, self.led)):
            side.more_wanted.connect(self._more)
            side.rows.picked.connect(lambda rows, other=other: self._picked(rows, other))
            actions.serve(side.rows)
        self._lists = QWidget()
        self._sides = QBoxLayout(QBoxLayout.Direction.LeftToRight, self._lists)
        self._sides.setContentsMargins(0, 0, 0, 0)
        self._sides.setSpacing(0)
        for part in (self.led, Rule(theme, upright=True), self.came):
            self._sides.addWidget(part, 0 if isinstance(part, Rule) else 1)
        self._empty = Empty(theme, "affiliate", "", "")
        self._stack = QStackedWidget()
        self._stack.addWidget(self._lists)
        self._stack.addWidget(self._empty)
        self.pane = CopyPane(desk, copier)
        piled(self, self._head(), Rule(theme), with_pane(theme, self._stack, self.pane))
        QShortcut(QKeySequence("Alt+Left"), self).activated.connect(lambda: self._step(-1))
        QShortcut(QKeySequence("Alt+Right"), self).activated.connect(lambda: self._step(1))

    @classmethod
    def title(cls) -> str:
        return tr("Connections")

    def _head(self) -> QWidget:
        theme, px = self.desk.theme, self.desk.theme.px
        self._back = icon_button(theme, "chevron-left", tr("Back"), lambda: self._step(-1))
        self._forward = icon_button(theme, "chevron-right", tr("Forward"), lambda: self._step(1))
        self._title = Elided(theme, 20, 600)
        self.look_up = QLineEdit(placeholderText=tr("A file, project or site"))
        self.look_up.setAccessibleName(tr("Look up a file, project or site"))
        self.look_up.setFixedWidth(px(190))
        self.look_up.returnPressed.connect(self._look_up)
        row = QHBoxLayout()
        row.setSpacing(px(8))
        row.addWidget(self._back)
        row.addWidget(self._forward)
        row.addSpacing(px(4))
        row.addWidget(self._title, 1)
        row.addWidget(self.look_up)
        self._chips, self._chip_row = flowing(px(6))
        head = QWidget()
        column = QVBoxLayout(head)
        column.setContentsMargins(px(16), px(12), px(16), px(12))
        column.setSpacing(px(10))
        column.addLayout(row)
        column.addWidget(self._chips)
        return head

    def show_about(self, about: About) -> None:
        """Turn to this, one step further on the way."""
        self.way.go(about)
        self._count = PAGE
        self.refresh()

    def refresh(self) -> None:
        """Ask for both lists; without a subject, for those of the latest project."""
        memory, about, count = self.desk.memory, self.way.here, self._count

        def ask() -> tuple[About | None, Connections]:
            asked = about
            if asked is None:
                asked = next((About(name=name) for name in memory.latest_projects(1)), None)
            if asked is None:
                return None, Connections()
            if asked.event is not None:
                return asked, memory.connections(event=asked.event.id, count=count)
            return asked, memory.connections(kind=asked.kind, name=asked.name, count=count)

        self.desk.background.run(
            ask, lambda told: self._show(*told), self.desk.notices.failed, owner=self, lane="connections"
        )

    def take_focus(self) -> None:
        first = self.led.rows if self.led.rows.rows.rows else self.came.rows
        first.setFocus() if first.rows.rows else self.look_up.setFocus()

    def _show(self, about: About | None, found: Connections) -> None:
        self._back.setEnabled(self.way.can_go_back)
        self._forward.setEnabled(self.way.can_go_forward)
        if about is None or (found.event is None and found.entity is None):
            self._say_empty(about)
            return
        if self.way.here is None:
            self.way.go(about)
        self._title.setText(about.title)
        self._show_chips(about, found)
        today = day_of(self.desk.clock())
        self.led.show_linked(found.led_here, today, more=found.more_before)
        self.came.show_linked(found.came_of_it, today, more=found.more_after)
        self._stack.setCurrentWidget(self._lists)
        if not self.led.rows.selected() and not self.came.rows.selected():
            self.pane.show_subject(_subject(about))

    def _show_chips(self, about: About, found: Connections) -> None:
        """What it touches, and the topics it belongs to."""
        while (item := self._chip_row.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                old.deleteLater()
        things = things_of(about.event) if about.event is not None else []
        shown = {thing.key for thing in things} | {about.key}
        for topic in found.topics:
            for entity in topic.entities[:6]:
                thing = About(kind=entity.kind, name=entity.name)
                if thing.name and thing.key not in shown and entity.kind != "workspace":
                    shown.add(thing.key)
                    things.append(thing)
        told = kind_word(about.kind) if about.event is None else self._when(about)
        self._chip_row.addWidget(said(self.desk.theme, told))
        for thing in things[:10]:
            chip = ThingChip(self.desk.theme, thing, _topic_of(thing, found))
            chip.clicked.connect(lambda _on=False, thing=thing: self.show_about(thing))
            self._chip_row.addWidget(chip)

    def _when(self, about: About) -> str:
        assert about.event is not None
        start = about.event.start
        return f"{day_name(local(start).date(), day_of(self.desk.clock()))} {clock_time(start)}"

    def _picked(self, rows: list[Row], other: LinkedList) -> None:
        """One list at a time holds the selection; the pane offers what is chosen, else the whole."""
        if rows:
            other.rows.choose(None)
        here = self.way.here
        if len(rows) == 1 and rows[0].event is not None:
            self.pane.show_subject(_subject(About(event=rows[0].event)))
        elif not rows and not other.rows.selected() and here is not None:
            self.pane.show_subject(_subject(here))

    def _step(self, by: int) -> None:
        if self.way.step(by) is not None:
            self._count = PAGE
            self.refresh()

    def _more(self) -> None:
        self._count += 2 * PAGE
        self.refresh()

    def _look_up(self) -> None:
        """Find what is called so: a project first, then a site, a file and the rest."""
        name, memory = self.look_up.text().strip(), self.desk.memory
        if not name:
            return

        def ask() -> About | None:
            found = (memory.connected(kind, name, 1).entity for kind in LOOKED_UP)
            entity = next((entity for entity in found if entity is not None), None)
            return None if entity is None else About(kind=entity.kind, name=entity.name)

        def show(found: About | None) -> None:
            if found is None:
                self.desk.notices.say(
                    tr("Nothing recorded is called “{name}”.").format(name=clean(name)[:80]),
                    tr("Type its whole name, or search for it and choose Connections in a result's menu."),
                    tone="warn",
                )
                return
            self.look_up.clear()
            self.show_about(found)
            self.take_focus()

        self.desk.background.run(ask, show, self.desk.notices.failed, owner=self, lane="look up")

    def _say_empty(self, about: About | None) -> None:
        self._title.setText(about.title if about is not None else self.title())
        self.pane.show_subject(None)
        self._chips.setVisible(about is not None)
        if about is None:
            self._empty.say(
                tr("What belongs together will stand here"),
                tr("Choose Connections in any record's menu, or look up a file, a project or a site above."),
            )
        else:
            self._empty.say(
                tr("It is no longer in the memory"), tr("It was forgotten, or its time to be kept was over.")
            )
        self._stack.setCurrentWidget(self._empty)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        way = QBoxLayout.Direction
        wide = self._lists.width() >= self.desk.theme.px(SIDE_BY_SIDE)
        self._sides.setDirection(way.LeftToRight if wide else way.TopToBottom)


def _subject(about: About) -> Subject:
    title = tr("Around {what}").format(what=about.title)
    if about.event is not None:
        return Subject(title=title, request=ContextRequest(event_id=about.event.id))
    project = about.name if about.kind == "project" else None
    request = ContextRequest(query=about.name, project=project or "", view="neighbourhood")
    return Subject(title=title, request=request, project=project)


def _topic_of(thing: About, found: Connections) -> str:
    """The name of the topic that a thing is there for."""
    for topic in found.topics:
        if any((entity.kind, entity.name) == (thing.kind, thing.name) for entity in topic.entities):
            return topic.name
    return ""
