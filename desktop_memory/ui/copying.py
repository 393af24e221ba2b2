"""Copy context: ask the memory for it, put it on the clipboard, say what was copied or why it was not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress

from PySide6.QtCore import QObject, Signal

from desktop_memory.errors import KnownError
from desktop_memory.model import ContextRequest, CopiedContext, Spoken, Told
from desktop_memory.ui import clipboard
from desktop_memory.ui.desk import Desk
from desktop_memory.ui.words import counted, number, records, tr


class Copier(QObject):
    """One for the whole app. `copied` follows each context on the clipboard, `put` each text with its events."""

    copied = Signal(object)
    put = Signal(str, object)
    compose_wanted = Signal(object)
    """Carries what a pane offers to copy: it is to be changed first."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk

    def copy(
        self,
        request: ContextRequest,
        then: Callable[[CopiedContext], None] | None = None,
        *,
        unseen: bool = False,
    ) -> None:
        """Copy what this request gives. An empty context leaves the clipboard alone and says so.

        `unseen` when no window of ours was pressed or typed in: Wayland then refuses what Qt puts there.
        """
        memory = self._desk.memory
        otherwise = self._desk.other_clipboard if unseen and clipboard.needs_a_key_press() else None

        def make() -> tuple[CopiedContext, bool]:
            context = memory.context(request)
            if otherwise is not None and context.sources:
                with suppress(KnownError):
                    otherwise(context.text)
                    return context, True
            return context, False

        def put(made: tuple[CopiedContext, bool]) -> None:
            context, there = made
            if not context.sources:
                self._desk.notices.say(
                    tr("Nothing was recorded there, so nothing was copied."),
                    tr("The clipboard is as it was. Choose a longer stretch."),
                    tone="warn",
                )
                return
            try:
                if not there:
                    clipboard.put(context.text, self._desk.other_clipboard)
            except Exception as error:
                self._desk.notices.failed(error)
                return
            self.put.emit(context.text, [source.event for source in context.sources])
            self.copied.emit(context)
            if then is not None:
                then(context)

        self._desk.background.run(make, put, self._desk.notices.failed, owner=self, lane="copy")

    def copy_lines(
        self, lines: Sequence[Spoken], then: Callable[[], None] | None = None, project: str = ""
    ) -> None:
        """Copy lines as others may see them; `project` is asked for."""
        memory = self._desk.memory
        self.copy_told(lambda: memory.tell_lines(lines, project), then)

    def copy_told(self, ask: Callable[[], Told], then: Callable[[], None] | None = None) -> None:
        """Copy what is told of something, and say what walls kept back of it."""

        def put(told: Told) -> None:
            held = sum(one.events for one in told.held_back)
            if not told.text.strip():
                self._desk.notices.say(
                    tr("It belongs to a walled project, so nothing was copied."), tone="warn"
                )
                return
            try:
                clipboard.put(told.text, self._desk.other_clipboard)
            except Exception as error:
                self._desk.notices.failed(error)
                return
            self.put.emit(told.text, list(told.events))
            if then is not None:
                then()
            if held:
                self._desk.notices.say(
                    tr("Copied without {records} of walled projects").format(records=records(held))
                )

        self._desk.background.run(ask, put, self._desk.notices.failed, owner=self, lane="copy")


def summary(context: CopiedContext) -> str:
    """10 records, ~390 tokens, 1 secret masked."""
    return ", ".join(weight(context))


def weight(context: CopiedContext) -> list[str]:
    """How many records and tokens a copy has, and what was masked where anything was."""
    parts = [records(len(context.sources)), tr("~{count} tokens").format(count=number(context.tokens))]
    if masked := sum(context.masked.values()):
        parts.append(tr("{what} masked").format(what=counted(masked, tr("secret"), tr("secrets"))))
    return parts
