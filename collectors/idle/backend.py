"""The seam between a desktop and the absence: how long there has been no input."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from collectors.wake import Readable


class Backend(Protocol):
    """Tells how long nobody has touched keyboard, mouse or screen; never what was typed.

    Every call is made on the watching thread and raises Unavailable when the connection is lost.
    """

    @property
    def name(self) -> str: ...

    @property
    def connections(self) -> Sequence[Readable]:
        """What to watch for news, where the desktop tells by itself; else empty."""
        ...

    def idle(self) -> float:
        """Seconds since the last input."""
        ...

    def close(self) -> None: ...


Connect = Callable[[], Backend]
"""Raises Unavailable, with what would help, where this backend cannot work."""


@dataclass(frozen=True, kw_only=True, slots=True)
class State:
    """The screen is locked or another user's; the machine goes to sleep or is just waking."""

    locked: bool = False
    asleep: bool = False


class Locks(Protocol):
    """Tells of lock and sleep where the desktop does."""

    @property
    def connections(self) -> Sequence[Readable]:
        """What to watch for news."""
        ...

    def states(self) -> Iterator[State]:
        """Each state since the last call, the present one last; does not wait."""
        ...

    def close(self) -> None: ...


class Media(Protocol):
    """Tells whether a film or music plays."""

    def plays(self) -> bool: ...
    def close(self) -> None: ...
