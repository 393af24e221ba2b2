"""Real, headless browsers that visit pages served on this machine."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

SKIP = "DESKTOP_MEMORY_TEST_WITHOUT_BROWSERS"

PAGES = {
    "/": "<title>Home page</title>",
    "/target": "<title>Redirect target</title>",
    "/frame": "<title>Page with a frame</title><iframe src=/inner></iframe>",
    "/inner": "<title>Inside the frame</title>",
    "/late": "<script>setTimeout(() => document.title = 'Late title', 700)</script>",
    "/meta": "<meta http-equiv=refresh content='0;url=/after-meta'>",
    "/after-meta": "<title>After meta refresh</title>",
    "/downloads": "<title>Downloads</title><a id=it href=/files/robust-f0.pdf>get it</a>",
    "/unicode": "<meta charset=utf-8><title>Über 日本語 😀</title>",
}


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        if path == "/redirect":
            self.send_response(302)
            self.send_header("Location", "/target")
            self.end_headers()
            return
        body = PAGES.get(path, f"<title>Page {path}</title>").encode()
        self.send_response(200)
        if path.startswith("/files/"):
            self.send_header("Content-Disposition", "attachment")
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        pass


@contextmanager
def pages() -> Iterator[str]:
    """A site on this machine; its address without a slash at the end."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    thread = threading.Thread(target=server.serve_forever, name="pages", daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def program(name: str) -> str:
    """The browser's program; without it the test fails, unless a variable says that it may be skipped."""
    if os.environ.get(SKIP):
        pytest.skip(f"{SKIP} is set")
    found = shutil.which(name)
    assert found is not None, f"{name} is not installed; install it, or set {SKIP}=1 to skip these tests"
    return found


def _click(id: str) -> str:
    return f"document.getElementById({json.dumps(id)}).click()"


class Chromium:
    """Driven over a pipe: https://chromedevtools.github.io/devtools-protocol/, messages end with a NUL."""

    def __init__(self, folder: Path) -> None:
        theirs_in, self._to = os.pipe()
        self._from, theirs_out = os.pipe()
        flags = (
            "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
            "--disable-component-update --disable-sync --disable-dev-shm-usage --remote-debugging-pipe"
        )
        command = f'exec "$0" {flags} --user-data-dir="$1" 3<&{theirs_in} 4>&{theirs_out}'
        self._process = subprocess.Popen(
            ["bash", "-c", command, program("chromium"), str(folder)],
            pass_fds=(theirs_in, theirs_out),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(theirs_in)
        os.close(theirs_out)
        self._count = 0
        self._read = b""
        page = self._call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._call("Target.attachToTarget", targetId=page, flatten=True)["sessionId"]

    def visit(self, url: str, *, stay: float = 1.0) -> None:
        self._call("Page.navigate", session=self._session, url=url)
        time.sleep(stay)

    def click(self, id: str, *, downloads: Path, stay: float = 2.0) -> None:
        self._call("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(downloads))
        self._call("Runtime.evaluate", session=self._session, expression=_click(id), userGesture=True)
        time.sleep(stay)

    def quit(self) -> None:
        self._send("Browser.close")
        self._process.wait(timeout=30)
        os.close(self._to)
        os.close(self._from)

    def _send(self, method: str, *, session: str = "", **parameters: Any) -> int:
        self._count += 1
        message: dict[str, Any] = {"id": self._count, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self._to, json.dumps(message).encode() + b"\0")
        return self._count

    def _call(self, method: str, *, session: str = "", **parameters: Any) -> Any:
        id = self._send(method, session=session, **parameters)
        while True:
            while b"\0" not in self._read:
                more = os.read(self._from, 65_536)
                assert more, "chromium went away"
                self._read += more
            one, self._read = self._read.split(b"\0", 1)
            answer = json.loads(one)
            if answer.get("id") == id:
                return answer["result"]


class Firefox:
    """Driven by Marionette: messages are `length:JSON`, over a port that it writes into its profile."""

    def __init__(self, profile: Path, display: str = "") -> None:
        """On an X server if one is named, else without a window."""
        profile.mkdir(parents=True, exist_ok=True)
        (profile / "user.js").write_text('user_pref("marionette.port", 0);\n', encoding="utf-8")
        port = profile / "MarionetteActivePort"
        port.unlink(missing_ok=True)
        self._process = subprocess.Popen(
            [
                *(program("firefox-esr"), *([] if display else ["--headless"])),
                *("--marionette", "--remote-allow-system-access", "--no-remote", "--profile", str(profile)),
            ],
            env=os.environ | ({"DISPLAY": display, "MOZ_ENABLE_WAYLAND": "0"} if display else {}),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        until = time.monotonic() + 60
        while not (port.exists() and port.read_text().strip()):
            assert time.monotonic() < until, "firefox did not start"
            time.sleep(0.05)
        self._socket = socket.create_connection(("127.0.0.1", int(port.read_text())), timeout=60)
        self._read = b""
        self._count = 0
        self._answer()
        self._call("WebDriver:NewSession")

    def visit(self, url: str, *, stay: float = 1.0) -> None:
        self._call("WebDriver:Navigate", url=url)
        time.sleep(stay)

    def click(self, id: str, *, downloads: Path, stay: float = 2.0) -> None:
        self._call("WebDriver:ExecuteScript", script=_click(id), args=[])
        time.sleep(stay)

    def run_inside(self, script: str) -> None:
        """Run this in the browser itself, not in a page; it ends by calling `resolve`."""
        self._call("Marionette:SetContext", value="chrome")
        code = f"const resolve = arguments[arguments.length - 1]; {script}"
        self._call("WebDriver:ExecuteAsyncScript", script=code, args=[])
        self._call("Marionette:SetContext", value="content")

    def quit(self) -> None:
        self._call("Marionette:Quit", flags=["eForceQuit"])
        self._socket.close()
        self._process.wait(timeout=30)

    def _call(self, command: str, **parameters: Any) -> Any:
        self._count += 1
        message = json.dumps([0, self._count, command, parameters]).encode()
        self._socket.sendall(b"%d:%s" % (len(message), message))
        _, _, error, result = self._answer()
        assert error is None, error
        return result

    def _answer(self) -> Any:
        while b":" not in self._read:
            self._receive()
        length, self._read = self._read.split(b":", 1)
        while len(self._read) < int(length):
            self._receive()
        body, self._read = self._read[: int(length)], self._read[int(length) :]
        return json.loads(body)

    def _receive(self) -> None:
        more = self._socket.recv(65_536)
        assert more, "firefox went away"
        self._read += more
