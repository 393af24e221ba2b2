"""Now: what I am doing, live, and one button that copies it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QButtonGroup, QFrame, QStackedWidget, QVBoxLayout, QWidget

from desktop_memory.model import ContextRequest, Pin, Remembered, Session
from desktop_memory.ui.actions import Actions
from desktop_memory.ui.arrange import day_of
from desktop_memory.ui.copy_pane import CopyPane, Subject, with_pane
from desktop_memory.ui.copying import Copier
from desktop_memory.ui.desk import Desk
from desktop_memory.ui.empty import Empty
from desktop_memory.ui.flow import flowing
from desktop_memory.ui.folding import folded_rows
from desktop_memory.ui.makeup import Makeup, MakeupBar, makeup
from desktop_memory.ui.page_head import page_head
from desktop_memory.ui.pages.page import Page
from desktop_memory.ui.parts import Elided, Rule, chip_button, piled
from desktop_memory.ui.pin_lines import PinLines
from desktop_memory.ui.row_list import RowList
from desktop_memory.ui.rows import Row, header
from desktop_memory.ui.timeline_paint import session_name
from desktop_memory.ui.words import clock_time, day_name, span, stretch, tr

LOOK_AGAIN_MS = 20_000
SESSION = 0
"""In place of minutes: the running session."""


@dataclass(frozen=True, slots=True)
class _Answer:
    since: datetime
    until: datetime
    session: Session | None
    events: tuple[Remembered, ...]
    makeup: Makeup
    pins: tuple[Pin, ...]


class NowPage(Page):
    """Working memory of the last 15 minutes, hour or session."""

    icon = "clock-play"

    def __init__(self, desk: Desk, copier: Copier, actions: Actions) -> None:
        super().__init__(desk, copier, actions)
        self._minutes = 15
        self._timer = QTimer(self, interval=LOOK_AGAIN_MS)
        self._timer.timeout.connect(self._changed)
        self._timer.start()
        theme = desk.theme
        self._about = Elided(theme, 13, token="muted")
        self.rows = RowList(theme, "log", tr("What I did"))
        actions.serve(self.rows)
        self.rows.picked.connect(self._picked)
        self._empty = Empty(theme, "clock-play", "", "")
        self._stack = QStackedWidget()
        self._stack.addWidget(self.rows)
        self._stack.addWidget(self._empty)
        self.pane = CopyPane(desk, copier)
        piled(self, self._head(), Rule(theme), with_pane(theme, self._listed(), self.pane))

    @classmethod
    def title(cls) -> str:
        return tr("Now")

    def _head(self) -> QWidget:
        theme, px = self.desk.theme, self.desk.theme.px
        holder, row = flowing(px(8))
        self._choice = QButtonGroup(self, exclusive=True)
        for minutes, text in ((15, tr("15 min")), (60, tr("1 h")), (SESSION, tr("This session"))):
            chip = chip_button(text)
            chip.setChecked(minutes == 15)
            self._choice.addButton(chip, minutes)
            row.addWidget(chip)
        self._choice.idClicked.connect(self.show_last)
        return page_head(theme, self.title(), self._about, holder)

    def _listed(self) -> QWidget:
        """What the session consists of and what is pinned, above what was done."""
        theme, px = self.desk.theme, self.desk.theme.px
        self.makeup = MakeupBar(theme)
        self.pins = PinLines(theme)
        self.pins.pins_wanted.connect(lambda: self.page_wanted.emit("PinsPage"))
        self._top = QFrame()
        self._top.setObjectName("top")
        inside = QVBoxLayout(self._top)
        inside.setContentsMargins(px(16), px(10), px(16), px(8))
        inside.setSpacing(px(6))
        inside.addWidget(self.makeup)
        inside.addWidget(self.pins)
        theme.follow(
            self._top, lambda: self._top.setStyleSheet(f"#top {{ background: {theme['surface'].name()} }}")
        )
        self._rule = Rule(theme)
        return piled(QWidget(), self._top, self._rule, self._stack)

    def show_last(self, minutes: int) -> None:
        """Show the last minutes, or the running session for SESSION."""
        self._minutes = minutes
        self.rows.choose(None)
        self.refresh()

    def refresh(self) -> None:
        memory, minutes, until = self.desk.memory, self._minutes, self.desk.clock()

        def ask() -> _Answer:
            session = next(iter(memory.sessions(None, None, 1)), None)
            since = until - timedelta(minutes=minutes or 15)
            if minutes == SESSION and session is not None:
                since = session.start
            whole = memory.session(event=session.id) if session is not None else None
            return _Answer(
                since, until, session, memory.timeline(since, until).events,
                makeup(whole[1] if whole else ()), tuple(memory.pins()),
            )  # fmt: skip

        self.desk.background.run(ask, self._show, self.desk.notices.failed, owner=self, lane="now")

    def take_focus(self) -> None:
        self.rows.setFocus()

    def _show(self, answer: _Answer) -> None:
        session = answer.session
        self._about.setText(self._describe(session))
        self.makeup.show_makeup(answer.makeup)
        self.pins.show_pins(answer.pins, day_of(self.desk.clock()))
        there = bool(answer.makeup.told or answer.pins)
        self._top.setVisible(there)
        self._rule.setVisible(there)
        rows = self._rows(answer)
        if any(row.selectable for row in rows):
            self.rows.show_rows(rows)
            self._stack.setCurrentWidget(self.rows)
        else:
            self._say_empty(session)
        if not self.rows.selected():
            self.pane.show_subject(self._subject(session))

    def _rows(self, answer: _Answer) -> list[Row]:
        """Newest first, with a header where the day changes; what was trivial is counted last."""
        told = folded_rows(answer.events, answer.since, answer.until)
        rows = [row for row in reversed(told) if row.selectable]
        today = day_of(self.desk.clock())
        days = [day_of(row.event.start) for row in rows if row.event]
        if len(set(days)) > 1:
            dated: list[Row] = []
            for day, row in zip(days, rows, strict=True):
                if not dated or dated[-1].event is None or day_of(dated[-1].event.start) != day:
                    dated.append(header(day_name(day, today)))
                dated.append(row)
            rows = dated
        return [*rows, *(row for row in told if not row.selectable)]

    def _describe(self, session: Session | None) -> str:
        if session is None:
            return tr("Nothing is going on yet.")
        active = tr("{time} active").format(time=stretch(session.active_seconds))
        if session.ended_by:
            when = span(session.start, session.end)
            return f"{tr('Last session')}: {session_name(session)} · {when} · {active}"
        since = tr("since {time}").format(time=clock_time(session.start))
        apps = ", ".join(session.apps[:3])
        return " · ".join(part for part in (session_name(session), since, active, apps) if part)

    def _subject(self, session: Session | None) -> Subject:
        project = session.projects[0] if session and session.projects else None
        if self._minutes == SESSION:
            return Subject(
                title=tr("This session"), request=ContextRequest(this_session=True), project=project
            )
        title = tr("Last 15 minutes") if self._minutes == 15 else tr("Last hour")
        return Subject(title=title, request=ContextRequest(minutes=self._minutes), project=project)

    def _picked(self, rows: list[Row]) -> None:
        if len(rows) == 1 and rows[0].event is not None:
            request = ContextRequest(event_id=rows[0].event.id)
            self.pane.show_subject(
                Subject(title=tr("Around {what}").format(what=rows[0].title), request=request)
            )
        elif not rows:
            self.refresh()

    def _say_empty(self, session: Session | None) -> None:
        self._stack.setCurrentWidget(self._empty)
        if session is None:
            self._empty.say(
                tr("What you do will appear here"),
                tr(
                    "Windows, pages, commands and commits, as they happen. "
                    "Switch to another program, and its window is the first."
                ),
            )
        else:
            self._empty.say(
                tr("Nothing in the last {time}").format(time=stretch(self._minutes * 60)),
                tr(
                    "The last record is from {time}. Choose a longer stretch above, or look in the timeline."
                ).format(time=clock_time(session.end)),
            )
