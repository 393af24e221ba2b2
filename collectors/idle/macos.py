"""Idle time and lock on macOS.

See https://developer.apple.com/documentation/coregraphics/cgeventsource/secondssincelasteventtype(_:eventtype:) and
CGSessionCopyCurrentDictionary in Quartz Display Services.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from collectors.collector import Unavailable
from collectors.idle.backend import State
from collectors.wake import Readable

_ALL_SESSION_STATE = 0
_ANY_INPUT = 0xFFFF_FFFF
_SERVICES = "/System/Library/Frameworks/ApplicationServices.framework/ApplicationServices"


def connect() -> EventSource:
    """Raises Unavailable elsewhere than on macOS."""
    if sys.platform != "darwin":
        raise Unavailable("This is not macOS.")
    return EventSource(ctypes.CDLL(_SERVICES))


def connect_locks() -> Session:
    """Raises Unavailable elsewhere than on macOS."""
    try:
        import Quartz  # type: ignore[import-not-found,unused-ignore]
    except ImportError as why:
        raise Unavailable("This is not macOS, or PyObjC is missing.") from why
    return Session(Quartz)


class EventSource:
    name = "CGEventSource"
    connections: Sequence[Readable] = ()

    def __init__(self, services: Any) -> None:
        self._seconds = services.CGEventSourceSecondsSinceLastEventType
        self._seconds.restype = ctypes.c_double
        self._seconds.argtypes = [ctypes.c_int32, ctypes.c_uint32]

    def idle(self) -> float:
        return float(self._seconds(_ALL_SESSION_STATE, _ANY_INPUT))

    def close(self) -> None:
        pass


class Session:
    """`quartz` is PyObjC's Quartz module."""

    connections: Sequence[Readable] = ()

    def __init__(self, quartz: Any) -> None:
        self._quartz = quartz

    def states(self) -> Iterator[State]:
        yield State(locked=locked(self._quartz.CGSessionCopyCurrentDictionary()))

    def close(self) -> None:
        pass


def locked(session: Mapping[str, Any] | None) -> bool:
    """Whether this session is locked or another user's is on the screen; None: it has no screen at all."""
    if session is None:
        return False
    on_screen = bool(session.get("kCGSSessionOnConsoleKey", True))
    return bool(session.get("CGSSessionScreenIsLocked", False)) or not on_screen
