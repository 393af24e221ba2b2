"""A named thread that works when something changed, and rests otherwise."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from desktop_memory.errors import KnownError, sentences

logger = logging.getLogger(__name__)

_RETRY_SECONDS = 60.0


class Worker:
    """Calls `work(stop)` after each `wake()` until it has nothing left; a failure is logged and tried again later.

    With `every`, it also looks by itself after so many seconds.
    """

    def __init__(
        self, name: str, work: Callable[[threading.Event], bool], *, every: float | None = None
    ) -> None:
        self._every = every
        self.problem = ""
        self._work = work
        self._stop = threading.Event()
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

    def _run(self) -> None:
        timeout: float | None = None
        while not self._stop.is_set():
            self._wake.wait(timeout)
            self._wake.clear()
            timeout = self._every if self._turn() else _RETRY_SECONDS

    def _turn(self) -> bool:
        """True when all is done; False when it should be tried again."""
        try:
            while not self._stop.is_set() and self._work(self._stop):
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
