"""What stands still: parts whose thread ended, or that have been at one step for longer than any should take."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

LONGEST_STEP = 15.0
"""Seconds. With the looks of others every few seconds, whatever hangs shows within half a minute."""
_LONGER = {"vectors": 25.0}
"""Loading a model and reading a batch take their time on a slow computer."""

_ENDED = "Its thread ended. Start the app again; the log in the data folder tells more."
_STUCK = (
    "It has been at one step for {seconds} seconds. "
    "If it stays so, start the app again; see `desktop-memory doctor`."
)


class Part(Protocol):
    """A thread of the app."""

    @property
    def alive(self) -> bool: ...

    @property
    def since(self) -> float | None:
        """When (monotonic) it last gave a sign of life at work; None while it rests."""
        ...


@dataclass(frozen=True, kw_only=True)
class Standstill:
    """Asked at any time, from any thread; it waits for nothing."""

    parts: Mapping[str, Part]
    now: Callable[[], float] = time.monotonic

    def found(self) -> dict[str, str]:
        """The parts that stand still, each with what to do."""
        said = {name: self._said(name, part) for name, part in self.parts.items()}
        return {name: text for name, text in said.items() if text}

    def _said(self, name: str, part: Part) -> str:
        if not part.alive:
            return _ENDED
        longest = _LONGER.get(name, LONGEST_STEP)
        since = part.since
        if since is None or self.now() - since < longest:
            return ""
        return _STUCK.format(seconds=int(self.now() - since))
