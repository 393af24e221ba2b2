"""What was used before, and a second look, move hits a little; they never hide one."""

from __future__ import annotations

from datetime import timedelta
from itertools import count

import pytest

from desktop_memory.model import Hit, Remembered
from desktop_memory.retrieval import fuse, ranking
from desktop_memory.retrieval.terms import terms
from tests.factories import at

_ids = count(1)


def _seen(title: str) -> Remembered:
    id_ = next(_ids)
    return Remembered(id=id_, key=f"{id_:02x}", identity="", kind="note", start=at(0), title=title)


def _hits(events, relevances, *, used=None, words="", least=fuse.RELEVANT):
    wanted = terms(words)
    return ranking.hits(
        events,
        wanted=wanted,
        weight=fuse.weights(wanted, {}, 10),
        by_words=frozenset(e.id for e in events if words and words in e.title),
        by_meaning=frozenset(relevances),
        relevances=relevances,
        least=least,
        used=used or {},
        now=at(60),
    )


def test_of_two_alike_the_one_that_was_opened_stands_first():
    one, other = _seen("retry budget"), _seen("retry limit")

    found = _hits([one, other], {one.id: 0.50, other.id: 0.52}, used={one.id: (3, at(30))})

    assert [hit.event.id for hit in found] == [one.id, other.id]
    assert [hit.usage > 0 for hit in found] == [True, False]


def test_what_was_opened_a_hundred_times_does_not_pass_what_is_clearly_better():
    one, other = _seen("retry budget"), _seen("retry limit")

    found = _hits([one, other], {one.id: 0.50, other.id: 0.56}, used={one.id: (100, at(60))})

    assert [hit.event.id for hit in found] == [other.id, one.id]


@pytest.mark.parametrize(
    ("times", "days", "expected"), [(1, 0, 0.25), (15, 0, 1.0), (500, 0, 1.0), (15, 30, 0.368)]
)
def test_use_counts_as_the_logarithm_of_its_times_and_fades(times, days, expected):
    assert ranking.usage((times, at(0)), at(0) + timedelta(days=days)) == pytest.approx(expected, abs=0.001)


def test_meaning_alone_is_shown_from_the_least_on_and_words_always():
    near, far, worded = _seen("near"), _seen("far"), _seen("exact word")

    found = _hits([near, far, worded], {near.id: 0.5, far.id: 0.3, worded.id: 0.1}, words="word", least=0.45)

    assert [hit.event.title for hit in found] == ["exact word", "near"]
    assert [hit.lanes for hit in found] == [("text", "meaning"), ("meaning",)]


def test_a_second_look_moves_hits_that_are_close_and_no_others():
    best, second, far = (Hit(event=_seen(t), score=s) for t, s in (("a", 1.5), ("b", 0.9), ("c", 0.8)))

    found = ranking.judged([best, second, far], [-9.0, -9.0, 9.0])

    assert [hit.event.title for hit in found] == ["a", "c", "b"]
    assert [hit.judged for hit in found] == [pytest.approx(v, abs=0.001) for v in (0.0, 1.0, 0.0)]


def test_what_the_second_look_did_not_reach_keeps_its_score():
    one, other = (Hit(event=_seen(t), score=s) for t, s in (("a", 0.5), ("b", 0.4)))

    found = ranking.judged([one, other], [-9.0])

    assert [hit.judged for hit in found] == [pytest.approx(0.0, abs=0.001), None]
