"""A memory filled by the generator, and bare reads of the same tables to compare with."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import apsw

from collectors.event import Event
from desktop_memory.asking import Parts
from desktop_memory.memory import Memory
from desktop_memory.model import ModelInfo
from desktop_memory.pipeline.gate import Gate
from desktop_memory.retrieval.meaning import VectorLane
from desktop_memory.retrieval.search import Search
from desktop_memory.settings import Privacy
from desktop_memory.store import models, vectors
from desktop_memory.store.store import Store
from tests.benchmarks import generator
from tests.stubs import NoContexts
from tests.toy_embedder import ToyEmbedder
from tests.vector_rows import unit_vectors

AT_ONCE = 1_000
MODEL = ModelInfo(name="benchmark", hash="00", dimension=384, pooling="mean")


class World:
    """A store with its memory, filled from `events`; the clock stands at the newest of them."""

    def __init__(self, folder: Path, events: Iterable[Event] | None = None) -> None:
        self.folder = folder
        self.now = generator.START
        self.store = Store.open(folder, clock=lambda: self.now)
        self.memory = Memory(
            Parts(
                store=self.store,
                gate=Gate(Privacy()),
                search=Search(self.store, VectorLane(self.store, ToyEmbedder(MODEL)), lambda: self.now),
                clock=lambda: self.now,
                zone=lambda: UTC,
                read_branch=lambda folder: None,
                contexts=lambda memory: NoContexts(),
            )
        )
        self.seconds_importing = 0.0
        self.cpu_importing = 0.0
        self._events = iter(generator.stream(10_000_000) if events is None else events)
        self.count = 0

    def go_on(self) -> None:
        """Pass over the events that an earlier run has stored."""
        if not self.store.count():
            return
        newest = last_of(self.bare())
        for event in self._events:
            self.count, self.now = self.count + 1, event.start
            if event.start >= newest:
                return

    def grow(self, count: int) -> None:
        """Remember events until there are so many; generating them is not in `seconds_importing`."""
        while self.count < count:
            batch: Sequence[Event] = list(itertools.islice(self._events, min(AT_ONCE, count - self.count)))
            started, worked = time.perf_counter(), time.process_time()
            self.memory.remember(batch)
            self.seconds_importing += time.perf_counter() - started
            self.cpu_importing += time.process_time() - worked
            self.count += len(batch)
            self.now = (batch[-1].end or batch[-1].start).astimezone(UTC)

    def add_vectors(self) -> int:
        """Give each text a vector of its own made-up direction: right for times, not for what is found."""
        connection = self.store.read()
        with self.store.transaction() as writing:
            model = models.register(writing, MODEL)
        done = int(connection.execute(f"SELECT coalesce(max(rowid), 0) FROM {model.table}_rowids").get or 0)
        ids = [row[0] for row in connection.execute("SELECT id FROM doc WHERE id > ? ORDER BY id", (done,))]
        for start in range(0, len(ids), 5_000):
            some = ids[start : start + 5_000]
            with self.store.transaction() as writing:
                vectors.add(writing, model, zip(some, unit_vectors(len(some), 384, start), strict=True))
        return len(ids)

    def bare(self) -> apsw.Connection:
        return self.store.read()

    def close(self) -> None:
        self.store.close()


@contextmanager
def world(folder: Path, events: Iterable[Event] | None = None) -> Iterator[World]:
    made = World(folder, events)
    try:
        yield made
    finally:
        made.close()


def last_of(connection: apsw.Connection) -> datetime:
    """When the newest event began."""
    us = int(str(connection.execute("SELECT max(start) FROM event").get))
    return datetime.fromtimestamp(us / 1e6, UTC)
