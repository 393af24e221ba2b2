"""Writes schema_2.sqlite.gz; run by the second version's own code: PYTHONPATH=ITS_CHECKOUT python make_schema_2.py."""

from __future__ import annotations

import gzip
import sys
import tempfile
import threading
from datetime import timedelta
from pathlib import Path

from collectors.collector import Place
from collectors.event import Gap
from collectors.repository import Checkout
from desktop_memory.indexer import Indexer
from desktop_memory.memory import Memory
from desktop_memory.model import Query
from desktop_memory.store.store import FILE_NAME, Store
from tests.factories import FakeClock, at, event
from tests.stubs import memory_over
from tests.toy_embedder import ToyEmbedder

CLOCK = FakeClock(at(5_000))
_REST = """
INSERT INTO topic (id, name, run) VALUES (1, 'Parts', 20000);
INSERT INTO topic_entity (topic, entity, weight) VALUES (1, 1, 0.5);
INSERT INTO copy (tag, at, client, request, sources)
    VALUES ('ctx-0001', 1786615200000000, '', '{}', '[{"n": 1, "event": 3, "text": "x", "hash": "00"}]');
INSERT INTO tally (day, what, kind, count) VALUES ('2026-08-13', 'masked', 'key', 2);
INSERT INTO usage (event, text, times, last) VALUES (3, 1, 2, 1786615200000000);
INSERT INTO pin_batch (at, before, added) VALUES (1786615200000000, '[]', '[1]');
INSERT INTO hidden_page (title, at) VALUES ('f00d', 1786615200000000);
INSERT INTO masked (day, source, kind, secret, count) VALUES ('2026-08-13', 'zsh', 'terminal', 'key', 2);
INSERT INTO device (uuid) VALUES ('0d7d8cb4-1111-4222-8333-0123456789ab');
INSERT INTO share_state (name, value) VALUES ('events', 0);
INSERT INTO share_changed (event) VALUES (1);
INSERT INTO share_gone (event) VALUES (999);
INSERT INTO share_segment (number, first, last) VALUES (1, 1, 2);
INSERT INTO share_again (event, segment) VALUES (1, 1);
INSERT INTO share_peer (device) SELECT max(id) FROM device;
INSERT INTO share_read (device, number, stamp, lines) VALUES ('0d7d8cb4', 1, 'x', 3);
"""


def main(target: Path) -> None:
    """Every table gets rows; what is forgotten, pinned, copied, paused and decided about projects too."""
    with tempfile.TemporaryDirectory() as folder:
        store = Store.open(Path(folder), clock=CLOCK)
        memory = memory_over(store, CLOCK)
        _remember(memory)
        _decide(memory)
        with store.transaction() as connection:
            connection.execute(_REST)
        indexer = Indexer(store, ToyEmbedder())
        while indexer.catch_up(threading.Event()):
            pass
        store.scrub()
        tables = "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0"
        empty = [
            name
            for (name,) in store.read().execute(tables).fetchall()
            if not str(name).startswith(("event_words", "vectors_", "sqlite_"))
            and not store.read().execute(f"SELECT count(*) FROM {name}").get
        ]
        assert not empty, empty
        store.close()
        target.write_bytes(gzip.compress((Path(folder) / FILE_NAME).read_bytes(), mtime=0))


def _remember(memory: Memory) -> None:
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
    memory.propose("claude", '{"additions": []}')
    memory.note_backup("/backups/memory.sqlite", 50)


def _decide(memory: Memory) -> None:
    memory.learn(Checkout(name="p0", folders=("/src/p0",), first="beef" * 10, remote="host/p0"))
    memory.add_project_rule("title", "no title has this", "elsewhere")
    memory.rename_project("elsewhere", "somewhere")
    memory.archive_project("somewhere")
    while memory.follow_projects():
        pass


if __name__ == "__main__":
    main(Path(sys.argv[1]))
