"""The second key: copy without opening anything, say what was copied, and offer to take it back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QElapsedTimer, QMimeData, QObject, Signal

from desktop_memory.model import ContextRequest, CopiedContext, Remembered
from desktop_memory.ui import clipboard
from desktop_memory.ui.copying import Copier, weight
from desktop_memory.ui.desk import Desk
from desktop_memory.ui.notices import Deed
from desktop_memory.ui.words import span, tr

AGAIN_MS = 5_000
STEPS = (ContextRequest(minutes=15), ContextRequest(minutes=60), ContextRequest(this_session=True))


class QuickCopy(QObject):
    """The last 15 minutes; pressed again within five seconds the last hour, then the session."""

    preview_wanted = Signal(object)
    """Carries what was copied."""
    lent = Signal(bool)
    """Whether there is a former clipboard that can be put back."""

    def __init__(self, desk: Desk, copier: Copier) -> None:
        super().__init__()
        self._desk, self._copier = desk, copier
        self._pressed = QElapsedTimer()
        self._step = 0
        self._before: QMimeData | str | None = None
        self._ours: str | None = None
        """The last text that the key put there. While it is still there, the former clipboard is the one before it."""

    @property
    def can_put_back(self) -> bool:
        """Whether there is a former clipboard to go back to."""
        return self._before is not None

    def press(self) -> None:
        """The key was pressed."""
        again = self._pressed.isValid() and self._pressed.elapsed() < AGAIN_MS
        self._pressed.start()
        if again:
            self._step = min(self._step + 1, len(STEPS) - 1)
            self._copy()
            return
        self._step = 0
        held, read = clipboard.held(), self._desk.read_clipboard
        if held is not None and held.text() == self._ours:
            self._copy()
            return
        self._before = held
        if held is None and read is not None:
            self._desk.background.run(read, self._keep, owner=self, lane="former clipboard")
        else:
            self._copy()

    def put_back(self) -> None:
        """Let the clipboard hold what it held before the first press."""
        if self._before is None:
            return
        try:
            clipboard.put_back(self._before, self._desk.other_clipboard)
        except Exception as error:
            self._desk.notices.failed(error)
            return
        self._before = None
        self._pressed.invalidate()
        self.lent.emit(False)
        self._desk.notices.say(tr("Your clipboard is as it was."), about="clipboard")

    def _keep(self, text: str | None) -> None:
        if text is None or text != self._ours:
            self._before = text
        self._copy()

    def _copy(self) -> None:
        self._copier.copy(STEPS[self._step], self._copied, unseen=True)

    def _copied(self, context: CopiedContext) -> None:
        self._ours = context.text
        memory, ids = self._desk.memory, [source.event for source in context.sources]
        self._desk.background.run(
            lambda: memory.events(ids), partial(self._say, context), self._desk.notices.failed,
            owner=self, lane="quick copy",
        )  # fmt: skip

    def _say(self, context: CopiedContext, events: Sequence[Remembered]) -> None:
        deeds: list[Deed] = [(tr("Preview"), partial(self.preview_wanted.emit, context))]
        if self._before is not None:
            deeds.append((tr("Put my clipboard back"), self.put_back))
        self.lent.emit(self._before is not None)
        wider = tr("Press it again for the last hour."), tr("Press it again for the session."), ""
        (button, act), *more = deeds
        self._desk.notices.say(
            tr("Copied {what}").format(what=told(context, events)), wider[self._step],
            button=button, act=act, more=tuple(more), about="clipboard",
        )  # fmt: skip


def told(context: CopiedContext, events: Sequence[Remembered]) -> str:
    """10 records, 390 tokens, billing-api 09:41-09:56, 1 secret masked."""
    parts = weight(context)
    if events:
        projects = Counter(event.project for event in events if event.project)
        when = span(min(event.start for event in events), max(event.end or event.start for event in events))
        parts.insert(2, f"{projects.most_common(1)[0][0]} {when}" if projects else when)
    return ", ".join(parts)
