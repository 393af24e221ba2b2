"""What can be done with a row, from its keys and from its menu."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtWidgets import QMenu, QWidget

from desktop_memory.context.apps import label
from desktop_memory.model import ContextRequest, Pin, Remembered
from desktop_memory.ui.about import About
from desktop_memory.ui.copying import Copier, summary
from desktop_memory.ui.desk import Desk
from desktop_memory.ui.icons import icon
from desktop_memory.ui.leaving_out import LeavingOut
from desktop_memory.ui.opening import open_event, target
from desktop_memory.ui.row_list import RowList
from desktop_memory.ui.rows import Row, clean, events_of, headline, spoken
from desktop_memory.ui.words import tr

PIN_LIMIT = 280


class Actions(QObject):
    """One for the window and the popup. `timeline_wanted` carries the event to show there."""

    timeline_wanted = Signal(object)
    connections_wanted = Signal(object)
    """Carries what they are about."""
    reopen_wanted = Signal(object)
    """Carries a record: the pages and files of its session are to be opened again."""
    done = Signal()
    """Something was opened: the popup can go."""

    def __init__(self, desk: Desk, copier: Copier) -> None:
        super().__init__()
        self._desk = desk
        self._copier = copier
        self.leaving = LeavingOut(desk)

    def serve(self, rows: RowList) -> None:
        """Let this list's keys and menu do these things."""
        rows.opened.connect(self.open)
        rows.copy_wanted.connect(self.copy_lines)
        rows.context_wanted.connect(self.copy_around)
        rows.timeline_wanted.connect(self._in_timeline)
        rows.connections_wanted.connect(self.connections)
        rows.forget_wanted.connect(self.leaving.forget_rows)
        rows.menu_wanted.connect(lambda chosen, place: self.menu(chosen, place, rows))

    def open(self, row: Row) -> None:
        """Open what the row stands for; a record without anything to open is shown in the timeline."""
        if row.event is None:
            return
        if not target(row.event):
            self.timeline_wanted.emit(row.event)
            return
        try:
            open_event(row.event)
        except Exception as error:
            self._desk.notices.failed(error)
        else:
            self._used([row.event.id])
            self.done.emit()

    def connections(self, row: Row) -> None:
        """Show what led to the row's event and what came of it."""
        if row.event is not None:
            self.connections_wanted.emit(About(event=row.event))

    def pin(self, row: Row) -> None:
        """Keep what the row says among the pins, which head every copied context."""
        event, memory = row.event, self._desk.memory
        if event is None:
            return
        text = headline(event)[:PIN_LIMIT]

        def say(made: Pin) -> None:
            self._desk.notices.say(
                tr("Pinned “{text}”.").format(text=clean(made.text)[:60]),
                tr("It heads every copied context, and stands in Pins."),
                button=tr("Undo"),
                act=lambda: self._desk.background.run(
                    lambda: memory.unpin(made.id), failed=self._desk.notices.failed
                ),
            )

        self._desk.background.run(
            lambda: memory.pin("note", text, event.project), say, self._desk.notices.failed, owner=self
        )

    def _in_timeline(self, row: Row) -> None:
        if row.event is not None:
            self.timeline_wanted.emit(row.event)

    def copy_lines(self, rows: Sequence[Row], then: Callable[[], None] | None = None) -> None:
        """Copy what these rows say, as others may see it."""

        def done() -> None:
            self._used(events_of(rows))
            if then is not None:
                then()

        if rows:
            self._copier.copy_lines([spoken(row) for row in rows], done)

    def copy_around(self, row: Row) -> None:
        """Copy the context around the row's event."""
        if row.event is not None:
            self._copier.copy(ContextRequest(event_id=row.event.id), self._copied)

    def menu(self, rows: Sequence[Row], place: QPoint, parent: QWidget) -> QMenu:
        """Show the menu of these rows; the same for the mouse and the menu key."""
        menu = QMenu(parent)
        first = rows[0]
        if len(rows) == 1 and first.event is not None:
            if target(first.event):
                self._entry(menu, "external-link", tr("Open"), "Return", lambda: self.open(first))
            self._entry(
                menu,
                "timeline",
                tr("Show in timeline"),
                "Ctrl+Return",
                lambda: self.timeline_wanted.emit(first.event),
            )
            self._entry(menu, "affiliate", tr("Connections"), "Ctrl+L", lambda: self.connections(first))
            self._entry(menu, "pin", tr("Pin it"), "", lambda: self.pin(first))
            if first.event.session is not None:
                again = lambda: self.reopen_wanted.emit(first.event)  # noqa: E731
                self._entry(menu, "list-check", tr("Open its session again"), "", again)
            self._entry(
                menu,
                "clipboard-text",
                tr("Copy context around it"),
                "Ctrl+Shift+C",
                lambda: self.copy_around(first),
            )
        copy = tr("Copy line") if len(rows) == 1 else tr("Copy {count} lines").format(count=len(rows))
        self._entry(menu, "copy", copy, "Ctrl+C", lambda: self.copy_lines(rows))
        if any(row.event is not None for row in rows):
            menu.addSeparator()
            forget = tr("Forget it") if len(rows) == 1 else tr("Forget these {count}").format(count=len(rows))
            self._entry(menu, "trash", forget, "Del", lambda: self.leaving.forget_rows(rows))
        if len(rows) == 1 and first.event is not None:
            self._never(menu, first.event)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(place)
        return menu

    def _never(self, menu: QMenu, event: Remembered) -> None:
        app, site = event.app, event.domain
        says = tr("Never record {name}")
        if site:
            text = says.format(name=site)
            self._entry(menu, "eye-off", text, "", lambda: self.leaving.never_site(site))
        if app:
            text = says.format(name=clean(label(app)))
            self._entry(menu, "eye-off", text, "", lambda: self.leaving.never_app(app))
        if event.title and event.kind in ("window", "browser"):
            text = tr("Never record titles like this")
            self._entry(menu, "eye-off", text, "", lambda: self.leaving.never_titles_like(event.title))

    def _entry(self, menu: QMenu, name: str, text: str, keys: str, act: object) -> None:
        entry = menu.addAction(icon(name, self._desk.theme["muted"]), text)
        entry.setText(f"{text}\t{keys}" if keys else text)
        entry.triggered.connect(act)

    def _used(self, events: Sequence[int]) -> None:
        """Let search know that somebody came back to these."""
        memory, ids = self._desk.memory, list(events)
        self._desk.background.run(lambda: memory.used(ids))

    def _copied(self, context: object) -> None:
        self._desk.notices.say(tr("Copied {what}").format(what=summary(context)))  # type: ignore[arg-type]
