"""One order of words and meaning: neither lane can bury what the other is sure of."""

from __future__ import annotations

from desktop_memory.retrieval import fuse
from desktop_memory.retrieval.terms import terms


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
