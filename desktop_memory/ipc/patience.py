"""How long a caller may take to say what it wants: whoever dribbles a byte at a time is hung up on."""

from __future__ import annotations

import multiprocessing.connection as mpc
import os
import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

_LOOK_SECONDS = 0.5


class Patience:
    """Watches all callers that are still talking, from one thread. Does nothing where connections are no sockets."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._lock = threading.Lock()
        self._talking: dict[int, float] = {}
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="ipc patience", daemon=True)

    def start(self) -> None:
        if sys.platform != "win32":
            self._thread.start()

    def stop(self) -> None:
        """Hang up on all that are still talking."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(timeout=5)
        self._hang_up(float("inf"))

    @contextmanager
    def with_(self, connection: mpc.Connection) -> Iterator[None]:
        """While this lasts, the caller's time runs; when it is over, reading from it fails."""
        if sys.platform == "win32":
            yield
            return
        handle = connection.fileno()
        with self._lock:
            self._talking[handle] = time.monotonic() + self._seconds
        try:
            yield
        finally:
            with self._lock:
                self._talking.pop(handle, None)

    def _run(self) -> None:
        while not self._stop.wait(_LOOK_SECONDS):
            self._hang_up(time.monotonic())

    def _hang_up(self, now: float) -> None:
        with self._lock:  # whose time is over is still open: it leaves the list before it is closed
            for handle in [handle for handle, until in self._talking.items() if until < now]:
                del self._talking[handle]
                with suppress(OSError), socket.socket(fileno=os.dup(handle)) as mine:
                    mine.shutdown(socket.SHUT_RDWR)
