"""How far a turn has come: told to whoever waits for it, who may end it. Others may look, and end it too."""

from __future__ import annotations

from collections.abc import Callable

Told = Callable[[str, float], bool]
"""Is told what is being done and the share of it, 0 to 1; True ends it there. What is done stays done."""


class Advance:
    """Of one turn; any thread may look and cancel."""

    def __init__(self, told: Told) -> None:
        self.what = ""
        self.cancelled = False
        self._told = told
        self._total = 0
        self._done = 0

    @property
    def share(self) -> float:
        return min(1.0, self._done / self._total) if self._total else 0.0

    def expect(self, size: int) -> None:
        self._total = size

    def move(self, size: int) -> None:
        self._done += size

    def is_over(self, what: str) -> bool:
        """Tell how far it is; True when it is to end."""
        self.what = what
        self.cancelled = self._told(what, self.share) or self.cancelled
        return self.cancelled

    def end(self) -> None:
        """Nothing is under way any more."""
        self.what = ""
