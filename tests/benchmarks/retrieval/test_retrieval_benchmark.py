"""The retrieval benchmark's data hold what they promise, and identifiers are found by words alone."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from desktop_memory.model import Query
from desktop_memory.retrieval.fuse import text_of
from desktop_memory.retrieval.terms import stop_words, tokens
from desktop_memory.store.store import Store
from tests.benchmarks.retrieval.__main__ import rank_of
from tests.benchmarks.retrieval.corpus import HALVES, KINDS, NOW, asked, events
from tests.stubs import memory_over


def test_there_is_enough_to_measure_and_the_halves_are_apart() -> None:
    tuning, test = (asked(half) for half in HALVES)

    assert len(events()) >= 800
    assert len({event.project for event in events() if event.project}) == 11
    for half in (tuning, test):
        assert min(Counter(question.kind for question in half)[kind] for kind in KINDS) >= 38
    assert {question.text for question in tuning}.isdisjoint(question.text for question in test)


@pytest.mark.parametrize("half", HALVES)
def test_every_answer_was_seen_and_a_paraphrase_shares_no_word_with_it(half: str) -> None:
    seen = {event.identity: event for event in events()}
    shared = []
    for question in asked(half):
        answers = [seen[answer] for answer in question.answers]
        if question.kind == "paraphrase":
            told = {word for answer in answers for word in tokens(text_of(answer))}
            shared += [(question.text, told & set(tokens(question.text)) - stop_words())]

    assert [pair for pair in shared if pair[1]] == []


def test_words_alone_put_every_identifier_first(tmp_path: Path) -> None:
    seen = {event.identity: event for event in events()}
    store = Store.open(tmp_path / "memory", clock=lambda: NOW)
    memory = memory_over(store, store.clock)
    memory.remember(seen.values())

    ranks = {}
    for question in [q for half in HALVES for q in asked(half) if q.kind == "identifier"]:
        found = [hit.event for hit in memory.search(Query(text=question.text)).hits]
        ranks[question.text] = rank_of([seen[answer] for answer in question.answers], found)
    store.close()

    assert {text: rank for text, rank in ranks.items() if rank != 1} == {}
