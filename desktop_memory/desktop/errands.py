"""Things that any thread may ask of the thread that owns a connection."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from desktop_memory.errors import KnownError


@dataclass(slots=True)
class _Errand:
    do: Callable[[], None]
    done: threading.Event = field(default_factory=threading.Event)
    failed: BaseException | None = None


class Errands:
    """`ask` waits until `serve`, called by the owner when `wake` has woken it, has done what was asked."""

    def __init__(self, wake: Callable[[], None]) -> None:
        self._wake = wake
        self._waiting: deque[_Errand] = deque()

    def ask(self, do: Callable[[], None], owner: threading.Thread) -> None:
        """Have the owner do this; what it raises is raised here. Raises KnownError when the owner has ended."""
        errand = _Errand(do)
        self._waiting.append(errand)
        self._wake()
        while not errand.done.wait(0.1):
            if not owner.is_alive():
                raise KnownError("The desktop went away.", "Start the app again.")
        if errand.failed is not None:
            raise errand.failed

    def serve(self) -> None:
        """Do what has been asked so far."""
        while self._waiting:
            errand = self._waiting.popleft()
            try:
                errand.do()
            except KnownError as why:
                errand.failed = why
            except BaseException as why:
                errand.failed = why
                raise
            finally:
                errand.done.set()
