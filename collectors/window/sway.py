"""The window in front on sway (and i3, whose protocol it speaks), told by its IPC socket; nothing is polled.

See sway-ipc(7).
"""

from __future__ import annotations

import glob
import json
import os
import socket
import struct
import time
from collections import deque
from collections.abc import Mapping
from typing import Any, TypeGuard

from collectors.collector import Unavailable
from collectors.wake import Waker
from collectors.window.backend import Window, window

_MAGIC = b"i3-ipc"
_HEADER = struct.Struct("=6sII")
_SUBSCRIBE, _GET_TREE = 2, 4
_EVENT = 1 << 31
_WORKSPACE, _WINDOW, _SHUTDOWN = _EVENT | 0, _EVENT | 3, _EVENT | 6

_PATIENCE = 3.0
_GREATEST = 16 * 1024 * 1024
"""Bytes of one message; more is not sway."""

Node = Mapping[str, Any]


def connect() -> Sway:
    """Raises Unavailable where sway does not run."""
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        connection.connect(_path())
        return Sway(connection)
    except OSError as why:
        connection.close()
        raise Unavailable(f"sway does not answer: {why.strerror or why}") from why
    except Unavailable:
        connection.close()
        raise


def focused(node: Node) -> Node | None:
    """The window that has the focus in this tree; None when none has."""
    waiting = [node]
    while waiting:
        node = waiting.pop()
        if node.get("focused") and (node.get("pid") or node.get("window")):  # i3 has no pid
            return node
        for within in (node.get("floating_nodes"), node.get("nodes")):
            waiting += filter(_is_node, reversed(within) if isinstance(within, list) else ())
    return None


class Sway:
    """Follows the focus by window events; asks for the whole tree only when it may have left all windows."""

    name = "sway"
    advice = ""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._data = bytearray()
        self._events: deque[tuple[int, Any]] = deque()
        self._front: Node | None = None
        answer = self._ask(_SUBSCRIBE, b'["window","workspace","shutdown"]')
        if not isinstance(answer, dict) or not answer.get("success"):
            raise Unavailable("sway does not tell of its windows.")
        self._look()

    def fileno(self) -> int:
        return self._connection.fileno()

    def front(self) -> Window | None:
        self._take()
        return _window(self._front) if self._front else None

    def wait(self, waker: Waker, seconds: float | None) -> None:
        until = None if seconds is None else time.monotonic() + seconds
        while not self._take():
            left = None if until is None else until - time.monotonic()
            if waker.wait(left, self) != "readable":
                return

    def close(self) -> None:
        self._connection.close()

    def _take(self) -> bool:
        """Hear what has come; whether the front may have changed."""
        before = self._front
        self._events.extend(self._received())
        while self._events:
            kind, event = self._events.popleft()
            if kind == _SHUTDOWN:
                raise Unavailable("sway has ended.")
            if not _is_node(event):
                continue
            if kind == _WORKSPACE and event.get("change") == "focus":
                self._look()
            elif kind == _WINDOW and _is_node(event.get("container")):
                self._hear(event.get("change"), event["container"])
        return self._front != before

    def _hear(self, change: object, container: Node) -> None:
        mine = self._front is not None and container.get("id") == self._front.get("id")
        if change == "focus" or (change == "title" and mine):
            self._front = container
        elif change == "close" and mine:
            self._look()

    def _look(self) -> None:
        tree = self._ask(_GET_TREE)
        self._front = focused(tree) if _is_node(tree) else None

    def _ask(self, kind: int, payload: bytes = b"") -> Any:
        """What sway answers; events that come before it are kept."""
        try:
            self._connection.sendall(_HEADER.pack(_MAGIC, len(payload), kind) + payload)
        except OSError as why:
            raise Unavailable("sway went away.") from why
        until = time.monotonic() + _PATIENCE
        while True:
            messages = self._received(max(0.0, until - time.monotonic()))
            answers = [message for what, message in messages if what == kind]
            self._events += [(what, message) for what, message in messages if what != kind]
            if answers:
                return answers[0]
            if time.monotonic() >= until:
                raise Unavailable("sway does not answer.")

    def _received(self, seconds: float = 0.0) -> list[tuple[int, Any]]:
        """The messages that are there, waiting that long for the first bytes."""
        self._connection.settimeout(seconds)
        try:
            while True:
                data = self._connection.recv(65536)
                if not data:
                    raise Unavailable("sway went away.")
                self._data += data
                self._connection.settimeout(0.0)
        except (BlockingIOError, TimeoutError):
            pass  # that was all
        except OSError as why:
            raise Unavailable("sway went away.") from why
        self._connection.settimeout(_PATIENCE)
        return self._messages()

    def _messages(self) -> list[tuple[int, Any]]:
        """Those that are there as a whole; what cannot be read tells nothing (None)."""
        found: list[tuple[int, Any]] = []
        at = 0
        while len(self._data) - at >= _HEADER.size:
            magic, length, kind = _HEADER.unpack_from(self._data, at)
            if magic != _MAGIC or length > _GREATEST:
                raise Unavailable("This is not sway's protocol.")
            end = at + _HEADER.size + length
            if len(self._data) < end:
                break
            found.append((kind, _read(self._data[at + _HEADER.size : end])))
            at = end
        del self._data[:at]
        return found


def _read(payload: bytearray) -> Any:
    try:
        return json.loads(payload.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None


def _is_node(told: Any) -> TypeGuard[dict[str, Any]]:
    return isinstance(told, dict)


def _window(node: Node) -> Window:
    x11 = node.get("window_properties")
    return window(
        node.get("name"),
        app_id=node.get("app_id") or (x11.get("class") if _is_node(x11) else ""),
        pid=node.get("pid"),
        key=str(node.get("id", "")),
    )


def _path() -> str:
    """The socket that SWAYSOCK or I3SOCK names, or the newest of our own."""
    for variable in ("SWAYSOCK", "I3SOCK"):
        if os.environ.get(variable):
            return os.environ[variable]
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    here = runtime and os.environ.get("WAYLAND_DISPLAY")  # not one on another of the user's screens
    found = glob.glob(f"{glob.escape(runtime)}/sway-ipc.*.sock") if runtime and here else []
    if not found:
        raise Unavailable("sway does not run here: SWAYSOCK is not set.")
    return max(found, key=lambda path: os.stat(path).st_mtime)
