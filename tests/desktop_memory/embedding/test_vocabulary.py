"""What a model has no word for it cannot mean much by."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from desktop_memory.embedding.vocabulary import knows, vocabulary
from desktop_memory.resources import resource


@pytest.fixture(scope="module")
def words() -> frozenset[str]:
    return vocabulary(resource("all-MiniLM-L6-v2"))


@pytest.mark.parametrize("text", ["qwxz flurb", "zzz", "asdfgh", "LED", "4711 0815", "kubernets", ""])
def test_letters_at_random_and_numbers_are_no_words(words, text):
    assert knows(words, text) == (text == "LED")


@pytest.mark.parametrize("text", ["qwxz charge", "Café", "THE plan", "retry-budget_v2"])
def test_one_word_is_enough_whatever_its_case_and_accents(words, text):
    assert knows(words, text)


@pytest.mark.parametrize(
    "said", ["{}", "nothing", json.dumps({"model": {"type": "Unigram", "vocab": [["▁a", 0.1]]}}), "[]"]
)
def test_files_that_do_not_tell_let_everything_pass(tmp_path: Path, said: str):
    (tmp_path / "tokenizer.json").write_text(said)

    assert knows(vocabulary(tmp_path), "qwxz")
    assert knows(vocabulary(tmp_path / "missing"), "qwxz")
