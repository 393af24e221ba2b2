"""Which program wrote a file that somebody brings along, told by what is in it, else by its name."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from collectors.browser.chromium import Chromium
from collectors.browser.copy import HEADER, take, trouble_of
from collectors.browser.firefox import Firefox
from collectors.browser.history import Histories
from collectors.browser.safari import Safari
from collectors.collector import Collector, Place
from collectors.event import Event
from collectors.exports.activitywatch import ActivityWatch
from collectors.exports.browserexport import BrowserExport
from collectors.shell.atuin import Atuin
from collectors.shell.bash import Bash
from collectors.shell.fish import Fish
from collectors.shell.nushell import Nushell
from collectors.shell.powershell import PowerShell
from collectors.shell.tail import opened
from collectors.shell.zsh import Zsh
from collectors.window.backend import Window

Describe = Callable[[Window], Event]

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
_BEGINS = rb"(?:\xef\xbb\xbf)?\s*"
_ACTIVITYWATCH = re.compile(_BEGINS + rb'(?:\{\s*"buckets"\s*:|\[\s*\{[^]]*?"timestamp"\s*:)')
_BROWSEREXPORT = re.compile(_BEGINS + rb'\[?\s*\{\s*(?:"url"\s*:\s*".*?"dt"|"dt"\s*:.*?"url")\s*:')


def recognise(path: Path, copies: Path, describe: Describe) -> tuple[Collector, Place] | None:
    """The collector that reads this file, and its place there; None for something else.

    `copies` is a private folder for copies of databases; `describe` makes events of windows. Raises Unavailable when
    the file cannot be read.
    """
    with opened(path) as tail:
        start = tail.beginning(_LOOKED_AT)
    if start.startswith(HEADER):
        collector = _of_database(path, copies)
    else:
        collector = _of_json(start, describe) or _of_text(path, start, copies)
    return None if collector is None else (collector, Place(source=collector.source, name=str(path)))


def _of_json(start: bytes, describe: Describe) -> Collector | None:
    if _BROWSEREXPORT.match(start):
        return BrowserExport()
    return ActivityWatch(describe=describe) if _ACTIVITYWATCH.match(start) else None


def _of_text(path: Path, start: bytes, copies: Path) -> Collector | None:
    for pattern, kind in _BY_CONTENT:
        if pattern.search(start):
            return kind()
    if b"\0" in start:
        return None
    name, folder = path.name.casefold(), path.absolute().parent.name
    if folder == "nushell" and name.startswith("history"):
        return Nushell(copies=copies / "nushell")
    if folder in ("bash", "fish", "zsh") and name.startswith("history"):
        name = folder
    return next((kind() for pattern, kind in _BY_NAME if pattern.search(name)), None)


def _of_database(path: Path, copies: Path) -> Collector | None:
    snapshot = take(path, copies / "recognise")
    try:
        with trouble_of(path):
            tables = {row["name"] for row in snapshot.connection.execute("SELECT name FROM sqlite_master")}
            columns = {row["name"] for row in snapshot.connection.execute("PRAGMA table_info(history)")}
    finally:
        snapshot.close()
    if {"command_line", "start_timestamp"} <= columns:
        return Nushell(copies=copies / "nushell")
    if {"command", "timestamp", "cwd"} <= columns:
        return Atuin(copies=copies / "atuin")
    return _of_browser(path, tables, copies)


def _of_browser(path: Path, tables: set[str], copies: Path) -> Collector | None:
    """A browser's own database, as browserexport saves it under another name."""
    reader: Histories
    if {"urls", "visits"} <= tables:
        reader = Chromium(copies=copies / "chromium")
    elif {"moz_places", "moz_historyvisits"} <= tables:
        reader = Firefox(copies=copies / "firefox")
    elif {"history_items", "history_visits"} <= tables:
        reader = Safari(copies=copies / "safari")
    else:
        return None
    reader.bring(path)
    return reader
