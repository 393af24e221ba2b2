"""kill -9 at a random moment of each work, over and over; what the next start finds is looked at.

python -m tests.killing --trials 200 [--only forget merge] [--seed 7]
"""

from __future__ import annotations

import argparse
import os
import random
import select
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from desktop_memory.vault import PASSPHRASE_VARIABLE, wrapping
from tests.invariants import broken
from tests.killed_works import PASSPHRASE, WORKS, Work, memory_of, projections

SLOWEST = 60.0


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.killing", description=__doc__)
    parser.add_argument("--trials", type=int, default=200)
    parser.add_argument("--only", choices=sorted(WORKS), nargs="+", default=list(WORKS))
    parser.add_argument("--seed", type=int, default=20_261_130)
    given = parser.parse_args(arguments)
    os.environ[PASSPHRASE_VARIABLE] = PASSPHRASE
    wrapping.SCRYPT_COST = 1 << 10  # type: ignore[misc]
    chance = random.Random(given.seed)
    killed: Counter[str] = Counter()
    failures = 0
    with tempfile.TemporaryDirectory(prefix="killing-") as folder:
        desks = {name: _Desk(Path(folder) / name, WORKS[name]) for name in given.only}
        for trial in range(given.trials):
            name = given.only[trial % len(given.only)]
            was_killed, found = desks[name].try_once(trial, chance)
            killed[name] += was_killed
            failures += bool(found)
            for line in found:
                print(f"trial {trial}, {name}: {line}", flush=True)
    told = ", ".join(f"{name} {killed[name]}" for name in given.only)
    print(f"{given.trials} trials, {killed.total()} killed at work ({told}), {failures} failed")
    return 1 if failures else 0


class _Desk:
    """One work: the memory it begins with, and how long it takes when nothing ends it."""

    def __init__(self, folder: Path, work: Work) -> None:
        self._folder = folder
        self._work = work
        self._begin = folder / "begin"
        self._begin.mkdir(parents=True)
        _must(lambda: work.prepare(self._begin))
        root = self._copy("whole")
        started = time.monotonic()
        _must(lambda: work.do(root, lambda _: None))
        self._seconds = time.monotonic() - started
        shutil.rmtree(root)

    def try_once(self, number: int, chance: random.Random) -> tuple[bool, list[str]]:
        """Kill it once; whether it was still at work, and what is wrong afterwards."""
        root = self._copy(str(number))
        told, was_killed = self._killed(root, self._seconds * chance.uniform(0.02, 1.05))
        found = _said(lambda: self._look(root, told))
        if not found:
            shutil.rmtree(root)
        return was_killed, found

    def _killed(self, root: Path, after: float) -> tuple[int, bool]:
        reading, writing = os.pipe()
        child = _forked(lambda: self._work.do(root, lambda count: _write(writing, f"{count}\n")))
        os.close(writing)
        time.sleep(after)
        ended, status = os.waitpid(child, os.WNOHANG)
        if not ended:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        elif status:
            raise RuntimeError(f"{root} ended by itself with {status}")
        said = os.read(reading, 65_536).decode().split()
        os.close(reading)
        return int(said[-1]) if said else 0, not ended

    def _look(self, root: Path, told: int) -> list[str]:
        """First as it is found, then as it is once the work has gone on."""
        found = broken(memory_of(root)) if self._work.opens_at_once else []
        found += self._work.look(root, told)
        found += [f"afterwards: {line}" for line in broken(memory_of(root))]
        return found + projections(memory_of(root))

    def _copy(self, name: str) -> Path:
        shutil.copytree(self._begin, self._folder / name)
        return self._folder / name


def _forked(work: Callable[[], None]) -> int:
    child = os.fork()
    if child:
        return child
    code = 1
    try:
        work()
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(code)


def _must(work: Callable[[], None]) -> None:
    """Do it in a process of its own: threads and engines do not survive a fork."""
    _, status = os.waitpid(_forked(work), 0)
    if status:
        raise RuntimeError("the work does not even come to its end by itself")


def _said(look: Callable[[], list[str]]) -> list[str]:
    """What a look in a process of its own says."""
    reading, writing = os.pipe()

    def say() -> None:
        try:
            found = look()
        except Exception:
            found = [traceback.format_exc()]
        _write(writing, "\n".join(found) + "\nthe end")

    child = _forked(say)
    os.close(writing)
    said = b""
    while select.select([reading], [], [], SLOWEST)[0] and (piece := os.read(reading, 65_536)):
        said += piece
    os.close(reading)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    *lines, end = said.decode().split("\n") if said else [""]
    return [line for line in lines if line] if end == "the end" else ["looking at it did not end"]


def _write(pipe: int, text: str) -> None:
    os.write(pipe, text.encode())


if __name__ == "__main__":
    sys.exit(main())
