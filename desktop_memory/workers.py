"""A named thread that works when something changed, and rests otherwise."""

from __future__ import annotations

import logging
import sys
import threading
import time
from collections.abc import Callable

from desktop_memory.errors import KnownError, sentences

logger = logging.getLogger(__name__)

_RETRY_SECONDS = 60.0
_TURN_SECONDS = 0.0005


def take_short_turns() -> None:
    """Let this process's threads take turns ten times as often as Python would.

    Who reads the store hands the word over at each row, and waits a whole turn for it while another thread computes:
    a question that takes 30 ms alone took half a second beside an import.
    """
    sys.setswitchinterval(_TURN_SECONDS)


class Stop(threading.Event):
    """The word to stop; who asks for it lives: `asked_at` (monotonic) says when that was last."""

    def __init__(self) -> None:
        super().__init__()
        self.asked_at = time.monotonic()

    def is_set(self) -> bool:
        self.asked_at = time.monotonic()
        return super().is_set()


class Worker:
    """Calls `work(stop)` after each `wake()` until it has nothing left; a failure is logged and tried again later.

    With `every`, it also looks by itself after so many seconds; `retry` is how long it rests after a failure.
    """

    def __init__(
        self,
        name: str,
        work: Callable[[threading.Event], bool],
        *,
        every: float | None = None,
        retry: float = _RETRY_SECONDS,
    ) -> None:
        self._every = every
        self._retry = retry
        self.problem = ""
        self._work = work
        self._working = False
        self._stop = Stop()
        self._wake = threading.Event()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        self._wake.set()
        self._thread.start()

    def wake(self) -> None:
        self._wake.set()

    def stop(self) -> None:
        self._stop.set()
        self._wake.set()
        if self._thread.is_alive():
            self._thread.join(timeout=20)

    @property
    def alive(self) -> bool:
        return self._thread.is_alive()

    @property
    def since(self) -> float | None:
        """When (monotonic) its work last gave a sign of life; None while it rests."""
        return self._stop.asked_at if self._working else None

    def _run(self) -> None:
        timeout: float | None = None
        while not self._stop.is_set():
            self._wake.wait(timeout)
            self._wake.clear()
            timeout = self._every if self._turn() else self._retry

    def _turn(self) -> bool:
        """True when all is done; False when it should be tried again."""
        try:
            while not self._stop.is_set() and self._step():
                pass
            self.problem = ""
            return True
        except KnownError as error:
            self.problem = sentences(error.problem, error.advice)
            logger.warning("%s rests: %s", self._thread.name, type(error).__name__)
        except Exception as error:
            self.problem = f"It met a bug ({type(error).__name__}); the log tells more."
            logger.exception("%s met a bug", self._thread.name)
        return False

    def _step(self) -> bool:
        self._working = True
        try:
            return self._work(self._stop)
        finally:
            self._working = False
