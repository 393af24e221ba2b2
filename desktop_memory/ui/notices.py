"""What has to be said now: a line with a remedy, shown where the person is looking. Never a dialog."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Literal

from PySide6.QtCore import QObject, Signal

from desktop_memory.errors import KnownError
from desktop_memory.ui.translated import translated
from desktop_memory.ui.words import tr

logger = logging.getLogger(__name__)

Tone = Literal["ok", "warn", "danger"]
Deed = tuple[str, Callable[[], None]]
"""What a button says, and what it does."""


@dataclass(frozen=True, slots=True)
class Notice:
    """What happened, what to do, and the button that does it; `more` are buttons beside that one.

    One with the same `about` takes the place of those before.
    """

    text: str
    advice: str = ""
    tone: Tone = "ok"
    button: str = ""
    act: Callable[[], None] | None = None
    more: tuple[Deed, ...] = ()
    about: str = ""

    @property
    def deeds(self) -> tuple[Deed, ...]:
        """All its buttons, the first one first."""
        return ((self.button, self.act), *self.more) if self.act is not None else self.more

    def replaces(self, other: Notice) -> bool:
        """Whether the other need not be said any more once this was."""
        return other.text == self.text or (bool(self.about) and other.about == self.about)


class Notices(QObject):
    """Hands each notice to whoever shows them."""

    said = Signal(object)
    answered = Signal(str)
    """The text of a notice one of whose buttons was pressed, wherever that was."""

    def say(
        self,
        text: str,
        advice: str = "",
        *,
        tone: Tone = "ok",
        button: str = "",
        act: Callable[[], None] | None = None,
        more: tuple[Deed, ...] = (),
        about: str = "",
    ) -> None:
        def answer(deed: Callable[[], None]) -> None:
            self.answered.emit(text)
            deed()

        first = None if act is None else partial(answer, act)
        others = tuple((name, partial(answer, deed)) for name, deed in more)
        self.said.emit(Notice(text, advice, tone, button, first, others, about))

    def failed(self, error: Exception) -> None:
        """Say an error: as written if a person can mend it, else that it is ours and where to look."""
        self.said.emit(notice_of(error))


def notice_of(error: Exception) -> Notice:
    """The notice for an error. One that is not a KnownError is a bug: its traceback goes to the log."""
    if isinstance(error, KnownError):
        return Notice(translated(error.problem), translated(error.advice), "danger")
    logger.error("a screen's request failed", exc_info=error)
    return bug_notice(error)


def bug_notice(error: Exception) -> Notice:
    """What is said of a bug of ours: its kind only, for its text may hold the user's."""
    return Notice(
        tr("Something went wrong inside Desktop Memory ({name}).").format(name=type(error).__name__),
        tr("Nothing was lost. The details are in the log; try again."),
        "danger",
    )
