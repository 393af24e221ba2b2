"""No pattern of ours repeats a group possessively: early Python 3.11 matches such patterns wrongly (gh-101955)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
POSSESSIVE_GROUP = re.compile(r"\)(?:[*+?]|\{\d*,?\d*\})\+(?!\))|\(\?>")


def modules() -> list[Path]:
    return [
        path
        for package in ("collectors", "desktop_memory")
        for path in sorted((ROOT / package).rglob("*.py"))
    ]


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(ROOT)))
def test_no_group_is_possessive(path):
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if 'r"' in line or "r'" in line or 'rf"' in line or 'rb"' in line:
            assert not POSSESSIVE_GROUP.search(line), f"{path.name}:{number}"


def test_the_check_knows_one_when_it_sees_it():
    assert POSSESSIVE_GROUP.search(r"(?:ab)*+")
    assert POSSESSIVE_GROUP.search(r"(?:ab){1,3}+")
    assert not POSSESSIVE_GROUP.search(r"[ab]*+")
