"""`doctor` finds what contradicts itself in store, graph and folder; `doctor --mend` mends it, by the real command."""

from __future__ import annotations

import json
import os
from pathlib import Path

from desktop_memory.graph.engine import Engine, Statement
from desktop_memory.store.connection import connect
from desktop_memory.store.store import FILE_NAME
from tests.invariants import broken
from tests.running import ask, run, zsh_history

FIRST = 1_786_615_200


def spoil_store(folder: Path) -> None:
    connection = connect(folder / FILE_NAME, writer=True)
    connection.execute("DELETE FROM session")
    connection.execute("INSERT INTO text (hash, body) VALUES (x'00', 'lost')")
    connection.execute("UPDATE event SET device = 99 WHERE id = 3")
    connection.execute("DELETE FROM codes_1 WHERE doc = 2")
    connection.execute("DELETE FROM event_words_docsize WHERE id = 4")
    connection.close()


def spoil_graph(folder: Path) -> None:
    engine = Engine(folder / "graph" / "graph.kuzu")
    with engine.transaction() as transaction:
        transaction.run(Statement("MATCH (:Event)-[r:PREVIOUS]->(:Event) DELETE r"))
    engine.close()


def spoil_folder(folder: Path) -> None:
    (folder / FILE_NAME).chmod(0o644)
    left = folder / "moving" / "tmpleft"
    left.mkdir(parents=True)
    (left / FILE_NAME).write_bytes(b"half")
    os.utime(left, (1, 1))


def problems(home: Path, *words: str) -> tuple[int, set[str]]:
    done = run(home, "doctor", *words, "--json")
    told = json.loads(done.stdout)
    assert told["ok"] == (done.returncode == 0)
    return done.returncode, {check["name"] for check in told["checks"] if check["state"] != "ok"}


def test_all_of_it_is_found_and_mended(home: Path) -> None:
    folder = home / "memory"
    zsh_history(home, [(FIRST + n, f"make part-{n % 6}") for n in range(20)])
    ask(home, "collect")
    assert problems(home) == (0, set())
    spoil_graph(folder)
    assert problems(home) == (1, {"graph"})
    spoil_store(folder)
    spoil_folder(folder)

    code, found = problems(home)
    assert (code, found) == (1, found | {"store", "permissions", "left behind"})
    assert problems(home, "--mend") == (0, set())

    assert broken(folder) == []
    assert ask(home, "status")["events"] == 20
    assert not list((folder / "moving").iterdir())
