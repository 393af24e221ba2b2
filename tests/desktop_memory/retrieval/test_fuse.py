"""One order of words and meaning: neither lane can bury what the other is sure of."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from desktop_memory.model import Remembered
from desktop_memory.retrieval import fuse
from desktop_memory.retrieval.terms import terms, tokens
from tests.factories import at


def test_what_covers_the_whole_query_stands_before_the_nearest_that_covers_nothing():
    assert fuse.score(-0.3, 1.0, 400.0) > fuse.score(0.9, 0.0, 0.0)


def test_the_nearest_is_no_sure_hit_when_it_is_far():
    assert fuse.score(0.0, 0.6, 0.0) > fuse.score(0.25, 0.0, 0.0)


def test_a_common_word_does_not_drag_a_paraphrase_down():
    wanted = terms("rare common")
    rare, common = fuse.weights(wanted, {"rare": 1, "common": 500}, 1_000)

    share = common / (rare + common)

    assert fuse.score(0.5, 0.0, 30.0) > fuse.score(0.45, share, 30.0)


def test_an_identifier_outweighs_a_word_before_it_that_stands_nowhere():
    wanted = terms("PR #482")
    unknown, number = fuse.weights(wanted, {"482": 3}, 1_000)

    share = number / (unknown + number)

    assert fuse.score(0.1, share, 30.0) > fuse.score(0.45, 0.0, 0.0)


def test_without_a_vector_the_words_alone_count():
    without, unrelated, related = (fuse.score(r, 0.5, 3.0) for r in (None, -0.2, 0.1))

    assert without == unrelated < related


def test_of_equals_the_newer_stands_first_and_no_age_outweighs_relevance():
    old, new, better = fuse.score(0.5, 0.0, 90.0), fuse.score(0.5, 0.0, 0.0), fuse.score(0.51, 0.0, 900.0)

    assert old < new < better


def test_a_stop_word_weighs_nothing_unless_there_are_no_others():
    the, retry = fuse.weights(terms("the retry"), {"the": 5, "retry": 5}, 10)
    assert the == 0.0
    assert retry == pytest.approx(math.log(1 + 11 / 6))
    assert fuse.weights(terms("the"), {"the": 5}, 10) == [retry]
    assert fuse.weights(terms("482"), {"482": 5}, 10) == [2 * retry]
    assert fuse.weights(terms("482"), {}, 10) == [pytest.approx(2 * math.log(12))]


@pytest.mark.parametrize(
    ("query", "most", "found"),
    [
        ("rare seldom common", 113, []),
        ("rare seldom common", 112, ["rare", "seldom"]),
        ("common seldom rare", 13, ["rare", "seldom"]),
        ("common seldom rare", 12, ["rare"]),
        ("common seldom rare", 2, []),
        ("common nowhere", 50, ["nowhere"]),
        ("common nowhere", 0, ["nowhere"]),
        ("the common", 99, []),
    ],
)
def test_the_seldomest_are_looked_for_where_all_stand_in_too_many(query: str, most: int, found: list[str]):
    frequency = {"rare": 3, "seldom": 10, "common": 100, "the": 1}
    assert [term.tokens[0] for term in fuse.seldom(terms(query), frequency, most)] == found


def test_the_seldomest_is_no_word_that_goes_on():
    wanted = terms("common ra", typing=True)
    assert fuse.seldom(wanted, {"common": 4, "ra": 1}, 10) == [wanted[0]]


@pytest.mark.parametrize(
    ("text", "query", "typing", "covered"),
    [
        ("fix the retry", "retry", False, True),
        ("fix the retries", "retr", False, False),
        ("fix the retries", "retr", True, True),
        ("fix the entry", "retr", True, False),
        ("see LED-749 now", "LED-749", False, True),
        ("see LED 74 now", "LED-749", False, False),
        ("see LED-7491 now", "LED-749", False, False),
        ("see LED-7491 now", "LED-749", True, True),
        ("LED and 749", "LED-749", False, False),
        ("LED x LED-749", "LED-749", False, True),
        ("ends with LED", "LED-749", False, False),
        ("ends a.b.x", "a.b.c", False, False),
        ("ends a.x.c", "a.b.c", False, False),
        ("ends a.b.c", "a.b.c", False, True),
        ("ends a.b.ccd", "a.b.cc", True, True),
        ("", "retry", False, False),
    ],
)
def test_a_term_is_covered_by_its_tokens_side_by_side(text: str, query: str, typing: bool, covered: bool):
    (term,) = terms(query, typing=typing)
    assert fuse.covers(tokens(text), term) is covered


def test_coverage_is_the_share_of_the_weight_in_all_that_an_event_says():
    seen = Remembered(
        id=1, key="01", identity="", kind="browser", start=at(0), title="retry", files=("budget.py",),
        url="https://a.org/limits?q=hidden#place",
    )  # fmt: skip
    wanted = terms("retry budget limits hidden place the")
    assert fuse.coverage(seen, wanted, [3.0, 2.0, 1.0, 1.0, 1.0, 0.0]) == pytest.approx(6 / 8)
    assert fuse.coverage(seen, wanted, [0.0] * 6) == 0.0
    assert fuse.text_of(seen) == "retry https://a.org/limits budget.py"
    odd = replace(seen, url="https://a.org/x#a#b", files=())
    assert fuse.text_of(odd) == "retry https://a.org/x"
    assert fuse.text_of(replace(odd, url="https://a.org/x?a?b")) == "retry https://a.org/x"


def test_relevance_is_how_far_it_stands_out_and_the_score_adds_words_and_a_little_recency():
    assert fuse.relevance(0.6, 0.2) == pytest.approx(0.5)
    assert fuse.relevance(1.0, 1.0) == 0.0
    assert fuse.score(0.5, 0.5, 1.0) == pytest.approx(0.75 + 0.0005)
    assert fuse.score(0.0, 0.0, -3.0) == fuse.score(None, 0.0, 0.0) == pytest.approx(0.001)
