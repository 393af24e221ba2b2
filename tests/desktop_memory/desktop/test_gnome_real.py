"""Our extension's keys, clipboard and menu in a real GNOME Shell. Needs gnome-shell."""

from __future__ import annotations

import pytest

from collectors.bus import Bus
from desktop_memory.desktop import gnome_hands
from desktop_memory.desktop.hotkey import gnome as backend
from desktop_memory.desktop.hotkey.backend import DEEDS
from desktop_memory.desktop.hotkey.hotkey import Hotkey
from desktop_memory.errors import KnownError
from tests.desktop_session import bus, eventually
from tests.wayland_session import gnome

__all__ = ["bus", "gnome"]

pytestmark = pytest.mark.desktop

CTRL, ALT, Z = 29, 56, 44
"""Key codes of linux/input-event-codes.h."""


def press(*codes: int) -> None:
    """Press these keys together, as a remote desktop does."""
    remote = Bus("session")
    where = "org.gnome.Mutter.RemoteDesktop"
    (session,) = remote.call(where, "/org/gnome/Mutter/RemoteDesktop", f"{where}.CreateSession")
    remote.call(where, session, f"{where}.Session.Start")
    for code, down in [*((c, True) for c in codes), *((c, False) for c in reversed(codes))]:
        remote.call(where, session, f"{where}.Session.NotifyKeyboardKeycode", "ub", code, down)
    remote.call(where, session, f"{where}.Session.Stop")
    remote.close()


def test_keys_clipboard_and_menu(gnome: None) -> None:
    presses: list[int] = []
    connects = (("GNOME extension", lambda pressed: backend.connect(pressed, DEEDS["search"])),)
    key, other = Hotkey(lambda: presses.append(1), connects), Hotkey(lambda: None, connects)
    key.bind("Ctrl+Alt+Z")

    press(CTRL, ALT, Z)
    eventually(lambda: presses == [1], what="the key did nothing")
    with pytest.raises(KnownError, match="has Ctrl"):
        other.bind("Ctrl+Alt+Z")
    key.close()
    eventually(lambda: _bound(other), what="the key was not given back")
    other.close()

    assert gnome_hands.copy("# Last 15 minutes 日本語")
    menu = gnome_hands.Menu(lambda entry: None)
    menu.show("Recording", "recording", [("0", "Search…"), ("", ""), ("1", "Quit")])
    menu.show("Paused", "paused", [("0", "Resume")])
    menu.close()


def _bound(hotkey: Hotkey) -> bool:
    try:
        hotkey.bind("Ctrl+Alt+Z")
    except KnownError:
        return False
    return True
