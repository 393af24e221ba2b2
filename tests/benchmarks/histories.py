"""Years of history taken in through the whole app, and a poll of every source with nothing new.

python -m tests.benchmarks.histories [--lines 600000] [--visits 500000]. Each import runs in a process of its own:
stored, searchable by words, in its sessions. Beside it stand raw inserts of the same rows in the same run.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import apsw

from desktop_memory.app import App
from desktop_memory.clock import clock
from desktop_memory.model import Query
from desktop_memory.receipts import Receipt
from desktop_memory.store.store import Store
from tests.benchmarks.sources import histories
from tests.collectors.browser.histories import MINUTE, NOON, ChromiumHistory, FirefoxHistory
from tests.collectors.git.workshop import Workshop, introduce

FIRST = 1_500_000_000
_AT_ONCE = 8_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lines", type=int, default=600_000)
    parser.add_argument("--visits", type=int, default=500_000)
    parser.add_argument("--child", nargs=3, metavar=("SOURCE", "COUNT", "HOME"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.child:
        source, count, home = given.child
        _import(source, int(count), Path(home))
        return
    measure(given.lines, given.visits)


def measure(lines: int = 600_000, visits: int = 500_000) -> None:
    for source, count in (("zsh", lines), ("chromium", visits)):
        with tempfile.TemporaryDirectory(prefix="desktop-memory-bench-") as folder:
            _make(source, count, Path(folder))
            subprocess.run(
                [sys.executable, "-m", "tests.benchmarks.histories", "--child", source, str(count), folder],
                env={**os.environ, "HOME": folder},
                check=True,
            )
    with tempfile.TemporaryDirectory(prefix="desktop-memory-bench-") as folder:
        subprocess.run(
            [sys.executable, "-c", "from tests.benchmarks.histories import poll; poll()"],
            env={**os.environ, "HOME": folder, "SHELL": "/bin/bash"},
            check=True,
        )


def _make(source: str, count: int, home: Path) -> None:
    if source == "zsh":
        with (home / ".zsh_history").open("w", encoding="utf-8") as file:
            file.writelines(_commands(count))
    else:
        _, firefox = histories(home, count)
        firefox.unlink()


def _commands(count: int) -> Iterator[str]:
    """Half of what people type repeats; some of it is long, and some has several lines."""
    chance = random.Random(3)
    parts = [
        f"{verb}{what}"
        for verb in ("load", "fix", "pay", "cart", "user", "db")
        for what in ("er", "_two", "-one")
    ]
    at = FIRST
    for number in range(count):
        at += chance.choice((0, 1, 3, 20, 60, 400, 4_000)) if number % 40 else 30_000
        part, other = chance.choice(parts), chance.choice(parts)
        kind = chance.random()
        if kind < 0.5:
            text = chance.choice(
                ("ls", "cd ..", "git status", "git diff", "make test", "vim notes.txt", f"cd ~/src/{part}")
            )
        elif kind < 0.75:
            text = f"git commit -m 'Make the {part} {other} {chance.randrange(2_000)}'"
        elif kind < 0.95:
            text = f"python -m {part}.{other} --count {chance.randrange(100_000)} --out /tmp/{part}.json | grep {other}"
        else:
            text = f"for i in $(seq {chance.randrange(99)}); do\\\n  curl -s https://host/{part}/$i\\\ndone"
        yield f": {at}:{chance.randrange(9)};{text}\n"


def _import(source: str, count: int, home: Path) -> None:
    app = App.open(home / "memory")
    base, peak = _private_mb(), 0.0

    def progress(place: str, receipt: Receipt, share: float | None) -> None:
        nonlocal peak
        peak = max(peak, _private_mb())

    began, worked = time.perf_counter(), time.process_time()
    receipt = app.engine.collect(source, progress)
    took, cpu = time.perf_counter() - began, time.process_time() - worked
    found = app.memory.search(Query(text="site1" if source == "chromium" else "commit", limit=1)).hits
    assert found
    assert receipt.new > count * 0.9
    app.close()
    bare, bare_cpu = _raw(home / "memory", home / "raw")
    print(
        f"{source}: {receipt.new:,} events in {took:.0f} s ({cpu:.0f} s of CPU), load {os.getloadavg()[0]:.1f}"
    )
    print(
        f"  raw inserts of the same rows {bare:.0f} s ({bare_cpu:.0f} s of CPU), ratio of CPU {cpu / bare_cpu:.1f}"
    )
    print(f"  {peak - base:.0f} MB over {base:.0f} MB; to reach: under 120 s, under 200 MB", flush=True)


def _raw(filled: Path, folder: Path) -> tuple[float, float]:
    """Seconds, and seconds of CPU, for the same rows into an empty store, a transaction a batch."""
    reading = apsw.Connection(str(filled / "memory.sqlite"), flags=apsw.SQLITE_OPEN_READONLY)
    store = Store.open(folder, clock=clock)
    columns = [row[1] for row in reading.execute("PRAGMA table_info(event)")]
    insert = f"INSERT INTO event ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"
    wall = cpu = 0.0
    after = 0
    while rows := reading.execute(
        f"SELECT {', '.join(columns)} FROM event WHERE id > ? ORDER BY id LIMIT {_AT_ONCE}", (after,)
    ).fetchall():
        began, worked = time.perf_counter(), time.process_time()
        with store.transaction() as writing:
            writing.executemany(insert, rows)
            writing.execute(
                """INSERT INTO event_words (rowid, title, text, words)
                SELECT id, title, text, words FROM event WHERE id > ?""",
                (after,),
            )
        wall, cpu = wall + time.perf_counter() - began, cpu + time.process_time() - worked
        after = rows[-1][0]
    store.close()
    reading.close()
    return wall, cpu


def poll(rounds: int = 20) -> None:
    """All sources of a home with five shell histories, three browsers and twenty repositories."""
    home = Path.home()
    _fill(home)
    app = App.open(home / "memory")
    engine = app.engine
    engine._live = []
    engine.collect()
    time.sleep(2.5)
    for _ in range(3):
        engine._turn()
    print("A poll of all sources with nothing new")
    cpu, read = _per_round(engine._turn, rounds)
    print(f"  together      {cpu:6.1f} ms of CPU {read:8.1f} kB read; to reach: under 50 ms, under 1,000 kB")
    for collector in engine._asked:
        cpu, read = _per_round(partial(engine._ask, collector, None, patient=True), rounds)
        print(f"  {collector.source:12} {cpu:7.2f} ms of CPU {read:8.1f} kB read", flush=True)
    app.close()


def _fill(home: Path) -> None:
    introduce(home)
    fish, shells = home / ".local/share/fish", 5_000
    fish.mkdir(parents=True)
    for name, line in (
        (".zsh_history", ": {at}:0;make {n}\n"),
        (".zhistory", ": {at}:0;ls {n}\n"),
        (".bash_history", "make {n}\n"),
    ):
        (home / name).write_text("".join(line.format(at=FIRST + n, n=n) for n in range(shells)))
    for name in ("fish_history", "work_history"):
        (fish / name).write_text("".join(f"- cmd: {name} {n}\n  when: {FIRST + n}\n" for n in range(shells)))
    for history in (
        ChromiumHistory(home / ".config/chromium/Default/History"),
        ChromiumHistory(home / ".config/BraveSoftware/Brave-Browser/Default/History"),
        FirefoxHistory(home / ".mozilla/firefox/a.default/places.sqlite"),
    ):
        history.db.execute("BEGIN")
        for number in range(shells):
            history.visit(f"https://site{number % 300}.example/{number}", "A page", at=NOON + number * MINUTE)
        history.db.execute("COMMIT")
        history.close()
    for number in range(20):
        repo = Workshop(home / f"src/repo{number}")
        repo.git("commit", "--quiet", "--allow-empty", "-m", "First")


def _per_round(work: Callable[[], object], rounds: int) -> tuple[float, float]:
    """Milliseconds of CPU and kilobytes that were read, programs that were run for it included."""
    cpu, read = _cpu(), _read_bytes()
    for _ in range(rounds):
        work()
    return (_cpu() - cpu) / rounds * 1_000, (_read_bytes() - read) / rounds / 1_000


def _cpu() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def _read_bytes() -> int:
    return int(Path("/proc/self/io").read_text().split("rchar: ")[1].split()[0])


def _private_mb() -> float:
    """Memory that is this process's own: mapped pages of the store are shared cache."""
    return int(Path("/proc/self/status").read_text().split("RssAnon:")[1].split()[0]) / 1_024


if __name__ == "__main__":
    main()
