"""The ways to answer a question that are compared: each lane alone, and two ways to make one list of both."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC
from pathlib import Path

from collectors.event import Event
from desktop_memory.asking import Parts
from desktop_memory.embedding.catalog import RERANKER
from desktop_memory.embedding.child_embedder import ChildEmbedder
from desktop_memory.embedding.embedder import EmbedderUnavailable
from desktop_memory.embedding.installed import resolve
from desktop_memory.embedding.model_files import BUILT_IN
from desktop_memory.embedding.reranker import Reranker, SecondLook
from desktop_memory.indexer import Indexer
from desktop_memory.memory import Memory
from desktop_memory.model import Query, Remembered
from desktop_memory.pipeline import phrases
from desktop_memory.pipeline.gate import Gate
from desktop_memory.retrieval.meaning import VectorLane
from desktop_memory.retrieval.search import LANE, Search
from desktop_memory.retrieval.terms import match, terms
from desktop_memory.settings import Privacy
from desktop_memory.store.store import Store
from tests.benchmarks.retrieval.corpus import NOW, events
from tests.stubs import NoContexts, memory_over

WAYS = ("BM25", "text only", "vectors only", "reciprocal ranks", "fused")
SECOND_LOOK = "second look"
_RECIPROCAL = 60


class Ways:
    """Answers each question in each way, the same filters from a time phrase in all of them."""

    def __init__(self, store: Store, embedder: ChildEmbedder, judge: SecondLook | None = None) -> None:
        self._store = store
        self._lane = VectorLane(store, embedder)
        self._without = memory_over(store, store.clock)
        self._with = _memory(store, Search(store, self._lane, store.clock))
        self._judged = judge and _memory(store, Search(store, self._lane, store.clock, judge=judge))
        self.names = (*WAYS, SECOND_LOOK) if judge else WAYS

    def answers(self, question: str) -> Mapping[str, list[Remembered]]:
        """The events that each way finds, best first."""
        query = Query(text=question, limit=LANE)
        plain = _without_phrase(query)
        words = [id_ for id_, _ in self._store.words(match(terms(plain.text)), query=plain, limit=LANE)]
        ranked = self._lane.rank(plain.text, plain, LANE)
        assert ranked is not None
        near = [id_ for id_, _ in ranked.nearest]
        found = {
            "BM25": self._events(words),
            "text only": [hit.event for hit in self._without.search(query).hits],
            "vectors only": self._events(near),
            "reciprocal ranks": self._events(_by_reciprocal_ranks(words, near)),
            "fused": self.fused(query),
        }
        if self._judged:
            found[SECOND_LOOK] = [hit.event for hit in self._judged.search(query).hits]
        return found

    def fused(self, query: Query) -> list[Remembered]:
        return [hit.event for hit in self._with.search(query).hits]

    def _events(self, ids: Iterable[int]) -> list[Remembered]:
        """Without repeats, as search gives them."""
        kept: dict[tuple[str, ...], Remembered] = {}
        for event in self._store.events(ids):
            kept.setdefault(content(event), event)
        return list(kept.values())


def _memory(store: Store, search: Search) -> Memory:
    return Memory(
        Parts(
            store=store,
            gate=Gate(Privacy()),
            search=search,
            clock=store.clock,
            zone=lambda: UTC,
            read_branch=lambda folder: None,
            contexts=lambda memory: NoContexts(),
        )
    )


def content(event: Event) -> tuple[str, ...]:
    """What two sightings of the same thing share."""
    return (event.kind, event.app, event.title, event.text, event.url)


@contextmanager
def ways(
    folder: Path, *, first: int | None = None, model: str = BUILT_IN.name, installed: Path | None = None
) -> Iterator[Ways]:
    """The corpus (or its `first` so many events) remembered, every text with its vector.

    `installed` is a data folder with models; a reranker that is there takes its second look.
    """
    store = Store.open(folder / "memory", clock=lambda: NOW)
    embedder = ChildEmbedder(resolve(model, installed or folder), notes=folder / "notes.json")
    judge = None if installed is None else _judge(installed)
    try:
        memory_over(store, store.clock).remember(events()[:first])
        indexer = Indexer(store, embedder)
        while indexer.catch_up(threading.Event()):
            pass
        yield Ways(store, embedder, judge)
    finally:
        if judge is not None:
            judge.close()
        embedder.close()
        store.close()


def _judge(installed: Path) -> SecondLook | None:
    try:
        files = resolve(RERANKER.name, installed, purpose="rerank")
    except EmbedderUnavailable:
        return None
    return SecondLook(lambda: Reranker(files), wanted=True)


def _without_phrase(query: Query) -> Query:
    phrase = phrases.find(query.text, NOW, UTC)
    if phrase is None:
        return query
    return replace(query, text=phrase.text, since=phrase.since, until=phrase.until)


def _by_reciprocal_ranks(*lanes: Sequence[int]) -> list[int]:
    scores: dict[int, float] = {}
    for lane in lanes:
        for rank, id_ in enumerate(lane, start=1):
            scores[id_] = scores.get(id_, 0.0) + 1 / (_RECIPROCAL + rank)
    return sorted(scores, key=lambda id_: -scores[id_])
