"""What a person is asked at a terminal. The end of the input (Ctrl+D) cancels, as Ctrl+C does."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


def agreed(question: str) -> bool:
    """True for a yes; anything else is a no."""
    return answer(f"{question} [y/N] ").lower() in ("y", "yes")


def answer(question: str) -> str:
    with _end_cancels():
        return input(question).strip()


def secret(question: str) -> str:
    """What is typed unseen."""
    import getpass

    with _end_cancels():
        return getpass.getpass(question)


@contextmanager
def _end_cancels() -> Iterator[None]:
    try:
        yield
    except (EOFError, UnicodeDecodeError) as error:
        raise KeyboardInterrupt from error
