"""Search: a lane of words and a lane of meaning, each filtered inside, made into one list."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

from desktop_memory.courtesy import answering
from desktop_memory.embedding.embedder import EmbedderUnavailable
from desktop_memory.model import Hit, Query, Remembered, SearchResult, Session
from desktop_memory.pipeline.coalesce import embedding_text
from desktop_memory.retrieval import fuse, ranking
from desktop_memory.retrieval.shown import pages_for_windows
from desktop_memory.retrieval.superseding import Lanes, Ticket
from desktop_memory.retrieval.terms import Term, match, terms
from desktop_memory.retrieval.usage import Usage
from desktop_memory.store.connection import given_up_when
from desktop_memory.store.store import Clock, Store
from desktop_memory.store.words import NEWEST_MATCHES

logger = logging.getLogger(__name__)

LANE = 50
LOOKED_AT = 30
_BY_NAME = ("kinds", "app", "project", "domain", "repo", "device", "since", "until", "failed")
_BY_WORDS_ONLY = (
    "Found by words only: search by meaning is not ready. It gets ready while the app runs, or by `collect`."
)
_NO_SECOND_LOOK = "The hits were not looked at a second time: the model for it is not ready."


class Ranked(Protocol):
    """What the meaning lane found for one query: event ids with cosines, nearest first.

    `least` is the r from which on a hit that only meaning found is shown.
    """

    nearest: Sequence[tuple[int, float]]
    baseline: float
    least: float

    def cosines(self, events: Iterable[Remembered]) -> dict[int, float]:
        """How near these events are, by id; those without a vector are left out."""
        ...


class Meaning(Protocol):
    """The lane of meaning."""

    def rank(self, text: str, query: Query, limit: int) -> Ranked | None:
        """None when there is no model, or it is not ready and the query does not wait."""
        ...


class Judge(Protocol):
    """A second look at the best hits, each together with the question."""

    @property
    def on(self) -> bool: ...

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        """How well each text answers. Raises EmbedderUnavailable."""
        ...


class Search:
    """Answers queries from the store; without meaning, from words alone."""

    def __init__(
        self,
        store: Store,
        meaning: Meaning | None,
        clock: Clock,
        *,
        judge: Judge | None = None,
        usage: Usage | None = None,
    ) -> None:
        self._store = store
        self._meaning = meaning
        self._clock = clock
        self._judge = judge
        self._usage = usage
        self._lanes = Lanes()

    def __call__(self, query: Query) -> SearchResult:
        """The best hits. A query of filters alone gives the newest events that pass them.

        Raises Superseded when a newer question of its lane came meanwhile.
        """
        ticket = self._lanes.begin(query.lane, query.turn)
        ticket.check()
        with answering():
            if not query.lane:
                return self._answer(query, ticket)
            with given_up_when(ticket.over, self._store.read()):
                return self._answer(query, ticket)

    def _answer(self, query: Query, ticket: Ticket) -> SearchResult:
        found = self._found(query, ticket) if query.text.strip() else self._filtered(query)
        if not query.with_sessions:
            return found
        return replace(found, sessions=self._sessions(found.hits))

    def _found(self, query: Query, ticket: Ticket) -> SearchResult:
        wanted = terms(query.text, typing=query.typing)
        frequency = self._store.frequencies([token for term in wanted for token in term.tokens])
        by_words = self._by_words(wanted, frequency, query)
        ticket.check()
        ranked = self._rank(query)
        ticket.check()
        hits = pages_for_windows(self._fused(wanted, frequency, by_words, ranked))
        warnings = [] if ranked is not None or query.typing else [_BY_WORDS_ONLY]
        if not query.typing and self._judge is not None and self._judge.on:
            hits, warning = self._judged(self._judge, query.text, hits)
            ticket.check()
            warnings += warning
        more = len(hits) > query.offset + query.limit
        return SearchResult(
            mode="text" if ranked is None else "hybrid",
            filters=filters_of(query),
            hits=tuple(hits[query.offset : query.offset + query.limit]),
            next=query.offset + query.limit if more else None,
            warnings=tuple(warnings),
        )

    def _by_words(self, wanted: Sequence[Term], frequency: Mapping[str, int], query: Query) -> list[int]:
        """The best by words; beside them those of the seldom words alone, which may stand further back."""
        found: dict[int, None] = {}
        for some in (wanted, fuse.seldom(wanted, frequency, NEWEST_MATCHES)):
            if some:
                found |= dict.fromkeys(
                    id_ for id_, _ in self._store.words(match(some), query=query, limit=LANE)
                )
        return list(found)

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
        self,
        wanted: Sequence[Term],
        frequency: Mapping[str, int],
        by_words: Sequence[int],
        ranked: Ranked | None,
    ) -> list[Hit]:
        by_meaning = [id_ for id_, _ in ranked.nearest] if ranked else []
        events = self._store.events(dict.fromkeys([*by_words, *by_meaning]))
        near = ranked.cosines(events) if ranked else {}
        ids = [event.id for event in events]
        return ranking.hits(
            events,
            wanted=wanted,
            weight=fuse.weights(wanted, frequency, self._store.last_id()),
            by_words=frozenset(by_words),
            by_meaning=frozenset(by_meaning),
            relevances={id_: fuse.relevance(cosine, ranked.baseline) for id_, cosine in near.items()}
            if ranked
            else {},
            least=ranked.least if ranked else fuse.RELEVANT,
            used=self._usage.of(ids) if self._usage else {},
            now=self._clock(),
        )

    def _judged(self, judge: Judge, question: str, hits: list[Hit]) -> tuple[list[Hit], list[str]]:
        try:
            scores = judge.scores(question, [embedding_text(hit.event) for hit in hits[:LOOKED_AT]])
        except EmbedderUnavailable:
            return hits, [_NO_SECOND_LOOK]
        return ranking.judged(hits, scores), []

    def _sessions(self, hits: Sequence[Hit]) -> tuple[Session, ...]:
        """Each session of the hits once, in the order of its best hit."""
        members = dict.fromkeys(hit.event.session for hit in hits if hit.event.session is not None)
        found = (self._store.session(member) for member in members)
        return tuple(session for session in found if session is not None)


def filters_of(query: Query) -> dict[str, Any]:
    """The filters that a query holds, by name."""
    return {name: value for name in _BY_NAME if (value := getattr(query, name))}
