"""A newer question of a lane ends the older one also where both come over the socket."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path

from desktop_memory.errors import Superseded
from desktop_memory.ipc.remote import MEMORY_METHODS, RemoteMemory
from desktop_memory.ipc.server import Server
from desktop_memory.model import Query
from desktop_memory.retrieval.search import Search
from desktop_memory.store.store import Store
from tests.factories import FakeClock, at, event
from tests.stubs import memory_over

ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"


def test_the_older_question_is_ended_in_the_middle_of_the_stores_work(tmp_path: Path):
    store = Store.open(tmp_path / "data", clock=FakeClock(at(60)))
    memory = memory_over(store, store.clock)
    memory.remember([event(1, kind="note", title="retry budget")])
    begun = threading.Event()

    class Endless:
        def rank(self, text, query, limit):
            begun.set()
            store.read().execute(ENDLESS).fetchall()

    memory._parts = replace(memory._parts, search=Search(store, Endless(), store.clock))
    server = Server(tmp_path / "data", {"memory": (memory, frozenset(MEMORY_METHODS))})
    server.start()
    ended: list[BaseException] = []

    def first() -> None:
        try:
            RemoteMemory(tmp_path / "data").search(Query(text="retry", lane="field 1", turn=1))
        except Superseded as error:
            ended.append(error)

    asking = threading.Thread(target=first)
    asking.start()
    assert begun.wait(10)
    newer = RemoteMemory(tmp_path / "data").search(Query(text="ret", typing=True, lane="field 1", turn=2))
    asking.join(10)
    server.close()
    store.close()

    assert len(newer.hits) == 1
    assert [type(error) for error in ended] == [Superseded]
