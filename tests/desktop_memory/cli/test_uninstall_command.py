"""`uninstall` ends a running app if told so, says what stays, and names how this very program goes."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from desktop_memory.cli import uninstall
from desktop_memory.store.store import FILE_NAME
from tests.running import ROOT, recording, run


def test_it_leaves_a_running_app_alone_until_it_is_told_to_quit_it(home: Path):
    (home / ".zshrc").write_text("")
    run(home, "hook", "zsh", "install")
    with recording(home) as app:
        refused = run(home, "uninstall")
        assert app.poll() is None

        done = run(home, "uninstall", "--quit")
        app.wait(30)

    assert (refused.returncode, "--quit" in refused.stderr) == (1, True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        f"undone   zsh hook: {home / '.zshrc'}",
        f"kept     {home / 'memory'} (remove it with --data)",
        f"The program itself: delete {ROOT}",
    ]
    assert (home / "memory" / FILE_NAME).exists()


def test_ai_clients_ask_no_more_and_those_of_another_memory_go_on(home: Path):
    run(home, "mcp", "install", "cursor")
    run(home, "--home", "other", "mcp", "install", "vscode")

    done = run(home, "uninstall")

    assert f"undone   cursor may ask: {home / '.cursor' / 'mcp.json'}" in done.stdout
    assert "vscode" not in done.stdout
    assert json.loads((home / ".cursor" / "mcp.json").read_text()) == {"mcpServers": {}}
    kept = json.loads((home / ".config" / "Code" / "User" / "mcp.json").read_text())
    assert (
        str(home / "other") in kept["servers"]["desktop-memory"]["args"]
    )  # whole, wherever the client starts it


def test_the_demo_goes_and_a_memory_in_its_place_stays(home: Path):
    folder = home / ".cache" / "desktop-memory" / "demo"
    run(home, "--home", str(folder), "note", "my own")
    assert "undone" not in run(home, "uninstall").stdout
    (folder / "demo").touch()

    done = run(home, "uninstall")

    assert f"undone   demo: {folder}" in done.stdout
    assert not folder.exists()


@pytest.mark.parametrize(
    ("program", "words"),
    [
        ("/usr/lib/desktop-memory/desktop-memory", "sudo apt remove desktop-memory"),
        ("/opt/desktop-memory/desktop-memory", "delete /opt/desktop-memory"),
        (
            "/Applications/Desktop Memory.app/Contents/MacOS/desktop-memory",
            "delete /Applications/Desktop Memory.app",
        ),
    ],
)
def test_a_bundle_goes_as_it_came(program: str, words: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", program)

    assert uninstall._farewell() == words
