"""Answers Memory's and App's methods on the local socket: known callers, bounded messages, bounded waiting."""

from __future__ import annotations

import json
import logging
import multiprocessing.connection as mpc
import os
import socket
import struct
import sys
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from multiprocessing import AuthenticationError
from pathlib import Path

from desktop_memory.errors import KnownError, no_name
from desktop_memory.ipc.address import address, make_key
from desktop_memory.ipc.codec import decode, encode
from desktop_memory.ipc.patience import Patience

logger = logging.getLogger(__name__)

MESSAGE_LIMIT = 16 * 1024 * 1024
WORKERS = 16
CALLERS = 200
"""So many may be connected at once; who has not said yet what it wants keeps no worker from others."""
PATIENCE_SECONDS = 5.0
"""How long a caller may say nothing."""
TALKING_SECONDS = 20.0
"""How long it may take to say what it wants."""


class Server:
    """Listens for one data folder. `targets` maps a protocol to an object and the methods that may be called."""

    def __init__(self, folder: Path, targets: Mapping[str, tuple[object, frozenset[str]]]) -> None:
        self._folder = folder
        self._address = ""
        self._key = make_key(folder)
        self._targets = targets
        self._workers = ThreadPoolExecutor(WORKERS, thread_name_prefix="ipc worker")
        self._room = threading.BoundedSemaphore(CALLERS)
        self._listener: mpc.Listener | None = None
        self._patience = Patience(TALKING_SECONDS)
        self._closing = False
        self._thread = threading.Thread(target=self._accept, name="ipc", daemon=True)

    def start(self) -> None:
        """Begin to listen; a socket that a killed app left behind is replaced (we hold the owner's lock).

        Raises KnownError where there is no place for a socket.
        """
        self._address = _address_of(self._folder)
        if sys.platform != "win32":
            with suppress(FileNotFoundError):
                os.unlink(self._address)
        self._listener = mpc.Listener(self._address, backlog=64)
        if sys.platform != "win32":
            os.chmod(self._address, 0o600)
        self._patience.start()
        self._thread.start()

    def close(self) -> None:
        self._closing = True
        if self._listener is not None:
            with suppress(OSError):
                mpc.Client(self._address).close()  # wakes accept()
            self._thread.join(timeout=5)
            self._listener.close()
            self._patience.stop()
        self._workers.shutdown(wait=True, cancel_futures=True)

    def _accept(self) -> None:
        assert self._listener is not None
        while not self._closing:
            try:
                connection = self._listener.accept()
            except (OSError, EOFError):
                if self._closing:
                    return
                logger.warning("a connection could not be accepted", exc_info=True)
                continue
            if self._closing:
                connection.close()
                return
            if not self._room.acquire(blocking=False):
                logger.info("a caller was turned away: too many at once")
                connection.close()
                continue
            threading.Thread(
                target=self._hear, args=(connection,), name="Thread-ipc-caller", daemon=True
            ).start()

    def _hear(self, connection: mpc.Connection) -> None:
        """Greet a caller and hear what it wants; a worker then answers."""

        def talk() -> None:
            _limit_waiting(connection, PATIENCE_SECONDS)
            with self._patience.with_(connection):
                mpc.deliver_challenge(connection, self._key)
                mpc.answer_challenge(connection, self._key)
                message = connection.recv_bytes(MESSAGE_LIMIT)
            self._workers.submit(self._reply, connection, message)

        if not self._goes_well(talk):
            self._part(connection)

    def _reply(self, connection: mpc.Connection, message: bytes) -> None:
        self._goes_well(lambda: connection.send_bytes(self._answer(message)))
        self._part(connection)

    def _goes_well(self, step: Callable[[], None]) -> bool:
        """Whether a step with a caller did; what goes wrong there is this caller's alone."""
        try:
            step()
            return True
        except (AuthenticationError, OSError, EOFError) as error:
            logger.info("a caller was turned away (%s)", type(error).__name__)
        except Exception:
            if not self._closing:
                logger.exception("a caller could not be served")
        return False

    def _part(self, connection: mpc.Connection) -> None:
        connection.close()
        self._room.release()

    def _answer(self, message: bytes) -> bytes:
        try:
            head, _, body = message.partition(b"\n")
            protocol, method = json.loads(head)
            target, allowed = self._targets[protocol]
            if method not in allowed:
                raise ValueError(method)
            positional, named = decode(body)
        except (ValueError, KeyError, TypeError, RecursionError):
            logger.info("a message could not be read (%d bytes)", len(message))
            return _error("UsageError", "The app does not understand this question.", "Update both sides.")
        try:
            return b"+" + encode(getattr(target, method)(*positional, **named))
        except KnownError as error:
            return _error(type(error).__name__, error.problem, error.advice)
        except Exception as error:
            if known := no_name(error):
                return _error("UsageError", known.problem, known.advice)
            logger.exception("%s.%s failed", protocol, method)
            return _error(
                "KnownError", "The app met a bug while answering.", "See the log in the data folder."
            )


def _address_of(folder: Path) -> str:
    try:
        return address(folder)
    except OSError as error:
        raise KnownError(
            "There is no place with a short enough name for the app's socket.",
            "Set XDG_RUNTIME_DIR to a folder of yours alone with a short name, or choose another with --home.",
        ) from error


def _error(kind: str, problem: str, advice: str) -> bytes:
    return b"-" + json.dumps({"kind": kind, "problem": problem, "advice": advice}).encode()


def _limit_waiting(connection: mpc.Connection, seconds: float) -> None:
    """A caller that says nothing frees its worker after a while."""
    if sys.platform == "win32":
        return
    with socket.socket(fileno=os.dup(connection.fileno())) as mine:
        value = struct.pack("ll", int(seconds), int(seconds % 1 * 1_000_000))
        mine.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, value)
        mine.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.pack("ll", 60, 0))
