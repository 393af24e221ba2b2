"""The hotkey on systems that are not here: what is asked of them, and what is made of their answers."""

from __future__ import annotations

import ctypes
import queue
import threading
from typing import Any

import pytest

from collectors.collector import Unavailable
from desktop_memory.desktop.hotkey import hotkey as hotkeys
from desktop_memory.desktop.hotkey import macos, windows
from desktop_memory.desktop.hotkey.backend import DEEDS
from desktop_memory.desktop.hotkey.chord import parse
from desktop_memory.errors import KnownError
from tests.desktop_session import eventually


class User32:
    """Gives each key once, as RegisterHotKey does."""

    def __init__(self) -> None:
        self.messages: queue.Queue[tuple[int, int]] = queue.Queue()
        self.taken = {(0x4002, ord("S"))}
        self.held: dict[int, tuple[int, int]] = {}

    def PeekMessageW(self, *_: Any) -> int:
        return 0

    def PostThreadMessageW(self, thread: int, message: int, first: int, second: int) -> None:
        self.messages.put((message, first))

    def GetMessageW(self, message: Any, *_: Any) -> int:
        kind, first = self.messages.get()
        message._obj.message, message._obj.wParam = kind, first
        return 0 if kind == 0x0012 else 1

    def RegisterHotKey(self, window: None, number: int, mask: int, key: int) -> int:
        if (mask, key) in self.taken or (mask, key) in self.held.values():
            return 0
        self.held[number] = (mask, key)
        return 1

    def UnregisterHotKey(self, window: None, number: int) -> None:
        del self.held[number]

    def VkKeyScanW(self, character: str) -> int:
        return {".": 0xBE, "Ä": 0x1DE}.get(character, -1)

    def press(self) -> None:
        for number in list(self.held):
            self.messages.put((0x0312, number))


class Kernel32:
    def GetCurrentThreadId(self) -> int:
        return threading.get_ident()


def test_windows_binds_anew_and_says_what_is_taken():
    user, presses = User32(), []
    backend = windows.Windows(user, Kernel32(), lambda: presses.append(1))

    backend.bind(parse("Ctrl+Alt+Z"))
    backend.bind(parse("Ctrl+Alt+Z"))
    assert list(user.held.values()) == [(0x4003, ord("Z"))]
    user.press()
    eventually(lambda: len(presses) == 1)

    with pytest.raises(KnownError) as raised:
        backend.bind(parse("Ctrl+S"))
    assert "Ctrl+S" in raised.value.problem
    assert list(user.held.values()) == [(0x4003, ord("Z"))]

    backend.bind(parse("Super+Space"))
    assert list(user.held.values()) == [(0x4008, 0x20)]
    backend.unbind()
    assert user.held == {}
    backend.bind(parse("F9"))
    backend.close()
    assert user.held == {}


@pytest.mark.parametrize(
    ("keys", "code"), [("Ctrl+.", 0xBE), ("Ctrl+ä", 0xDE), ("F24", 0x87), ("Ctrl+0", 0x30), ("Print", 0x2C)]
)
def test_windows_knows_each_key_by_its_number(keys: str, code: int):
    assert windows._key(parse(keys), User32()) == code


def test_windows_says_when_there_is_no_such_key():
    with pytest.raises(KnownError):
        windows._key(parse("Ctrl+ж"), User32())


class CarbonLibrary:
    """Gives Ctrl+S to nobody, and calls the handler when told to."""

    def __init__(self) -> None:
        self.held: list[tuple[int, int]] = []
        self.removed = False
        self.GetApplicationEventTarget = lambda: 7
        self.GetApplicationEventTarget.restype = None  # type: ignore[attr-defined]

    def InstallEventHandler(
        self, target: Any, handler: Any, count: int, types: Any, data: None, out: Any
    ) -> int:
        assert (types._obj.kind_class, types._obj.kind) == (0x6B657962, 5)
        self.handler = handler
        return 0

    def GetEventParameter(
        self, event: Any, name: int, kind: int, actual: None, size: int, told: None, out: Any
    ) -> int:
        assert (name, kind) == (0x2D2D2D2D, 0x686B6964)
        out._obj.id = self.pressed
        return 0

    def RegisterEventHotKey(
        self, code: int, mask: int, number: Any, target: Any, options: int, out: Any
    ) -> int:
        self.pressed = number.id
        if (code, mask) == (1, 1 << 12):
            return -9878
        self.held.append((code, mask))
        out._obj.value = len(self.held)
        return 0

    def UnregisterEventHotKey(self, held: ctypes.c_void_p) -> None:
        self.held[held.value - 1] = (-1, -1)

    def RemoveEventHandler(self, installed: Any) -> None:
        self.removed = True


def test_macos_binds_anew_and_says_what_is_taken():
    library, presses = CarbonLibrary(), []
    backend = macos.Carbon(library, lambda: presses.append(1))

    backend.bind(parse("Ctrl+Alt+Z"))
    backend.bind(parse("Ctrl+Alt+Z"))
    assert library.held == [(6, 1 << 12 | 1 << 11)]
    assert library.handler(None, None, None) == 0
    assert presses == [1]
    library.pressed += 1  # another key of ours
    assert library.handler(None, None, None) == -9874
    assert presses == [1]

    with pytest.raises(KnownError):
        backend.bind(parse("Ctrl+S"))
    assert library.held == [(6, 1 << 12 | 1 << 11)]

    backend.bind(parse("Cmd+Space"))
    assert library.held == [(-1, -1), (49, 1 << 8)]
    backend.close()
    assert library.held == [(-1, -1), (-1, -1)]
    assert library.removed


def test_macos_says_when_there_is_no_such_key():
    with pytest.raises(KnownError):
        macos.key_code(parse("Print"))


@pytest.mark.parametrize("module", [windows, macos])
def test_elsewhere_they_are_unavailable(module: Any):
    with pytest.raises(Unavailable):
        module.connect(lambda: None)


def test_each_system_has_its_backends_and_the_fallback_last(monkeypatch: pytest.MonkeyPatch):
    names = {}
    for platform in ("linux", "win32", "darwin"):
        monkeypatch.setattr("sys.platform", platform)
        names[platform] = [name for name, _ in hotkeys.here(DEEDS["search"])]

    assert names == {
        "linux": ["X11", "GNOME extension", "desktop portal", "pynput"],
        "win32": ["Windows", "pynput"],
        "darwin": ["Carbon", "pynput"],
    }
