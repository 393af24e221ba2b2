"""PowerShell: PSReadLine's file, built as it writes it."""

from __future__ import annotations

import re
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from collectors.collector import Place
from collectors.shell.powershell import PowerShell
from tests.collectors.shell.terminal import HOOKS, Reader, texts


def history(home: Path, data: bytes) -> Reader:
    path = home / ".local/share/powershell/PSReadLine/ConsoleHost_history.txt"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return Reader(PowerShell(), Place(source="powershell", name=str(path)))


def test_commands_are_lines_and_a_backtick_joins_them(home: Path):
    told = history(
        home, "\ufeffGet-ChildItem\r\nforeach ($i in 1..2) {`\r\n  $i`\r\n}\r\necho '日本'\r\n".encode()
    )

    events = told.read()

    assert texts(events) == ["Get-ChildItem", "foreach ($i in 1..2) {\n  $i\n}", "echo '日本'"]
    assert all(event.approx and event.start <= datetime.now(UTC) for event in events)


def test_a_command_that_goes_on_in_a_line_not_written_yet_waits(home: Path):
    told = history(home, b"one\nforeach {`\n")
    assert texts(told.read()) == ["one"]

    with Path(told.place.name).open("ab") as file:
        file.write(b"}\n")

    assert texts(told.read()) == ["foreach {\n}"]


def test_a_file_overwritten_at_exit_doubles_nothing(home: Path):
    told = history(home, b"".join(b"command %d\n" % n for n in range(30)))
    told.read()

    Path(told.place.name).write_bytes(b"".join(b"command %d\n" % n for n in range(10, 33)))

    assert texts(told.read()) == ["command 30", "command 31", "command 32"]


def test_each_host_program_has_a_history_of_its_own(home: Path, monkeypatch: pytest.MonkeyPatch):
    history(home, b"ls\n")
    folder = home / ".local/share/powershell/PSReadLine"
    (folder / "Visual Studio Code Host_history.txt").write_bytes(b"ls\n")

    places = list(PowerShell(spool=home / "spool").places())

    assert sorted(Path(place.name).name for place in places) == [
        "ConsoleHost_history.txt",
        "Visual Studio Code Host_history.txt",
    ]
    assert all("hook powershell install" in place.advice for place in places)


def test_on_windows_it_is_in_the_roaming_profile(home: Path, monkeypatch: pytest.MonkeyPatch):
    folder = home / "Roaming/Microsoft/Windows/PowerShell/PSReadLine"
    folder.mkdir(parents=True)
    (folder / "ConsoleHost_history.txt").write_bytes(b"ls\n")
    monkeypatch.setenv("APPDATA", str(home / "Roaming"))
    monkeypatch.setattr(sys, "platform", "win32")

    assert [Path(place.name).parent for place in PowerShell().places()] == [folder]


def test_no_condition_of_the_hook_mixes_and_with_or():
    """PowerShell reads them from left to right: neither binds stronger."""
    script = (HOOKS / "desktop-memory.ps1").read_text(encoding="utf-8")

    assert re.findall(r"-and[^(\n]*-or|-or[^(\n]*-and", script) == []
