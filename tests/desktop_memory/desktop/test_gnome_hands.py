"""Keys, clipboard and menu by our extension of GNOME Shell: here a stand-in for the Shell on a real bus."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from collectors.bus import Bus, Message, field
from collectors.collector import Unavailable
from desktop_memory.desktop import clipboard, gnome_hands
from desktop_memory.desktop.hotkey import gnome as backend
from desktop_memory.desktop.hotkey.backend import DEEDS
from desktop_memory.desktop.hotkey.chord import parse
from desktop_memory.desktop.hotkey.hotkey import Hotkey
from desktop_memory.errors import KnownError
from tests.desktop_session import bus, eventually

__all__ = ["bus"]

pytestmark = pytest.mark.desktop


class Shell:
    """Does as resources/gnome-extension says; Super+L belongs to it."""

    def __init__(self) -> None:
        self.bus = Bus("session")
        self.bus.own(gnome_hands.SHELL)
        self.keys: dict[tuple[str, str], str] = {}
        self.clipboard = ""
        self.menu: tuple[Any, ...] = ()
        self.stop = threading.Event()

    def serve(self) -> None:
        while not self.stop.wait(0.01):
            for message in self.bus.heard():
                self._answer(message)

    def tell(self, member: str, what: str) -> None:
        from jeepney import DBusAddress, new_signal

        where = DBusAddress(gnome_hands.PATH, interface=gnome_hands.HANDS)
        self.bus._send(new_signal(where, member, "s", (what,)))

    def _answer(self, call: Message) -> None:
        member, owner = field(call, "member"), field(call, "sender")
        if member == "Grab":
            name, keys = call.body
            taken = keys != "<Super>l" and keys not in self.keys.values()
            if taken:
                self.keys[owner, name] = keys
            self.bus.answer(call, "b", taken)
            return
        if member == "Ungrab":
            self.keys.pop((owner, call.body[0]), None)
        elif member == "Copy":
            (self.clipboard,) = call.body
        elif member == "Menu":
            self.menu = tuple(call.body)
        self.bus.answer(call)


@pytest.fixture
def shell(bus: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Shell]:
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-g")
    shell = Shell()
    thread = threading.Thread(target=shell.serve, name="shell")
    thread.start()
    with contextlib.ExitStack() as later:
        later.callback(shell.bus.close)
        later.callback(thread.join)
        later.callback(shell.stop.set)
        yield shell


def hotkey(presses: list[int], deed: str = "search") -> Hotkey:
    connects = (("GNOME extension", lambda pressed: backend.connect(pressed, DEEDS[deed])),)
    return Hotkey(lambda: presses.append(1), connects)


def test_a_key_is_taken_pressed_bound_anew_and_given_back(shell: Shell) -> None:
    presses: list[int] = []
    key = hotkey(presses)

    key.bind("Ctrl+Alt+Z")
    assert list(shell.keys.values()) == ["<Control><Alt>z"]
    assert key.backend == "GNOME extension"
    shell.tell("Pressed", "search")
    shell.tell("Pressed", "copy")
    eventually(lambda: presses == [1])

    key.bind("Ctrl+Alt+Z")
    key.bind("Super+PageUp")
    assert list(shell.keys.values()) == ["<Super>Page_Up"]
    key.bind("")
    assert shell.keys == {}
    key.bind("Ctrl+Alt+Z")
    key.close()
    assert shell.keys == {}


def test_a_taken_key_is_said_and_the_one_before_stays(shell: Shell) -> None:
    key = hotkey([])
    key.bind("Ctrl+Alt+Z")

    with pytest.raises(KnownError, match="Super\\+L"):
        key.bind("Super+L")

    assert list(shell.keys.values()) == ["<Control><Alt>z"]
    assert key.keys == "Ctrl+Alt+Z"
    key.close()


def test_two_keys_do_not_answer_to_each_other(shell: Shell) -> None:
    searches, copies = [], []
    keys = (hotkey(searches), hotkey(copies, "copy"))
    keys[0].bind("Ctrl+Alt+Z")
    keys[1].bind("Ctrl+Alt+X")

    shell.tell("Pressed", "copy")

    eventually(lambda: copies == [1])
    assert searches == []
    for key in keys:
        key.close()


def test_the_shell_sets_the_clipboard(shell: Shell) -> None:
    assert clipboard.copy("# Last 15 minutes\n日本語 😀") == "GNOME"

    assert shell.clipboard == "# Last 15 minutes\n日本語 😀"


def test_the_menu_tells_what_was_chosen(shell: Shell) -> None:
    chosen: list[str] = []
    menu = gnome_hands.Menu(chosen.append)

    menu.show("Recording", "recording", [("0", "Search…"), ("", ""), ("1", "Quit")])
    assert shell.menu == ("Recording", "recording", [("0", "Search…"), ("", ""), ("1", "Quit")])
    shell.tell("Chosen", "1")

    eventually(lambda: chosen == ["1"])
    menu.close()


def test_without_the_extension_it_says_how_to_get_it(bus: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-g")
    with pytest.raises(Unavailable, match="does not run"):
        gnome_hands.connect()
    bare = Bus("session")
    bare.own(gnome_hands.SHELL)
    with contextlib.closing(bare), refusing(bare), pytest.raises(Unavailable) as said:
        gnome_hands.connect()
    assert "gnome install" in said.value.advice
    assert not gnome_hands.copy("x")


@contextlib.contextmanager
def refusing(shell: Bus) -> Iterator[None]:
    """A Shell without our extension knows no such object."""
    stop = threading.Event()

    def serve() -> None:
        while not stop.wait(0.01):
            for message in shell.heard():
                shell.refuse(message, "org.freedesktop.DBus.Error.UnknownMethod")

    thread = threading.Thread(target=serve, name="bare shell")
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def test_every_key_is_written_as_gtk_does() -> None:
    written = [backend.written(parse(keys)) for keys in ("Ctrl+Shift+Space", "Super+.", "F9", "Ctrl+Alt+ß")]

    assert written == ["<Control><Shift>space", "<Super>period", "F9", "<Control><Alt>ß"]
