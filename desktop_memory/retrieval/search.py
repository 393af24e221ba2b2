"""Search: a lane of words and a lane of meaning, each filtered inside, made into one list."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, Protocol

from desktop_memory.model import Hit, Query, Remembered, SearchResult
from desktop_memory.retrieval import fuse
from desktop_memory.retrieval.terms import Term, match, terms
from desktop_memory.store.store import Clock, Store

logger = logging.getLogger(__name__)

LANE = 50
_BY_NAME = ("kinds", "app", "project", "domain", "repo", "device", "since", "until", "failed")


class Ranked(Protocol):
    """What the meaning lane found for one query: event ids with cosines, nearest first."""

    nearest: Sequence[tuple[int, float]]
    baseline: float

    def cosines(self, events: Iterable[Remembered]) -> dict[int, float]:
        """How near these events are, by id; those without a vector are left out."""
        ...


class Meaning(Protocol):
    """The lane of meaning."""

    def rank(self, text: str, query: Query, limit: int) -> Ranked | None:
        """None when there is no model, or it is not ready and the query does not wait."""
        ...


class Search:
    """Answers queries from the store; without meaning, from words alone."""

    def __init__(self, store: Store, meaning: Meaning | None, clock: Clock) -> None:
        self._store = store
        self._meaning = meaning
        self._clock = clock

    def __call__(self, query: Query) -> SearchResult:
        """The best hits. A query of filters alone gives the newest events that pass them."""
        if not query.text.strip():
            return self._filtered(query)
        wanted = terms(query.text, typing=query.typing)
        found = self._store.words(match(wanted), query=query, limit=LANE) if wanted else []
        ranked = self._rank(query)
        hits = self._fused(query, wanted, [id_ for id_, _ in found], ranked)
        page = hits[query.offset : query.offset + query.limit]
        more = len(hits) > query.offset + query.limit
        warnings = (
            ()
            if ranked is not None or query.typing
            else ("Found by words only: search by meaning is not ready.",)
        )
        return SearchResult(
            mode="text" if ranked is None else "hybrid",
            filters=filters_of(query),
            hits=tuple(page),
            next=query.offset + query.limit if more else None,
            warnings=warnings,
        )

    def _rank(self, query: Query) -> Ranked | None:
        if self._meaning is None or query.typing:
            return None
        return self._meaning.rank(query.text, query, LANE)

    def _filtered(self, query: Query) -> SearchResult:
        events = self._store.between(
            None, None, query=query, limit=query.offset + query.limit + 1, newest_first=True
        )[query.offset :]
        hits = tuple(Hit(event=event, score=0.0) for event in events[: query.limit])
        more = len(events) > query.limit
        return SearchResult(
            mode="text",
            filters=filters_of(query),
            hits=hits,
            next=query.offset + query.limit if more else None,
        )

    def _fused(
        self, query: Query, wanted: Sequence[Term], by_words: Sequence[int], ranked: Ranked | None
    ) -> list[Hit]:
        by_meaning = dict(ranked.nearest) if ranked else {}
        events = self._store.events(dict.fromkeys([*by_words, *by_meaning]))
        weight = fuse.weights(
            wanted,
            self._store.frequencies([t for term in wanted for t in term.tokens]),
            self._store.last_id(),
        )
        near = ranked.cosines(events) if ranked else {}
        relevances = [
            fuse.relevance(near[event.id], ranked.baseline) if ranked and event.id in near else None
            for event in events
        ]
        coverages = [fuse.coverage(event, wanted, weight) for event in events]
        now = self._clock()
        scores = fuse.scores(relevances, coverages, [_age(event, now) for event in events])
        worded = set(by_words)
        hits = []
        for event, r, score in zip(events, relevances, scores, strict=True):
            if event.id not in worded and (r is None or r < fuse.RELEVANT):
                continue
            lanes = tuple(
                lane
                for lane, inside in (("text", event.id in worded), ("meaning", event.id in by_meaning))
                if inside
            )
            hits.append(
                Hit(
                    event=event,
                    score=round(score, 4),
                    lanes=lanes,
                    relevance=None if r is None else round(r, 3),
                )
            )
        hits.sort(key=lambda hit: (-hit.score, -hit.event.id))
        return _without_repeats(hits)


def filters_of(query: Query) -> dict[str, Any]:
    """The filters that a query holds, by name."""
    return {name: value for name in _BY_NAME if (value := getattr(query, name))}


def _age(event: Remembered, now: datetime) -> float:
    return (now - event.start).total_seconds() / 86_400


def _without_repeats(hits: Sequence[Hit]) -> list[Hit]:
    """The best hit of each thing that was seen again and again: the same words in the same place."""
    seen: set[tuple[str, ...]] = set()
    kept = []
    for hit in hits:
        event = hit.event
        same = (event.kind, event.app, event.title, event.text, event.url)
        if same not in seen:
            seen.add(same)
            kept.append(hit)
    return kept
