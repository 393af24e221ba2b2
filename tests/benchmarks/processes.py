"""Start-up, popup, and what an idle recorder costs, each beside a bare Python doing as little as possible."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from desktop_memory import reach
from desktop_memory.app import App
from tests.benchmarks.table import Timing, heading, row, timed

_CLI = (sys.executable, "-m", "desktop_memory")
_BARE = (sys.executable, "-c", "pass")


def measure(home: Path, seconds: float) -> None:
    """Starts, then a minute of nothing. `home` is an empty folder to live in."""
    environment = {**os.environ, "HOME": str(home), "DESKTOP_MEMORY_HOME": str(home / "memory")}
    heading("Starting")
    bare = _runs(_BARE, environment)
    row("--help", _runs((*_CLI, "--help"), environment), bare)
    row("status", _runs((*_CLI, "status"), environment, rounds=8), bare)
    row("stores open (App.open, close)", timed(lambda n: _open(home), 5), None, "300")
    with _running((*_CLI, "record"), environment) as recorder:
        _until(lambda: reach.running(home / "memory"))
        row("popup asks the running app", _runs((*_CLI, "popup"), environment), bare, "50")
        if sys.platform == "linux":
            _idle(recorder.pid, environment, seconds)


def _runs(command: Sequence[str], environment: dict[str, str], rounds: int = 15) -> Timing:
    return timed(lambda n: subprocess.run(command, env=environment, capture_output=True, check=False), rounds)


def _open(home: Path) -> None:
    App.open(home / "memory").close()


@contextmanager
def _running(command: Sequence[str], environment: dict[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield process
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _until(true: Callable[[], bool], seconds: float = 30) -> None:
    end = time.monotonic() + seconds
    while not true():
        if time.monotonic() > end:
            raise TimeoutError("the recorder does not answer")
        time.sleep(0.2)


def _idle(recorder: int, environment: dict[str, str], seconds: float) -> None:
    """Processor and private memory of the recorder while nothing happens, beside a Python that sleeps."""
    time.sleep(min(15.0, seconds))
    with _running((sys.executable, "-c", "import time; time.sleep(600)"), environment) as sleeper:
        time.sleep(1)
        before, started = _processor_seconds(recorder), time.monotonic()
        time.sleep(seconds)
        share = (_processor_seconds(recorder) - before) / (time.monotonic() - started)
        print(f"\nIdle for {seconds:.0f} s, all sources on")
        print(f"processor        {share:9.2%}   of a core                to reach: under 0.5 %")
        print(
            f"private memory   {_private(recorder):9.0f} MB (bare Python {_private(sleeper.pid):.0f})    to reach: 150"
        )


def _processor_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _private(pid: int) -> float:
    """Megabytes that only this process holds, its children's not counted."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith("Private_")) / 1024
