"""Each hit says why it is there."""

from __future__ import annotations

from datetime import UTC

from desktop_memory.model import Hit, Remembered
from desktop_memory.retrieval.explain import reasons
from tests.factories import at

EVENT = Remembered(id=1, key="00", identity="", kind="note", start=at(0), title="retry budget")


def why(now=0, **what):
    return reasons(Hit(event=EVENT, score=1.0, **what), at(now), UTC)


def test_words_meaning_use_and_age_are_told():
    assert why(lanes=("text", "meaning"), coverage=1.0, relevance=0.62, usage=0.3) == (
        "holds all words",
        "very near in meaning (0.62)",
        "opened or copied before",
        "today",
    )


def test_a_part_of_the_words_is_told_by_its_weight():
    assert why(lanes=("text",), coverage=0.4, now=24 * 60) == (
        "holds words worth 40% of the question",
        "yesterday",
    )


def test_a_filter_alone_is_told():
    assert why(now=3 * 24 * 60) == ("passes the filter", "3 days old")
