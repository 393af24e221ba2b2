"""The estimate of tokens against counts of real encoders; fitting what fits."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from tokenizers import Tokenizer

from desktop_memory.context.budget import estimate, fit
from desktop_memory.resources import resource

COUNTED = json.loads((Path(__file__).parent / "token_counts.json").read_text(encoding="utf-8"))
MIXED = [one for one in COUNTED if one["name"] not in ("german", "french")]


@pytest.mark.parametrize("one", MIXED, ids=[one["name"] for one in MIXED])
@pytest.mark.parametrize("encoder", ["cl100k_base", "o200k_base"])
def test_the_estimate_is_near_a_real_encoder(one: dict[str, object], encoder: str):
    real = int(one[encoder])  # type: ignore[call-overload]

    assert abs(estimate(str(one["text"])) - real) <= 0.15 * real


@pytest.mark.parametrize("one", COUNTED, ids=[one["name"] for one in COUNTED])
def test_the_estimate_is_within_a_quarter_for_other_languages_too(one: dict[str, object]):
    real = (int(one["cl100k_base"]) + int(one["o200k_base"])) / 2  # type: ignore[call-overload]

    assert abs(estimate(str(one["text"])) - real) <= 0.25 * real


def test_a_tokenizer_of_words_agrees_on_copied_contexts():
    tokenizer = Tokenizer.from_file(str(resource("all-MiniLM-L6-v2", "tokenizer.json")))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    text = next(str(one["text"]) for one in COUNTED if one["name"] == "copied contexts")

    real = len(tokenizer.encode(text, add_special_tokens=False).ids)

    assert abs(estimate(text) - real) <= 0.15 * real


def test_nothing_costs_nothing():
    assert estimate("") == 0


def test_the_estimate_grows_with_the_text_and_no_faster():
    def seconds(text: str) -> float:
        start = time.thread_time()
        estimate(text)
        return time.thread_time() - start

    for piece in ("a", "1", "日", "a.b_C9 ", "\n", "###"):
        short, long = (min(seconds(piece * count) for _ in range(3)) for count in (10_000, 40_000))
        assert long < 0.05 or long / short < 9


def test_what_does_not_fit_is_skipped_and_the_next_tried():
    taken, skipped, used = fit([5, 9, 3, 4], lambda n: n, 12)

    assert taken == [5, 3, 4]
    assert skipped == [9]
    assert used == 12
