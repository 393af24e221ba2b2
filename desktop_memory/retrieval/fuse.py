"""One order out of two lanes: how near in meaning, and how much of the query's weight the words cover.

score = r + cov², r how far the cosine stands out from those of unrelated texts, cov the share of the query's IDF
weight that an event covers. Plain reciprocal rank fusion of an OR query lets common words drag a paraphrase down;
stretching each query's cosines from 0 to 1 makes a sure hit of the nearest text, however far it is.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from desktop_memory.model import Event, Remembered
from desktop_memory.retrieval.terms import Term, tokens

RELEVANT = 0.20
_RECENCY = 1e-3
_NAMING = 2.0
"""An identifier counts double: in "ticket LED-749" the word before it may stand nowhere, and 749 is what is meant."""


def weights(wanted: Sequence[Term], frequency: Mapping[str, int], total: int) -> list[float]:
    """The IDF weight of each term; a phrase is as rare as its rarest token, a stop word weighs nothing."""
    only_stops = all(term.stop for term in wanted)
    return [
        0.0
        if term.stop and not only_stops
        else _rarity(term, frequency, total) * (_NAMING if term.naming else 1)
        for term in wanted
    ]


def seldom(wanted: Sequence[Term], frequency: Mapping[str, int], most: int) -> list[Term]:
    """Where all terms together stand in more than `most` events: the seldomest that stand in no more."""
    counts = {
        term: min(frequency.get(token, 0) for token in term.tokens) if not term.prefix else most
        for term in wanted
        if not term.stop
    }
    if sum(counts.values()) <= most:
        return []
    found, room = list[Term](), most
    for term, count in sorted(counts.items(), key=lambda counted: counted[1]):
        room -= count
        if room < 0:
            break
        found.append(term)
    return found


def _rarity(term: Term, frequency: Mapping[str, int], total: int) -> float:
    return math.log(1 + (total + 1) / (min(frequency.get(token, 0) for token in term.tokens) + 1))


def coverage(event: Remembered, wanted: Sequence[Term], weight: Sequence[float]) -> float:
    """The share of the query's weight that this event's words cover, 0 to 1."""
    total = sum(weight)
    if not total:
        return 0.0
    words = tokens(text_of(event))
    return sum(w for term, w in zip(wanted, weight, strict=True) if w and covers(words, term)) / total


def text_of(event: Event) -> str:
    """Everything of an event that its words are looked for in."""
    path = event.url.split("?", 1)[0].split("#", 1)[0]
    names = (
        event.title,
        event.text,
        event.app,
        event.project,
        event.branch,
        event.domain,
        path,
        *event.files,
    )
    return " ".join(name for name in names if name)


def covers(words: Sequence[str], term: Term) -> bool:
    """Whether the term's tokens stand side by side in these words."""
    first, size = term.tokens[0], len(term.tokens)
    for at, word in enumerate(words):
        if size == 1:
            if word == first or (term.prefix and word.startswith(first)):
                return True
        elif word == first and _same(words[at : at + size], term):
            return True
    return False


def _same(words: Sequence[str], term: Term) -> bool:
    if len(words) < len(term.tokens):
        return False
    *head, last = term.tokens
    if list(words[:-1]) != head:
        return False
    return words[-1].startswith(last) if term.prefix else words[-1] == last


def relevance(cosine: float, baseline: float) -> float:
    """r = (cos − m) / (1 − m), m the query's median cosine to a sample of the store."""
    return (cosine - baseline) / max(1e-6, 1.0 - baseline)


def score(r: float | None, coverage: float, age: float) -> float:
    """The fused score; what has no vector or is unrelated counts by its words alone. Age (days) only breaks ties."""
    return max(0.0, r or 0.0) + coverage * coverage + _RECENCY / (1.0 + max(0.0, age))
