"""Which shell wrote a history file that somebody brings along, told by what is in it, else by its name."""

from __future__ import annotations

import re
from pathlib import Path

from collectors.browser.copy import HEADER, take, trouble_of
from collectors.collector import Collector, Place
from collectors.shell.atuin import Atuin
from collectors.shell.bash import Bash
from collectors.shell.fish import Fish
from collectors.shell.nushell import Nushell
from collectors.shell.powershell import PowerShell
from collectors.shell.tail import opened
from collectors.shell.zsh import Zsh

_LOOKED_AT = 65_536
_BY_CONTENT = (
    (re.compile(rb"^- cmd: .*\n +when: \d", re.MULTILINE), Fish),
    (re.compile(rb"^: *\d{9,11}:\d+;", re.MULTILINE), Zsh),
    (re.compile(rb"^#\d{9,11}\s*$", re.MULTILINE), Bash),
)
_BY_NAME = (
    (re.compile(r"fish"), Fish),
    (re.compile(r"zsh|zhistory|histfile"), Zsh),
    (re.compile(r"bash"), Bash),
    (re.compile(r"host_history\.txt\Z"), PowerShell),
)


def recognise(path: Path, copies: Path) -> tuple[Collector, Place] | None:
    """The collector that reads this file, and its place there; None for something else.

    `copies` is a private folder for copies of databases. Raises Unavailable when the file cannot be read.
    """
    with opened(path) as tail:
        start = tail.beginning(_LOOKED_AT)
    collector = _of_database(path, copies) if start.startswith(HEADER) else _of_text(path.name, start)
    return None if collector is None else (collector, Place(source=collector.source, name=str(path)))


def _of_text(name: str, start: bytes) -> Collector | None:
    for pattern, kind in _BY_CONTENT:
        if pattern.search(start):
            return kind()
    if b"\0" in start:
        return None
    return next((kind() for pattern, kind in _BY_NAME if pattern.search(name.casefold())), None)


def _of_database(path: Path, copies: Path) -> Collector | None:
    snapshot = take(path, copies / "recognise")
    try:
        with trouble_of(path):
            columns = {row["name"] for row in snapshot.connection.execute("PRAGMA table_info(history)")}
    finally:
        snapshot.close()
    if {"command_line", "start_timestamp"} <= columns:
        return Nushell(copies=copies / "nushell")
    return Atuin(copies=copies / "atuin") if {"command", "timestamp", "cwd"} <= columns else None
