"""The words that a model knows as words: what it must cut into pieces means little to it."""

from __future__ import annotations

import json
import re
import unicodedata
from pathlib import Path

_WORD = re.compile(r"[^\W\d_]+")
_LARGEST = 100_000
"""A larger vocabulary is one of many languages, made of pieces anyway, and would take 20 MB."""


def vocabulary(folder: Path) -> frozenset[str]:
    """The whole words in the tokenizer of this folder; none where it does not tell words from pieces.

    WordPiece marks what goes on a word by ## (https://huggingface.co/docs/tokenizers/api/models).
    """
    try:
        model = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))["model"]
        words = model["vocab"] if model.get("type", "WordPiece") == "WordPiece" else ()
    except (OSError, ValueError, KeyError, TypeError):
        return frozenset()
    if len(words) > _LARGEST:
        return frozenset()
    return frozenset(word for word in words if len(word) > 1 and _WORD.fullmatch(word))


def knows(words: frozenset[str], text: str) -> bool:
    """Whether any word of the text is among these; True where there are none to compare with."""
    if not words:
        return True
    plain = "".join(c for c in unicodedata.normalize("NFD", text.lower()) if unicodedata.category(c) != "Mn")
    return any(word in words for word in _WORD.findall(plain))
