"""A real Wayland desktop for tests: sway without a screen, and windows that do as they are told."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from collectors.bus import Bus, Refused
from collectors.wayland import Happened, Wayland
from desktop_memory.desktop import gnome_extension
from tests.desktop_session import eventually, message_bus, need, running

NOBODY = 65534

CONFIG = """
xwayland disable
output HEADLESS-1 resolution 800x600
default_border none
"""


@dataclass
class Sway:
    """A running sway: its sockets, and what one does in it."""

    runtime: Path
    display: str
    socket: str
    windows: list[WaylandWindow] = field(default_factory=list)

    def do(self, command: str) -> None:
        """A sway command, such as "[title=A] focus"."""
        said = subprocess.run(
            ("swaymsg", "-s", self.socket, command), capture_output=True, text=True, timeout=10, check=False
        )
        assert said.returncode == 0, said.stdout + said.stderr

    def window(self, title: str, app_id: str = "editor") -> WaylandWindow:
        """A new window, which gets the focus."""
        self.windows.append(WaylandWindow(title, app_id))
        return self.windows[-1]

    def titles(self) -> list[str]:
        said = subprocess.run(
            ("swaymsg", "-s", self.socket, "-t", "get_tree"), capture_output=True, check=True, timeout=10
        )
        return list(_titles(json.loads(said.stdout)))


def _titles(node: dict) -> Iterator[str]:
    if node.get("pid"):
        yield node["name"]
    for child in (*node["nodes"], *node["floating_nodes"]):
        yield from _titles(child)


class WaylandWindow:
    """A window of its own Wayland client: one grey buffer, a title and an app id."""

    def __init__(self, title: str, app_id: str) -> None:
        self.wayland = Wayland()
        self._compositor = self.wayland.bind("wl_compositor", 4)
        self._shm = self.wayland.bind("wl_shm", 1)
        self._base = self.wayland.bind("xdg_wm_base", 1)
        self._surface, self._xdg, self._toplevel = (self.wayland.new_id() for _ in range(3))
        self.wayland.request(self._compositor, 0, self._surface)
        self.wayland.request(self._base, 2, self._xdg, self._surface)
        self.wayland.request(self._xdg, 1, self._toplevel)
        self.wayland.request(self._toplevel, 3, app_id)
        self.title(title)
        self.wayland.request(self._surface, 6)
        self._configured = False
        eventually(self.answer, what="the compositor did not configure the window")
        self._attach()
        self.wayland.round_trip()

    def title(self, text: str) -> None:
        self.wayland.request(self._toplevel, 2, text)

    def answer(self) -> bool:
        """Acknowledge what the compositor has asked for; whether it has placed the window."""
        for event in self.wayland.happened():
            self._answer(event)
        return self._configured

    def close(self) -> None:
        self.wayland.close()

    def _answer(self, event: Happened) -> None:
        if event.object == self._base:
            self.wayland.request(self._base, 3, event.uint())
        elif event.object == self._xdg:
            self.wayland.request(self._xdg, 4, event.uint())
            self._configured = True

    def _attach(self) -> None:
        pool, buffer, width, height = self.wayland.new_id(), self.wayland.new_id(), 64, 64
        file = os.memfd_create("buffer")
        os.truncate(file, width * height * 4)
        self.wayland.request(self._shm, 0, pool, width * height * 4, fds=(file,))
        os.close(file)
        self.wayland.request(pool, 0, buffer, 0, width, height, width * 4, 1)
        self.wayland.request(self._surface, 1, buffer, 0, 0)
        self.wayland.request(self._surface, 6)


@contextlib.contextmanager
def shown(title: str, app_id: str) -> Iterator[WaylandWindow]:
    """A window for as long as the block lasts."""
    window = WaylandWindow(title, app_id)
    try:
        yield window
    finally:
        window.close()


@contextlib.contextmanager
def headless_sway() -> Iterator[Sway]:
    """sway on no screen at all. It refuses to run as root: then it runs as nobody."""
    runtime = Path(tempfile.mkdtemp(prefix="sway-"))  # short: a socket's path has at most 108 bytes
    (runtime / "config").write_text(CONFIG)
    command: tuple[str, ...] = ("sway", "-c", str(runtime / "config"))
    if os.getuid() == 0:
        need("setpriv")
        for path in (runtime, runtime / "config"):
            os.chown(path, NOBODY, NOBODY)
        command = ("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", *command)
    env = {
        name: value
        for name, value in os.environ.items()
        if name not in ("DISPLAY", "WAYLAND_DISPLAY", "SWAYSOCK")
    }
    env |= {
        "XDG_RUNTIME_DIR": str(runtime), "HOME": str(runtime), "WLR_BACKENDS": "headless",
        "WLR_LIBINPUT_NO_DEVICES": "1", "WLR_RENDERER": "pixman",
    }  # fmt: skip
    try:
        with running(*command, env=env) as process:
            eventually(
                lambda: list(runtime.glob("sway-ipc.*.sock")) and list(runtime.glob("wayland-*[0-9]")),
                what=f"sway did not start: {process.poll()}",
            )
            (socket,), (display,) = runtime.glob("sway-ipc.*.sock"), runtime.glob("wayland-*[0-9]")
            sway = Sway(runtime=runtime, display=display.name, socket=str(socket))
            try:
                yield sway
            finally:
                for window in sway.windows:
                    window.close()
    finally:
        shutil.rmtree(runtime, ignore_errors=True)


@contextlib.contextmanager
def headless_kwin() -> Iterator[Path]:
    """KWin on a virtual screen, with a message bus; gives the runtime folder, where its socket is wayland-k."""
    runtime = Path(tempfile.mkdtemp(prefix="kwin-"))
    # The program has a capability that containers may not give; a copy has none.
    program = runtime / "kwin_wayland"
    shutil.copy(shutil.which("kwin_wayland") or "", program)
    env = dict(
        os.environ, XDG_RUNTIME_DIR=str(runtime), HOME=str(runtime), KWIN_WAYLAND_NO_PERMISSION_CHECKS="1"
    )
    for variable in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        env.pop(variable, None)
    command = (
        str(program), "--virtual", "--no-lockscreen", "--no-global-shortcuts", "--width", "800", "--height", "600",
        "--socket", "wayland-k",
    )  # fmt: skip
    try:
        with running(*command, env=env) as process:
            eventually(lambda: (runtime / "wayland-k").exists(), 20, f"KWin did not start: {process.poll()}")
            yield runtime
    finally:
        shutil.rmtree(runtime, ignore_errors=True)


@pytest.fixture
def kwin(bus: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A headless KWin with its script service up, which WAYLAND_DISPLAY names for the length of the test."""
    need("kwin_wayland")
    with headless_kwin() as runtime:
        monkeypatch.setenv("XDG_RUNTIME_DIR", str(runtime))
        monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-k")
        monkeypatch.delenv("DISPLAY", raising=False)
        eventually(kwin_takes_scripts, 20, "KWin is not on the bus")
        yield


def kwin_takes_scripts() -> bool:
    asked = Bus("session")
    try:
        asked.call("org.kde.KWin", "/Scripting", "org.kde.kwin.Scripting.isScriptLoaded", "s", "any")
        return True
    except Refused:
        return False
    finally:
        asked.close()


@pytest.fixture
def sway(monkeypatch: pytest.MonkeyPatch) -> Iterator[Sway]:
    """A headless sway, which WAYLAND_DISPLAY and SWAYSOCK name for the length of the test."""
    need("sway", "swaymsg")
    with headless_sway() as running_sway:
        monkeypatch.setenv("XDG_RUNTIME_DIR", str(running_sway.runtime))
        monkeypatch.setenv("WAYLAND_DISPLAY", running_sway.display)
        monkeypatch.setenv("XDG_SESSION_TYPE", "wayland")
        monkeypatch.setenv("SWAYSOCK", running_sway.socket)
        monkeypatch.delenv("DISPLAY", raising=False)
        yield running_sway


@contextlib.contextmanager
def headless_gnome() -> Iterator[Path]:
    """GNOME Shell on a virtual screen, with our extension in this home; gives the runtime folder."""
    runtime = Path(tempfile.mkdtemp(prefix="gnome-"))
    gnome_extension.install()
    env = dict(
        os.environ, XDG_RUNTIME_DIR=str(runtime), XDG_CURRENT_DESKTOP="GNOME", XDG_SESSION_TYPE="wayland"
    )
    for variable in ("DISPLAY", "WAYLAND_DISPLAY"):
        env.pop(variable, None)
    command = (
        "gnome-shell", "--headless", "--virtual-monitor", "1280x800", "--wayland", "--no-x11",
        "--wayland-display", "wayland-g",
    )  # fmt: skip
    try:
        with message_bus(runtime / "system") as system_bus:
            env["DBUS_SYSTEM_BUS_ADDRESS"] = system_bus
            with running(*command, env=env) as process:
                eventually(lambda: not _in_overview(), 60, f"GNOME Shell did not start: {process.poll()}")
                time.sleep(3)  # it enters the overview once more when it has done starting
                eventually(lambda: not _in_overview(), 60)
                yield runtime
    finally:
        shutil.rmtree(runtime, ignore_errors=True)


def _in_overview() -> bool:
    """GNOME starts in its overview, where no window has the focus: leave it."""
    asked = Bus("session")
    shell = ("org.gnome.Shell", "/org/gnome/Shell")
    try:
        active = bool(asked.get(*shell, "org.gnome.Shell.OverviewActive"))
        if active:
            asked.call(
                *shell,
                "org.freedesktop.DBus.Properties.Set",
                "ssv",
                "org.gnome.Shell",
                "OverviewActive",
                ("b", False),
            )
        return active
    except Refused:
        return True
    finally:
        asked.close()


@pytest.fixture
def gnome(bus: str, home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A headless GNOME Shell with our extension, which WAYLAND_DISPLAY names for the length of the test."""
    need("gnome-shell", "gsettings")
    with headless_gnome() as runtime:
        monkeypatch.setenv("XDG_RUNTIME_DIR", str(runtime))
        monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-g")
        monkeypatch.delenv("DISPLAY", raising=False)
        yield
