"""Timeline: a day's sessions and lanes; what is chosen fills the list and the copy pane."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from desktop_memory.model import ContextRequest, Query, Remembered, Session
from desktop_memory.ui.about import About
from desktop_memory.ui.actions import Actions
from desktop_memory.ui.arrange import day_of, session_title
from desktop_memory.ui.copy_pane import CopyPane, Subject, with_pane
from desktop_memory.ui.copying import Copier
from desktop_memory.ui.desk import Desk
from desktop_memory.ui.empty import Empty
from desktop_memory.ui.folding import folded_rows
from desktop_memory.ui.heat_strip import WEEKS, HeatStrip, active_days
from desktop_memory.ui.open_again import OpenAgain
from desktop_memory.ui.pages.page import Page
from desktop_memory.ui.parts import Elided, Rule, button, icon_button, piled
from desktop_memory.ui.row_list import RowList
from desktop_memory.ui.rows import Row, event_row
from desktop_memory.ui.stretch_bar import StretchBar
from desktop_memory.ui.ticks import midnight
from desktop_memory.ui.timeline_loading import SESSIONS, Loaded, around, load
from desktop_memory.ui.timeline_paint import session_name
from desktop_memory.ui.timeline_subject import stretch_title, subject_of, summary_of
from desktop_memory.ui.timeline_view import TimelineView
from desktop_memory.ui.words import (
    local,
    long_day,
    short_day,
    span,
    tr,
)

REST_MS = 120
WEEKS_LAST = timedelta(seconds=30)
"""For so long the calendar is not counted anew."""


class TimelinePage(Page):
    """A day to begin with; zooming and panning load what comes into view, from a minute to two years."""

    icon = "timeline"

    def __init__(self, desk: Desk, copier: Copier, actions: Actions) -> None:
        super().__init__(desk, copier, actions)
        theme = desk.theme
        self.day = day_of(desk.clock())
        self._loaded: Loaded | None = None
        self._wanted: int | None = None
        self._reopen = False
        self._shown: Session | tuple[datetime, datetime] | None = None
        self._events: Sequence[Remembered] = ()
        """What the list tells of."""
        self._weeks: dict[date, float] = {}
        self._weeks_at: datetime | None = None
        self._turned = True
        self.view = TimelineView(theme)
        self.view.session_picked.connect(self.show_session)
        self.view.event_picked.connect(self._point_at)
        self.view.stretch_picked.connect(self.show_stretch)
        self.view.moved.connect(self._moved)
        self.view.whole_wanted.connect(lambda: self.show_day(self.day))
        self.view.describe = self._describe
        self._rest = QTimer(self, singleShot=True, interval=REST_MS)
        self._rest.timeout.connect(self.refresh)
        self.rows = RowList(theme, "log", tr("Records of what is chosen"))
        self.rows.picked.connect(self._picked)
        actions.serve(self.rows)
        self._empty = Empty(theme, "timeline", "", "")
        self._stack = QStackedWidget()
        self._stack.addWidget(self._listed())
        self._stack.addWidget(self._empty)
        self.again = OpenAgain(desk)
        self.again.done.connect(self._close_again)
        self._stack.addWidget(self.again)
        self.pane = CopyPane(desk, copier)
        self._whole: Subject | None = None
        piled(self, self._head(), self.view, Rule(theme), with_pane(theme, self._stack, self.pane))
        linked = QShortcut(
            QKeySequence("Ctrl+L"), self, context=Qt.ShortcutContext.WidgetWithChildrenShortcut
        )
        linked.activated.connect(self._connections)

    @classmethod
    def title(cls) -> str:
        return tr("Timeline")

    def _head(self) -> QWidget:
        theme, px = self.desk.theme, self.desk.theme.px
        self._title = Elided(theme, 20, 600)
        self._told = Elided(theme, 13, token="muted")
        self.heat = HeatStrip(theme)
        self.heat.day_picked.connect(self.show_day)
        self._next = icon_button(theme, "chevron-right", tr("Next day"), lambda: self._turn(1))
        row = QHBoxLayout()
        row.setSpacing(px(8))
        row.addWidget(icon_button(theme, "chevron-left", tr("Day before"), lambda: self._turn(-1)))
        row.addWidget(self._next)
        row.addWidget(button(theme, tr("Today"), lambda: self.show_day(day_of(self.desk.clock()))))
        row.addStretch()
        left = QVBoxLayout()
        left.setSpacing(px(3))
        left.addWidget(self._title)
        left.addWidget(self._told)
        left.addStretch()
        left.addLayout(row)
        head = QWidget()
        whole = QHBoxLayout(head)
        whole.setContentsMargins(px(16), px(12), px(16), px(12))
        whole.setSpacing(px(24))
        whole.addLayout(left, 2)
        whole.addWidget(self.heat, 3)
        return head

    def _listed(self) -> QWidget:
        """The list, and above it what it tells of."""
        self.bar = StretchBar(self.desk.theme)
        self.bar.before_wanted.connect(lambda: self._step(-1))
        self.bar.after_wanted.connect(lambda: self._step(1))
        self.bar.connections_wanted.connect(self._connections)
        self.bar.reopen_wanted.connect(self.reopen)
        self.bar.forget_wanted.connect(self._forget)
        holder = QWidget()
        piled(holder, self.bar, self.rows)
        return holder

    def _turn(self, days: int) -> None:
        self.show_day(min(self.day + timedelta(days=days), day_of(self.desk.clock())))

    def show_day(self, day: date) -> None:
        """Turn to this day."""
        self.day = day
        self._turned = True
        self.refresh()

    def show_event(self, event: Remembered, *, reopen: bool = False) -> None:
        """Turn to the day of this event, choose its session and point at it, or list what it can open again."""
        self._wanted, self._reopen = event.id, reopen
        self.show_day(day_of(event.start))

    def take_focus(self) -> None:
        self.view.setFocus()

    def refresh(self) -> None:
        """Load what is in view; after turning to a day, that day."""
        memory, now, day, turned = self.desk.memory, self.desk.clock(), self.day, self._turned
        since, until = midnight(day), midnight(day + timedelta(days=1))
        if not turned:
            since, until = around(self.view.since, self.view.until, now)
        weeks_ago = midnight(day_of(now) - timedelta(weeks=WEEKS))
        known = self._weeks if self._weeks_at and now - self._weeks_at < WEEKS_LAST else None

        def ask() -> tuple[Loaded, dict[date, float], bool]:
            weeks = active_days(memory.sessions(weeks_ago, None, SESSIONS)) if known is None else known
            return load(memory, since, until), weeks, turned

        self.desk.background.run(ask, self._show, self.desk.notices.failed, owner=self, lane="timeline")

    def _moved(self) -> None:
        """Something else is in view: name it, and load it unless it is there already."""
        self._name_stretch()
        if (
            self._loaded is not None
            and not self._turned
            and not self._loaded.holds(self.view.since, self.view.until)
        ):
            self._rest.start()

    def _show(self, answer: tuple[Loaded, dict[date, float], bool]) -> None:
        loaded, weeks, turned = answer
        self._loaded = loaded
        today = day_of(self.desk.clock())
        if weeks is not self._weeks:
            self._weeks, self._weeks_at = weeks, self.desk.clock()
        self.heat.show_days(weeks, today)
        self.view.now = self.desk.clock().timestamp()
        self.view.show_marks(loaded.marks)
        if turned:
            self._look_at_the_day(loaded)
            self._choose_first(loaded)
            self._turned = False
        elif loaded.exact:
            self._show_again(loaded)
        self._name_stretch()

    def _show_again(self, loaded: Loaded) -> None:
        """Tell anew of what is chosen; of what is gone, nothing."""
        if isinstance(self._shown, tuple):
            self.show_stretch(*self._shown)
        elif self._shown is not None and (again := loaded.session(self._shown.id)):
            self.show_session(again)
        elif self._shown is not None and loaded.holds(*_bounds(self._shown)):
            self._choose_first(loaded)

    def _name_stretch(self) -> None:
        """The title names the day in view, or the first and the last of several."""
        first, last = (
            local(datetime.fromtimestamp(at, UTC)).date()
            for at in (self.view.since + 60, self.view.until - 60)
        )
        today = day_of(self.desk.clock())
        if first == last:
            self.day = first
            year = "" if first.year == today.year else f" {first.year}"
            self._title.setText(long_day(first) + year)
        else:
            year = "" if first.year == last.year else f" {first.year}"
            self._title.setText(f"{short_day(first)}{year} – {short_day(last)} {last.year}")
        needed = self._title.sizeHint().width()  # the heat strip may show fewer weeks, the title no other day
        self._title.setMinimumWidth(min(needed, self.desk.theme.px(240)))
        self._next.setEnabled(self.day < today)
        self.heat.choose(self.day)
        if self._loaded is not None:
            self._told.setText(summary_of(self._loaded, self.view.since, self.view.until))

    def _look_at_the_day(self, loaded: Loaded) -> None:
        """From before the first record to after the last, eight hours at least."""
        start, end = midnight(self.day).timestamp(), midnight(self.day + timedelta(days=1)).timestamp()
        if sessions := loaded.marks.sessions:
            first, last = sessions[0].start.timestamp() - 600, sessions[-1].end.timestamp() + 600
            missing = max(0.0, 8 * 3600 - (last - first))
            start, end = max(start, first - missing / 2), min(end, last + missing / 2)
        self.view.look_at(start, end)

    def _choose_first(self, loaded: Loaded) -> None:
        wanted, self._wanted = self._wanted, None
        event = next((e for e in loaded.events if e.id == wanted), None)
        session = loaded.session(event.session) if event else None
        if session is None and loaded.marks.sessions:
            session = loaded.marks.sessions[-1]
        if session is None:
            self._say_empty()
            return
        self.view.choose(session.id)
        self.show_session(session)
        if event is not None and self._reopen:
            self.reopen()
        elif event is not None:
            self._point_at(event.id)
        self._reopen = False

    def show_session(self, session: Session) -> None:
        """List this session's records and offer to copy it."""
        loaded, self._shown = self._loaded, session
        newest = loaded is not None and loaded.marks.sessions[-1:] == (session,)
        title = f"{session_name(session)}, {span(session.start, session.end)}"
        self._whole = Subject(
            title=tr("This session") if newest and not session.ended_by else title,
            request=ContextRequest(session_id=session.id),
            project=session.projects[0] if session.projects else None,
        )
        name = session_title(session)
        if loaded is not None and loaded.exact:
            self._list(name, [e for e in loaded.events if e.session == session.id])
            return
        memory = self.desk.memory
        self.desk.background.run(
            lambda: memory.session(event=session.id),
            lambda found: self._list(name, found[1] if found else []),
            self.desk.notices.failed, owner=self, lane="timeline session",
        )  # fmt: skip

    def show_stretch(self, since: datetime, until: datetime) -> None:
        """List what lies between two times and offer to copy it."""
        self._shown = (since, until)
        title = stretch_title(since, until)
        self._whole = Subject(title=title, request=ContextRequest(since=since, until=until))
        loaded = self._loaded
        if loaded is not None and loaded.exact:
            events = [e for e in loaded.events if e.start < until and (e.end or e.start) >= since]
            self._list(title, events, since, until)
            return
        memory = self.desk.memory
        self.desk.background.run(
            lambda: memory.timeline(since, until).events,
            lambda events: self._list(title, events, since, until),
            self.desk.notices.failed, owner=self, lane="timeline session",
        )  # fmt: skip

    def _list(
        self,
        title: str,
        events: Sequence[Remembered],
        since: datetime | None = None,
        until: datetime | None = None,
    ) -> None:
        same = self.bar.title.text() == title
        self._events = events
        self.bar.show_title(title)
        self.rows.show_rows(folded_rows(events, since, until))
        if not (same and self._stack.currentWidget() is self.again):
            self._stack.setCurrentIndex(0)
        if not self.rows.selected():
            self.pane.show_subject(self._whole)

    def _step(self, by: int) -> None:
        """To the session before or after; at the day's end, to the next day."""
        if not self.view.step(by):
            self._turn(by)

    def _connections(self) -> None:
        """Of the chosen record; else of the project of the whole."""
        chosen = self.rows.selected()
        about = next((About(event=row.event) for row in chosen if row.event is not None), None)
        if about is None and self._whole is not None and self._whole.project:
            about = About(name=self._whole.project)
        if about is None and self._events:
            about = About(event=self._events[-1])
        if about is not None:
            self.acts.connections_wanted.emit(about)

    def reopen(self) -> None:
        """List the pages and files of what is chosen, to be opened again."""
        self.again.show_events(self.bar.title.text(), self._events)
        self._stack.setCurrentWidget(self.again)

    def _close_again(self) -> None:
        self._stack.setCurrentIndex(0)
        self.rows.setFocus()

    def _forget(self) -> None:
        if self._events:
            self.acts.leaving.forget(Query(), [event.id for event in self._events])

    def _describe(self, id_: int) -> str:
        event = next((e for e in self._loaded.events if e.id == id_), None) if self._loaded else None
        return event_row(event).tooltip if event is not None else ""

    def _point_at(self, event: int) -> None:
        place = self.rows.rows.place_of_event(event)
        if place is not None:
            self.rows.choose(place)
            self.rows.scrollTo(self.rows.currentIndex())

    def _picked(self, rows: list[Row]) -> None:
        self.view.mark(rows[0].event if len(rows) == 1 else None)
        if len(rows) == 1 and rows[0].event is not None:
            request = ContextRequest(event_id=rows[0].event.id)
            self.pane.show_subject(
                Subject(title=tr("Around {what}").format(what=rows[0].title), request=request)
            )
        elif len(rows) > 1:
            self.pane.show_subject(subject_of(rows, self.rows.rows.rows, self._events))
        else:
            self.pane.show_subject(self._whole)

    def _say_empty(self) -> None:
        self._whole = self._shown = None
        self._events = ()
        self.pane.show_subject(None)
        self.view.choose(None)
        self._empty.say(
            tr("Nothing was recorded on this day"),
            tr(
                "Sessions appear here as blocks with what belongs to them. "
                "The calendar at the upper right shows days that have some."
            ),
        )
        self._stack.setCurrentWidget(self._empty)


def _bounds(session: Session) -> tuple[float, float]:
    return session.start.timestamp(), session.end.timestamp()
