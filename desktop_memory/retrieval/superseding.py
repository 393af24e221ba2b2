"""A question that a newer one has overtaken is given up, wherever it is just being answered."""

from __future__ import annotations

import threading
from collections import OrderedDict

from desktop_memory.errors import Superseded

_LANES = 64


class Lanes:
    """The newest question of each lane. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._newest: OrderedDict[str, int] = OrderedDict()

    def begin(self, lane: str, turn: int) -> Ticket:
        """A question of this lane starts: those with a lower turn are over from now on."""
        if lane:
            with self._lock:
                self._newest[lane] = max(turn, self._newest.get(lane, turn))
                self._newest.move_to_end(lane)
                while len(self._newest) > _LANES:
                    self._newest.popitem(last=False)
        return Ticket(self._newest, lane, turn)


class Ticket:
    """Tells whether its question is still wanted."""

    def __init__(self, newest: OrderedDict[str, int], lane: str, turn: int) -> None:
        self._newest = newest
        self._lane = lane
        self._turn = turn

    def over(self) -> bool:
        return bool(self._lane) and self._newest.get(self._lane, self._turn) > self._turn

    def check(self) -> None:
        """Raise Superseded when a newer question has taken this one's place."""
        if self.over():
            raise Superseded
