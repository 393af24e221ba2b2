"""Asking the running app. Standard library only until a Memory is wanted, so that `popup` is quick."""

from __future__ import annotations

import json
import multiprocessing.connection as mpc
import time
from multiprocessing import AuthenticationError
from pathlib import Path
from typing import Any

from desktop_memory.errors import (
    BusyError,
    Damaged,
    KnownError,
    LogHeld,
    NotAnswering,
    StoreError,
    Superseded,
    UsageError,
)
from desktop_memory.ipc.address import address, read_key

_ERRORS: dict[str, type[KnownError]] = {
    kind.__name__: kind
    for kind in (KnownError, UsageError, BusyError, StoreError, Damaged, LogHeld, Superseded)
}
ANSWER_SECONDS = 120.0
GREETING_SECONDS = 15.0
REPLY_LIMIT = 256 * 1024 * 1024
_CALLS = 4
_BETWEEN_CALLS = 0.25


class NotRunning(Exception):
    """No app answers for this data folder."""


def ask(folder: Path, protocol: str, method: str, arguments: bytes, timeout: float = ANSWER_SECONDS) -> bytes:
    """One question, one answer, as encoded messages. Raises NotRunning, or the error that the app met."""
    key = read_key(folder)
    if key is None:
        raise NotRunning
    with _greeted(folder, key, min(timeout, GREETING_SECONDS)) as connection:
        return _exchange(connection, json.dumps([protocol, method]).encode() + b"\n" + arguments, timeout)


def _greeted(folder: Path, key: bytes, timeout: float) -> Any:
    """A connection on which each showed the other the key.

    An app that hangs up at once has too many callers, or is about to end: then nobody takes the next call.
    """
    for _ in range(_CALLS):
        try:
            connection = mpc.Client(address(folder))
        except (OSError, EOFError) as error:
            raise NotRunning from error
        try:
            _greet(connection, key, timeout)
            return connection
        except (OSError, EOFError):
            connection.close()
            time.sleep(_BETWEEN_CALLS)
        except BaseException:
            connection.close()
            raise
    raise _not_answering()


def _greet(connection: Any, key: bytes, timeout: float) -> None:
    """A process that was stopped still takes calls, but does not say a word."""
    try:
        if not connection.poll(timeout):
            raise _not_answering()
        mpc.answer_challenge(connection, key)
        mpc.deliver_challenge(connection, key)
    except AuthenticationError as error:
        raise KnownError(
            "The running app does not accept this key.", "Quit it and start it again for this folder."
        ) from error


def _not_answering() -> NotAnswering:
    return NotAnswering(
        "The app does not answer.", "See `desktop-memory doctor`, or quit it and start it again."
    )


def _exchange(connection: Any, message: bytes, timeout: float) -> bytes:
    try:
        connection.send_bytes(message)
        if not connection.poll(timeout):
            raise _not_answering()
        reply: bytes = connection.recv_bytes(REPLY_LIMIT)
    except (OSError, EOFError) as error:
        raise KnownError("The app stopped while it was asked.", "Start it again.") from error
    if reply[:1] == b"+":
        return reply[1:]
    told = json.loads(reply[1:])
    raise _ERRORS.get(told["kind"], KnownError)(told["problem"], told["advice"])


def tell(folder: Path, method: str, *arguments: str) -> None:
    """A plain word to the running app (`show`, `pause`): nothing but strings, no answer awaited beyond "done"."""
    ask(folder, "app", method, json.dumps([[*arguments], {"$map": {}}]).encode(), timeout=10.0)
