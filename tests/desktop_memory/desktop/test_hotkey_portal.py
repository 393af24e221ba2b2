"""The hotkey through a real xdg-desktop-portal, behind which a small desktop stands for GNOME or KDE."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from collectors.bus import Bus, Message, field
from collectors.collector import Unavailable
from desktop_memory.desktop.hotkey import portal
from desktop_memory.desktop.hotkey.chord import parse
from desktop_memory.desktop.hotkey.hotkey import Hotkey
from desktop_memory.errors import KnownError
from tests.desktop_session import bus, eventually, running

__all__ = ["bus"]

PORTAL = next(
    (p for p in ("/usr/libexec/xdg-desktop-portal", "/usr/lib/xdg-desktop-portal") if Path(p).exists()), ""
)
SHORTCUTS = "org.freedesktop.impl.portal.GlobalShortcuts"
DESKTOP = "org.freedesktop.impl.portal.desktop.test"


class Desktop:
    """The desktop's side: takes every key that it is asked for, unless `agrees` says no, and presses it."""

    def __init__(self) -> None:
        self.bus = Bus("session")
        self.bus.own(DESKTOP)
        self.agrees = True
        self.bound: dict[str, dict[str, Any]] = {}
        self.closed: list[str] = []
        self.stop = threading.Event()

    def serve(self) -> None:
        while not self.stop.wait(0.01):
            for message in self.bus.heard():
                self._answer(message)

    def press(self, session: str, shortcut: str = "search") -> None:
        from jeepney import DBusAddress, new_signal

        where = DBusAddress("/org/freedesktop/portal/desktop", interface=SHORTCUTS)
        self.bus._send(new_signal(where, "Activated", "osta{sv}", (session, shortcut, 1, {})))

    def _answer(self, call: Message) -> None:
        member = field(call, "member")
        if member == "CreateSession":
            self.bus.answer(call, "ua{sv}", 0 if self.agrees else 2, {})
        elif member == "BindShortcuts":
            ((name, wanted),) = call.body[2]
            assert name == "search"
            self.bound[call.body[1]] = {key: value for key, (_, value) in wanted.items()}
            self.bus.answer(call, "ua{sv}", 0, {"shortcuts": ("a(sa{sv})", call.body[2])})
        elif member == "Close":
            self.closed.append(field(call, "path"))
            self.bus.answer(call)
        elif member == "Get":
            self.bus.answer(call, "v", ("u", 1))
        elif member == "GetAll":
            self.bus.answer(call, "a{sv}", {"version": ("u", 1)})


@pytest.fixture
def desktop(bus: str, tmp_path: Path) -> Iterator[Desktop]:
    if not PORTAL:
        pytest.skip("not installed: xdg-desktop-portal")
    (tmp_path / "test.portal").write_text(
        f"[portal]\nDBusName={DESKTOP}\nInterfaces={SHORTCUTS};\nUseIn=test\n"
    )
    (tmp_path / "portals.conf").write_text("[preferred]\ndefault=test\n")
    desktop = Desktop()
    thread = threading.Thread(target=desktop.serve, name="desktop")
    thread.start()
    env = dict(
        os.environ,
        XDG_DESKTOP_PORTAL_DIR=str(tmp_path),
        XDG_CURRENT_DESKTOP="test",
        DBUS_SYSTEM_BUS_ADDRESS=bus,  # it asks logind and others, which are not there
    )
    with contextlib.ExitStack() as later:
        later.callback(desktop.bus.close)
        later.callback(thread.join)
        later.callback(desktop.stop.set)
        later.enter_context(running(PORTAL, "--replace", env=env))
        asked = Bus("session")
        eventually(lambda: asked.has_owner("org.freedesktop.portal.Desktop"), 20, "the portal did not start")
        asked.close()
        yield desktop


@pytest.mark.desktop
def test_the_key_is_asked_for_bound_anew_and_given_back(desktop: Desktop):
    presses: list[int] = []
    hotkey = Hotkey(lambda: presses.append(1), (("desktop portal", portal.connect),))

    hotkey.bind("Ctrl+Alt+Z")
    eventually(lambda: desktop.bound)
    (first,) = desktop.bound
    assert desktop.bound[first]["preferred_trigger"] == "CTRL+ALT+z"
    assert hotkey.backend == "desktop portal"
    desktop.press(first)
    desktop.press(first, "another")
    eventually(lambda: len(presses) == 1)

    hotkey.bind("Super+Space")
    eventually(lambda: len(desktop.bound) == 2)
    second = list(desktop.bound)[1]
    assert desktop.bound[second]["preferred_trigger"] == "LOGO+space"
    eventually(lambda: desktop.closed == [first])
    desktop.press(first)
    desktop.press(second)
    eventually(lambda: len(presses) == 2)

    hotkey.bind("")
    eventually(lambda: desktop.closed == [first, second])
    hotkey.close()


@pytest.mark.desktop
def test_a_desktop_that_refuses_leaves_the_key_before(desktop: Desktop):
    presses: list[int] = []
    hotkey = Hotkey(lambda: presses.append(1), (("desktop portal", portal.connect),))
    hotkey.bind("Ctrl+Alt+Z")
    eventually(lambda: desktop.bound)
    desktop.agrees = False

    with pytest.raises(KnownError) as raised:
        hotkey.bind("Ctrl+Alt+Y")
    desktop.press(next(iter(desktop.bound)))
    eventually(lambda: presses)
    hotkey.close()

    assert raised.value.advice


@pytest.mark.desktop
def test_a_desktop_without_a_portal_is_left_to_others(bus: str):
    with pytest.raises(Unavailable):
        portal.connect(lambda: None)


@pytest.mark.parametrize(
    ("keys", "form"),
    [
        ("Ctrl+Alt+Z", "CTRL+ALT+z"),
        ("Shift+Super+F5", "SHIFT+LOGO+F5"),
        ("Ctrl++", "CTRL+plus"),
        ("Alt+PageUp", "ALT+Page_Up"),
        ("Ctrl+Return", "CTRL+Return"),
    ],
)
def test_portals_get_their_own_form(keys: str, form: str):
    assert portal.written(parse(keys)) == form
