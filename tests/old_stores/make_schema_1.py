"""Writes schema_1.sqlite.gz; run by the first version's own code: PYTHONPATH=ITS_CHECKOUT python make_schema_1.py."""

from __future__ import annotations

import gzip
import sys
import tempfile
import threading
from datetime import timedelta
from pathlib import Path

from collectors.collector import Place
from collectors.event import Gap
from desktop_memory.indexer import Indexer
from desktop_memory.model import Query
from desktop_memory.store.store import FILE_NAME, Store
from tests.factories import FakeClock, at, event
from tests.stubs import memory_over
from tests.toy_embedder import ToyEmbedder

CLOCK = FakeClock(at(5_000))


def main(target: Path) -> None:
    """Every table gets rows; what is forgotten, pinned, copied and paused too."""
    with tempfile.TemporaryDirectory() as folder:
        store = Store.open(Path(folder), clock=CLOCK)
        memory = memory_over(store, CLOCK)
        memory.remember(
            [event(n * (1 if n % 12 else 20), text=f"make part-{n}", app=f"app {n % 3}", project=f"p{n % 2}",
                   repo="f00d" * 10, branch="main", files=(f"/src/{n % 7}.py",), details={"cwd": "/src/atlas"})
             for n in range(50)],
            place=Place(source="zsh", name="history"), cursor={"offset": 7}, skipped={"empty": 2},
        )  # fmt: skip
        memory.remember(
            event(n * 3, kind="browser", title=f"Page {n} 日本語", text="", url=f"https://a.org/{n}", domain="a.org",
                  app="Firefox")
            for n in range(20)
        )  # fmt: skip
        memory.remember(
            [event(400, kind="git_commit", title="Fix it", repo="f00d" * 10, project="p0", identity="commit 1",
                   aliases=("commit 1 again",), details={"cwd": "/src/atlas"}),
             event(401, kind="terminal", text="guessed", approx=True),
             Gap(start=at(300), end=at(310), reason="locked")]
        )  # fmt: skip
        memory.remember([event(500 + n, text=f"secret {n}", app="Slack") for n in range(5)])
        memory.forget(Query(app="Slack", since=at(490)))
        memory.remember([event(600, text="set aside", app="Mail")])
        memory.forget(Query(app="Mail"), now=False)
        pin = memory.pin("goal", "Ship it", due=at(9_000))
        memory.pin("decision", "Keep SQLite")
        memory.set_pin_status(pin.id, "done")
        memory.pause(CLOCK() + timedelta(minutes=10))
        memory.resume()
        memory.log_read("claude", "search", 3)
        memory.propose("claude", '{"goals": []}')
        with store.transaction() as connection:
            connection.execute("INSERT INTO topic (id, name, run) VALUES (1, 'Parts', 20000)")
            connection.execute("INSERT INTO topic_entity (topic, entity, weight) VALUES (1, 1, 0.5)")
            connection.execute(
                """INSERT INTO copy (tag, at, client, request, sources)
                VALUES ('ctx-0001', 1786615200000000, '', '{}', '[{"n": 1, "event": 3, "text": "x", "hash": "00"}]')"""
            )
            connection.execute(
                "INSERT INTO tally (day, what, kind, count) VALUES ('2026-08-13', 'masked', 'key', 2)"
            )
        indexer = Indexer(store, ToyEmbedder())
        while indexer.catch_up(threading.Event()):
            pass
        empty = [
            name
            for (name,) in store.read().execute(
                "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE '%\\_%' ESCAPE '\\'"
            )
            if not store.read().execute(f"SELECT count(*) FROM {name}").get
        ]
        assert empty in ([], ["sqlite_stat1"]), empty
        store.scrub()
        store.close()
        target.write_bytes(gzip.compress((Path(folder) / FILE_NAME).read_bytes(), mtime=0))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
