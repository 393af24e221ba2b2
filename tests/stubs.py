"""Fakes for the outer edge: a scripted source, a source that watches, a memory with nothing around it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC

from collectors.collector import Batch, Cursor, Emit, Place, Unavailable
from collectors.event import Event, Gap
from desktop_memory.asking import Parts
from desktop_memory.memory import Memory
from desktop_memory.model import ContextRequest, CopiedContext
from desktop_memory.pipeline.gate import Gate
from desktop_memory.retrieval.search import Search
from desktop_memory.settings import Privacy
from desktop_memory.store.store import Clock, Store


class ScriptedSource:
    """Gives the scripted batches one after the other; an exception in the script is raised."""

    def __init__(
        self, source: str, script: Sequence[Sequence[Event] | Exception], places: Sequence[str] = ("here",)
    ) -> None:
        self.source = source
        self.script = list(script)
        self.asked = 0
        self._places = places

    def places(self) -> Iterable[Place]:
        return [Place(source=self.source, name=name) for name in self._places]

    def collect(self, place: Place, cursor: Cursor | None) -> Batch:
        self.asked += 1
        at = int((cursor or {}).get("at", 0))
        if at >= len(self.script):
            return Batch(events=[], cursor={"at": at})
        step = self.script[at]
        if isinstance(step, Exception):
            raise step
        return Batch(events=list(step), cursor={"at": at + 1}, more=at + 1 < len(self.script))


class ScriptedWatch:
    """Emits what it is given by `tell` until it is stopped; raises at once when there is nothing to watch."""

    def __init__(self, source: str, error: Exception | None = None) -> None:
        self.source = source
        self.backend = "script"
        self.watching = threading.Event()
        self.error = error
        self.emit: Emit | None = None

    def watch(self, emit: Emit, stop: threading.Event) -> None:
        if self.error is not None:
            raise self.error
        self.emit = emit
        self.watching.set()
        stop.wait()
        self.watching.clear()

    def tell(self, seen: Event | Gap) -> None:
        assert self.emit is not None
        self.emit(seen)


class NoContexts:
    """Stands where a test copies nothing."""

    def build(self, request: ContextRequest, scope: object = None) -> CopiedContext:
        raise Unavailable("no contexts in this test")

    check = did_i = report = build  # type: ignore[assignment]


def memory_over(store: Store, clock: Clock, *, privacy: Privacy | None = None) -> Memory:
    """A memory without model and graph."""
    contexts: Callable[[Memory], NoContexts] = lambda memory: NoContexts()  # noqa: E731
    return Memory(
        Parts(
            store=store,
            gate=Gate(privacy or Privacy()),
            search=Search(store, None, clock),
            clock=clock,
            zone=lambda: UTC,
            read_branch=lambda folder: None,
            contexts=contexts,
        )
    )
