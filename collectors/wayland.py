"""A small Wayland client: enough of the wire protocol to listen to a compositor.

See https://wayland.freedesktop.org/docs/html/ch04.html#sect-Protocol-Wire-Format.
"""

from __future__ import annotations

import array
import os
import select
import socket
import struct
import sys
import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from collectors.collector import Unavailable

_DISPLAY = 1
_SYNC, _GET_REGISTRY = 0, 1
_ERROR, _DELETE_ID = 0, 1
_BIND = 0
_GLOBAL, _GLOBAL_REMOVE = 0, 1

_PATIENCE = 3.0
_HEADER = struct.Struct("=II")

Argument = int | str


@dataclass(frozen=True, slots=True)
class Happened:
    """An event: of which object, which one of its interface's events, and its arguments as they came."""

    object: int
    opcode: int
    data: bytes

    def uint(self, at: int = 0) -> int:
        """The number at this place, in bytes."""
        return int.from_bytes(self.data[at : at + 4], sys.byteorder)

    def text(self, at: int = 0) -> str:
        """The string at this place, in bytes."""
        length = self.uint(at)
        return self.data[at + 4 : at + 4 + max(0, length - 1)].decode("utf-8", "replace")

    def numbers(self, at: int = 0) -> tuple[int, ...]:
        """The array of numbers at this place, in bytes."""
        count = min(self.uint(at), max(0, len(self.data) - at - 4)) // 4
        return struct.unpack(f"={count}I", self.data[at + 4 : at + 4 + 4 * count])


class Global(NamedTuple):
    """Something that the compositor offers: its name in the registry and the version it has."""

    name: int
    version: int


class Wayland:
    """A connection for one thread. Every method raises Unavailable once it is lost."""

    def __init__(self) -> None:
        self._socket = _open()
        self._data = b""
        self._events: deque[Happened] = deque()
        self._ids = iter(range(2, 0xFEFF_FFFF))
        self._registry = self.new_id()
        self.globals: dict[str, Global] = {}
        try:
            self.request(_DISPLAY, _GET_REGISTRY, self._registry)
            self.round_trip()
        except Unavailable:
            self.close()
            raise

    def fileno(self) -> int:
        return self._socket.fileno()

    def new_id(self) -> int:
        return next(self._ids)

    def bind(self, interface: str, version: int) -> int:
        """The object of this interface, in at most that version. Raises Unavailable when it is not offered."""
        offered = self.globals.get(interface)
        if offered is None:
            raise Unavailable(f"The compositor does not offer {interface}.")
        id_ = self.new_id()
        self.request(self._registry, _BIND, offered.name, interface, min(version, offered.version), id_)
        return id_

    def request(self, object_: int, opcode: int, *arguments: Argument, fds: Sequence[int] = ()) -> None:
        """Ask something of an object."""
        body = b"".join(_packed(argument) for argument in arguments)
        message = _HEADER.pack(object_, (_HEADER.size + len(body)) << 16 | opcode) + body
        ancillary = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", fds))] if fds else []
        try:
            sent = self._socket.sendmsg([message], ancillary)
            self._socket.sendall(message[sent:])
        except OSError as why:
            raise Unavailable("The Wayland compositor went away.") from why

    def round_trip(self) -> None:
        """Wait until the compositor has done all that was asked; its events are kept for `happened`."""
        callback = self.new_id()
        self.request(_DISPLAY, _SYNC, callback)
        until = time.monotonic() + _PATIENCE
        kept: list[Happened] = []
        while True:
            for event in self.happened():
                if event.object == callback:
                    self._events.extendleft(reversed(kept))
                    return
                kept.append(event)
            left = until - time.monotonic()
            if left <= 0 or not select.select([self._socket], [], [], left)[0]:
                raise Unavailable("The Wayland compositor does not answer.")

    def happened(self) -> Iterator[Happened]:
        """The events that have come; does not wait."""
        self._receive()
        while self._events:
            yield self._events.popleft()

    def close(self) -> None:
        self._socket.close()

    def _receive(self) -> None:
        while True:
            try:
                # File descriptors that come along (keymaps) are not asked for, so there are none.
                data = self._socket.recv(65536, socket.MSG_DONTWAIT)
            except BlockingIOError:
                break
            except OSError as why:
                raise Unavailable("The Wayland compositor went away.") from why
            if not data:
                raise Unavailable("The Wayland compositor went away.")
            self._data += data
        while len(self._data) >= _HEADER.size:
            object_, size_opcode = _HEADER.unpack_from(self._data)
            size = size_opcode >> 16
            if size < _HEADER.size:
                raise Unavailable("The Wayland compositor does not speak its protocol.")
            if len(self._data) < size:
                break
            event = Happened(object_, size_opcode & 0xFFFF, self._data[_HEADER.size : size])
            self._data = self._data[size:]
            if not self._own(event):
                self._events.append(event)

    def _own(self, event: Happened) -> bool:
        """Whether the event is the connection's own business."""
        if event.object == _DISPLAY:
            if event.opcode == _ERROR:
                raise Unavailable(f"The compositor refused something: {event.text(8)}")
            return True
        if event.object == self._registry:
            if event.opcode == _GLOBAL:
                interface = event.text(4)
                at = 8 + (event.uint(4) + 3 & ~3)
                self.globals[interface] = Global(event.uint(), event.uint(at))
            elif event.opcode == _GLOBAL_REMOVE:
                gone = event.uint()
                self.globals = {
                    name: offered for name, offered in self.globals.items() if offered.name != gone
                }
            return True
        return False


def _packed(argument: Argument) -> bytes:
    if isinstance(argument, str):
        raw = argument.encode("utf-8") + b"\0"
        return struct.pack("=I", len(raw)) + raw + b"\0" * (-len(raw) % 4)
    return struct.pack("=I", argument & 0xFFFF_FFFF)


def _open() -> socket.socket:
    name = os.environ.get("WAYLAND_DISPLAY", "")
    if not name:
        raise Unavailable("There is no Wayland compositor: WAYLAND_DISPLAY is not set.")
    path = os.path.join(os.environ.get("XDG_RUNTIME_DIR", ""), name)
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        connection.connect(path)
    except OSError as why:
        connection.close()
        raise Unavailable(f"The Wayland compositor does not answer: {why.strerror or why}") from why
    return connection
