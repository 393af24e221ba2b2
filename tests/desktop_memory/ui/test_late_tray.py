"""A StatusNotifier watcher that comes after the app, as when a desktop's extension is switched on."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from jeepney import (
    DBusAddress,
    HeaderFields,
    MessageType,
    Properties,
    new_error,
    new_method_call,
    new_method_return,
)
from jeepney.bus_messages import message_bus as bus_daemon
from jeepney.io.blocking import open_dbus_connection

from tests.desktop_memory.ui.test_real_desktop import staged
from tests.desktop_session import Screen, bus, eventually, openbox, screen  # noqa: F401

pytestmark = pytest.mark.desktop

NAME = "org.kde.StatusNotifierWatcher"


class Watcher:
    """Owns the watcher's name, answers what Qt asks, and keeps what was registered."""

    def __init__(self, address: str) -> None:
        self.items: list[str] = []
        self._connection = open_dbus_connection(address)
        self._connection.send_and_get_reply(bus_daemon.RequestName(NAME))
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._serve, name="watcher")
        self._thread.start()

    def _serve(self) -> None:
        while not self._stop.is_set():
            try:
                message = self._connection.receive(timeout=0.2)
            except TimeoutError:
                continue
            if message.header.message_type is not MessageType.method_call:
                continue
            member = message.header.fields[HeaderFields.member]
            if member == "RegisterStatusNotifierItem":
                self.items.append(message.header.fields[HeaderFields.sender])
                answer = new_method_return(message)
            elif member == "Get":
                answer = new_method_return(message, "v", (("b", True),))
            elif member == "GetAll":
                properties = {
                    "IsStatusNotifierHostRegistered": ("b", True),
                    "ProtocolVersion": ("i", 0),
                    "RegisteredStatusNotifierItems": ("as", self.items),
                }
                answer = new_method_return(message, "a{sv}", (properties,))
            else:
                answer = new_error(message, "org.freedesktop.DBus.Error.UnknownMethod")
            self._connection.send(answer)

    def close(self) -> None:
        self._stop.set()
        self._thread.join(5)
        self._connection.close()


@contextmanager
def watcher(address: str) -> Iterator[Watcher]:
    made = Watcher(address)
    try:
        yield made
    finally:
        made.close()


def item_says(address: str, item: str, name: str) -> object:
    """A property of the tray icon, as a desktop reads it."""
    connection = open_dbus_connection(address)
    try:
        where = DBusAddress("/StatusNotifierItem", bus_name=item, interface="org.kde.StatusNotifierItem")
        return connection.send_and_get_reply(Properties(where).get(name), timeout=5).body[0][1]
    finally:
        connection.close()


def test_a_watcher_that_comes_late_gets_the_icon(bus: str, openbox: Screen, home: Path) -> None:  # noqa: F811
    with staged(openbox, home) as app:
        assert app.heard() == "no tray"
        app.in_front("Desktop Memory")

        with watcher(bus) as late:
            assert app.heard() == "tray appeared"
            eventually(lambda: bool(late.items), what="no icon was registered")
            assert item_says(bus, late.items[0], "Status") == "Active"
            eventually(lambda: "Recording" in str(item_says(bus, late.items[0], "ToolTip")))

            where = DBusAddress(
                "/StatusNotifierItem", bus_name=late.items[0], interface="org.kde.StatusNotifierItem"
            )
            connection = open_dbus_connection(bus)
            openbox.do("xdotool", "key", "ctrl+w")
            app.gone("^Desktop Memory$")
            connection.send_and_get_reply(new_method_call(where, "Activate", "ii", (0, 0)), timeout=5)
            connection.close()
            app.in_front("Desktop Memory")
