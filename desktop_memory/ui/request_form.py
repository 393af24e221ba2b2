"""What to copy and how: the composer's form, which tells a ContextRequest with each change."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from desktop_memory.model import ContextRequest, Session
from desktop_memory.ui.copy_pane import Subject
from desktop_memory.ui.desk import Desk
from desktop_memory.ui.flow import flowing
from desktop_memory.ui.parts import PushButton, chip_button, label
from desktop_memory.ui.stretch_fields import StretchFields
from desktop_memory.ui.switches import Choice, Number, Switch
from desktop_memory.ui.timeline_paint import session_name
from desktop_memory.ui.timeline_subject import stretch_title
from desktop_memory.ui.words import day_name, local, span, tr

REST_MS = 300
SUBJECT, SESSION, STRETCH, CHOSEN = 4, 5, 6, 7
LEAST, MOST = 200, 16_000


class RequestForm(QWidget):
    """`changed` carries the Subject that is asked for; None while a question is missing."""

    changed = Signal(object)

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self._rest = QTimer(self, singleShot=True, interval=REST_MS)
        self._rest.timeout.connect(lambda: self.changed.emit(self.subject()))
        px = desk.theme.px
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(px(10))
        column.addWidget(self._chips())
        self.query = self._line(tr("What was it about?"), tr("Words or a sentence; times are understood"))
        column.addWidget(self.query)
        column.addWidget(self._session_choice())
        self.stretch = StretchFields(desk.theme, desk.clock())
        self.stretch.changed.connect(self._told)
        column.addWidget(self.stretch)
        self.question = self._line(
            tr("Question for the chat"), tr("put after the context as it is; not searched")
        )
        column.addWidget(self._knobs())
        column.addWidget(self._advanced())
        column.addWidget(self.question)
        self._show_query()

    def _chips(self) -> QWidget:
        holder, row = flowing(self._desk.theme.px(6))
        self.what = QButtonGroup(self)
        self._chosen: Subject | None = None
        for number, text in enumerate(
            (
                tr("15 minutes"), tr("1 hour"), tr("This session"), tr("Since my last copy"), tr("A subject"),
                tr("A session"), tr("From … to …"), tr("What I chose"),
            )
        ):  # fmt: skip
            chip = chip_button(text)
            chip.setChecked(number == 0)
            self.what.addButton(chip, number)
            row.addWidget(chip)
        self.what.button(CHOSEN).hide()
        self.what.idToggled.connect(lambda _number, on: self._show_query() if on else None)
        return holder

    def _session_choice(self) -> QWidget:
        """The latest sessions, newest first."""
        self.session = Choice(self._desk.theme)
        self.session.setAccessibleName(tr("Which session"))
        self.session.activated.connect(lambda _index: self._told())
        return self.session

    def show_sessions(self, sessions: Sequence[Session]) -> None:
        """Offer these, the newest first; the one that was chosen stays so. An open list is left alone."""
        if self.session.view().isVisible():
            return
        kept = self.session.currentData()
        today = local(self._desk.clock()).date()
        self.session.clear()
        for session in sorted(sessions, key=lambda session: session.start, reverse=True):
            day = day_name(local(session.start).date(), today)
            text = f"{day} · {session_name(session)} · {span(session.start, session.end)}"
            self.session.addItem(text, session)
            if kept is not None and session.id == kept.id:
                self.session.setCurrentIndex(self.session.count() - 1)

    def take(self, subject: Subject) -> None:
        """Compose what was chosen elsewhere: in a list, in the timeline, in a search."""
        self._chosen = subject
        request = subject.request
        self.what.button(CHOSEN).show()
        self.format.setCurrentIndex(max(0, self.format.findData(request.format)))
        self.budget.setText(str(request.budget_tokens or ""))
        self.question.setText(request.question)
        self.what.button(CHOSEN).setChecked(True)
        self._show_query()

    def _knobs(self) -> QWidget:
        theme = self._desk.theme
        self.format = Choice(theme)
        for name in ("markdown", "xml", "json", "text"):
            self.format.addItem(
                {"markdown": "Markdown", "text": tr("Plain text")}.get(name, name.upper()), name
            )
        self.format.activated.connect(lambda _index: self._told())
        self.budget = QLineEdit(placeholderText=tr("automatic"))
        self.budget.setFixedWidth(theme.px(110))
        self.budget.textChanged.connect(lambda _text: self._told())
        self.more = PushButton(tr("Advanced"))
        self.more.setCheckable(True)
        self.more.setMinimumHeight(theme.px(34))
        self.more.setProperty("look", "quiet")
        holder, row = flowing(theme.px(8))
        for text, made in ((tr("Format"), self.format), (tr("Tokens at most"), self.budget)):
            says = label(theme, text, 13, token="muted")
            says.setBuddy(made)
            made.setAccessibleName(text)
            pair = QWidget()
            inside = QHBoxLayout(pair)
            inside.setContentsMargins(0, 0, theme.px(8), 0)
            inside.setSpacing(theme.px(8))
            inside.addWidget(says)
            inside.addWidget(made)
            row.addWidget(pair)
        row.addWidget(self.more)
        return holder

    def _advanced(self) -> QWidget:
        """Knobs that hardly anybody needs, hidden until they are asked for."""
        theme = self._desk.theme
        plain = ContextRequest()
        self.top_k = Number(plain.top_k, 50)
        self.hops = Number(plain.hop_depth, 3)
        self.neighbours = Number(plain.max_neighbors, 50)
        self.updates = Switch(theme, on=plain.ask_updates)
        self.pins = Switch(theme, on=plain.include_pins)
        self.strict = Switch(theme, on=True)
        box = QWidget()
        grid = QGridLayout(box)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(theme.px(12))
        rows: tuple[tuple[str, QWidget], ...] = (
            (tr("Best matches"), self.top_k),
            (tr("Steps along connections"), self.hops),
            (tr("Neighbours at most"), self.neighbours),
            (tr("With pins"), self.pins),
            (tr("Ask the chat what to pin"), self.updates),
            (tr("Mask paths and addresses too"), self.strict),
        )
        for place, (text, made) in enumerate(rows):
            says = label(theme, text, 13, token="muted")
            says.setBuddy(made)
            made.setAccessibleName(text)
            if isinstance(made, Number):
                made.setFixedWidth(theme.px(70))
                made.told.connect(lambda _value: self._told())
            elif isinstance(made, Switch):
                made.toggled.connect(lambda _on: self._told())
            grid.addWidget(says, place // 2, (place % 2) * 2)
            grid.addWidget(made, place // 2, (place % 2) * 2 + 1)
        grid.setColumnStretch(4, 1)
        box.hide()
        self.more.toggled.connect(box.setVisible)
        return box

    def _line(self, name: str, example: str) -> QLineEdit:
        line = QLineEdit(placeholderText=f"{name} {example}" if name.endswith("?") else f"{name}: {example}")
        line.setAccessibleName(name)
        line.textChanged.connect(lambda _text: self._told())
        return line

    def _show_query(self) -> None:
        chosen = self.what.checkedId()
        fields = {SUBJECT: self.query, SESSION: self.session, STRETCH: self.stretch}
        for number, field in fields.items():
            field.setVisible(number == chosen)
        if chosen in fields and self.isVisible():
            fields[chosen].setFocus()
        self._told()

    def _told(self) -> None:
        self._rest.start()

    def subject(self) -> Subject | None:
        """What is asked for now."""
        chosen = self.what.checkedId()
        makers: dict[int, Callable[[], Subject | None]] = {
            0: lambda: Subject(title=tr("Last 15 minutes"), request=ContextRequest(minutes=15)),
            1: lambda: Subject(title=tr("Last hour"), request=ContextRequest(minutes=60)),
            2: lambda: Subject(title=tr("This session"), request=ContextRequest(this_session=True)),
            3: lambda: Subject(title=tr("Since my last copy"), request=ContextRequest(since_last_copy=True)),
            SUBJECT: self._about,
            SESSION: self._one_session,
            STRETCH: self._between,
            CHOSEN: lambda: self._chosen,
        }
        found = makers.get(chosen, makers[0])()
        return None if found is None else replace(found, request=self._with_knobs(found.request))

    def _about(self) -> Subject | None:
        words = self.query.text().strip()
        if not words:
            return None
        return Subject(
            title=tr("Context for “{query}”").format(query=words), request=ContextRequest(query=words)
        )

    def _one_session(self) -> Subject | None:
        session: Session | None = self.session.currentData()
        if session is None:
            return None
        return Subject(
            title=f"{session_name(session)}, {span(session.start, session.end)}",
            request=ContextRequest(session_id=session.id),
            project=session.projects[0] if session.projects else None,
        )

    def _between(self) -> Subject | None:
        since, until = self.stretch.bounds()
        if since >= until:
            return None
        return Subject(title=stretch_title(since, until), request=ContextRequest(since=since, until=until))

    def _with_knobs(self, request: ContextRequest) -> ContextRequest:
        tokens = self.budget.text().strip()
        budget = min(max(int(tokens), LEAST), MOST) if tokens.isascii() and tokens.isdigit() else None
        return replace(
            request,
            format=self.format.currentData(),
            budget_tokens=budget,
            question=self.question.text().strip(),
            top_k=max(1, self.top_k.number),
            hop_depth=self.hops.number,
            max_neighbors=self.neighbours.number,
            include_pins=self.pins.isChecked(),
            ask_updates=self.updates.isChecked(),
            redaction="strict" if self.strict.isChecked() else "relaxed",
        )
