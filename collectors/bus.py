"""A D-Bus connection for one thread: calls, and signals that come while nobody asks."""

from __future__ import annotations

import os
import struct
import time
from collections import deque
from collections.abc import Iterator
from typing import Any, Literal

from jeepney import (
    DBusAddress,
    HeaderFields,
    MatchRule,
    Message,
    MessageFlag,
    MessageType,
    message_bus,
    new_error,
    new_method_call,
    new_method_return,
)
from jeepney.bus import get_connectable_addresses
from jeepney.io.blocking import DBusConnection, prep_socket

from collectors.collector import Unavailable

_PATIENCE = 2.0
"""Seconds that an answer may take; the other side may be a shell that is busy drawing."""

_STRANGE = "org.freedesktop.DBus.Error.InvalidSignature"
_BROKEN = (OSError, ValueError, LookupError, TypeError, AssertionError, struct.error)
"""What a connection that is lost raises, and what jeepney does where something comes that is no message."""


class Refused(Exception):
    """The other side answered with an error; `name` is D-Bus's name for it."""

    def __init__(self, name: str, text: str) -> None:
        super().__init__(f"{name}: {text}")
        self.name = name


class Bus:
    """The session or system bus. Every method raises Unavailable once the connection is lost."""

    def __init__(self, which: Literal["session", "system"] = "session") -> None:
        self._connection = _open(which)
        self._heard: deque[Message] = deque()

    @property
    def unique_name(self) -> str:
        return str(self._connection.unique_name)

    def fileno(self) -> int:
        return int(self._connection.sock.fileno())

    def call(
        self,
        name: str,
        path: str,
        method: str,
        signature: str | None = None,
        *arguments: Any,
        start: bool = False,
    ) -> tuple[Any, ...]:
        """What the method (with its interface before the last dot) answers.

        Raises Refused for an error. A service that does not run is started, and given time, only if `start` says so.
        """
        interface, _, member = method.rpartition(".")
        message = new_method_call(DBusAddress(path, name, interface), member, signature, arguments)
        if not start:
            message.header.flags |= MessageFlag.no_auto_start
        return self._ask(message, _PATIENCE * 5 if start else _PATIENCE)

    def one(self, name: str, path: str, method: str, signature: str | None = None, *arguments: Any) -> Any:
        """The one value that the method answers. Raises Refused where it is another number of them."""
        return _only(self.call(name, path, method, signature, *arguments))

    def get(self, name: str, path: str, what: str) -> Any:
        """The property (with its interface before the last dot). Raises Refused when there is none."""
        interface, _, member = what.rpartition(".")
        value = self.one(name, path, "org.freedesktop.DBus.Properties.Get", "ss", interface, member)
        if not isinstance(value, tuple) or len(value) != 2:
            raise Refused(_STRANGE, "no property")
        return value[1]

    def has_owner(self, name: str) -> bool:
        """Whether somebody answers to that name now."""
        return bool(_only(self._ask(message_bus.NameHasOwner(name))))

    def names(self) -> list[str]:
        """All names that somebody answers to now."""
        return [str(name) for name in _only(self._ask(message_bus.ListNames()))]

    def own(self, name: str) -> None:
        """Answer to this name. Raises Refused when another does."""
        # 4: do not queue; 1 and 4 in the answer: ours now, ours already.
        (answer,) = self._ask(message_bus.RequestName(name, 4))
        if answer not in (1, 4):
            raise Refused("org.freedesktop.DBus.Error.NameInUse", name)

    def listen(self, *, about: str = "", **rule: Any) -> None:
        """Hear signals with this sender, interface, member or path; `about` is their first argument."""
        matching = MatchRule(type="signal", **rule)
        if about:
            matching.add_arg_condition(0, about)
        self._ask(message_bus.AddMatch(matching))

    def heard(self) -> Iterator[Message]:
        """The signals, and calls to us, that have come; does not wait."""
        while True:
            while self._heard:
                yield self._heard.popleft()
            try:
                self._keep(self._connection.receive(timeout=0))
            except TimeoutError:
                return
            except _BROKEN as why:
                raise Unavailable("The message bus went away.") from why

    def answer(self, call: Message, signature: str | None = None, *values: Any) -> None:
        """Answer a call to us."""
        self._send(new_method_return(call, signature, values))

    def refuse(self, call: Message, name: str) -> None:
        """Answer a call to us with an error."""
        self._send(new_error(call, name))

    def close(self) -> None:
        self._connection.close()

    def _ask(self, message: Message, patience: float = _PATIENCE) -> tuple[Any, ...]:
        serial = next(self._connection.outgoing_serial)
        self._send(message, serial)
        until = time.monotonic() + patience
        while True:
            try:
                answer = self._connection.receive(timeout=max(0, until - time.monotonic()))
            except TimeoutError as why:
                raise Refused("org.freedesktop.DBus.Error.NoReply", "no answer in time") from why
            except _BROKEN as why:
                raise Unavailable("The message bus went away.") from why
            if answer.header.fields.get(HeaderFields.reply_serial) != serial:
                self._keep(answer)
            elif answer.header.message_type is MessageType.error:
                text = answer.body[0] if answer.body and isinstance(answer.body[0], str) else ""
                raise Refused(str(answer.header.fields.get(HeaderFields.error_name)), text)
            else:
                return tuple(answer.body)

    def _send(self, message: Message, serial: int | None = None) -> None:
        try:
            self._connection.send(message, serial)
        except OSError as why:
            raise Unavailable("The message bus went away.") from why

    def _keep(self, message: Message) -> None:
        if message.header.message_type in (MessageType.signal, MessageType.method_call):
            self._heard.append(message)


def _only(values: tuple[Any, ...]) -> Any:
    if len(values) != 1:
        raise Refused(_STRANGE, f"{len(values)} values")
    return values[0]


def field(message: Message, name: Literal["path", "interface", "member", "sender"]) -> str:
    """A header field of a message; empty when it has none."""
    return str(message.header.fields.get(HeaderFields[name], ""))


def _open(which: Literal["session", "system"]) -> DBusConnection:
    try:
        address = next(get_connectable_addresses(_address(which)))
        return DBusConnection(prep_socket(address, timeout=_PATIENCE))
    except (OSError, RuntimeError, ValueError, StopIteration) as why:
        raise Unavailable(f"The {which} bus does not answer.", "Start it from within the desktop.") from why


def _address(which: Literal["session", "system"]) -> str:
    if which == "system":
        return os.environ.get("DBUS_SYSTEM_BUS_ADDRESS") or "unix:path=/run/dbus/system_bus_socket"
    given = os.environ.get("DBUS_SESSION_BUS_ADDRESS")
    if given:
        return given
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    if not runtime:
        raise Unavailable("There is no session bus here.", "Start it from within the desktop.")
    return f"unix:path={runtime}/bus"


__all__ = ["Bus", "Message", "Refused", "field"]
