"""The errors a person can mend: what happened, and what to do about it."""

from __future__ import annotations

import errno


class KnownError(Exception):
    """Shown as written: `problem` says what happened, `advice` what to do."""

    exit_code = 1

    def __init__(self, problem: str, advice: str = "") -> None:
        super().__init__(problem)
        self.problem = problem
        self.advice = advice


class UsageError(KnownError):
    """The request cannot be understood: an unreadable time, an unknown kind."""

    exit_code = 2


def no_name(error: Exception) -> UsageError | None:
    """What to say where a name or a question holds bytes that are no text, or is longer than any file's name;
    None where something else went wrong."""
    if isinstance(error, OSError) and error.errno == errno.ENAMETOOLONG:
        return UsageError("What was given is too long for the name of a file.", "Choose a shorter one.")
    if not isinstance(error, UnicodeEncodeError) or error.reason != "surrogates not allowed":
        return None
    return UsageError("What was given is not text in UTF-8.", "Type it again, without the odd character.")


class BusyError(KnownError):
    """Another process owns the memory."""

    exit_code = 3


class StoreError(KnownError):
    """The store cannot be opened, read or written; nothing in it was changed."""


class NotAnswering(KnownError):
    """The app runs, but is stopped or hangs."""


class Damaged(StoreError):
    """The store's file does not agree with itself. The owner gets out what can be read at its next start."""


class LogHeld(StoreError):
    """What writes much rests: somebody reads the memory, and its log cannot be begun anew."""


class Superseded(KnownError):
    """A newer question of the same lane took this one's place; nobody waits for its answer."""

    def __init__(self, problem: str = "A newer question took its place.", advice: str = "") -> None:
        super().__init__(problem, advice)


def sentences(*parts: str) -> str:
    """Parts as sentences after one another: none runs into the next for want of a full stop."""
    said = [part.strip() for part in parts if part.strip()]
    ended = [part if part[-1] in ".!?…:" else f"{part}." for part in said[:-1]]
    return " ".join([*ended, *said[-1:]])
