"""Work that would make the window wait, done on threads of its own; the result comes back to Qt's thread."""

from __future__ import annotations

import itertools
import logging
import queue
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from PySide6.QtCore import QObject, Qt, Signal, Slot
from shiboken6 import isValid

from collectors.collector import Unavailable
from desktop_memory.errors import KnownError

logger = logging.getLogger(__name__)

T = TypeVar("T")
Failed = Callable[[Exception], object]


@dataclass(frozen=True, slots=True)
class _Job:
    task: Callable[[], Any]
    then: Callable[[Any], object]
    failed: Failed
    owner: QObject | None
    lane: str
    number: int


class Background(QObject):
    """Runs a task on one of a few threads, then `then(result)` or `failed(error)` on Qt's thread.

    Jobs of the same `lane` overtake each other: only the newest one's result is shown, and one that has
    not begun when a newer arrives never begins. An `owner` that is gone by then gets nothing. What no
    `failed` takes is emitted as `trouble`.

    Tasks and callbacks know widgets, and a widget whose last reference goes on another thread ends the process. So
    Qt's thread holds every job until its thread has let go of it, and is told by number.
    """

    trouble = Signal(object)
    _finished = Signal(int, object, object)

    def __init__(self, threads: int = 4) -> None:
        super().__init__()
        self._queue: queue.SimpleQueue[int | None] = queue.SimpleQueue()
        self._jobs: dict[int, _Job] = {}
        self._numbers = itertools.count(1)
        self._newest: dict[str, int] = {}
        self._closed = False
        self._finished.connect(self._deliver, Qt.ConnectionType.QueuedConnection)
        self._threads = [
            threading.Thread(target=self._work, name=f"background-{n}", daemon=True) for n in range(threads)
        ]
        for thread in self._threads:
            thread.start()

    def run(
        self,
        task: Callable[[], T],
        then: Callable[[T], object] | None = None,
        failed: Failed | None = None,
        *,
        owner: QObject | None = None,
        lane: str = "",
    ) -> None:
        """Do `task` elsewhere. Returns at once."""
        job = _Job(task, then or _ignore, failed or self.trouble.emit, owner, lane, next(self._numbers))
        if lane:
            self._newest[lane] = job.number
        self._jobs[job.number] = job
        self._queue.put(job.number)

    def drop(self, lane: str) -> None:
        """Forget what is under way in this lane."""
        self._newest[lane] = next(self._numbers)

    def close(self, timeout: float = 2.0) -> None:
        """Take no more, and wait a moment for what runs; a task that never returns is left to its thread."""
        self._closed = True
        for _ in self._threads:
            self._queue.put(None)
        for thread in self._threads:
            thread.join(timeout)
        if not any(thread.is_alive() for thread in self._threads):
            self._jobs.clear()

    def _stale(self, job: _Job) -> bool:
        return self._closed or (bool(job.lane) and self._newest.get(job.lane) != job.number)

    def _work(self) -> None:
        while (number := self._queue.get()) is not None:
            result, error = self._done(number)
            if not self._closed:
                self._finished.emit(number, result, error)
            del result, error

    def _done(self, number: int) -> tuple[Any, Exception | None]:
        """Do one job; on return this thread refers to nothing of it but its result."""
        job = self._jobs[number]
        if self._stale(job):
            return None, None
        try:
            return job.task(), None
        except Exception as error:  # the top of this thread: shown to the user, logged when it is our bug
            if not isinstance(error, (KnownError, Unavailable)):
                logger.exception("a task in the background met a bug")
            return None, error.with_traceback(None)

    @Slot(int, object, object)
    def _deliver(self, number: int, result: Any, error: Exception | None) -> None:
        job = self._jobs.pop(number, None)
        if job is None or self._stale(job) or (job.owner is not None and not isValid(job.owner)):
            return
        if error is None:
            job.then(result)
        else:
            job.failed(error)


def _ignore(_result: Any) -> None:
    pass
