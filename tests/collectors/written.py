"""For each source that is asked a little of what its program writes, so that one test can read them all."""

from __future__ import annotations

import importlib.util
import json
import sqlite3
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

from collectors.all import sources
from collectors.browser.browsers import Browser
from collectors.browser.safari import Safari
from collectors.collector import Batch, Collector, Cursor, LiveCollector, Place
from collectors.event import Event, identity, moment
from collectors.exports.activitywatch import ActivityWatch
from collectors.exports.browserexport import BrowserExport
from collectors.window.describer import Describer
from tests.collectors.browser.histories import MINUTE, NOON, ChromiumHistory, FirefoxHistory, History
from tests.collectors.browser.test_browser_safari import SAFARI, THEN
from tests.collectors.files.test_files_xbel import bookmark
from tests.collectors.git.workshop import Workshop, introduce
from tests.collectors.shell.test_shell_databases import NU, OLD_ATUIN
from tests.running import ROOT

SECOND = 1_786_615_200


@dataclass
class Plugin:
    """A source as another package may add it: a line of its file is an event."""

    home: Path
    source: str = field(default="their notes", init=False)

    def places(self) -> Iterable[Place]:
        path = self.home / "their-notes.txt"
        return [Place(source=self.source, name=str(path))] if path.exists() else []

    def collect(self, place: Place, cursor: Cursor | None) -> Batch:
        lines = Path(place.name).read_bytes().decode("utf-8", "replace").split("\n")[:-1]
        done = (cursor or {}).get("lines", 0)
        events = [
            Event(
                identity=identity("their note", number),
                kind="note",
                start=moment((SECOND + number) * 1_000_000),
                title=line,
                source=self.source,
            )
            for number, line in enumerate(lines)
            if number >= done and line
        ]
        return Batch(events=events, cursor={"lines": len(lines)})


def example(home: Path) -> Collector:
    """The source that docs/extending.md shows to others."""
    spec = importlib.util.spec_from_file_location("diary", ROOT / "docs/examples/diary.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["diary"] = module  # a dataclass looks its module up
    spec.loader.exec_module(module)
    made: Collector = module.Diary(file=home / "diary.txt")
    return made


def every(home: Path) -> dict[str, Collector | LiveCollector]:
    """All sources there are, new ones, by name; the copies and the spool lie in this home."""
    ours = sources(
        device="d",
        home=home,
        spool=home / "spool",
        copies=home / "copies",
        idle=timedelta(minutes=3),
        app_names={},
        editors=(),
    )
    on_a_mac = (Browser(name="Safari", folders=("{home}/Library/Safari",)),)
    more: tuple[Collector, ...] = (
        Safari(home=home, copies=home / "copies/safari", browsers=on_a_mac),
        ActivityWatch(describe=Describer().event),
        BrowserExport(),
        Plugin(home),
        example(home),
    )
    return {one.source: one for one in (*ours, *more)}


def written(source: str, home: Path) -> list[Path]:
    """Write what this source reads; the files that a bad disk may damage."""
    return WRITERS[source](home)


def added(source: str, home: Path) -> None:
    """Write one thing more, at the end of what was written."""
    ADDERS[source](home)


def places_of(collector: Collector, home: Path) -> list[Place]:
    """Its places; an export is read where somebody points to it."""
    export = home / f"{collector.source}.json"
    if export.exists():
        return [Place(source=collector.source, name=str(export))]
    return list(collector.places())


def _text(*names: str, lines: bytes) -> Callable[[Path], list[Path]]:
    def write(home: Path) -> list[Path]:
        path = home.joinpath(*names)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(lines)
        return [path]

    return write


def _rows(name: str, table: str, rows: str) -> Callable[[Path], list[Path]]:
    def write(home: Path) -> list[Path]:
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with sqlite3.connect(path) as db:
            db.executescript(f"{table}; {rows}")
        db.close()
        return [path]

    return write


def _chromium(home: Path) -> list[Path]:
    history = ChromiumHistory(home / ".config/chromium/Default/History")
    for number in range(30):
        history.visit(f"https://example.org/{number}", f"Page {number}", at=NOON + number * MINUTE)
    history.close()
    return [history.path]


def _firefox(home: Path) -> list[Path]:
    history = FirefoxHistory(home / ".mozilla/firefox/a.default/places.sqlite")
    for number in range(30):
        history.visit(f"https://example.org/{number}", f"Page {number}", at=NOON + number * MINUTE)
    history.close()
    return [history.path]


def _safari(home: Path) -> list[Path]:
    history = History(home / "Library/Safari/History.db", SAFARI)
    for number in range(30):
        item = history.insert("history_items", url=f"https://example.org/{number}")
        history.insert(
            "history_visits", history_item=item, visit_time=THEN + number * 60, title=f"Page {number}"
        )
    history.close()
    return [history.path]


def _files(home: Path) -> list[Path]:
    path = home / ".local/share/recently-used.xbel"
    path.parent.mkdir(parents=True)
    marks = "".join(
        bookmark(f"file:///home/me/{name}.pdf", ("Viewer", "2026-08-13T09:41:00Z")) for name in "abc"
    )
    path.write_text(f"""<?xml version="1.0"?><xbel version="1.0"
        xmlns:bookmark="http://www.freedesktop.org/standards/desktop-bookmarks"
        xmlns:mime="http://www.freedesktop.org/standards/shared-mime-info">{marks}</xbel>""")
    return [path]


def _git(home: Path) -> list[Path]:
    introduce(home)
    repo = Workshop(home / "src/work")
    for number in range(4):
        (repo.path / "a.txt").write_text(f"{number}\n")
        repo.git("add", "a.txt")
        repo.git("commit", "--quiet", "-m", f"Change {number}")
    return [path for path in (repo.path / ".git").rglob("*") if path.is_file() and "hooks" not in path.parts]


def _activitywatch(home: Path) -> list[Path]:
    def record(at: int, **data: str) -> dict[str, object]:
        return {"timestamp": f"2026-08-13T12:{at:02}:00+00:00", "duration": 50.5, "data": data}

    events = {
        "aw-watcher-window_pc": [record(n, app="code", title=f"{n}.py") for n in range(20)],
        "aw-watcher-afk_pc": [record(30, status="afk")],
        "aw-watcher-web-firefox": [
            record(n, url=f"https://example.org/{n}", title=f"Page {n}") for n in range(9)
        ],
    }
    path = home / "activitywatch.json"
    path.write_text(
        json.dumps({"buckets": {name: {"id": name, "events": told} for name, told in events.items()}})
    )
    return [path]


def _browserexport(home: Path) -> list[Path]:
    path = home / "browserexport.json"
    visits = [
        {"url": f"https://example.org/{n}", "dt": SECOND + n + 0.5, "metadata": {"title": f"Page {n}"}}
        for n in range(20)
    ]
    path.write_text(json.dumps(visits))
    return [path]


def _numbered(form: str) -> bytes:
    return "".join(form.format(at=SECOND + n, n=n) for n in range(20)).encode()


def _note(number: int) -> bytes:
    return b"\x1e1\0zsh\x0079\x00%d.5\x00%d.9\x000\0/tmp\0make part-%d\0\n" % (
        SECOND + number,
        SECOND + number,
        number,
    )


WRITERS: dict[str, Callable[[Path], list[Path]]] = {
    "zsh": _text(".zsh_history", lines=_numbered(": {at}:1;make part-{n}\n")),
    "bash": _text(".bash_history", lines=_numbered("#{at}\nmake part-{n}\n") + _numbered("ls part-{n}\n")),
    "fish": _text(".local/share/fish/fish_history", lines=_numbered("- cmd: make part-{n}\n  when: {at}\n")),
    "powershell": _text(
        ".local/share/powershell/PSReadLine/ConsoleHost_history.txt",
        lines=_numbered("Get-Item {n} `\n  -Force\n"),
    ),
    "nushell": _rows(
        ".config/nushell/history.sqlite3",
        NU,
        "".join(
            f"INSERT INTO history VALUES ({n}, 'make part-{n}', {(SECOND + n) * 1_000}, 1, 'pc', '/tmp', 5, 0, NULL);"
            for n in range(1, 20)
        ),
    ),
    "atuin": _rows(
        ".local/share/atuin/history.db",
        OLD_ATUIN,
        "".join(
            f"INSERT INTO history VALUES ('id{n}', {(SECOND + n) * 10**9}, 5000, 0, 'make part-{n}', '/tmp', 's', '');"
            for n in range(20)
        ),
    ),
    "shell hook": _text("spool", "zsh", "79.1", lines=b"".join(map(_note, range(20)))),
    "chromium": _chromium,
    "firefox": _firefox,
    "safari": _safari,
    "files": _files,
    "git": _git,
    "activitywatch": _activitywatch,
    "browserexport": _browserexport,
    "diary": _text("diary.txt", lines=_numbered("2026-08-13T14:{n:02}+02:00 Note {n}\n")),
    "their notes": _text("their-notes.txt", lines=_numbered("note {n}\n")),
}


def _appended(*names: str, lines: bytes) -> Callable[[Path], None]:
    def append(home: Path) -> None:
        with home.joinpath(*names).open("ab") as file:
            file.write(lines)

    return append


def _row(name: str, row: str) -> Callable[[Path], None]:
    def insert(home: Path) -> None:
        with sqlite3.connect(home / name) as db:
            db.execute(row)
        db.close()

    return insert


def _another_visit(name: str, kind: type[ChromiumHistory] | type[FirefoxHistory]) -> Callable[[Path], None]:
    def visit(home: Path) -> None:
        history = kind(home / name, "")
        history.visit("https://example.org/more", "More", at=NOON + 90 * MINUTE)
        history.close()

    return visit


def _another_on_a_mac(home: Path) -> None:
    history = History(home / "Library/Safari/History.db")
    item = history.insert("history_items", url="https://example.org/more")
    history.insert("history_visits", history_item=item, visit_time=THEN + 5_400, title="More")
    history.close()


def _another_document(home: Path) -> None:
    path = home / ".local/share/recently-used.xbel"
    more = bookmark("file:///home/me/more.pdf", ("Viewer", "2026-08-13T10:41:00Z"))
    path.write_text(path.read_text().replace("</xbel>", f"{more}</xbel>"))


def _another_checkout(home: Path) -> None:
    Workshop(home / "src/work", init=False).git("checkout", "--quiet", "-b", "more")


def _another_record(name: str, closing: str, record: str) -> Callable[[Path], None]:
    def insert(home: Path) -> None:
        path = home / name
        head, end, tail = path.read_text().rpartition(closing)
        path.write_text(f"{head}, {record}{end}{tail}")

    return insert


ADDERS: dict[str, Callable[[Path], None]] = {
    "zsh": _appended(".zsh_history", lines=b": %d:1;make more\n" % (SECOND + 99)),
    "bash": _appended(".bash_history", lines=b"#%d\nmake more\n" % (SECOND + 99)),
    "fish": _appended(
        ".local/share/fish/fish_history", lines=b"- cmd: make more\n  when: %d\n" % (SECOND + 99)
    ),
    "powershell": _appended(
        ".local/share/powershell/PSReadLine/ConsoleHost_history.txt", lines=b"Get-Item more\n"
    ),
    "nushell": _row(
        ".config/nushell/history.sqlite3",
        f"INSERT INTO history VALUES (30, 'make more', {(SECOND + 99) * 1_000}, 1, 'pc', '/tmp', 5, 0, NULL)",
    ),
    "atuin": _row(
        ".local/share/atuin/history.db",
        f"INSERT INTO history VALUES ('more', {(SECOND + 99) * 10**9}, 5, 0, 'make more', '/tmp', 's', '')",
    ),
    "shell hook": _text("spool", "zsh", "80.1", lines=_note(99)),
    "chromium": _another_visit(".config/chromium/Default/History", ChromiumHistory),
    "firefox": _another_visit(".mozilla/firefox/a.default/places.sqlite", FirefoxHistory),
    "safari": _another_on_a_mac,
    "files": _another_document,
    "git": _another_checkout,
    "activitywatch": _another_record(
        "activitywatch.json",
        "]}",
        '{"timestamp": "2026-08-13T14:00:00+00:00", "duration": 50, "data": {"url": "https://more.org/"}}',
    ),
    "browserexport": _another_record(
        "browserexport.json", "]", f'{{"url": "https://more.org/", "dt": {SECOND + 99}}}'
    ),
    "diary": _appended("diary.txt", lines=b"2026-08-13T15:00+02:00 more\n"),
    "their notes": _appended("their-notes.txt", lines=b"more\n"),
}
