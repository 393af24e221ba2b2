"""What is decided about windows on systems that are not here, from answers of the shape that they give."""

from __future__ import annotations

import json
import queue
import threading
from types import SimpleNamespace
from typing import Any

import pytest

from collectors.collector import Unavailable
from collectors.wake import Waker
from collectors.window import desktops, gnome, macos, windows
from collectors.window.backend import Window


class User32:
    """Two programs; the second shows its window in a frame of the system's."""

    def __init__(self) -> None:
        self.foreground = 100
        self.titles = {100: "retry.py - Editor", 200: "Calculator"}
        self.pids = {100: 11, 200: 22, 201: 33}
        self.messages: queue.Queue[int] = queue.Queue()
        self.hooks: dict[int, tuple[int, int]] = {}

    def GetForegroundWindow(self) -> int:
        return self.foreground

    def GetWindowTextW(self, handle: int, buffer: Any, length: int) -> None:
        buffer.value = self.titles[handle]

    def GetWindowThreadProcessId(self, handle: int, pid: Any) -> int:
        pid._obj.value = self.pids[handle]
        return self.pids[handle] * 10

    def FindWindowExW(self, parent: int, after: Any, name: str, title: Any) -> int:
        return parent + 1 if parent == 200 else 0

    def SetWinEventHook(
        self, first: int, last: int, module: Any, callback: Any, pid: int, thread: int, how: int
    ) -> int:
        self.callback = callback
        self.hooks[first] = (pid, thread)
        return first

    def UnhookWinEvent(self, hook: int) -> None:
        del self.hooks[hook]

    def GetMessageW(self, message: Any, window: Any, least: int, most: int) -> int:
        return self.messages.get()

    def PostThreadMessageW(self, thread: int, message: int, first: int, second: int) -> None:
        self.messages.put(0)


class Kernel32:
    def GetCurrentThreadId(self) -> int:
        return 5

    def OpenProcess(self, access: int, inherit: bool, pid: int) -> int:
        return pid

    def QueryFullProcessImageNameW(self, process: int, flags: int, path: Any, length: Any) -> int:
        path.value = {
            11: r"C:\Program Files\Editor\Editor.EXE",
            22: r"C:\Windows\System32\ApplicationFrameHost.exe",
            33: r"C:\Program Files\WindowsApps\CalculatorApp.exe",
        }[process]
        return 1

    def CloseHandle(self, process: int) -> None:
        pass


@pytest.fixture
def user(monkeypatch: pytest.MonkeyPatch) -> User32:
    monkeypatch.setattr(windows, "_callback_type", lambda: lambda function: function)
    return User32()


def test_windows_tells_program_and_title(user: User32):
    backend = windows.Windows(user, Kernel32())
    editor = backend.front()
    user.foreground = 200
    calculator = backend.front()
    user.foreground = 0
    nothing = backend.front()
    backend.close()

    assert editor == Window(title="retry.py - Editor", app_id="Editor", pid=11, key="100")
    assert calculator == Window(title="Calculator", app_id="CalculatorApp", pid=33, key="200")
    assert nothing is None
    assert user.hooks == {}


def test_windows_wakes_the_watch_for_the_front_and_its_title_alone(user: User32):
    backend, waker = windows.Windows(user, Kernel32()), Waker()
    backend.front()
    woken = []

    def happens(event: int, handle: int, what: int = 0) -> None:
        user.callback(None, event, handle, what, 0, 0, 0)
        woken.append(backend._changed.is_set())
        backend.front()

    happens(0x800C, 100)
    happens(0x800C, 100, what=-4)
    happens(0x800C, 200)
    user.foreground = 200
    happens(0x0003, 200)
    titles_of = user.hooks[0x800C]

    timer = threading.Timer(0.05, user.callback, (None, 0x0003, 100, 0, 0, 0, 0))
    timer.start()
    backend.wait(waker, 20)
    timer.join()
    backend.close()
    waker.close()

    assert woken == [True, False, False, True]
    assert titles_of == (22, 220)


@pytest.mark.parametrize(
    ("path", "name"),
    [(r"C:\a b\firefox.exe", "firefox"), (r"\\server\x\Tool", "Tool"), ("", ""), (r"C:\x\.exe", "")],
)
def test_a_program_is_known_by_its_file(path: str, name: str):
    assert windows.program_name(path) == name


class Accessibility:
    """ApplicationServices as PyObjC gives it: an error number and a value."""

    def __init__(self, title: Any = "retry.py — shop", trusted: bool = True) -> None:
        self.trusted = trusted
        self.values: dict[tuple[str, str], Any] = {
            ("everything", "AXFocusedApplication"): "program",
            ("program", "AXFocusedWindow"): "window",
            ("window", "AXTitle"): title,
        }

    def AXIsProcessTrusted(self) -> bool:
        return self.trusted

    def AXUIElementCreateSystemWide(self) -> str:
        return "everything"

    def AXUIElementCopyAttributeValue(self, element: str, attribute: str, out: None) -> tuple[int, Any]:
        value = self.values.get((element, attribute))
        return (0, value) if value is not None else (-25212, None)

    def AXUIElementGetPid(self, element: str, out: None) -> tuple[int, int]:
        return 0, 77

    def AXUIElementSetMessagingTimeout(self, element: str, seconds: float) -> int:
        self.patience = (element, seconds)
        return 0

    def AXUIElementCreateApplication(self, pid: int) -> str:
        return f"program {pid}"


class Quartz:
    """The windows that are on the screen, the foremost first: of the menu bar, and of two programs."""

    @staticmethod
    def CGWindowListCopyWindowInfo(option: int, relative_to: int) -> list[dict[str, int]] | None:
        assert (option, relative_to) == (17, 0)
        return [
            {"kCGWindowLayer": layer, "kCGWindowOwnerPID": pid} for layer, pid in ((25, 5), (0, 77), (0, 78))
        ]


class Applications:
    @staticmethod
    def runningApplicationWithProcessIdentifier_(pid: int) -> Any:
        return SimpleNamespace(bundleIdentifier=lambda: "com.microsoft.VSCode", localizedName=lambda: "Code")


def test_macos_tells_program_and_title():
    assert macos.MacOS(Accessibility(), Applications, Quartz).front() == Window(
        title="retry.py — shop", app_id="com.microsoft.VSCode", app="Code", pid=77, key="77"
    )


def test_macos_without_a_focused_window_has_no_title():
    front = macos.MacOS(Accessibility(title=None), Applications, Quartz).front()

    assert front is not None
    assert front.title == ""


def test_macos_tells_of_a_program_that_does_not_say_it_has_the_focus():
    services = Accessibility()
    del services.values["everything", "AXFocusedApplication"]
    services.values |= {("program 77", "AXFocusedWindow"): "page", ("page", "AXTitle"): "News"}

    front = macos.MacOS(services, Applications, Quartz).front()

    assert front is not None
    assert front.title == "News"


def test_macos_waits_a_second_for_a_program_that_hangs():
    services = Accessibility()

    macos.MacOS(services, Applications, Quartz)

    assert services.patience == ("everything", 1.0)


def test_macos_consent_taken_away_is_said_at_once():
    services = Accessibility()
    backend = macos.MacOS(services, Applications, Quartz)
    backend.front()
    services.trusted = False

    with pytest.raises(Unavailable) as raised:
        backend.front()

    assert "Accessibility" in raised.value.advice


@pytest.mark.parametrize("module", [windows, macos])
def test_elsewhere_they_are_unavailable(module: Any):
    with pytest.raises(Unavailable):
        module.connect()


def test_our_gnome_extension_tells_five_values():
    assert gnome.told(("Inbox", "thunderbird-esr", "Thunderbird Mail", 9, "4")) == Window(
        title="Inbox", app_id="thunderbird-esr", app="Thunderbird Mail", pid=9, key="4"
    )
    assert gnome.told(("", "", "", 0, "")) is None
    assert gnome.told(("too", "few")) is None


def test_focused_window_dbus_tells_json():
    said = json.dumps({"title": "Inbox", "wm_class": "thunderbird-esr", "pid": 9, "id": 2147, "focus": True})

    assert gnome.told_by_other(said) == Window(title="Inbox", app_id="thunderbird-esr", pid=9, key="2147")
    assert gnome.told_by_other("{}") is None
    assert gnome.told_by_other("not json") is None


def test_each_system_has_its_backends_and_the_fallback_last(monkeypatch: pytest.MonkeyPatch):
    names = {}
    for platform in ("linux", "win32", "darwin"):
        monkeypatch.setattr("sys.platform", platform)
        names[platform] = [name for name, _ in desktops.here()]

    assert names == {
        "linux": ["sway", "wlroots", "KWin", "GNOME", "X11", "PyWinCtl"],
        "win32": ["Windows", "PyWinCtl"],
        "darwin": ["Accessibility", "PyWinCtl"],
    }
