"""How fast browsers and git are read, beside SQLite and git alone: python -m tests.benchmarks.sources"""

from __future__ import annotations

import argparse
import os
import resource
import sqlite3
import subprocess
import tempfile
import time
from pathlib import Path

from collectors.browser.chromium import Chromium
from collectors.browser.firefox import Firefox
from collectors.browser.history import Histories
from collectors.collector import Collector, Cursor
from collectors.git.collector import Git
from collectors.git.discovery import Discovery
from tests.collectors.browser.histories import NOON, SINCE_1601_US, WHOLE, ChromiumHistory, FirefoxHistory
from tests.collectors.git.workshop import Workshop, introduce


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--visits", type=int, default=500_000)
    parser.add_argument("--commits", type=int, default=100_000)
    parser.add_argument("--files", type=int, default=500_000)
    given = parser.parse_args()
    measure(given.visits, given.commits, given.files)


def measure(visits: int = 500_000, commits: int = 100_000, files: int = 500_000) -> None:
    with tempfile.TemporaryDirectory(prefix="desktop-memory-bench-") as folder:
        home = Path(folder)
        os.environ["HOME"] = folder
        introduce(home)
        _browsers(home, visits)
        _large(home / "large")
        _git(home, commits)
        _home(home / "home", files)


def _browsers(home: Path, count: int) -> None:
    chromium, firefox = histories(home, count)
    for family, path, bare in (
        (Chromium, chromium, "SELECT v.*, u.url, u.title FROM visits v JOIN urls u ON u.id = v.url"),
        (
            Firefox,
            firefox,
            "SELECT v.*, p.url, p.title FROM moz_historyvisits v JOIN moz_places p ON p.id = v.place_id",
        ),
    ):
        source: Histories = family(home=home, copies=home / "copies")
        began = time.process_time()
        with sqlite3.connect(path) as db:
            for _ in db.execute(bare):
                pass
        alone = time.process_time() - began
        _read(source, f"{source.source}, {count:,} visits", alone, "SQLite")


def _large(home: Path) -> None:
    """Polls of a history of 2 GB to which nothing was written."""
    history = FirefoxHistory(home / ".mozilla/firefox/a.default/places.sqlite")
    history.visit("https://example.org/", "A page")
    history.close()
    os.truncate(history.path, 2 << 30)
    source = Firefox(home=home, copies=home / "copies")
    (place,) = source.places()
    cursor = source.collect(place, None).cursor
    read, began, rounds = _bytes_read(), time.process_time(), 50
    for _ in range(rounds):
        (place,) = source.places()
        source.collect(place, cursor)
    took = (time.process_time() - began) / rounds * 1_000
    print(
        f"firefox, 2 GB, nothing new: {(_bytes_read() - read) / rounds:.0f} bytes read, {took:.2f} ms of CPU a poll"
    )


def _home(home: Path, files: int) -> None:
    """Looking for repositories in a home folder of so many files, a fifth of them below `node_modules`."""
    for number in range(files // 10):
        part = "node_modules" if number % 5 == 0 else f"part{number % 997}"
        folder = home / f"area{number % 50}" / f"project{number % 7}" / part / f"folder{number}"
        folder.mkdir(parents=True)
        for name in range(10):
            (folder / f"{name}.txt").touch()
    for number in range(100):
        git_dir = home / f"area{number % 50}" / f"repository{number}" / ".git"
        (git_dir / "objects").mkdir(parents=True)
        (git_dir / "refs").mkdir()
        (git_dir / "HEAD").write_text("ref: refs/heads/main\n")
    began = time.process_time()
    for _ in os.walk(home):
        pass
    alone = time.process_time() - began
    discovery = Discovery(folders=(home,))
    for name, looks in (("all of it", 1), ("the next look", 1), ("a poll", 50)):
        began, read = time.process_time(), _bytes_read()
        for _ in range(looks):
            found = len(discovery.find())
        took, kilobytes = (time.process_time() - began) / looks, (_bytes_read() - read) / looks / 1_000
        print(f"{found} repositories among {files:,} files, {name}: {took:.4f} s of CPU")
        print(f"  {took / alone:.4f} of os.walk alone, {kilobytes:.0f} kB read", flush=True)


def _bytes_read() -> int:
    """What this process has read so far, on Linux."""
    with open("/proc/self/io") as told:
        return int(told.readline().split()[1])


def _git(home: Path, count: int) -> None:
    repo = _repository(home / "src" / "large", count)
    began = time.perf_counter()
    subprocess.run(["git", "log", "--numstat"], cwd=repo.path, stdout=subprocess.DEVNULL, check=True)
    alone = time.perf_counter() - began
    source = Git(home=home)
    cursor = _read(source, f"git, {count:,} commits", alone, "git log --numstat")
    repo.git("read-tree", "HEAD")
    repo.git("commit", "--quiet", "--allow-empty", "-m", "One more")
    (place,) = source.places()
    began = time.perf_counter()
    told = len(source.collect(place, cursor).events)
    print(f"  one more commit: {(time.perf_counter() - began) * 1_000:.0f} ms ({told} event)")


def _read(source: Collector, name: str, alone: float, baseline: str) -> Cursor:
    """Read the only place to its end and print what it took."""
    (place,) = source.places()
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    began, worked = time.perf_counter(), time.process_time()
    batch = source.collect(place, None)
    first, count = time.perf_counter() - began, len(batch.events)
    while batch.more:
        batch = source.collect(place, batch.cursor)
        count += len(batch.events)
    took, cpu = time.perf_counter() - began, time.process_time() - worked
    more = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory) / 1024
    print(
        f"{name}: {count:,} events in {took:.1f} s ({cpu:.1f} s of CPU here), the first batch after {first:.2f} s"
    )
    print(f"  {baseline} alone {alone:.1f} s, ratio {took / alone:.1f}; {more:.0f} MB more memory")
    _rest(source, batch.cursor)
    return batch.cursor


def _rest(source: Collector, cursor: Cursor) -> None:
    time.sleep(2.1)
    (place,) = source.places()
    cursor = source.collect(place, cursor).cursor
    began, rounds = time.process_time(), 50
    for _ in range(rounds):
        (place,) = source.places()
        source.collect(place, cursor)
    print(f"  a poll with nothing new: {(time.process_time() - began) / rounds * 1_000:.2f} ms of CPU")


def histories(home: Path, count: int) -> tuple[Path, Path]:
    chromium = ChromiumHistory(home / ".config/chromium/Default/History")
    firefox = FirefoxHistory(home / ".mozilla/firefox/a.default/places.sqlite")
    pages = max(1, count // 4)
    for history in (chromium, firefox):
        history.db.execute("BEGIN")
    for number in range(pages):
        url = f"https://site{number % 3_000}.example.org/path/{number}?q=some+words&id={number * 7919}"
        title = f"Page {number} about something - Site {number % 3_000}"
        chromium.insert("urls", url=url, title=title, last_visit_time=0)
        firefox.insert("moz_places", url=url, title=title, last_visit_date=0)
    for number in range(count):
        at, page = NOON - number * 6_000_000, number % pages + 1
        chromium.insert(
            "visits", url=page, visit_time=at + SINCE_1601_US, transition=WHOLE, visit_duration=5_000_000
        )
        firefox.insert("moz_historyvisits", place_id=page, visit_date=at, visit_type=1, from_visit=number)
    for history in (chromium, firefox):
        history.db.execute("COMMIT")
        history.close()
    return chromium.path, firefox.path


def _repository(path: Path, count: int) -> Workshop:
    repo = Workshop(path)
    lines: list[str] = []
    for number in range(count):
        message = f"Commit {number}"
        lines += [
            "commit refs/heads/main",
            f"mark :{number + 1}",
            f"committer Ada Example <ada@example.org> {1_600_000_000 + number * 600} +0200",
            f"data {len(message)}\n{message}",
            *([f"from :{number}"] if number else []),
            f"M 100644 inline d{number % 40}/f{number % 977}\ndata {len(message)}\n{message}\n",
        ]
    repo.git("fast-import", "--quiet", given="\n".join(lines).encode())
    return repo


if __name__ == "__main__":
    main()
