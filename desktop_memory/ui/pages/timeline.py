"""Timeline: a day's sessions and lanes; what is chosen fills the list and the copy pane."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta

from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from desktop_memory.model import ContextRequest, Remembered, Session, Timeline
from desktop_memory.ui.actions import Actions
from desktop_memory.ui.arrange import day_of, session_title
from desktop_memory.ui.copy_pane import CopyPane, Subject, with_pane
from desktop_memory.ui.copying import Copier
from desktop_memory.ui.desk import Desk
from desktop_memory.ui.folding import folded_rows
from desktop_memory.ui.heat_strip import WEEKS, HeatStrip, active_days
from desktop_memory.ui.pages.page import Page
from desktop_memory.ui.parts import Empty, Rule, button, icon_button, label
from desktop_memory.ui.row_list import RowList
from desktop_memory.ui.rows import Row, header
from desktop_memory.ui.ticks import midnight
from desktop_memory.ui.timeline_data import marks
from desktop_memory.ui.timeline_paint import session_name
from desktop_memory.ui.timeline_view import TimelineView
from desktop_memory.ui.words import long_day, span, tr


@dataclass(frozen=True, slots=True)
class _Day:
    day: date
    timeline: Timeline
    weeks: dict[date, float]


class TimelinePage(Page):
    """One day at a time; the view zooms and pans within what is loaded around it."""

    icon = "timeline"

    def __init__(self, desk: Desk, copier: Copier, actions: Actions) -> None:
        super().__init__(desk, copier, actions)
        theme = desk.theme
        self.day = day_of(desk.clock())
        self._loaded: _Day | None = None
        self._wanted: int | None = None
        self.view = TimelineView(theme)
        self.view.session_picked.connect(self.show_session)
        self.view.event_picked.connect(self._point_at)
        self.view.stretch_picked.connect(self.show_stretch)
        self.rows = RowList(theme, "log", tr("Records of what is chosen"))
        self.rows.picked.connect(self._picked)
        actions.serve(self.rows)
        self._empty = Empty(theme, "timeline", "", "")
        self._stack = QStackedWidget()
        self._stack.addWidget(self.rows)
        self._stack.addWidget(self._empty)
        self.pane = CopyPane(desk, copier)
        self._whole: Subject | None = None
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._head())
        column.addWidget(self.view)
        column.addWidget(Rule(theme))
        column.addWidget(with_pane(theme, self._stack, self.pane), 1)

    @classmethod
    def title(cls) -> str:
        return tr("Timeline")

    def _head(self) -> QWidget:
        theme, px = self.desk.theme, self.desk.theme.px
        self._title = label(theme, "", 20, 600)
        self.heat = HeatStrip(theme)
        self.heat.day_picked.connect(self.show_day)
        self._next = icon_button(theme, "chevron-right", tr("Next day"), lambda: self._turn(1))
        head = QWidget()
        row = QHBoxLayout(head)
        row.setContentsMargins(px(20), px(6), px(20), px(6))
        row.setSpacing(px(12))
        row.addWidget(self._title)
        row.addWidget(icon_button(theme, "chevron-left", tr("Day before"), lambda: self._turn(-1)))
        row.addWidget(self._next)
        row.addWidget(button(theme, tr("Today"), lambda: self.show_day(day_of(self.desk.clock()))))
        row.addStretch()
        row.addWidget(self.heat)
        return head

    def _turn(self, days: int) -> None:
        self.show_day(min(self.day + timedelta(days=days), day_of(self.desk.clock())))

    def show_day(self, day: date) -> None:
        """Turn to this day."""
        self.day = day
        self._loaded = None
        self.refresh()

    def show_event(self, event: Remembered) -> None:
        """Turn to the day of this event, choose its session and point at it."""
        self._wanted = event.id
        self.show_day(day_of(event.start))

    def take_focus(self) -> None:
        self.view.setFocus()

    def refresh(self) -> None:
        memory, day, today = self.desk.memory, self.day, day_of(self.desk.clock())
        since, until = midnight(day), midnight(day + timedelta(days=1))
        weeks_ago = midnight(today - timedelta(weeks=WEEKS))

        def ask() -> _Day:
            weeks = active_days(memory.sessions(weeks_ago, None, 2000))
            return _Day(day, memory.timeline(since, until), weeks)

        self.desk.background.run(ask, self._show, self.desk.notices.failed, owner=self, lane="timeline")

    def _show(self, loaded: _Day) -> None:
        first = self._loaded is None
        self._loaded = loaded
        today = day_of(self.desk.clock())
        title = long_day(loaded.day)
        self._title.setText(title if loaded.day.year == today.year else f"{title} {loaded.day.year}")
        self._next.setEnabled(loaded.day < today)
        self.heat.show_days(loaded.weeks, today)
        self.heat.choose(loaded.day)
        timeline = loaded.timeline
        self.view.now = self.desk.clock().timestamp()
        self.view.show_marks(marks(timeline.events, timeline.sessions, timeline.gaps))
        if first:
            self._look_at_the_day(timeline)
            self._choose_first(timeline)
        elif (again := self._session(self.view.chosen)) is not None:
            self.show_session(again)

    def _look_at_the_day(self, timeline: Timeline) -> None:
        """From before the first record to after the last, eight hours at least."""
        start, end = midnight(self.day).timestamp(), midnight(self.day + timedelta(days=1)).timestamp()
        if timeline.sessions:
            first = timeline.sessions[0].start.timestamp() - 600
            last = timeline.sessions[-1].end.timestamp() + 600
            missing = max(0.0, 8 * 3600 - (last - first))
            start, end = max(start, first - missing / 2), min(end, last + missing / 2)
        self.view.look_at(start, end)

    def _choose_first(self, timeline: Timeline) -> None:
        wanted, self._wanted = self._wanted, None
        event = next((e for e in timeline.events if e.id == wanted), None)
        session = self._session(event.session if event else None) or (
            timeline.sessions[-1] if timeline.sessions else None
        )
        if session is None:
            self._say_empty()
            return
        self.view.choose(session.id)
        self.show_session(session)
        if event is not None:
            self._point_at(event.id)

    def _session(self, id: int | None) -> Session | None:
        sessions = self._loaded.timeline.sessions if self._loaded else ()
        return next((s for s in sessions if s.id == id), None)

    def show_session(self, session: Session) -> None:
        """List this session's records and offer to copy it."""
        events = self._events(lambda e: e.session == session.id)
        current = (
            not session.ended_by
            and self._loaded is not None
            and session == self._loaded.timeline.sessions[-1]
        )
        title = (
            tr("This session") if current else f"{session_name(session)}, {span(session.start, session.end)}"
        )
        self._whole = Subject(
            title=title,
            request=ContextRequest(session_id=session.id),
            project=session.projects[0] if session.projects else None,
        )
        self._list(session_title(session), folded_rows(events))

    def show_stretch(self, since: datetime, until: datetime) -> None:
        """List what lies between two times and offer to copy it."""
        events = self._events(lambda e: e.start < until and (e.end or e.start) >= since)
        title = span(since, until)
        self._whole = Subject(title=title, request=ContextRequest(since=since, until=until))
        self._list(title, folded_rows(events, since, until))

    def _events(self, inside: object) -> list[Remembered]:
        events = self._loaded.timeline.events if self._loaded else ()
        return [event for event in events if inside(event)]  # type: ignore[operator]

    def _list(self, title: str, rows: list[Row]) -> None:
        self._stack.setCurrentWidget(self.rows)
        self.rows.show_rows([header(title, "chosen"), *rows])
        if not self.rows.selected():
            self.pane.show_subject(self._whole)

    def _point_at(self, event: int) -> None:
        place = self.rows.rows.place_of_event(event)
        if place is not None:
            self.rows.choose(place)
            self.rows.scrollTo(self.rows.currentIndex())

    def _picked(self, rows: list[Row]) -> None:
        if len(rows) == 1 and rows[0].event is not None:
            request = ContextRequest(event_id=rows[0].event.id)
            self.pane.show_subject(
                Subject(title=tr("Around {what}").format(what=rows[0].title), request=request)
            )
        elif len(rows) > 1:
            times = [row.event.start for row in rows if row.event is not None]
            ends = [row.event.end or row.event.start for row in rows if row.event is not None]
            request = ContextRequest(since=min(times), until=max(ends) + timedelta(seconds=1))
            self.pane.show_subject(Subject(title=span(min(times), max(ends)), request=request))
        else:
            self.pane.show_subject(self._whole)

    def _say_empty(self) -> None:
        self._whole = None
        self.pane.show_subject(None)
        self.view.choose(None)
        self._empty.say(
            tr("Nothing was recorded on this day"),
            tr(
                "Sessions appear here as blocks with what belongs to them. "
                "The dots at the upper right show days that have some."
            ),
        )
        self._stack.setCurrentWidget(self._empty)
