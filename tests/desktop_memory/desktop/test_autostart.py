"""Starting with the desktop: what is written is what the system will do."""

from __future__ import annotations

import contextlib
import ctypes
import ctypes.util
import plistlib
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop_memory.desktop import autostart
from desktop_memory.desktop.outside import changes
from desktop_memory.desktop.startup import windows, xdg
from desktop_memory.desktop.startup.entry import Entry
from desktop_memory.desktop.startup.macos import LaunchAgent
from desktop_memory.desktop.startup.windows import RunKey
from desktop_memory.errors import KnownError
from desktop_memory.settings import usual_folder

linux = pytest.mark.skipif(sys.platform != "linux", reason="the XDG way")


@pytest.fixture
def file(home: Path) -> Path:
    return home / ".config" / "autostart" / "desktop-memory.desktop"


@linux
def test_it_is_off_until_it_is_turned_on_and_off_again(file: Path):
    assert not autostart.is_on()

    autostart.turn_on((sys.executable, "-m", "desktop_memory"))
    assert autostart.is_on()
    assert f"Exec={sys.executable} -m desktop_memory\n" in file.read_text()

    autostart.turn_on((sys.executable, "-m", "desktop_memory"))
    autostart.turn_off()
    autostart.turn_off()
    assert not autostart.is_on()
    assert not file.exists()


@linux
def test_the_command_is_this_very_installation(file: Path):
    autostart.turn_on()

    assert autostart.is_on()
    assert "run --background" in file.read_text()


@linux
@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (f"Exec={sys.executable}\nHidden=true\n", "switched off"),
        (f"Exec={sys.executable}\nX-GNOME-Autostart-enabled=false\n", "switched off"),
        ("Exec=/gone/desktop-memory run\n", "/gone/desktop-memory"),
        ("Exec=\n", "gone"),
        (f"[Desktop Action x]\nExec={sys.executable}\n", "gone"),
    ],
)
def test_an_entry_that_starts_nothing_is_not_on(file: Path, lines: str, told: str):
    file.parent.mkdir(parents=True)
    file.write_text(f"[Desktop Entry]\nType=Application\n{lines}")

    assert not autostart.is_on()
    assert told in autostart.problem()


@linux
def test_turning_on_what_cannot_start_is_refused(file: Path):
    with pytest.raises(KnownError) as raised:
        autostart.turn_on(("/gone/desktop-memory",))

    assert "/gone/desktop-memory" in raised.value.advice


@linux
def test_a_folder_that_cannot_be_written_is_said(home: Path):
    (home / ".config").write_text("a file where a folder should be")

    with pytest.raises(KnownError) as raised:
        autostart.turn_on((sys.executable,))

    assert "autostart" in raised.value.problem


@linux
def test_it_starts_on_the_folder_that_it_was_switched_on_for(home: Path):
    autostart.turn_on(autostart.own_command(home / "other one"))
    entry = autostart.system().read()
    usual = autostart.own_command(usual_folder())

    assert entry is not None
    assert entry.command[-4:] == ("--home", str(home / "other one"), "run", "--background")
    assert "--home" not in usual


@linux
def test_what_was_done_outside_is_listed_and_undone(home: Path, file: Path):
    assert changes(home) == []

    autostart.turn_on((sys.executable,))
    (change,) = changes(home)
    change.undo()

    assert (change.what, change.path) == ("start with the desktop", str(file))
    assert not file.exists()
    assert changes(home) == []


arguments = st.lists(
    st.text(st.characters(exclude_characters="\n\r\x00", exclude_categories=("Cs",)), min_size=1), min_size=1
)


@given(arguments)
@settings(deadline=None)
def test_any_command_comes_back_from_a_desktop_file(command: list[str]):
    # Characters that str.splitlines takes for line ends cannot stand in a desktop file's value.
    command = ["".join(argument.split()) or "x" for argument in command] + [
        "two words",
        'a "quote"',
        "100%",
        "back\\slash",
    ]

    assert xdg._split(xdg.joined(command)) == tuple(command)


def read_by_glib(text: str) -> list[str]:
    """The arguments of Exec as GNOME, Xfce and others take them: GLib's key file, then its shell parser."""
    glib = ctypes.CDLL(ctypes.util.find_library("glib-2.0"))
    for name in ("g_key_file_new", "g_key_file_get_string"):
        getattr(glib, name).restype = ctypes.c_void_p
    keys, raw = ctypes.c_void_p(glib.g_key_file_new()), text.encode()
    assert glib.g_key_file_load_from_data(keys, raw, ctypes.c_size_t(len(raw)), 0, None)
    line = ctypes.c_void_p(glib.g_key_file_get_string(keys, b"Desktop Entry", b"Exec", None))
    count, found = ctypes.c_int(), ctypes.POINTER(ctypes.c_char_p)()
    assert glib.g_shell_parse_argv(line, ctypes.byref(count), ctypes.byref(found), None)
    return [(found[number] or b"").decode() for number in range(count.value)]


@linux
@pytest.mark.skipif(not ctypes.util.find_library("glib-2.0"), reason="GLib is not installed")
def test_glib_reads_the_command_as_it_was_meant(file: Path):
    command = [sys.executable, "/opt/my app/run", '--note=100% $HOME `x` \\ "q"', "日本語", ";&|<>"]

    autostart.turn_on(command)

    assert read_by_glib(file.read_text()) == [part.replace("%", "%%") for part in command]


@given(st.lists(st.text(st.characters(exclude_characters="\x00")), min_size=1))
@settings(deadline=None)
def test_any_command_comes_back_from_a_windows_command_line(command: list[str]):
    command = ["C:\\Program Files\\app.exe", *[argument.replace("\n", " ") for argument in command]]

    assert windows.split(subprocess.list2cmdline(command)) == tuple(command)


def test_a_launch_agent_says_what_launchd_needs(home: Path):
    agent = LaunchAgent("desktop-memory")
    assert agent.read() is None

    agent.write(["/Applications/Desktop Memory.app/run", "--background"])
    written = plistlib.loads(Path(agent.where()).read_bytes())

    assert written["RunAtLoad"] is True
    assert written["ProgramArguments"] == ["/Applications/Desktop Memory.app/run", "--background"]
    assert agent.read() == Entry(command=("/Applications/Desktop Memory.app/run", "--background"))
    Path(agent.where()).write_bytes(b"not a plist")
    assert agent.read() == Entry(command=())
    agent.remove()
    assert agent.read() is None


class Registry:
    """The part of winreg that is used, over a dictionary."""

    HKEY_CURRENT_USER, REG_SZ, KEY_SET_VALUE = "HKCU", 1, 2

    def __init__(self) -> None:
        self.keys: dict[str, dict[str, Any]] = {}

    def CreateKey(self, root: str, path: str) -> Any:
        return contextlib.nullcontext(self.keys.setdefault(path, {}))

    def OpenKey(self, root: str, path: str, reserved: int = 0, access: int = 0) -> Any:
        if path not in self.keys:
            raise FileNotFoundError
        return contextlib.nullcontext(self.keys[path])

    def QueryValueEx(self, key: dict[str, Any], name: str) -> Any:
        if name not in key:
            raise FileNotFoundError
        return key[name], 1

    def SetValueEx(self, key: dict[str, Any], name: str, reserved: int, kind: int, value: Any) -> None:
        key[name] = value

    def DeleteValue(self, key: dict[str, Any], name: str) -> None:
        if name not in key:
            raise FileNotFoundError
        del key[name]


def test_the_run_key_is_off_when_the_task_manager_says_so():
    registry = Registry()
    run = RunKey("desktop-memory", registry)
    assert run.read() is None

    run.write(["C:\\Program Files\\dm.exe", "run", "--background"])
    assert registry.keys[windows._RUN]["desktop-memory"] == '"C:\\Program Files\\dm.exe" run --background'
    assert run.read() == Entry(command=("C:\\Program Files\\dm.exe", "run", "--background"))

    registry.keys[windows._APPROVED] = {"desktop-memory": b"\x03" + bytes(11)}
    assert run.read() == Entry(command=("C:\\Program Files\\dm.exe", "run", "--background"), enabled=False)

    run.write(["C:\\dm.exe"])
    assert run.read() == Entry(command=("C:\\dm.exe",))
    run.remove()
    run.remove()
    assert run.read() is None
