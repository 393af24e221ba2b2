"""kill -9 of the recorder at random points: what was committed stays, what a source can still tell comes back."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import threading
import time
from pathlib import Path

import apsw
import pytest

from desktop_memory.app import App
from tests.desktop_session import eventually
from tests.running import COMMAND, environment, zsh_history

TRIALS = 30
FIRST = 1_786_615_200


class Typist(threading.Thread):
    """Types commands into a zsh history without rest."""

    def __init__(self, home: Path) -> None:
        super().__init__(name="typist", daemon=True)
        self._home = home
        self._enough = threading.Event()
        self.typed = 0

    def run(self) -> None:
        while not self._enough.is_set():
            commands = [(FIRST + n * 20, f"make part-{n}") for n in range(self.typed, self.typed + 5)]
            zsh_history(self._home, commands)
            self.typed += len(commands)
            time.sleep(0.05)

    def stop(self) -> None:
        self._enough.set()
        self.join()


def stored(folder: Path) -> list[str]:
    """What is committed now, read as another program would."""
    if not (folder / "memory.sqlite").exists():
        return []
    connection = apsw.Connection(str(folder / "memory.sqlite"), flags=apsw.SQLITE_OPEN_READWRITE)
    connection.set_busy_timeout(10_000)
    try:
        assert connection.pragma("integrity_check") == "ok"
        if not connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'event'").fetchone():
            return []
        return [text for (text,) in connection.execute("SELECT text FROM event ORDER BY id")]
    finally:
        connection.close()


@pytest.mark.slow
def test_thirty_kills_cost_nothing_that_was_committed(home):
    folder = home / "memory"
    folder.mkdir(mode=0o700)
    (folder / "settings.toml").write_text('[sources]\npoll_seconds = 1\noff = ["git"]\n')
    typist = Typist(home)
    typist.start()
    chance = random.Random(20_260_813)
    before: list[str] = []
    longest = 2.5
    try:
        for trial in range(TRIALS):
            process = subprocess.Popen(
                [*COMMAND, "record"], env=environment(home), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
            )
            if trial == 0:  # how long a recorder needs here until it stores
                began = time.monotonic()
                eventually(lambda: stored(folder), 120)
                longest = max(longest, 1.5 * (time.monotonic() - began))
            else:
                time.sleep(chance.uniform(0.2, longest))
            os.kill(process.pid, signal.SIGKILL)
            process.communicate(timeout=30)
            now = stored(folder)
            assert now[: len(before)] == before, f"trial {trial} lost something"
            assert len(set(now)) == len(now), f"trial {trial} doubled something"
            before = now
    finally:
        typist.stop()
    assert before

    app = App.open(folder)
    try:
        app.collect("zsh")
        app.catch_up(seconds=300)
        stats = app.memory.stats()
        store = app.parts.store

        assert store.count() == typist.typed
        assert stats.vectors["vectors"] == stats.vectors["docs"] > 0
        walk = [event.id for event in store.between(None, None, limit=10**6)]
        assert app.parts.graph is not None
        assert whole_chain(app) == walk
        (session,) = store.sessions(None, None)
        assert session.count == typist.typed
    finally:
        app.close()


def whole_chain(app: App) -> list[int]:
    """Event ids along PREVIOUS, from the first to the last."""
    from desktop_memory.graph.engine import Statement

    assert app.parts.graph is not None
    edges = app.parts.graph.read(
        Statement("MATCH (a:Event)-[:PREVIOUS]->(b:Event) RETURN b.id, a.id", ids=(), gives=(0, 1))
    )
    follows = dict(edges)
    assert len(follows) == len(edges), "the chain forks"
    (first,) = set(follows) - set(follows.values())
    chain = [first]
    while chain[-1] in follows:
        chain.append(follows[chain[-1]])
    return chain
