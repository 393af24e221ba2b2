"""What was forgotten does not stay on the clipboard either."""

from __future__ import annotations

import re
from collections.abc import Sequence

from PySide6.QtCore import QObject

from desktop_memory.ui import clipboard
from desktop_memory.ui.copying import Copier
from desktop_memory.ui.desk import Desk
from desktop_memory.ui.words import tr

_TAG = re.compile(r"End of (ctx-[0-9a-z]+)\.")


class ClipboardGuard(QObject):
    """Looks after each change of the memory whether all events of the last copy are still there."""

    def __init__(self, desk: Desk, copier: Copier) -> None:
        super().__init__()
        self._desk = desk
        self._text = ""
        self._events: tuple[int, ...] = ()
        copier.put.connect(self._take)
        desk.bridge.changed.connect(self.look)

    def look(self) -> None:
        """Empty the clipboard if it still holds something that is gone."""
        if not self._events:
            return
        memory, text, events = self._desk.memory, self._text, self._events

        def ask() -> int:
            return len({event.id for event in memory.events(events)})

        def judge(there: int) -> None:
            if there < len(set(events)) and text == self._text:
                self._clear()

        self._desk.background.run(ask, judge, self._desk.notices.failed, owner=self, lane="clipboard guard")

    def take_lent(self, text: str) -> None:
        """What a command copied: the copy that it names at its end knows its events."""
        tags = _TAG.findall(text)
        if not tags:
            return
        memory, tag = self._desk.memory, tags[-1]

        def ids() -> list[int]:
            copied = memory.copied(tag)
            return [] if copied is None else [source.event for source in copied.sources]

        self._desk.background.run(
            ids, lambda events: self._take(text, events), self._desk.notices.failed, owner=self
        )

    def _take(self, text: str, events: Sequence[int]) -> None:
        self._text, self._events = text, tuple(events)

    def _clear(self) -> None:
        text, self._text, self._events = self._text, "", ()
        if clipboard.clear(text):
            self._desk.notices.say(tr("The clipboard held some of it and was emptied."))
        elif self._desk.clear_clipboard is not None:
            clear = self._desk.clear_clipboard
            self._desk.background.run(lambda: clear(text), None, self._desk.notices.failed, owner=self)
