"""Waiting for a connection without polling: a wait that another thread can end."""

from __future__ import annotations

import contextlib
import select
import socket
import threading
from collections.abc import Iterator
from typing import Literal, Protocol

_LOOK_AFTER = 30.0
"""Seconds after which the helper thread of a finished watch sees that nobody needs it any more."""


class Readable(Protocol):
    """Something that select can watch: a socket, a D-Bus or X connection."""

    def fileno(self) -> int: ...


Why = Literal["woken", "readable", "late"]
"""Why a wait ended; woken comes first when several are true."""


class Waker:
    """Sleeps until time is up, a connection has something to read, or `wake` is called."""

    def __init__(self) -> None:
        # A socket pair rather than a pipe: Windows can select on sockets only.
        self._ear, self._bell = socket.socketpair()
        self._ear.setblocking(False)
        self._bell.setblocking(False)
        self.closed = False

    def wake(self) -> None:
        """End the wait that is going on, or the next one. Safe on any thread, also after `close`."""
        with contextlib.suppress(OSError):
            self._bell.send(b"!")

    def wait(self, seconds: float | None, *connections: Readable) -> Why:
        """Sleep, at most for that time (None: for as long as it takes), and say what ended it."""
        ready = _readable([self._ear, *connections], seconds)
        if not ready:
            return "late"
        if self._ear.fileno() not in ready:
            return "readable"
        with contextlib.suppress(BlockingIOError):
            while self._ear.recv(4096):
                pass
        return "woken"

    def close(self) -> None:
        self.closed = True
        self._ear.close()
        self._bell.close()


@contextlib.contextmanager
def waking(stop: threading.Event) -> Iterator[Waker]:
    """A waker that also wakes when `stop` is set: an Event alone cannot end a select."""
    waker = Waker()

    def ring() -> None:
        while not waker.closed:
            if stop.wait(_LOOK_AFTER):
                waker.wake()
                return

    threading.Thread(target=ring, name="Thread-waker", daemon=True).start()
    try:
        yield waker
    finally:
        waker.close()


def _readable(connections: list[Readable], seconds: float | None) -> set[int]:
    """The file numbers of those that can be read within that time."""
    numbers = [connection.fileno() for connection in connections]
    if not hasattr(select, "poll"):
        return set(select.select(numbers, [], [], seconds)[0])
    # Unlike select(), poll() also works when the process has more than 1,024 files open.
    poll = select.poll()
    for number in numbers:
        poll.register(number, select.POLLIN)
    return {number for number, _ in poll.poll(None if seconds is None else max(0.0, seconds * 1000))}
