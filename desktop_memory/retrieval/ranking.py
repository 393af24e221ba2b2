"""From candidates to hits: what counts for each, in one order."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from desktop_memory.model import Hit, Remembered
from desktop_memory.retrieval import fuse
from desktop_memory.retrieval.terms import Term
from desktop_memory.store.usage import Used

USAGE_SHARE = 0.1
"""What was opened, copied or pinned before gains at most so much of its own score."""
JUDGED_SHARE = 0.3
"""What a second look adds to a score at most."""
_USAGE_DAYS = 30


def hits(
    events: Sequence[Remembered],
    *,
    wanted: Sequence[Term],
    weight: Sequence[float],
    by_words: frozenset[int],
    by_meaning: frozenset[int],
    relevances: Mapping[int, float],
    least: float,
    used: Mapping[int, Used],
    now: datetime,
) -> list[Hit]:
    """Best first. What only meaning found, at less than `least`, is left out; each thing stands once."""
    found = []
    for event in events:
        r = relevances.get(event.id)
        if event.id not in by_words and (r is None or r < least):
            continue
        coverage = fuse.coverage(event, wanted, weight)
        used_before = usage(used.get(event.id), now)
        score = fuse.score(r, coverage, _days(event.start, now)) * (1 + USAGE_SHARE * used_before)
        found.append(
            Hit(
                event=event,
                score=round(score, 4),
                lanes=tuple(
                    name for name, ids in (("text", by_words), ("meaning", by_meaning)) if event.id in ids
                ),
                relevance=None if r is None else round(r, 3),
                coverage=round(coverage, 3),
                usage=round(used_before, 3),
            )
        )
    return _without_repeats(best_first(found))


def usage(used: Used | None, now: datetime) -> float:
    """min(1, log2(1 + n) / 4) · exp(−days / 30)"""
    if used is None:
        return 0.0
    times, last = used
    return min(1.0, math.log2(1 + times) / 4) * math.exp(-max(0.0, _days(last, now)) / _USAGE_DAYS)


def judged(found: Sequence[Hit], scores: Sequence[float]) -> list[Hit]:
    """The hits with what a second look at the first ones says of them: it adds to the score, it does not replace it."""
    looked_at = [
        replace(hit, judged=round(said, 3), score=round(hit.score + JUDGED_SHARE * said, 4))
        for hit, said in zip(found, _from_0_to_1(scores), strict=False)
    ]
    return best_first([*looked_at, *found[len(looked_at) :]])


def best_first(found: Sequence[Hit]) -> list[Hit]:
    return sorted(found, key=lambda hit: (-hit.score, -hit.event.id))


def _from_0_to_1(scores: Sequence[float]) -> list[float]:
    """A cross-encoder's score is a logit."""
    return [1 / (1 + math.exp(-max(-30.0, min(30.0, score)))) for score in scores]


def _days(when: datetime, now: datetime) -> float:
    return (now - when).total_seconds() / 86_400


def _without_repeats(found: Sequence[Hit]) -> list[Hit]:
    """The best hit of each thing that was seen again and again: the same words in the same place."""
    seen: set[tuple[str, ...]] = set()
    kept = []
    for hit in found:
        event = hit.event
        same = (event.kind, event.app, event.title, event.text, event.url)
        if same not in seen:
            seen.add(same)
            kept.append(hit)
    return kept
