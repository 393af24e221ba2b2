"""What comes between the acts of a diary: going on with the same files, looking back, glancing aside."""

from __future__ import annotations

from collections import deque
from random import Random

from desktop_memory.demo.diary import Act
from desktop_memory.demo.surroundings import Place

_ROUNDS = {"work": 46, "look up": 18, "check": 16, "again": 8, "glance": 12}
"""Of a hundred rounds."""
_AT_HAND = 6
_TESTS = ("pytest", "python ", "latexmk")


class Between:
    """Deals the next small act: with its seconds, and whether it belongs to the work at hand.

    `at_hand` holds what was last open in this place; it goes on into the place's next block.
    """

    def __init__(self, place: Place, at_hand: list[Act], first: Act | None, rng: Random) -> None:
        self._place, self._at_hand, self._rng = place, at_hand, rng
        self._glances = rng.sample(place.glances, k=min(6, len(place.glances)))
        self._last: Act | None = None
        self._last_run: Act | None = None
        self._queue: deque[tuple[Act, float, bool]] = deque()
        if first is not None and not self._files():
            at_hand.append(first)

    def after(self, act: Act) -> None:
        """The diary's person has done this: it may come again, unless it had its own time."""
        self._queue.clear()
        self._last = act
        if act.at is not None:
            return
        if act.verb in ("edit", "page", "window", "chat", "mail"):
            if act in self._at_hand:
                self._at_hand.remove(act)
            self._at_hand.append(act)
            del self._at_hand[:-_AT_HAND]
        elif act.verb == "ran" and act.what.startswith(_TESTS):
            self._last_run = act

    def next(self) -> tuple[Act, float, bool]:
        while not self._queue:
            self._deal()
        return self._queue.popleft()

    def _files(self) -> list[Act]:
        return [act for act in self._at_hand if act.verb == "edit"][-3:]

    def _others(self) -> list[Act]:
        return [act for act in self._at_hand if act.verb != "edit"][-3:]

    def _deal(self) -> None:
        rng, files, others = self._rng, self._files(), self._others()
        kind = rng.choices(list(_ROUNDS), list(_ROUNDS.values()))[0]
        if kind == "work" and files:
            for file in rng.sample(files, k=rng.randint(1, len(files))):
                self._put(file, 35, 150)
        elif kind in ("work", "look up") and others:
            self._put(rng.choice(others), 20, 90)
            if files:
                self._put(files[-1], 40, 150)
        elif kind == "check" and self._place.trivial:
            for _ in range(rng.choice((1, 1, 2))):
                self._put(Act(verb="ran", what=rng.choice(self._place.trivial)), 2, 8, signal=False)
        elif kind == "again" and self._last_run is not None and (self._last_run.seconds or 0) < 120:
            seconds = self._last_run.seconds or 8
            self._put(self._last_run, seconds, seconds + 2)
        elif kind == "glance" or not files:
            self._glance()

    def _glance(self) -> None:
        for _ in range(self._rng.choice((1, 1, 2))):
            verb, _, what = self._rng.choice(self._glances).partition(" ")
            self._put(Act(verb=verb, what=what), 5, 45, signal=False)

    def _put(self, act: Act, least: float, most: float, *, signal: bool = True) -> None:
        """Queue it, unless it is what stands in front already."""
        if act.verb == "ran" or act != self._last:
            self._queue.append((act, self._rng.uniform(least, most), signal))
            self._last = act
