"""The whole app asks nobody but itself: window, recorder, index, search, contexts and AI clients."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.desktop_session import eventually
from tests.running import COMMAND, ask, environment, run, wait_for_socket, zsh_history

LISTENER = """
import os, sys
def hear(event, values):
    if event in ("socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr", "socket.sendto"):
        pass
    elif event != "socket.connect" or isinstance(values[1], (str, bytes)):
        return
    with open(os.environ["HEARD"], "a") as file:
        file.write(f"{event} {values[1:]!r}\\n")
    raise OSError("no network in this test")
sys.addaudithook(hear)
"""
"""Python's own word on every socket that is not a local one; it is heard in each process that the app starts."""

CLIENT = [
    {
        "id": 1, "method": "initialize",
        "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
    },
    {"method": "notifications/initialized"},
    {"id": 2, "method": "tools/call", "params": {"name": "search_activity", "arguments": {"query": "retry budget"}}},
]  # fmt: skip


def attempts_of(trace: Path) -> list[str]:
    """What the system saw: connects and sends to another kind of address than a local one."""
    told = trace.read_text(errors="replace").splitlines() if trace.exists() else []
    return [line for line in told if "sa_family=AF_INET" in line]


def told_by_mcp(home: Path, env: dict[str, str]) -> str:
    """What a client is answered over standard input and output."""
    with subprocess.Popen(
        [*COMMAND, "mcp"],
        env=environment(home, **env),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as client:
        assert client.stdin is not None
        assert client.stdout is not None
        for message in CLIENT:
            client.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        client.stdin.flush()
        told = ""
        while '"id":2' not in told:
            told = client.stdout.readline()
        return told


@pytest.fixture
def heard(home: Path) -> Path:
    listener = home / "listener"
    listener.mkdir()
    (listener / "sitecustomize.py").write_text(LISTENER)
    return home / "heard"


def test_nothing_is_attempted_but_the_local_socket(home: Path, heard: Path) -> None:
    trace = home / "trace"
    watched = (
        ["strace", "-D", "-f", "-qq", "--seccomp-bpf", "-e", "trace=connect,sendto,sendmsg", "-o", str(trace)]
        if shutil.which("strace")
        else []
    )
    env = {"HEARD": str(heard), "QT_QPA_PLATFORM": "offscreen"}
    env["PYTHONPATH"] = f"{home / 'listener'}:{environment(home)['PYTHONPATH']}"
    now = int(time.time())
    zsh_history(home, [(now - 60 * n, f"pytest tests/test_retry_{n}.py") for n in range(1, 8)])
    process = subprocess.Popen(
        [*watched, *COMMAND, "run"],
        env=environment(home, **env),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        cwd=home,
    )
    try:
        wait_for_socket(home, process)
        ask(home, "collect", **env)
        note = run(home, "note", "the retry budget is ten", **env)
        assert note.returncode == 0, note.stderr
        eventually(lambda: ask(home, "search", "how often do we try again", **env)["mode"] == "hybrid", 60)
        assert ask(home, "context", "retry budget", **env)["sources"]
        assert "retry" in told_by_mcp(home, env)
        assert run(home, "status", **env).returncode == 0
    finally:
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=60)
    assert b"Traceback" not in errors

    assert not heard.exists(), heard.read_text()
    assert attempts_of(trace) == []
    assert not watched or "sa_family=AF_UNIX" in trace.read_text(errors="replace")


def test_the_listener_hears(home: Path, heard: Path) -> None:
    ask_outside = "import urllib.request; urllib.request.urlopen('http://192.0.2.1/', timeout=1)"
    env = environment(home, HEARD=str(heard), PYTHONPATH=str(home / "listener"))

    subprocess.run([sys.executable, "-c", ask_outside], env=env, capture_output=True, check=False)

    assert "socket.getaddrinfo" in heard.read_text()
