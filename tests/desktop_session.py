"""A real desktop for tests: Xvfb, openbox, tint2, a message bus, and windows that do as they are told.

A test module takes what it needs by name: `from tests.desktop_session import screen, openbox`. Each
fixture skips the test where its program is not installed.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest


def need(*programs: str) -> None:
    """Skip the test unless these programs are installed."""
    missing = [name for name in programs if shutil.which(name) is None]
    if missing:
        pytest.skip(f"not installed: {', '.join(missing)}")


def eventually(true: Callable[[], Any], within: float = 10.0, what: str = "") -> Any:
    """Wait until this holds, and give what it gave; fails after `within` seconds."""
    end = time.monotonic() + within
    while True:
        if answer := true():
            return answer
        if time.monotonic() > end:
            raise AssertionError(what or "did not come true in time")
        time.sleep(0.02)


@contextlib.contextmanager
def running(
    *command: str, env: dict[str, str] | None = None, **options: Any
) -> Iterator[subprocess.Popen[bytes]]:
    """This program, for as long as the block lasts."""
    options.setdefault("stdout", subprocess.DEVNULL)
    options.setdefault("stderr", subprocess.DEVNULL)
    process = subprocess.Popen(command, env=env, **options)
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(5)
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                stream.close()


@contextlib.contextmanager
def xvfb(size: str = "1280x800x24") -> Iterator[str]:
    """An X server of its own on a free display; gives its name, ":7"."""
    ours, its = os.pipe()
    command = ("Xvfb", "-displayfd", str(its), "-screen", "0", size, "-nolisten", "tcp", "-noreset")
    with running(*command, pass_fds=(its,)) as server, os.fdopen(ours) as answer:
        os.close(its)
        number = answer.readline().strip()
        assert number, f"Xvfb did not start: {server.poll()}"
        yield f":{number}"


@dataclass
class Screen:
    """An X server and what one does on it."""

    display: str
    windows: list[RealWindow] = field(default_factory=list)

    def do(self, *command: str) -> str:
        """Run a program on this screen to its end and give what it said."""
        env = dict(os.environ, DISPLAY=self.display)
        done = subprocess.run(command, env=env, check=True, capture_output=True, text=True, timeout=20)
        return done.stdout.strip()

    def start(self, *command: str) -> contextlib.AbstractContextManager[subprocess.Popen[bytes]]:
        """Run a program on this screen for as long as the block lasts."""
        return running(*command, env=dict(os.environ, DISPLAY=self.display))

    def window(self, title: str, app: str = "Editor") -> RealWindow:
        """A new window, closed at the latest when the screen goes."""
        self.windows.append(RealWindow(self.display, title, app))
        return self.windows[-1]

    def close_windows(self) -> None:
        for window in self.windows:
            window.close()


class RealWindow:
    """A window of its own X client: mapped, titled and raised as a program does it."""

    def __init__(self, display: str, title: str, app: str = "Editor") -> None:
        from Xlib import X
        from Xlib.display import Display

        self.connection = Display(display)
        screen = self.connection.screen()
        self.xid = screen.root.create_window(
            20, 20, 400, 300, 0, screen.root_depth, X.InputOutput, X.CopyFromParent,
            background_pixel=screen.white_pixel, event_mask=X.StructureNotifyMask,
        )  # fmt: skip
        self.xid.set_wm_class(app.lower(), app)
        self.xid.set_wm_protocols([self.connection.get_atom("WM_DELETE_WINDOW")])
        self._property("_NET_WM_PID", "CARDINAL", 32, [os.getpid()])
        self.title(title)
        self.xid.map()
        self.connection.sync()

    def title(self, text: str | bytes) -> None:
        """Name the window as toolkits do: _NET_WM_NAME in UTF-8."""
        raw = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
        self._property("_NET_WM_NAME", "UTF8_STRING", 8, raw)
        self.connection.sync()

    def focus(self) -> None:
        """Ask the window manager to bring it to the front, and wait until it is there."""
        from Xlib import X
        from Xlib.protocol import event

        root = self.connection.screen().root
        atom = self.connection.get_atom("_NET_ACTIVE_WINDOW")
        ask = event.ClientMessage(window=self.xid, client_type=atom, data=(32, [2, X.CurrentTime, 0, 0, 0]))
        mask = X.SubstructureRedirectMask | X.SubstructureNotifyMask

        def in_front() -> bool:
            root.send_event(ask, event_mask=mask)
            self.connection.sync()
            active = root.get_full_property(atom, X.AnyPropertyType)
            return active is not None and active.value[0] == self.xid.id

        eventually(in_front, what="the window did not come to the front")

    def close(self) -> None:
        from Xlib.error import ConnectionClosedError

        with contextlib.suppress(ConnectionClosedError):
            self.connection.close()

    def _property(self, name: str, kind: str, size: int, value: Any) -> None:
        get = self.connection.get_atom
        self.xid.change_property(get(name), get(kind), size, value)


def managed(display: str) -> bool:
    """Whether a window manager runs there."""
    from Xlib import X
    from Xlib.display import Display

    connection = Display(display)
    try:
        check = connection.screen().root.get_full_property(
            connection.get_atom("_NET_SUPPORTING_WM_CHECK"), X.AnyPropertyType
        )
        return check is not None
    finally:
        connection.close()


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> Iterator[Screen]:
    """A bare X server; DISPLAY names it for the length of the test."""
    need("Xvfb")
    with xvfb() as display:
        monkeypatch.setenv("DISPLAY", display)
        monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
        monkeypatch.delenv("XAUTHORITY", raising=False)
        monkeypatch.setenv("XDG_SESSION_TYPE", "x11")
        screen = Screen(display)
        try:
            yield screen
        finally:
            screen.close_windows()


@pytest.fixture
def openbox(screen: Screen, home: Path) -> Iterator[Screen]:
    """An X server with a window manager."""
    need("openbox")
    with screen.start("openbox", "--sm-disable"):
        eventually(lambda: managed(screen.display), what="openbox did not start")
        yield screen


@pytest.fixture
def desktop(openbox: Screen, home: Path) -> Iterator[Screen]:
    """An X server with a window manager and a panel that hosts tray icons (XEmbed)."""
    need("tint2")
    config = home / "tint2rc"
    config.write_text("panel_items = TSC\npanel_size = 100% 30\npanel_monitor = all\n")
    with openbox.start("tint2", "-c", str(config)):
        eventually(lambda: tray_hosted(openbox.display), what="tint2 did not start")
        yield openbox


def tray_hosted(display: str) -> bool:
    """Whether somebody takes tray icons there."""
    from Xlib.display import Display

    connection = Display(display)
    try:
        owner = connection.get_selection_owner(connection.get_atom("_NET_SYSTEM_TRAY_S0"))
        return bool(owner)
    finally:
        connection.close()


@pytest.fixture
def bus(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[str]:
    """A private session bus; DBUS_SESSION_BUS_ADDRESS names it for the length of the test."""
    need("dbus-daemon")
    with message_bus(tmp_path / "bus") as address:
        monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", address)
        yield address


@contextlib.contextmanager
def message_bus(path: Path) -> Iterator[str]:
    """A D-Bus daemon listening at this path; gives its address."""
    address = f"unix:path={path}"
    command = ("dbus-daemon", "--session", "--nofork", f"--address={address}", "--print-address=1")
    with running(*command, stdout=subprocess.PIPE) as daemon:
        assert daemon.stdout is not None
        assert daemon.stdout.readline(), "dbus-daemon did not start"
        yield address
