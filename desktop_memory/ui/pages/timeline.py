"""Timeline: a day's sessions and lanes; what is chosen fills the list and the copy pane."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from desktop_memory.model import ContextRequest, Remembered, Session
from desktop_memory.ui.actions import Actions
from desktop_memory.ui.arrange import day_of, session_title
from desktop_memory.ui.copy_pane import CopyPane, Subject, with_pane
from desktop_memory.ui.copying import Copier
from desktop_memory.ui.desk import Desk
from desktop_memory.ui.empty import Empty
from desktop_memory.ui.folding import folded_rows
from desktop_memory.ui.heat_strip import WEEKS, HeatStrip, active_days
from desktop_memory.ui.pages.page import Page
from desktop_memory.ui.parts import Rule, button, icon_button, label
from desktop_memory.ui.row_list import RowList
from desktop_memory.ui.rows import Row, event_row, header
from desktop_memory.ui.ticks import midnight
from desktop_memory.ui.timeline_loading import SESSIONS, Loaded, around, load
from desktop_memory.ui.timeline_paint import session_name
from desktop_memory.ui.timeline_view import TimelineView
from desktop_memory.ui.words import clock_time, local, long_day, short_day, span, tr

REST_MS = 120


class TimelinePage(Page):
    """A day to begin with; zooming and panning load what comes into view, from a minute to two years."""

    icon = "timeline"

    def __init__(self, desk: Desk, copier: Copier, actions: Actions) -> None:
        super().__init__(desk, copier, actions)
        theme = desk.theme
        self.day = day_of(desk.clock())
        self._loaded: Loaded | None = None
        self._wanted: int | None = None
        self._turned = True
        self.view = TimelineView(theme)
        self.view.session_picked.connect(self.show_session)
        self.view.event_picked.connect(self._point_at)
        self.view.stretch_picked.connect(self.show_stretch)
        self.view.moved.connect(self._moved)
        self.view.describe = self._describe
        self._rest = QTimer(self, singleShot=True, interval=REST_MS)
        self._rest.timeout.connect(self.refresh)
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
        self._turned = True
        self.refresh()

    def show_event(self, event: Remembered) -> None:
        """Turn to the day of this event, choose its session and point at it."""
        self._wanted = event.id
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

        def ask() -> tuple[Loaded, dict[date, float], bool]:
            return load(memory, since, until), active_days(memory.sessions(weeks_ago, None, SESSIONS)), turned

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
        self.heat.show_days(weeks, today)
        self.view.now = self.desk.clock().timestamp()
        self.view.show_marks(loaded.marks)
        if turned:
            self._look_at_the_day(loaded)
            self._choose_first(loaded)
            self._turned = False
        elif self.view.chosen is not None and (again := loaded.session(self.view.chosen)) and loaded.exact:
            self.show_session(again)
        self._name_stretch()

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
        self._next.setEnabled(self.day < today)
        self.heat.choose(self.day)

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
        if event is not None:
            self._point_at(event.id)

    def show_session(self, session: Session) -> None:
        """List this session's records and offer to copy it."""
        loaded = self._loaded
        newest = loaded is not None and loaded.marks.sessions[-1:] == (session,)
        title = f"{session_name(session)}, {span(session.start, session.end)}"
        self._whole = Subject(
            title=tr("This session") if newest and not session.ended_by else title,
            request=ContextRequest(session_id=session.id),
            project=session.projects[0] if session.projects else None,
        )
        name = session_title(session)
        if loaded is not None and loaded.exact:
            self._list(name, folded_rows([e for e in loaded.events if e.session == session.id]))
            return
        memory = self.desk.memory
        self.desk.background.run(
            lambda: memory.session(event=session.id),
            lambda found: self._list(name, folded_rows(found[1] if found else [])),
            self.desk.notices.failed, owner=self, lane="timeline session",
        )  # fmt: skip

    def show_stretch(self, since: datetime, until: datetime) -> None:
        """List what lies between two times and offer to copy it."""
        title = stretch_title(since, until)
        self._whole = Subject(title=title, request=ContextRequest(since=since, until=until))
        loaded = self._loaded
        if loaded is not None and loaded.exact:
            events = [e for e in loaded.events if e.start < until and (e.end or e.start) >= since]
            self._list(title, folded_rows(events, since, until))
            return
        memory = self.desk.memory
        self.desk.background.run(
            lambda: memory.timeline(since, until).events,
            lambda events: self._list(title, folded_rows(events, since, until)),
            self.desk.notices.failed, owner=self, lane="timeline session",
        )  # fmt: skip

    def _list(self, title: str, rows: list[Row]) -> None:
        self._stack.setCurrentWidget(self.rows)
        self.rows.show_rows([header(title, "chosen"), *rows])
        if not self.rows.selected():
            self.pane.show_subject(self._whole)

    def _describe(self, id_: int) -> str:
        event = next((e for e in self._loaded.events if e.id == id_), None) if self._loaded else None
        return event_row(event).tooltip if event is not None else ""

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


def stretch_title(since: datetime, until: datetime) -> str:
    """09:41–10:32, or with its days where it is longer than one."""
    first, last = local(since).date(), local(until).date()
    if first == last:
        return span(since, until)
    return f"{short_day(first)} {clock_time(since)} – {short_day(last)} {clock_time(until)}"
