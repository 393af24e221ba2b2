"""The command as a user runs it: a process of its own, in a home of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

COMMAND = (sys.executable, "-m", "desktop_memory")
ROOT = Path(__file__).parent.parent
_COVERAGE = ("COVERAGE_PROCESS_CONFIG", "COVERAGE_PROCESS_START")


def environment(home: Path, **more: str) -> dict[str, str]:
    """Only what a login shell would have, with this home; and what lets coverage count its lines."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "LC_ALL", *_COVERAGE) if name in os.environ}
    kept |= {
        "HOME": str(home),
        "PYTHONPATH": str(ROOT),
        "DESKTOP_MEMORY_HOME": str(home / "memory"),
        "TZ": "UTC",
    }
    return kept | more


def run(
    home: Path, *words: str, stdin: str = "", timeout: float = 120, **more: str
) -> subprocess.CompletedProcess[str]:
    """Run one command to its end."""
    return subprocess.run(
        [*COMMAND, *words], env=environment(home, **more), input=stdin, capture_output=True, text=True,
        encoding="utf-8", timeout=timeout, check=False, cwd=home,
    )  # fmt: skip


def ask(home: Path, *words: str, **more: str) -> dict[str, Any]:
    """What a command prints with --json; it must succeed."""
    done = run(home, *words, "--json", **more)
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


@contextmanager
def recording(home: Path, *words: str, **more: str) -> Iterator[subprocess.Popen[bytes]]:
    """`record` in the background until the block ends; it answers when the block begins."""
    process = subprocess.Popen(
        [*COMMAND, "record", *words],
        env=environment(home, **more),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=home,
    )
    try:
        wait_for_socket(home, process)
        yield process
    finally:
        if process.poll() is None:
            process.terminate()
        process.communicate(timeout=60)


def wait_for_socket(home: Path, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise AssertionError(f"it ended with {process.returncode}: {process.stderr.read()!r}")  # type: ignore[union-attr]
        if (
            (home / "memory" / "ipc.key").exists()
            and run(home, "now", "--json").returncode == 0
            and _status(home)
        ):
            return
        time.sleep(0.1)
    raise AssertionError("it never answered")


def _status(home: Path) -> bool:
    return bool(ask(home, "status")["running"])


def zsh_history(home: Path, commands: Sequence[tuple[int, str]]) -> None:
    """A zsh history with these commands at these seconds."""
    with (home / ".zsh_history").open("a", encoding="utf-8") as file:
        for second, command in commands:
            file.write(f": {second}:0;{command}\n")
