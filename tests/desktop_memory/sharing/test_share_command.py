"""As a user: two homes and a folder; then with Syncthing itself between two of them."""

from __future__ import annotations

import shutil
import socket
import subprocess
import time
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.running import ask, recording, run, zsh_history

FIRST = 1_786_615_200
PASSPHRASE = "correct horse battery staple\n"


@pytest.fixture
def homes(tmp_path: Path) -> tuple[Path, Path]:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        zsh_history(tmp_path / name, [(FIRST + n, f"{name} {n}") for n in range(3)])
        ask(tmp_path / name, "collect")
    return tmp_path / "one", tmp_path / "two"


def share_on(home: Path, folder: Path) -> None:
    done = run(home, "share", "on", str(folder), "--json", stdin=PASSPHRASE)
    assert done.returncode == 0, done.stderr


def test_two_homes_and_a_folder(homes: tuple[Path, Path], tmp_path: Path) -> None:
    (tmp_path / "shared").mkdir()
    one, two = homes
    share_on(one, tmp_path / "shared")
    wrong = run(two, "share", "on", str(tmp_path / "shared"), stdin="wrong\n")
    assert wrong.returncode == 1
    assert "does not open" in wrong.stderr
    share_on(two, tmp_path / "shared")
    told = ask(one, "share", "now")

    assert told["new"] == 3
    assert ask(one, "status")["events"] == ask(two, "status")["events"] == 6
    assert len(ask(one, "share", "status")["sharing"]["devices"]) == 2
    ask(one, "share", "off")
    assert ask(one, "share", "status")["sharing"] is None
    again = run(one, "share", "now")
    assert again.returncode == 0


def test_while_the_app_records(homes: tuple[Path, Path], tmp_path: Path) -> None:
    (tmp_path / "shared").mkdir()
    one, two = homes
    with recording(one):
        share_on(one, tmp_path / "shared")
        share_on(two, tmp_path / "shared")
        assert ask(one, "share", "now")["new"] == 3
        ask(two, "forget", "--event", "1", "--yes")
        ask(two, "share", "now")
        assert ask(one, "share", "now")["forgotten"] == 1
    assert ask(one, "status")["events"] == 5


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("syncthing") is None, reason="needs syncthing")
def test_through_syncthing(homes: tuple[Path, Path], tmp_path: Path) -> None:
    one, two = homes
    shared = [tmp_path / "shared-one", tmp_path / "shared-two"]
    with synchronised(tmp_path, shared):
        share_on(one, shared[0])
        eventually(lambda: (shared[1] / "desktop-memory" / "share.json").exists())
        share_on(two, shared[1])

        def both_know_all() -> bool:
            for home in (one, two):
                ask(home, "share", "now")
            return ask(one, "status")["events"] == ask(two, "status")["events"] == 6

        eventually(both_know_all)
        ask(one, "forget", "--event", "1", "--yes")

        def both_forgot() -> bool:
            for home in (one, two):
                ask(home, "share", "now")
            return ask(one, "status")["events"] == ask(two, "status")["events"] == 5

        eventually(both_forgot)


def eventually(holds: object, seconds: float = 120) -> None:
    deadline = time.monotonic() + seconds
    while not holds():  # type: ignore[operator]
        assert time.monotonic() < deadline
        time.sleep(0.5)


@contextmanager
def synchronised(room: Path, folders: list[Path]) -> Iterator[None]:
    """Syncthing twice on loopback, each keeping one of the folders like the other."""
    homes = [room / f"syncthing-{n}" for n in range(2)]
    ids: list[str] = []
    for home, folder in zip(homes, folders, strict=True):
        folder.mkdir()
        subprocess.run(
            ["syncthing", "generate", f"--home={home}"], check=True, capture_output=True, timeout=60
        )
        ids.append(
            subprocess.run(
                ["syncthing", f"--home={home}", "--device-id"], check=True, capture_output=True, text=True
            ).stdout.strip()
        )
    ports = [free_port() for _ in range(4)]
    for n, home in enumerate(homes):
        configure(home, folders[n], ids, ports, n)
    running = [
        subprocess.Popen(
            ["syncthing", "serve", f"--home={home}", "--no-browser", "--no-restart", "--no-upgrade"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        for home in homes
    ]  # fmt: skip
    try:
        for port in ports[2:]:
            eventually(lambda port=port: answers(port))
        yield
    finally:
        for process in running:
            process.terminate()
        for process in running:
            process.wait(timeout=30)


def configure(home: Path, folder: Path, ids: list[str], ports: list[int], mine: int) -> None:
    """One folder, both devices, nothing that leaves the machine."""
    path = home / "config.xml"
    tree = ET.parse(path)
    root = tree.getroot()
    for kind in ("folder", "device"):
        for found in root.findall(kind):
            root.remove(found)
    shared = ET.SubElement(root, "folder", id="memory", path=str(folder), type="sendreceive",
                           rescanIntervalS="1", fsWatcherEnabled="true", fsWatcherDelayS="1")  # fmt: skip
    for n, name in enumerate(ids):
        ET.SubElement(shared, "device", id=name)
        device = ET.SubElement(root, "device", id=name, name=str(n), compression="never")
        ET.SubElement(device, "address").text = f"tcp://127.0.0.1:{ports[n]}"
    gui = root.find("gui")
    assert gui is not None
    gui.find("address").text = f"127.0.0.1:{ports[2 + mine]}"  # type: ignore[union-attr]
    options = root.find("options")
    assert options is not None
    for name, value in {
        "listenAddress": f"tcp://127.0.0.1:{ports[mine]}",
        "globalAnnounceEnabled": "false",
        "localAnnounceEnabled": "false",
        "relaysEnabled": "false",
        "natEnabled": "false",
        "urAccepted": "-1",
        "crashReportingEnabled": "false",
        "startBrowser": "false",
        "reconnectionIntervalS": "1",
    }.items():
        for found in options.findall(name):
            options.remove(found)
        ET.SubElement(options, name).text = value
    tree.write(path)


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def answers(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=5).close()
    except OSError:
        return False
    return True
