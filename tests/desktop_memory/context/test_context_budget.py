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


@pytest.mark.parametrize(
    ("piece", "hundred"),
    [
        ("a", 102), ("abcdef", 104), ("abcdefghi", 110), ("abcdefghij", 171), ("AB", 121), ("ABCD", 140),
        ("7", 177), ("777", 177), ("7777", 250), ("7777777", 323), ("é", 32), ("Ͱ", 41), ("Ж", 41), ("日", 82),
        ("\U0001f600", 182), ("\U00030000", 84),
    ],
)  # fmt: skip
def test_each_kind_of_piece_has_its_price(piece: str, hundred: int):
    """A blank before a word is a part of it, and costs nothing."""
    assert estimate(f"{piece} " * 100) == hundred


@pytest.mark.parametrize(
    ("text", "price"),
    [("\n", 1), ("a\n" * 100, 175), ("a  " * 100, 139), ("a\t\t" * 100, 139), ("a_" * 100, 102), ("7__" * 100, 177),
     ("a#" * 100, 192), ("a###" * 100, 221)],
)  # fmt: skip
def test_lines_indents_and_signs_have_theirs(text: str, price: int):
    assert estimate(text) == price


def test_a_tag_costs_the_same_whatever_its_letters():
    assert estimate("ctx-1234 ctx-abcd") == estimate("ctx-0000 ctx-9f9f") == estimate("ctx-1a2b ctx-1a2b")


def test_what_fits_exactly_is_taken():
    assert fit([5, 7, 1], lambda n: n, 12) == ([5, 7], [1], 12)
    assert fit([], lambda n: n, 0) == ([], [], 0)
