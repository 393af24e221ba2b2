"""How many tokens a text will cost, and what fits."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from typing import TypeVar

Chosen = TypeVar("Chosen")

# Weights fitted by non-negative least squares to the byte-pair encoders cl100k_base and o200k_base over prose,
# code, shell, copied contexts and fifteen languages (tests/desktop_memory/context/token_counts.json holds
# counts of theirs to test against). Scripts beyond Latin lie between the two, which differ by 40 % there.
_PIECE = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+|\n+|[ \t]{2,}|[ \t]|[^\w\s]+|_+|.", re.DOTALL)
_SCRIPTS = (
    (0x250, 0.3),
    (0x370, 1.0),
    (0x590, 0.39),
    (0x900, 0.51),
    (0x2000, 0.72),
    (0x3040, 2.0),
    (0x3100, 0.76),
    (0xA000, 0.78),
    (0xD7B0, 0.87),
    (0x10000, 1.2),
    (0x20000, 1.75),
)


# A tag's letters and digits are chance: the same copy costs the same under any.
_TAG = re.compile(r"\bctx-[0-9a-f]{4,16}\b")
_DEAREST_TAG = "ctx-1a2b"

_SLACK = 1.04
"""Rather too many than too few: a text that was promised to fit must fit."""


def estimate(text: str) -> int:
    """Tokens of this text for a current language model, within 15 % on prose, code and mixtures with CJK."""
    return math.ceil(_SLACK * sum(map(_cost, _PIECE.findall(_TAG.sub(_DEAREST_TAG, text)))))


def _cost(piece: str) -> float:
    first = piece[0]
    if not piece.isascii():
        return sum(map(_character, piece))
    if first.isalpha():
        shouted = 0.09 * len(piece) if len(piece) > 1 and piece.isupper() else 0.0
        return 0.98 + shouted + 0.018 * max(0, len(piece) - 5) + 0.57 * max(0, len(piece) - 9)
    if first.isdigit():
        return 1.7 + 0.7 * ((len(piece) - 1) // 3)
    if first == "\n":
        return 0.7
    if first in " \t_":
        return 0.35 if len(piece) > 1 and first != "_" else 0.0
    return 0.86 + 0.14 * (len(piece) - 1)


def _character(character: str) -> float:
    code = ord(character)
    return next((weight for end, weight in _SCRIPTS if code < end), 0.8)


def fit(
    wanted: Sequence[Chosen], cost: Callable[[Chosen], int], allowed: int
) -> tuple[list[Chosen], list[Chosen], int]:
    """What fits, in the order given: one that does not is skipped and the next tried. Also the rest, and the sum."""
    taken: list[Chosen] = []
    skipped: list[Chosen] = []
    used = 0
    for one in wanted:
        price = cost(one)
        if used + price <= allowed:
            taken.append(one)
            used += price
        else:
            skipped.append(one)
    return taken, skipped, used
