"""Desktops at the other end of a wire, that answer what a test gives them: at once, and whatever it is."""

from __future__ import annotations

import json
import socket
import struct
from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any

from jeepney import DBusAddress, Header, HeaderFields, Message, MessageType, new_signal

from collectors.bus import Bus, Refused

SWAY = struct.Struct("=6sII")
SUBSCRIBE, TREE, WORKSPACE, WINDOW = 2, 4, 1 << 31, 1 << 31 | 3
MANAGER, TOPLEVEL = 0xFE00, 0xFF00_0000
"""Objects of the wlroots protocol: the one that a client binds is whichever it names; windows are ours to name."""


class Wire(socket.socket):
    """A socket whose other end is in the test: what the client sends is heard, what it reads was put there."""

    def __init__(self) -> None:
        ours, self._other = socket.socketpair()
        super().__init__(fileno=ours.detach())
        self.coming = bytearray()

    def put(self, data: bytes) -> None:
        self.coming += data

    def heard(self, data: bytes) -> None:
        """What the client asked."""

    def recv(self, size: int, flags: int = 0) -> bytes:
        if not self.coming:
            raise BlockingIOError
        data = bytes(self.coming[:size])
        del self.coming[:size]
        return data

    def sendall(self, data: Any, flags: int = 0) -> None:
        if data:
            self.heard(bytes(data))

    def sendmsg(self, buffers: Any, *rest: Any) -> int:
        data = b"".join(buffers)
        self.heard(data)
        return len(data)

    def close(self) -> None:
        self._other.close()
        super().close()


class SwayWire(Wire):
    """sway's IPC: `tree` is what it tells when asked for all windows."""

    def __init__(self, tree: bytes = b"{}") -> None:
        super().__init__()
        self.tree = tree

    def heard(self, data: bytes) -> None:
        _, _, kind = SWAY.unpack_from(data)
        self.tell(kind, b'{"success": true}' if kind == SUBSCRIBE else self.tree)

    def tell(self, kind: int, payload: bytes) -> None:
        self.put(SWAY.pack(b"i3-ipc", len(payload), kind) + payload)

    def focus(self, title: str) -> None:
        container = {"id": 7, "pid": 11, "name": title, "app_id": "editor", "focused": True}
        self.tell(WINDOW, json.dumps({"change": "focus", "container": container}).encode())


class WlrootsWire(Wire):
    """A compositor that offers windows to a client of the wlroots protocol."""

    def __init__(self) -> None:
        super().__init__()
        self.manager = 0
        self._windows = iter(range(TOPLEVEL, TOPLEVEL + 1_000))

    def heard(self, data: bytes) -> None:
        object_, size_opcode = struct.unpack_from("=II", data)
        opcode = size_opcode & 0xFFFF
        if object_ == 1 and opcode == 0:  # sync
            self.tell(struct.unpack_from("=I", data, 8)[0], 0, struct.pack("=I", 1))
        elif object_ == 1:  # get_registry
            name = _string("zwlr_foreign_toplevel_manager_v1")
            self.tell(
                struct.unpack_from("=I", data, 8)[0], 0, struct.pack("=I", 1) + name + struct.pack("=I", 3)
            )
        elif not self.manager:  # bind
            self.manager = struct.unpack_from("=I", data, len(data) - 4)[0]

    def tell(self, object_: int, opcode: int, body: bytes) -> None:
        self.put(message(object_, opcode, body))

    def window(self, title: str) -> list[bytes]:
        """The messages that tell of a new window in front."""
        id_ = next(self._windows)
        return [
            message(self.manager, 0, struct.pack("=I", id_)),
            message(id_, 0, _string(title)),
            message(id_, 1, _string("editor")),
            message(id_, 4, struct.pack("=II", 4, 2)),
            message(id_, 5, b""),
        ]


def message(object_: int, opcode: int, body: bytes) -> bytes:
    """A message as it goes over Wayland's wire."""
    return struct.pack("=II", object_, (8 + len(body)) << 16 | opcode) + body


def _string(text: str) -> bytes:
    raw = text.encode() + b"\0"
    return struct.pack("=I", len(raw)) + raw + b"\0" * (-len(raw) % 4)


class Answers(Bus):
    """A message bus that answers each method with what the test gives; a signal is put among `coming`."""

    def __init__(self, **answers: Sequence[Any]) -> None:
        self.answers = answers
        self.coming: deque[Message] = deque()

    @property
    def unique_name(self) -> str:
        return ":1.7"

    def call(
        self, name: str, path: str, method: str, signature: str | None = None, *rest: Any, start: bool = False
    ) -> tuple[Any, ...]:
        member = rest[1] if method.endswith("Properties.Get") else method.rpartition(".")[2]
        if member not in self.answers:
            raise Refused("org.freedesktop.DBus.Error.UnknownMethod", member)
        return tuple(self.answers[member])

    def has_owner(self, name: str) -> bool:
        return True

    def names(self) -> list[str]:
        return ["org.mpris.MediaPlayer2.player"]

    def listen(self, *, about: str = "", **rule: Any) -> None: ...
    def close(self) -> None: ...
    def answer(self, call: Message, signature: str | None = None, *values: Any) -> None: ...

    def heard(self) -> Iterator[Message]:
        while self.coming:
            yield self.coming.popleft()

    def signal(
        self, member: str, body: Sequence[Any], interface: str = "org.example", path: str = "/"
    ) -> None:
        told = new_signal(DBusAddress(path, "org.example", interface), member)
        told.body = tuple(body)
        self.coming.append(told)


def frame(member: str, signature: str, body: Sequence[Any], reply_to: int = 0) -> bytes:
    """A signal, or an answer to that serial, as it goes over D-Bus' wire."""
    told = new_signal(
        DBusAddress("/front", "org.example", "org.example.Front"), member, signature, tuple(body)
    )
    if reply_to:
        told.header.message_type = MessageType.method_return
        told.header.fields = {HeaderFields.reply_serial: reply_to, HeaderFields.signature: signature}
    assert isinstance(told.header, Header)
    return bytes(told.serialise(serial=1))
